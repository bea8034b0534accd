package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	kit "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// What one batch holds at most. The service takes as many requests and twice as many bytes.
const (
	mostInBatch = 100_000
	mostBytes   = 100 << 20
)

// transferTime is the most time that handing in a batch or reading its results takes.
const transferTime = time.Hour

// batchRequest is one request of a batch.
type batchRequest struct {
	ID     string          `json:"custom_id"`
	Params json.RawMessage `json:"params"`
}

// entry writes a request for a batch. An error means that it cannot be sent.
func (c *client) entry(r percuss.Request) (batchRequest, error) {
	params, extra, _, err := c.encode(r, c.dropped())
	if err != nil {
		return batchRequest{}, err
	}
	raw, err := json.Marshal(params)
	if err == nil && len(extra) > 0 {
		fields := map[string]json.RawMessage{}
		if err = json.Unmarshal(raw, &fields); err == nil {
			maps.Copy(fields, extra)
			raw, err = json.Marshal(fields)
		}
	}
	return batchRequest{ID: string(r.Key()), Params: raw}, err
}

// Fit implements model.Batcher.
func (c *client) Fit(requests []percuss.Request) int {
	return model.FitBatch(requests, mostInBatch, mostBytes, func(r percuss.Request) (int, bool) {
		e, err := c.entry(r)
		return len(e.Params) + len(e.ID) + 40, err == nil
	})
}

// Submit implements model.Batcher. The service keeps no token.
func (c *client) Submit(ctx context.Context, _ string, requests []percuss.Request) (string, error) {
	if err := c.ready(ctx, requests); err != nil {
		return "", err
	}
	var body struct {
		Requests []batchRequest `json:"requests"`
	}
	for _, r := range requests {
		if e, err := c.entry(r); err == nil { // of the others Collect says that they were not sent
			body.Requests = append(body.Requests, e)
		}
	}
	if len(body.Requests) == 0 {
		return "", model.NoneSendable()
	}
	var made kit.MessageBatch
	if err := c.kit.Post(ctx, "v1/messages/batches", body, &made, option.WithRequestTimeout(transferTime)); err != nil {
		return "", c.batchFault(ctx, err)
	}
	if made.ID == "" {
		return "", &model.Fault{Kind: model.Malformed, Err: errors.New("the service gave the batch no id")}
	}
	return made.ID, nil
}

// ready tries each form of request once by a single call.
func (c *client) ready(ctx context.Context, requests []percuss.Request) error {
	for _, r := range requests {
		if len(r.Want.Letters) > 0 {
			return noLetters()
		}
		r.Sampling.MaxTokens = min(r.Sampling.MaxTokens, 16)
		if err := c.tried.Once(fmt.Sprint(r.Begin != ""), func() error { return c.control(ctx, r) }); err != nil {
			return err
		}
	}
	return nil
}

// batchFault is an error of the kit about batches as a fault.
func (c *client) batchFault(ctx context.Context, err error) error {
	var said *kit.Error
	f := c.faultOf(ctx, err)
	switch {
	case errors.As(err, &said) && said.StatusCode == http.StatusNotFound:
		return &model.Fault{Kind: model.Capability, Fatal: true, Err: fmt.Errorf("%w: the service takes no batches, or has this one no more, or not for this key; run without --batch, or take the lines with the batch's id out of batches.jsonl in the run's folder to hand its requests in again", errors.Unwrap(f))}
	case errors.As(err, &said) && said.StatusCode == http.StatusBadRequest, errors.As(err, &said) && said.StatusCode == http.StatusRequestEntityTooLarge:
		return &model.Fault{Kind: model.RefusesAll, Fatal: true, Err: fmt.Errorf("%w; mend what the service names, or run without --batch", errors.Unwrap(f))}
	}
	return f
}

// Find implements model.Batcher: batches of as many requests that were made since then, or shortly before, for clocks
// differ. The list begins with the latest batch.
func (c *client) Find(ctx context.Context, _ string, requests int, since time.Time) (ids []string, err error) {
	since = since.Add(-2 * time.Minute)
	pages := c.kit.Messages.Batches.ListAutoPaging(ctx, kit.MessageBatchListParams{Limit: kit.Int(100)})
	for pages.Next() {
		b := pages.Current()
		if b.CreatedAt.Before(since) {
			return ids, nil
		}
		if _, total := progressOf(b); total == requests {
			ids = append(ids, b.ID)
		}
	}
	if err := pages.Err(); err != nil {
		return nil, c.batchFault(ctx, err)
	}
	return ids, nil
}

func progressOf(b kit.MessageBatch) (done, total int) {
	n := b.RequestCounts
	done = int(n.Succeeded + n.Errored + n.Canceled + n.Expired)
	return done, done + int(n.Processing)
}

// Poll implements model.Batcher.
func (c *client) Poll(ctx context.Context, id string) (model.BatchState, error) {
	b, err := c.kit.Messages.Batches.Get(ctx, id, kit.MessageBatchGetParams{})
	if err != nil {
		return model.BatchState{}, c.batchFault(ctx, err)
	}
	state := model.BatchState{Status: c.secret.words(string(b.ProcessingStatus)), Ended: b.ProcessingStatus == kit.MessageBatchProcessingStatusEnded}
	state.Done, state.Total = progressOf(*b)
	return state, nil
}
