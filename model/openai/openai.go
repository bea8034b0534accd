// Package openai is the back-end for servers that speak OpenAI's protocol of chat completions: the hosted service and
// vLLM, SGLang, llama.cpp, Ollama, text-generation-inference, LM Studio and their like. What is peculiar to each stands
// in one table (rows.go); the rest of the package treats all alike and tolerates what servers do to the protocol.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Options say which model is asked, and how. URL and Name are needed; the zero value of the rest is ready for use.
type Options struct {
	URL     string   // base, e.g. http://host:8000/v1; no user, password or query
	Others  []string // further addresses where the same model answers, of the same form as URL
	Name    string   // the model, as the server's list has it
	Key     string   // secret; sent as a bearer token and kept nowhere. Empty: none is sent
	KeyFrom string   // where the key came from, for messages, e.g. "the variable OPENAI_API_KEY"
	Server  string   // row of the table of servers, see Servers; empty: found out

	// Letters and Continue override what the table says of the server: "yes", "no", or empty.
	Letters, Continue string

	FirstByte time.Duration // most time until the first byte of a reply; 0: 10 minutes
	Idle      time.Duration // most time without a byte after it; 0: 2 minutes. A stream that flows is never cut

	Transport http.RoundTripper   // nil: Go's own, with the proxies of the environment
	Now       func() time.Time    // nil: time.Now; read for dates in Retry-After
	Remote    model.RemoteOptions // concurrency, waiting, jitter
}

func (o Options) withDefaults() Options {
	if o.FirstByte <= 0 {
		o.FirstByte = 10 * time.Minute
	}
	if o.Idle <= 0 {
		o.Idle = 2 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.KeyFrom == "" {
		o.KeyFrom = "the environment variable that holds the key"
	}
	return o
}

// Servers are the names that Options.Server may have.
func Servers() []string {
	var out []string
	for _, r := range rows() {
		out = append(out, r.name)
	}
	return out
}

// served is an opened model.
type served struct {
	model.Model
	model.Counter
	model.Batcher
	client *client
	close  func()
}

// Open finds out what kind of server answers at the URL, by free GET requests alone, and checks that it has the model.
// The model that it returns is a model.Counter, a model.Inspector and a model.Batcher. Errors name what the user can do.
func Open(ctx context.Context, o Options) (model.Model, error) {
	o = o.withDefaults()
	clients, err := newClients(o)
	if err != nil {
		return nil, err
	}
	hangUp := clients[0].wire.http.CloseIdleConnections
	c, err := surveyAll(ctx, clients, o)
	if err != nil {
		hangUp()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("model %q: %w", o.Name, err)
	}
	// Batches are the first address's: another one would not know them when the run is gone on with.
	callers := make([]model.Caller, len(clients))
	for i, one := range clients {
		callers[i] = one
	}
	m := model.Endpoints(callers, c.can, o.Remote)
	return &served{Model: m, Counter: m.(model.Counter), Batcher: clients[0], client: c, close: hangUp}, nil
}

// Close frees the connections.
func (s *served) Close() error {
	err := s.Model.Close()
	s.close()
	return err
}

// Inspect implements model.Inspector.
func (s *served) Inspect(ctx context.Context, r percuss.Request) (model.Inspection, error) {
	var t tap
	x, err := s.client.attempt(ctx, r, &t)
	return model.Inspection{Answer: x.answer, Candidates: x.candidates,
		Raw: t.shown(s.client.wire.secret)}, err
}

// newClient checks the options, for one of the addresses.
func newClient(o Options, url string) (*client, error) {
	if strings.TrimSpace(o.Name) == "" {
		return nil, errors.New("no model is named: give its name as the server's list has it, e.g. openai:NAME@http://localhost:8000/v1")
	}
	addr, err := parseAddress(url, o.KeyFrom)
	if err != nil {
		return nil, err
	}
	key, err := newSecret(o.Key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.KeyFrom, err)
	}
	for name, v := range map[string]string{"letters": o.Letters, "continue": o.Continue} {
		if v != "" && v != "yes" && v != "no" {
			return nil, fmt.Errorf("%s=%s is neither yes nor no", name, v)
		}
	}
	if o.Server != "" && !slices.Contains(Servers(), o.Server) {
		return nil, fmt.Errorf("server=%s is unknown: there are %s", o.Server, strings.Join(Servers(), ", "))
	}
	c := &client{wire: newWire(o, key), addr: addr, name: o.Name, now: o.Now, report: func(model.Allowance) {},
		keyRemedy: "check the key in " + o.KeyFrom}
	if key.key == "" {
		c.keyRemedy = "no key was given: put it into " + o.KeyFrom
	}
	return c, nil
}

// surveyTime bounds the requests that Open makes, all together.
const surveyTime = time.Minute

// survey fills in what the server tells.
func (c *client) survey(ctx context.Context, o Options) error {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	s := &survey{wire: c.wire, addr: c.addr, name: c.name, header: http.Header{}, replies: map[string]any{}}
	err := s.models(ctx, c.keyRemedy)
	var none *noList
	switch {
	case errors.As(err, &none) && none.elsewhere == "" && o.Server != "":
	case err != nil:
		return err
	case !s.has(c.name):
		ids := s.ids()
		more := ""
		if len(ids) > 8 {
			ids, more = ids[:8], fmt.Sprintf(" and %d more", len(ids)-8)
		}
		for i, id := range ids {
			ids[i] = c.wire.secret.name(id)
		}
		return fmt.Errorf("the server at %s does not have it: it has %s%s", c.addr.base, strings.Join(ids, ", "), more)
	}
	if i := slices.IndexFunc(rows(), func(r row) bool { return r.name == o.Server }); i >= 0 {
		c.row = rows()[i]
	} else {
		c.row = s.recognise(ctx)
	}
	if ctx.Err() != nil {
		return &notReady{fmt.Sprintf("the server at %s takes longer than %s to say what it is: try again, or name its kind with server=", c.addr.base, surveyTime)}
	}
	c.shape = shape{top: c.row.topLogprobs}
	c.wire.single = c.row.closes
	c.can = c.capabilities(ctx, s, o)
	return nil
}

// usual is how many alternatives are asked for where the table names no number.
const usual = 20

// capabilities are those of the row, with the user's overrides.
func (c *client) capabilities(ctx context.Context, s *survey, o Options) percuss.Capabilities {
	can := percuss.Capabilities{
		Identity: identity(c.name, c.addr),
		Text:     true,
		Letters:  c.row.topLogprobs > 0,
		Continue: c.row.continues, Seeded: c.row.seeded, SystemRole: true,
		Engine: c.row.title,
	}
	short := c.name[strings.LastIndex(c.name, "/")+1:]
	if slices.ContainsFunc(c.row.fixed, func(p string) bool { return strings.HasPrefix(short, p) }) {
		can.Letters = false
	}
	if o.Letters != "" {
		can.Letters = o.Letters == "yes"
		c.shape.top = max(c.shape.top, usual)
	}
	if o.Continue != "" {
		can.Continue = o.Continue == "yes"
	}
	if v, ok := s.state(ctx, c.row.version).(string); ok && v != "" {
		can.Engine += " " + c.wire.secret.name(v)
	}
	if n, ok := s.state(ctx, c.row.context).(float64); ok && n >= 1 && n < 1e9 {
		can.ContextTokens = int(n)
	}
	return can
}
