package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// What one batch file holds at most. The service takes twice as many bytes.
const (
	mostInBatch = 50_000
	mostBytes   = 100 << 20
)

// endpoint is where the lines of a batch file are sent, in the words of the service.
const endpoint = "/v1/chat/completions"

// batchLine is one request of a batch file.
type batchLine struct {
	ID     string          `json:"custom_id"`
	Method string          `json:"method"`
	URL    string          `json:"url"`
	Body   json.RawMessage `json:"body"`
}

// line writes a request for a batch file. An error means that it cannot be sent.
func (c *client) line(r percuss.Request) ([]byte, error) {
	body, _, err := c.encode(r, c.unstreamed())
	if err != nil {
		return nil, err
	}
	return json.Marshal(batchLine{ID: string(r.Key()), Method: http.MethodPost, URL: endpoint, Body: body})
}

// unstreamed is the shape of requests in files.
func (c *client) unstreamed() shape {
	s := c.form()
	s.plain = true
	return s
}

// Fit implements model.Batcher.
func (c *client) Fit(requests []percuss.Request) int {
	return model.FitBatch(requests, mostInBatch, mostBytes, func(r percuss.Request) (int, bool) {
		line, err := c.line(r)
		return len(line) + 1, err == nil
	})
}

// Submit implements model.Batcher.
func (c *client) Submit(ctx context.Context, token string, requests []percuss.Request) (string, error) {
	if err := c.ready(ctx, requests); err != nil {
		return "", err
	}
	body, kind, err := c.file(token, requests)
	if err != nil {
		return "", err
	}
	var named struct {
		ID string `json:"id"`
	}
	if err := c.manage(ctx, http.MethodPost, "/files", kind, body, &named); err != nil {
		return "", err
	}
	create, err := json.Marshal(map[string]any{"input_file_id": named.ID, "endpoint": endpoint, "completion_window": "24h",
		"metadata": map[string]string{"percuss": token}})
	if err != nil {
		return "", &model.Fault{Kind: model.Malformed, Err: err}
	}
	named.ID = ""
	if err := c.manage(ctx, http.MethodPost, "/batches", "application/json", create, &named); err != nil {
		return "", err
	}
	if named.ID == "" {
		return "", malformed("the service gave the batch no id")
	}
	return named.ID, nil
}

// file is the form that uploads a batch file, and its content type.
func (c *client) file(token string, requests []percuss.Request) (body []byte, kind string, err error) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	if err := form.WriteField("purpose", "batch"); err != nil {
		return nil, "", err
	}
	part, err := form.CreateFormFile("file", "percuss-"+token+".jsonl")
	if err != nil {
		return nil, "", err
	}
	sendable := 0
	for _, r := range requests {
		line, err := c.line(r)
		if err != nil {
			continue // Collect says so
		}
		sendable++
		if _, err := part.Write(append(line, '\n')); err != nil {
			return nil, "", err
		}
	}
	if sendable == 0 {
		return nil, "", model.NoneSendable()
	}
	err = form.Close()
	return b.Bytes(), form.FormDataContentType(), err
}

// ready tries each form of request once by a single call.
func (c *client) ready(ctx context.Context, requests []percuss.Request) error {
	for _, r := range requests {
		form := fmt.Sprint(len(r.Want.Letters) > 0, r.Begin != "")
		err := c.tried.Once(form, func() error {
			r := harmless(r)
			r.Sampling.MaxTokens = min(r.Sampling.MaxTokens, 16)
			return c.control(ctx, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// manage sends a request about files and batches, and reads the reply, which is JSON.
func (c *client) manage(ctx context.Context, method, path, kind string, body []byte, into any) error {
	res, err := c.fetch(ctx, method, path, kind, body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, 32<<20))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return malformed(fmt.Sprintf("the service's reply about its batches is no JSON of the expected form: %v", err))
	}
	return nil
}

// fetch is manage for a reply of any form, whose body is to be closed.
func (c *client) fetch(ctx context.Context, method, path, kind string, body []byte) (*http.Response, error) {
	res, err := c.wire.send(ctx, method, c.addr.base+path, kind, body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 == 2 {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil && len(said) == 0 {
		return nil, err
	}
	p := readProblem(res.StatusCode, said)
	p.after = model.RetryAfter(res.Header, c.now())
	return nil, c.unmanaged(path, p)
}

// unmanaged is the fault of a refused request about files and batches.
func (c *client) unmanaged(path string, p *problem) error {
	switch p.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		remedy := "the server takes no batch files: run without --batch"
		if strings.Count(path, "/") > 1 {
			remedy = "the service has no such batch or file any more, or not for this key: take the lines with its id out of batches.jsonl in the run's folder to hand its requests in again"
		}
		return &model.Fault{Kind: model.Capability, Fatal: true, Err: fmt.Errorf("%w; %s", c.safe(p), remedy)}
	}
	if _, err := c.meaning(p, false); err != nil {
		return err
	}
	return &model.Fault{Kind: model.RefusesAll, Fatal: true, Err: fmt.Errorf("%w; mend what the service names, or run without --batch", c.safe(p))}
}

// batchObject is a batch as the service describes it.
type batchObject struct {
	ID         string            `json:"id"`
	Status     string            `json:"status"`
	OutputFile string            `json:"output_file_id"`
	ErrorFile  string            `json:"error_file_id"`
	CreatedAt  int64             `json:"created_at"`
	Metadata   map[string]string `json:"metadata"`
	Counts     struct {
		Total     int `json:"total"`
		Completed int `json:"completed"`
		Failed    int `json:"failed"`
	} `json:"request_counts"`
	Errors struct {
		Data []struct {
			Code    string `json:"code"`
			Message string `json:"message"`
			Line    int    `json:"line"`
		} `json:"data"`
	} `json:"errors"`
}

// Find implements model.Batcher. The list begins with the latest batch.
func (c *client) Find(ctx context.Context, token string, _ int, since time.Time) ([]string, error) {
	const page = 100
	after := ""
	for {
		var list struct {
			Data    []batchObject `json:"data"`
			HasMore bool          `json:"has_more"`
		}
		if err := c.manage(ctx, http.MethodGet, fmt.Sprintf("/batches?limit=%d%s", page, after), "", nil, &list); err != nil {
			return nil, err
		}
		for _, b := range list.Data {
			if b.Metadata["percuss"] == token {
				return []string{b.ID}, nil
			}
		}
		if n := len(list.Data); !list.HasMore || n == 0 || list.Data[n-1].CreatedAt < since.Add(-time.Hour).Unix() {
			return nil, nil
		} else {
			after = "&after=" + url.QueryEscape(list.Data[n-1].ID)
		}
	}
}
