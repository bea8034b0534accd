package cli

import (
	"context"
	"os"
	"path/filepath"
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

// A package is served where neither its key nor its run is: no answer can depend on them.
func TestReviewServeNeedsNoKey(t *testing.T) {
	folder, p := sampled(t)
	alone := t.TempDir()
	raw, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(alone, "package.json"), raw, 0o600)
	}
	if err == nil {
		err = os.RemoveAll(filepath.Dir(filepath.Dir(folder)))
	}
	if err != nil {
		t.Fatal(err)
	}
	s := serveSample(t, alone, serving{raters: []string{"Dr Adams"}})
	defer s.stop()
	c := newClient(t, s.links[1])
	c.open(t, s.links[1])
	if code, text := c.ask(t, "GET", "/", "", ""); code != 200 || !strings.Contains(text, p.Items[0].ID) {
		t.Errorf("the page of a rater: %d %.400s", code, text)
	}
	if code, text := c.ask(t, "POST", "/entries", "application/json", answerOf(p, p.Items[0])); code != 200 || !strings.Contains(text, `"kept":["e-`) {
		t.Errorf("an answer: %d %s", code, text)
	}
}
