package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/run"
)

// A starved engine is told of after half a minute, with the remedy, and nothing else is.
func TestStarvedEngine(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		after time.Duration
		now   run.Progress
		local bool
		want  bool
	}{
		"hardly anything":     {time.Minute, run.Progress{Asked: 12, Answered: 1, Tokens: 20}, true, true},
		"nothing":             {31 * time.Second, run.Progress{Asked: 12}, true, true},
		"too early":           {29 * time.Second, run.Progress{Asked: 12}, true, false},
		"long texts":          {time.Minute, run.Progress{Asked: 12, Answered: 1, Tokens: 300}, true, false},
		"letters":             {time.Minute, run.Progress{Asked: 12, Answered: 10}, true, false},
		"a server, or a flag": {time.Minute, run.Progress{Asked: 12}, false, false},
		"nothing asked":       {time.Minute, run.Progress{}, true, false},
	} {
		at := begin
		var out bytes.Buffer
		p := &progress{to: &messages{on: screen.Screen{W: &out}}, now: func() time.Time { return at }, began: begin, last: begin, heard: begin, local: map[string]bool{"m": c.local}}
		c.now.Model, c.now.Subjects = "m", 8
		p.show(c.now)
		at = begin.Add(c.after)
		p.tell(true)
		if got := strings.Contains(out.String(), "--threads 1"); got != c.want {
			t.Errorf("%s: told %v, want %v: %s", name, got, c.want, out.String())
		}
		if resumed := strings.Contains(out.String(), "no request put yet"); resumed != (c.now.Asked == 0) || strings.Contains(out.String(), "0 of 0") {
			t.Errorf("%s: %s", name, out.String())
		}
	}
}
