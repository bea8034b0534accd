package cli

import (
	"context"
	"strings"
	"testing"
)

// endsAt ends a context when a text is written.
type endsAt struct {
	text   string
	cancel context.CancelFunc
}

func (e endsAt) Write(b []byte) (int, error) {
	if strings.Contains(string(b), e.text) {
		e.cancel()
	}
	return len(b), nil
}

// Ctrl-C while links are printed is no fault: it says how to go on, and the same command does.
func TestReviewServeStopsWhilePrinting(t *testing.T) {
	folder, _ := sampled(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs strings.Builder
	a := &app{out: endsAt{"coordinator", cancel}, err: &errs, env: func(string) string { return "" }}
	with := serving{addr: "127.0.0.1:0", raters: []string{"Dr Adams"}}
	if err := a.serveReview(ctx, folder, with); err != nil || !strings.Contains(errs.String(), "The same command goes on") || strings.Contains(errs.String(), "kept in") {
		t.Errorf("%v: %s", err, errs.String())
	}
	if s := serveSample(t, folder, with); len(s.links) != 2 {
		t.Errorf("after it %d links", len(s.links))
	} else {
		s.stop()
	}
}
