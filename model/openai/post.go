package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/percuss/percuss/model"
)

// errStalled is why a connection on which nothing came was given up.
var errStalled = errors.New("no byte came")

// wire sends HTTP requests and watches over them. Its errors hold no secret.
type wire struct {
	http      *http.Client
	secret    secret
	firstByte time.Duration // most time until the first byte of the body
	idle      time.Duration // most time without a byte after it
	single    bool          // every request has a connection of its own; set before the first chat request
	answered  atomic.Bool   // a reply came, so TLS works
}

func newWire(o Options, s secret) *wire {
	t := o.Transport
	if t == nil {
		t = model.Transport(o.Remote.Concurrency)
	}
	// No timeout of the client: it would include the reading of the body and cut long, healthy streams. Redirects are
	// not followed: a body sent elsewhere would be answered by another server than the identity names.
	return &wire{secret: s, firstByte: o.FirstByte, idle: o.Idle, http: &http.Client{Transport: t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// do sends one request with JSON. The body of the reply must be closed; reading it fails with a stall when nothing
// comes.
func (w *wire) do(ctx context.Context, method, url string, body []byte) (*http.Response, error) {
	return w.send(ctx, method, url, "application/json", body)
}

// send is do with a body of any kind.
func (w *wire) send(ctx context.Context, method, url, kind string, body []byte) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	watch := time.AfterFunc(w.firstByte, func() { cancel(errStalled) })
	give := func() { watch.Stop(); cancel(nil) }
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		give()
		return nil, w.fault(ctx, err)
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	req.Close = w.single
	if w.secret.key != "" {
		req.Header.Set("Authorization", "Bearer "+w.secret.key)
	}
	res, err := w.http.Do(req)
	if err != nil {
		err = w.fault(ctx, err)
		give()
		return nil, err
	}
	w.answered.Store(true)
	res.Body = &watched{ReadCloser: res.Body, ctx: ctx, watch: watch, give: give, wire: w}
	return res, nil
}

// watched is a body that is given up when nothing comes.
type watched struct {
	io.ReadCloser
	ctx   context.Context
	watch *time.Timer
	give  func()
	wire  *wire
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.Reset(b.wire.idle)
	}
	if err != nil && err != io.EOF {
		err = b.wire.fault(b.ctx, err)
	}
	return n, err
}

// Close ends the request. A short rest that comes soon is read, so that the connection can be used again.
func (b *watched) Close() error {
	b.watch.Reset(min(b.wire.idle, time.Second))
	_, _ = io.CopyN(io.Discard, b.ReadCloser, 1<<12)
	b.give()
	return b.ReadCloser.Close()
}

// fault says what an error of the transport is.
func (w *wire) fault(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return &model.Fault{Kind: model.Stalled, Err: fmt.Errorf("%w for too long (limits: %s to the first byte, %s between bytes)",
			errStalled, w.firstByte, w.idle)}
	}
	err = &redacted{text: w.secret.redact(err.Error()), err: err}
	if !w.answered.Load() && model.IsTLS(err) {
		return &model.Fault{Kind: model.TLS, Fatal: true, Err: fmt.Errorf("no secure connection: %w; check the URL, and that the machine trusts the server's certificate", err)}
	}
	return &model.Fault{Kind: model.Dropped, Err: err}
}

// redacted is an error whose text was cleared of secrets.
type redacted struct {
	text string
	err  error
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }
