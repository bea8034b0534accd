package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	kit "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Collect implements model.Batcher.
func (c *client) Collect(ctx context.Context, id string, wanted map[percuss.Key]percuss.Request, done func(percuss.Key, percuss.Answer, error)) error {
	for key, r := range wanted {
		if err := c.ready(ctx, []percuss.Request{r}); err != nil { // a new process has to learn anew what is refused
			return err
		}
		if _, err := c.entry(r); err != nil {
			done(key, percuss.Answer{Outcome: percuss.Refused, Detail: err.Error() + "; it was not sent"}, nil)
		}
	}
	b, err := c.kit.Messages.Batches.Get(ctx, id, kit.MessageBatchGetParams{})
	if err != nil {
		return c.batchFault(ctx, err)
	}
	came := 0
	lines := c.kit.Messages.Batches.ResultsStreaming(ctx, id, kit.MessageBatchResultsParams{}, option.WithRequestTimeout(transferTime))
	defer func() { _ = lines.Close() }() // what matters was read
	for lines.Next() {
		l := lines.Current()
		came++
		if r, ok := wanted[percuss.Key(l.CustomID)]; ok {
			a, err := c.result(ctx, r, l.Result)
			done(percuss.Key(l.CustomID), a, err)
		}
	}
	if err := lines.Err(); err != nil {
		return c.batchFault(ctx, err)
	}
	if done, _ := progressOf(*b); came < done {
		return &model.Fault{Kind: model.Malformed, Err: fmt.Errorf("the results of batch %s were cut: %d of %d came", c.secret.words(id), came, done)}
	}
	return nil
}

// result reads the answer to a request, as that of a single call is read.
func (c *client) result(ctx context.Context, r percuss.Request, got kit.MessageBatchResultUnion) (percuss.Answer, error) {
	absent := c.dropped()
	_, _, given, err := c.encode(r, absent)
	if err != nil {
		return percuss.Answer{}, &model.Fault{Kind: model.Malformed, Err: err}
	}
	switch got.Type {
	case "succeeded":
		message := got.Message
		p, err := c.statedIn(&message, nil)
		if p == nil && err == nil {
			a, err := c.conclude(r, given, &message, absent)
			return c.certain(ctx, r, a, err)
		}
		if err != nil {
			return percuss.Answer{}, err
		}
		return c.declined(ctx, r, given, p)
	case "errored":
		p := &problem{status: statusOf(got.Error.Error.Type), kind: got.Error.Error.Type, message: c.secret.words(got.Error.Error.Message)}
		return c.declined(ctx, r, given, p)
	case "expired", "canceled":
		return percuss.Answer{}, &model.Fault{Kind: got.Type, Err: fmt.Errorf("the batch ended before the request was sent to the model (%s)", got.Type)}
	}
	return percuss.Answer{}, &model.Fault{Kind: model.Malformed, Err: errors.New("the batch brought a result of no known kind")}
}

// declined says what a problem with a request of a batch comes to.
func (c *client) declined(ctx context.Context, r percuss.Request, given percuss.Continuation, p *problem) (percuss.Answer, error) {
	// What the request left out is not known: another batch may have taught it since.
	if c.learn(p, nil) {
		return percuss.Answer{}, &model.Fault{Kind: model.Server, Err: fmt.Errorf("%w; it is asked again without the parameter", p)}
	}
	outcome, err := c.meaning(p)
	if err != nil {
		return percuss.Answer{}, err
	}
	return c.certain(ctx, r, percuss.Answer{Outcome: outcome, Continued: given, Detail: p.Error()}, nil)
}

// statusOf is the status that an error would have had as the reply to a single call; 0: not known.
func statusOf(kind string) int {
	switch kind {
	case "invalid_request_error":
		return http.StatusBadRequest
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	}
	return 0 // the kind says what there is to say
}
