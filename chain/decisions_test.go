package chain

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// A rubric with another number of examples than the paper's eight is a rubric, and the report says so.
func TestRubricOfAnotherSize(t *testing.T) {
	raw, err := os.ReadFile("../judge/rubric.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	short, err := judge.Load(strings.NewReader(text[:strings.LastIndex(text, "  - kind:")]), "mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const unlike = "where the paper's has 8"
	for want, r := range map[string]judge.Rubric{"shows it 8 judged examples.": judge.Default(), "shows it 7 judged examples, " + unlike: short} {
		f := summarised(t, Options{Judges: panel(), Rubric: r}, record("s", "i", "A", "A", "", paperBattery()))
		i := slices.IndexFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == "judges" })
		if i < 0 || !strings.Contains(f.Decisions[i].Text, want) || strings.Contains(want, unlike) != strings.Contains(f.Decisions[i].Text, unlike) {
			t.Errorf("%q is not in %v", want, f.Decisions)
		}
	}
}
