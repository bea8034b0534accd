package steps

import (
	"bytes"
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/screen"
)

// The terminal opens with what changed, in lines of 80 columns; the short text has the two tables of the summary, the full
// one all.
func TestText(t *testing.T) {
	m := world{items: 12}.make(t)
	text := func(full bool) string {
		var b bytes.Buffer
		if err := WriteText(&b, m.r, full); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if screen.Width(line) > screen.Columns {
				t.Errorf("%d columns: %s", screen.Width(line), line)
			}
		}
		return b.String()
	}
	short, full := text(false), text(true)
	flat := strings.Join(strings.Fields(short), " ")
	last := 0
	for _, want := range []string{"Percuss, steps audit", "old → new", "Answers up, trace down: accuracy of one chain +", "How far can judge one be trusted?", "old (before)", "Caution: 12 items", "Answers, side by side", "Steps, side by side", "Calls to old: 48.", "Note: A note."} {
		at := strings.Index(flat, want)
		if at < last {
			t.Errorf("%q stands at %d, after %d", want, at, last)
		}
		last = max(at, last)
	}
	for _, table := range Tables(m.r)[2:] {
		if table.ID == "claims" {
			continue
		}
		if strings.Contains(flat, table.Title) {
			t.Errorf("the short text has the table %q", table.Title)
		}
		if !strings.Contains(strings.Join(strings.Fields(full), " "), table.Title) {
			t.Errorf("the full text lacks the table %q", table.Title)
		}
	}
	var b bytes.Buffer
	if err := WriteText(&b, Report{Audit: "steps"}, false); err != nil || !strings.Contains(b.String(), "There are no findings.") {
		t.Error(err, b.String())
	}
}

func TestItemText(t *testing.T) {
	m := world{items: 3}.make(t)
	var all, coloured bytes.Buffer
	for _, it := range m.items {
		if err := WriteItemText(&all, it, false); err != nil {
			t.Fatal(err)
		}
		if err := WriteItemText(&coloured, it, true); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"mine:1 · old", "B. tea (gold)", "votes\n", "chain 1 (c1): answer ", "1. **Step 1:** Perhaps this is a", "    judges saw: This is a", "    one: ", "    two: error: factual", "    without a judge: hedges", "1 wrong calculation",
		"  shown as raw: 3 steps, ", "chain 3 (c3): answer "} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	plain := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(coloured.String())
	if plain != all.String() || !strings.Contains(coloured.String(), "\x1b[31m    two: error: factual\x1b[0m") {
		t.Error("colours change the words, or an error is not red")
	}
	for _, line := range strings.Split(all.String(), "\n") {
		if screen.Width(line) > screen.Columns {
			t.Errorf("%d columns: %s", screen.Width(line), line)
		}
	}
}
