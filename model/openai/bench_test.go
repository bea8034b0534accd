package openai

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// BenchmarkRequests measures what a request costs against a server without latency in the same process, with 64
// connections. The server writes ready bytes, so that its own share is small.
func BenchmarkRequests(b *testing.B) {
	const plain = `{"model":"toy-1","choices":[{"index":0,"finish_reason":"length","message":{"content":" A"},"logprobs":{"content":[` +
		`{"token":" A","logprob":-0.5,"top_logprobs":[{"token":" A","logprob":-0.5},{"token":"B","logprob":-1.5}]}]}}],"usage":{"prompt_tokens":50,"completion_tokens":1}}`
	streamed := strings.Repeat("data: "+openaitest.Delta(" word", "")+"\n\n", 8) + "data: " + openaitest.Delta("", "stop") + "\n\ndata: [DONE]\n\n"
	b.Run("plain", func(b *testing.B) { plainRequests(b, ready(b, "application/json", plain)) })
	for _, c := range []struct {
		name, body, kind string
		request          percuss.Request
	}{
		{"letters", plain, "application/json", letters("A", "B")},
		{"text", streamed, "text/event-stream", ask(strings.Repeat("a question ", 40))},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := quick(ready(b, c.kind, c.body))
			o.Server, o.Remote.Concurrency = "vllm", 64
			m := openWith(b, o)
			requests := make([]percuss.Request, b.N)
			for i := range requests {
				requests[i] = c.request
			}
			s, err := m.Open(b.Context(), "subject")
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			n := 0
			for from := 0; from < len(requests); from += 2048 {
				err := s.Answer(b.Context(), requests[from:min(from+2048, len(requests))], func(_ int, _ percuss.Answer, err error) {
					if err != nil {
						b.Error(err)
					}
					n++
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// plainRequests does as little as can be done: it sends the same bytes and throws the replies away.
func plainRequests(b *testing.B, url string) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	work := make(chan struct{})
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range work {
				res, err := client.Post(url+"/chat/completions", "application/json", strings.NewReader(`{"model":"toy-1","messages":[]}`))
				if err != nil {
					b.Error(err)
					continue
				}
				if _, err := io.Copy(io.Discard, res.Body); err != nil {
					b.Error(err)
				}
				_ = res.Body.Close()
			}
		})
	}
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// ready is a server that writes the same bytes for every request.
func ready(b *testing.B, kind, body string) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	reply := "HTTP/1.1 200 OK\r\nContent-Type: " + kind + "\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, piece := range strings.SplitAfter(body, "\n\n") {
		if piece != "" {
			reply += strings.Join([]string{hex(len(piece)), piece, ""}, "\r\n")
		}
	}
	reply += "0\r\n\r\n"
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn, reply)
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

func serve(conn net.Conn, reply string) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		say := reply
		if req.Method == http.MethodGet {
			say = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
		}
		if _, err := io.WriteString(conn, say); err != nil {
			return
		}
	}
}

func hex(n int) string {
	const digits = "0123456789abcdef"
	s := ""
	for ; n > 0; n /= 16 {
		s = string(digits[n%16]) + s
	}
	return s
}
