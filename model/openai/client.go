package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// client makes single attempts. It is safe for use by several goroutines.
type client struct {
	wire      *wire
	addr      address
	name      string
	row       row
	can       percuss.Capabilities
	keyRemedy string
	now       func() time.Time
	report    func(model.Allowance)

	prepare  sync.Once
	neutral  fields    // those of the row
	readings sync.Pool // of *reading

	mu    sync.Mutex
	shape shape
	tried model.Tried // forms of requests that a batch may hold
}

// exchange is one attempt with what lies behind its answer.
type exchange struct {
	answer     percuss.Answer
	candidates []model.Candidate
	status     int // below 400 where the server served the request, 0 where it was not sent
}

// Report implements model.Reporter.
func (c *client) Report(to func(model.Allowance)) { c.report = to }

// attempt sends a request, and sends it again at once where the server does not know a parameter that it can do
// without. What the server sent is copied to tap, if there is one.
func (c *client) attempt(ctx context.Context, r percuss.Request, tap *tap) (exchange, error) {
	for {
		shape := c.form()
		body, given, err := c.encode(r, shape)
		if err != nil {
			return exchange{answer: percuss.Answer{Outcome: percuss.Refused, Detail: err.Error() + "; it was not sent"}}, nil
		}
		tap.reset()
		got, err := c.exchange(ctx, body, tap)
		var p *problem
		switch {
		case err == nil:
			return c.conclude(r, given, got, shape)
		case !errors.As(err, &p):
			return exchange{}, err
		case c.learn(p, shape, len(r.Want.Letters) > 0):
			continue
		}
		return c.declined(r, given, p)
	}
}

// declined says what a problem with a request comes to.
func (c *client) declined(r percuss.Request, given percuss.Continuation, p *problem) (exchange, error) {
	outcome, err := c.meaning(p, len(r.Want.Letters) > 0)
	return exchange{answer: percuss.Answer{Outcome: outcome, Continued: given, Detail: c.safe(p).Error()}, status: http.StatusBadRequest}, err
}

// exchange sends a body and reads the reply.
func (c *client) exchange(ctx context.Context, body []byte, tap *tap) (reply, error) {
	res, err := c.wire.do(ctx, http.MethodPost, c.addr.base+"/chat/completions", body)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }() // what matters was read; a broken rest is no loss
	c.report(model.ReadAllowance(res.Header, c.now()))
	if tap != nil {
		res.Body = tap.on(res.Body)
	}
	if res.StatusCode/100 == 2 {
		got, err := c.read(res)
		var p *problem
		if errors.As(err, &p) {
			p.after = model.RetryAfter(res.Header, c.now())
		}
		return got, err
	}
	said, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil && len(said) == 0 {
		return reply{}, err
	}
	p := readProblem(res.StatusCode, said)
	p.after = model.RetryAfter(res.Header, c.now())
	return reply{}, p
}

// form is the present shape of requests.
func (c *client) form() shape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shape
}

// droppable are the parameters that a request can do without, if the answer says so: they are sent to override what
// server or model have as a default.
func (c *client) droppable() []string {
	return append([]string{"stream_options", "temperature", "top_p", "seed", "n"}, slices.Sorted(maps.Keys(c.row.neutral))...)
}

// learn changes the shape of all further requests where a server refused a parameter as such, and reports whether the
// request is worth sending again. was is the shape that the refused request had.
func (c *client) learn(p *problem, was shape, scored bool) bool {
	if p.status != http.StatusBadRequest && p.status != http.StatusUnprocessableEntity && p.status != http.StatusNotImplemented {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	words := strings.ToLower(p.message + " " + p.param)
	if scored && was.top > few && strings.Contains(words, "logprobs") && p.says("max", "between", "less than", "at most", "greater than", "range") {
		c.shape.top = few
		return true
	}
	if !p.says(aboutSupport()...) {
		return false
	}
	for _, name := range c.droppable() {
		if c.row.strict && p.names(name) && !was.absent[name] {
			absent := map[string]bool{name: true} // a new map: shapes in use are read without the lock
			maps.Copy(absent, c.shape.absent)
			c.shape.absent = absent
			return true
		}
	}
	if strings.Contains(words, "stream") && !was.plain && !scored {
		c.shape.plain = true
		return true
	}
	return false
}

// few is the number of alternatives that every server with log-probabilities gives.
const few = 5

// remark says which parameters of a request the server would not take.
func (s shape) remark(letters bool) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.absent)) {
		if name != "stream_options" && name != "n" && !(letters && name == "seed") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("the server takes no %s, so its own default held", strings.Join(names, ", "))
}

// tap keeps the beginning of what a server sent.
type tap struct{ kept []byte }

// mostKept is how much of a body is shown, in bytes. More is kept, so that no key is cut in two before it is looked
// for.
const mostKept = 8 << 10

func (t *tap) reset() {
	if t != nil {
		t.kept = nil
	}
}

func (t *tap) Write(p []byte) (int, error) {
	if room := 2*mostKept - len(t.kept); room > 0 {
		t.kept = append(t.kept, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// shown is what was kept, without the key.
func (t *tap) shown(s secret) string {
	return cut(s.redact(strings.ToValidUTF8(string(t.kept), "\uFFFD")), mostKept)
}

func (t *tap) on(body io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(body, t), body}
}
