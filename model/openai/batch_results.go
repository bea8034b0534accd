package openai

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Poll implements model.Batcher.
func (c *client) Poll(ctx context.Context, id string) (model.BatchState, error) {
	b, err := c.batch(ctx, id)
	if err != nil {
		return model.BatchState{}, err
	}
	state := model.BatchState{Status: c.wire.secret.name(b.Status), Done: b.Counts.Completed + b.Counts.Failed, Total: b.Counts.Total}
	switch b.Status {
	case "completed", "expired", "cancelled":
		state.Ended = true
	case "failed":
		state.Failed = c.failed(b)
	}
	return state, nil
}

func (c *client) batch(ctx context.Context, id string) (b batchObject, err error) {
	return b, c.manage(ctx, http.MethodGet, "/batches/"+url.PathEscape(id), "", nil, &b)
}

// failed says why the service did not take a batch. One that there was no room for can be handed in again.
func (c *client) failed(b batchObject) *model.Fault {
	p := &problem{status: http.StatusBadRequest, message: "the service took the batch for faulty and says no more"}
	if len(b.Errors.Data) > 0 {
		first := b.Errors.Data[0]
		p.message, p.code = first.Message, first.Code
		if first.Line > 0 {
			p.message = fmt.Sprintf("line %d: %s", first.Line, first.Message)
		}
	}
	if p.says("token_limit_exceeded", "enqueued token limit", "too many enqueued") {
		return &model.Fault{Kind: model.RateLimit, Err: c.safe(p)}
	}
	var f *model.Fault
	if errors.As(c.unmanaged("", p), &f) {
		return f
	}
	return &model.Fault{Kind: model.RefusesAll, Fatal: true, Err: c.safe(p)}
}

// resultLine is one line of an output or error file.
type resultLine struct {
	ID       string `json:"custom_id"`
	Response *struct {
		Status int             `json:"status_code"`
		Body   json.RawMessage `json:"body"`
	} `json:"response"`
	Error *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Collect implements model.Batcher.
func (c *client) Collect(ctx context.Context, id string, wanted map[percuss.Key]percuss.Request, done func(percuss.Key, percuss.Answer, error)) error {
	b, err := c.batch(ctx, id)
	if err != nil {
		return err
	}
	for key, r := range wanted {
		if err := c.ready(ctx, []percuss.Request{r}); err != nil { // a new process has to learn the shape anew
			return err
		}
		if _, err := c.line(r); err != nil {
			done(key, percuss.Answer{Outcome: percuss.Refused, Detail: err.Error() + "; it was not sent"}, nil)
		}
	}
	for _, file := range []string{b.OutputFile, b.ErrorFile} {
		if file == "" {
			continue
		}
		lines := 0
		err := c.results(ctx, file, func(l resultLine) {
			lines++
			if r, ok := wanted[percuss.Key(l.ID)]; ok {
				a, err := c.result(ctx, r, l)
				done(percuss.Key(l.ID), a, err)
			}
		})
		if err != nil {
			return err
		}
		if file == b.OutputFile && lines < b.Counts.Completed {
			return malformed(fmt.Sprintf("the file of the results of batch %s was cut: it holds %d of %d", c.wire.secret.name(id), lines, b.Counts.Completed))
		}
	}
	return nil
}

// results reads the lines of a file. One that is no JSON is passed over: its request has no result then.
func (c *client) results(ctx context.Context, file string, each func(resultLine)) error {
	res, err := c.fetch(ctx, http.MethodGet, "/files/"+url.PathEscape(file)+"/content", "", nil)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	lines := events{r: bufio.NewReaderSize(res.Body, 1<<16)}
	for {
		line, err := lines.line()
		if err != nil && err != io.EOF {
			return err
		}
		var l resultLine
		if json.Unmarshal(line, &l) == nil && l.ID != "" {
			each(l)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// result reads the answer to a request from its line, as that of a single call is read.
func (c *client) result(ctx context.Context, r percuss.Request, l resultLine) (percuss.Answer, error) {
	if l.Response == nil || len(l.Response.Body) == 0 {
		f := &model.Fault{Kind: model.Server, Err: errors.New("the batch brought no reply")}
		if l.Error != nil {
			f.Err = fmt.Errorf("the batch brought no reply: %s (%s)", c.wire.secret.words(l.Error.Message, mostSaid), c.wire.secret.name(l.Error.Code))
		}
		return percuss.Answer{}, f
	}
	scored := len(r.Want.Letters) > 0
	shape := c.unstreamed()
	_, given, err := c.encode(r, shape)
	if err != nil {
		return percuss.Answer{}, &model.Fault{Kind: model.Malformed, Err: err}
	}
	var got reply
	if l.Response.Status/100 == 2 {
		got, err = whole(l.Response.Body, &plain{row: c.row})
	} else {
		err = readProblem(l.Response.Status, l.Response.Body)
	}
	var p *problem
	var x exchange
	switch {
	case err == nil:
		x, err = c.conclude(r, given, got, shape)
	case !errors.As(err, &p):
		return percuss.Answer{}, err
	case c.learn(p, shapeOfAll(), scored):
		return percuss.Answer{}, &model.Fault{Kind: model.Server, Err: fmt.Errorf("%w; it is asked again without the parameter", c.safe(p))}
	default:
		x, err = c.declined(r, given, p)
	}
	return c.certain(ctx, r, x, err)
}

// shapeOfAll is the shape that leaves nothing out. The one that a line was handed in with is not known: another batch may
// have taught what it lacks.
func shapeOfAll() shape { return shape{top: few + 1} }
