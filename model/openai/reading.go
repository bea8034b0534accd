package openai

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/http"
)

// reading is the memory that replies are read in, one after another.
type reading struct {
	in     *bufio.Reader
	body   bytes.Buffer
	events events
	chunks plain
}

// mostHeld is the largest reply, in bytes, whose memory is held for the next one.
const mostHeld = 1 << 20

func newReading(row row) *reading {
	in := bufio.NewReaderSize(nil, 1<<14)
	return &reading{in: in, events: events{r: in}, chunks: plain{row: row}}
}

// read reads the reply of the server with the memory of an earlier one.
func (c *client) read(res *http.Response) (reply, error) {
	r, ok := c.readings.Get().(*reading)
	if !ok {
		r = newReading(c.row)
	}
	got, err := r.read(res)
	if r.body.Cap()+cap(r.events.data)+cap(r.events.long) <= mostHeld {
		r.in.Reset(nil)
		c.readings.Put(r)
	}
	return got, err
}

// read reads a reply with status 200, streamed or not. A *problem is an error that the server put inside; other errors
// are faults. Nothing of the reply lies in the reading's memory.
func (r *reading) read(res *http.Response) (reply, error) {
	r.in.Reset(res.Body)
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if kind != "text/event-stream" && (kind == "application/json" || !startsStream(r.in)) {
		r.body.Reset()
		if _, err := r.body.ReadFrom(io.LimitReader(r.in, longestLine)); err != nil {
			return reply{}, err
		}
		return whole(r.body.Bytes(), &r.chunks)
	}
	got := reply{streamed: true}
	return got, got.stream(&r.events, &r.chunks)
}

// startsStream looks at the first bytes of a reply that does not say what it is.
func startsStream(br *bufio.Reader) bool {
	for n := 1; n <= 64; n++ {
		b, err := br.Peek(n)
		if err != nil || len(b) < n {
			return false
		}
		if c := b[n-1]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c == 'd' || c == ':' || c == 'e' || c == 'i'
		}
	}
	return false
}
