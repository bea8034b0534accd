package cli

import (
	"bytes"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/report"
)

// A model that says nothing at all fails the run, whose last words say so; the same command says it again and asks nothing.
func TestRunOfEmptyReplies(t *testing.T) {
	s := openaitest.Start(t, "generic")
	var empty atomic.Bool
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		said := "It is clear. Answer: A"
		if empty.Load() {
			said = ""
		}
		reply(w, body, said, "stop")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", served(s, ""), "-d", "demo", "-n", "2", "--battery", "M5", "--controls", "none", "--no-margins", "-o", dir}
	if status, _, errs := command(t, args...); status != exitDone || strings.Contains(errs, "are of no use") {
		t.Fatalf("a model that answers: status %d\n%s", status, errs)
	}
	empty.Store(true)
	dir = filepath.Join(t.TempDir(), "silent")
	args[len(args)-1] = dir
	for range 2 {
		status, _, errs := command(t, args...)
		if status != exitFailure || !strings.Contains(errs, "7 of 7 replies are of no use (empty: 7)") || strings.Contains(errs, "  percuss chain") {
			t.Fatalf("a model that says nothing: status %d\n%s", status, errs)
		}
	}
}

// Replies of no use are a warning from the share on that may fail, and an error where they are all.
func TestUselessReplies(t *testing.T) {
	for name, c := range map[string]struct {
		outcomes []chain.Count
		says     string
		fails    bool
	}{
		"few":         {[]chain.Count{{Name: string(percuss.OK), N: 97}, {Name: string(percuss.Empty), N: 3}}, "", false},
		"many":        {[]chain.Count{{Name: string(percuss.OK), N: 96}, {Name: string(percuss.Empty), N: 3}, {Name: string(percuss.Filtered), N: 1}}, "4 of 100 replies are of no use (empty: 3; withheld by a content filter: 1)", false},
		"all":         {[]chain.Count{{Name: string(percuss.Refused), N: 100}}, "100 of 100 replies are of no use (refused by the server: 100)", true},
		"all that is": {[]chain.Count{{Name: string(percuss.Empty), N: 1}, {Name: string(percuss.Failed), N: 99}}, "1 of 1 reply is of no use (empty: 1)", true},
		"cut":         {[]chain.Count{{Name: string(percuss.Truncated), N: 100}}, "", false},
		"failed":      {[]chain.Count{{Name: string(percuss.Failed), N: 100}}, "", false},
	} {
		var errs bytes.Buffer
		err := (&app{err: &errs}).tellUseless(replied{calls: []report.Calls{{Model: "m", Requests: 100, Outcomes: c.outcomes}}}, 0.03, "runs/a")
		said := unfolded(errs.String())
		if err != nil {
			said = err.Error()
		}
		if (err != nil) != c.fails || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: %v, %q", name, err, said)
		}
	}
}

// A run that holds more items than a command names goes on with all of them, and says so.
func TestFewerItemsThanTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", "sim:faithful", "-d", "demo", "--battery", "M5", "--controls", "none", "--no-direct", "-o", dir, "-n"}
	for _, c := range []struct{ n, says string }{
		{"2", ""}, {"2", ""}, {"1", "has 2 items, more than the 1 that this command names: it goes on with all of them"}, {"3", ""},
	} {
		status, _, errs := command(t, append(args, c.n)...)
		if said := unfolded(errs); status != exitDone || !strings.Contains(said, c.says) || c.says == "" && strings.Contains(said, "more than the") {
			t.Errorf("-n %s: status %d, %s", c.n, status, errs)
		}
	}
}

// An error is folded on a terminal, where its path can still be copied, and keeps its line elsewhere.
func TestErrorOnATerminal(t *testing.T) {
	path := "/" + strings.Repeat("long/", 20) + "name"
	said := errors.New("this is an error of more than eighty columns, for which a terminal has no line that is long enough: " + path + "\n  second")
	for terminal, want := range map[bool]string{
		false: "percuss: " + said.Error() + "\n",
		true:  "percuss: this is an error of more than eighty columns, for which a terminal has\n  no line that is long enough:\n  " + path + "\n  second\n",
	} {
		var out bytes.Buffer
		to := &messages{on: screen.Screen{W: &out, Terminal: terminal}}
		if (&app{err: to}).complain(said); out.String() != want {
			t.Errorf("terminal: %v, %q", terminal, out.String())
		}
	}
}

// Replies that say much and name no option end the run as empty ones do; those of some items are a warning.
func TestRunOfRepliesWithoutAnAnswer(t *testing.T) {
	s := openaitest.Start(t, "generic")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		reply(w, body, "Many things are to be weighed here, and a careful clinician would weigh them all.", "stop")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	for range 2 {
		status, _, errs := command(t, "chain", "-m", served(s, ""), "-d", "demo", "-n", "2", "--battery", "M5", "--controls", "none", "--no-margins", "-o", dir)
		if said := unfolded(errs); status != exitFailure || !strings.Contains(said, "could be read in the baseline reply to 0 of 2 items") || !strings.Contains(said, "--max-tokens") {
			t.Fatalf("status %d\n%s", status, errs)
		}
	}
}

// A model of which few baseline replies could be read is a warning, none is an error, and one that said nothing is told of once.
func TestUnreadReplies(t *testing.T) {
	for name, c := range map[string]struct {
		read  int
		mute  map[string]bool
		says  string
		fails bool
	}{
		"some":         {400, nil, "warning: m, neutral: an answer could be read in the baseline reply to 400 of 1,200 items", false},
		"none":         {0, nil, "to 0 of 1,200 items. The replies are kept and not asked again", true},
		"said already": {0, map[string]bool{"m": true}, "", false},
	} {
		var errs bytes.Buffer
		err := (&app{err: &errs}).tellUnread([]report.Unread{{Model: "m", Variant: "neutral", Read: c.read, Items: 1200}}, c.mute, "runs/a")
		said := unfolded(errs.String())
		if err != nil {
			said = err.Error()
		}
		if (err != nil) != c.fails || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: %v, %q", name, err, said)
		}
	}
}
