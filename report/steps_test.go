package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss/internal/worddiff"
)

// outline writes rows as text: = a step that both have, ~ steps that answer each other with [-removed-] and {+added+}, < and >
// a step of one alone, ? two that are not compared.
func outline(rows []sideRow) []string {
	var out []string
	text := func(all []worddiff.Piece) string {
		var b strings.Builder
		for _, p := range all {
			b.WriteString(map[worddiff.Change]string{worddiff.Same: "", worddiff.Deleted: "[-", worddiff.Inserted: "{+"}[p.Kind] + p.Text + map[worddiff.Change]string{worddiff.Same: "", worddiff.Deleted: "-]", worddiff.Inserted: "+}"}[p.Kind])
		}
		return b.String()
	}
	for _, r := range rows {
		switch {
		case r.Same != "":
			out = append(out, "= "+r.Same)
		case r.Rough:
			out = append(out, "? "+text(r.Left)+" | "+text(r.Right))
		case r.Right == nil:
			out = append(out, "< "+text(r.Left))
		case r.Left == nil:
			out = append(out, "> "+text(r.Right))
		default:
			out = append(out, "~ "+text(r.Left)+" | "+text(r.Right))
		}
	}
	return out
}

func TestStepsStandBesideThoseThatAnswerThem(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"nothing":        {"", "", nil},
		"one is empty":   {"Step 1: a fever.", "", []string{"< Step 1: a fever."}},
		"the same":       {"Step 1: a fever.\n", "Step 1: a fever.", []string{"= Step 1: a fever."}},
		"a word":         {"Step 1: a mild fever.\nStep 2: rest.", "Step 1: a severe fever.\nStep 2: rest.", []string{"~ Step 1: a [-mild-] fever. | Step 1: a {+severe+} fever.", "= Step 2: rest."}},
		"a step more":    {"Step 1: the fever is high.\nStep 2: so we give fluids.", "Step 1: the fever is high.\nStep 2: allergies are absent here.\nStep 3: so we give fluids.", []string{"= Step 1: the fever is high.", "> Step 2: allergies are absent here.", "~ Step [-2-]: so we give fluids. | Step {+3+}: so we give fluids."}},
		"a step less":    {"one two three\n\nfour five six\n\nseven eight nine", "one two three\n\nseven eight nine", []string{"= one two three", "< four five six", "= seven eight nine"}},
		"nothing shared": {"one two three four", "five six seven eight", []string{"? one two three four | five six seven eight"}},
		"only marks":     {"...", "!!!", []string{"? ... | !!!"}},
	} {
		if d := cmp.Diff(c.want, outline(newStepped(c.before).beside(newStepped(c.after)))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// What stands in a column is the chain of that column: every step once, in order, whatever was aligned.
func TestColumnsAreTheChains(t *testing.T) {
	step := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"fever", "pain", "no", "38.5", "rest", "漢字", "\x00", "."}), 1, 6), func(words []string) string {
		return strings.Join(words, " ")
	})
	chains := rapid.Map(rapid.SliceOfN(step, 0, 6), func(steps []string) string { return strings.Join(steps, "\n\n") })
	rapid.Check(t, func(t *rapid.T) {
		a, b := newStepped(chains.Draw(t, "before")), newStepped(chains.Draw(t, "after"))
		var left, right []string
		column := func(to *[]string, r sideRow, pieces []worddiff.Piece) {
			text := r.Same
			for _, p := range pieces {
				text += p.Text
			}
			if text != "" {
				*to = append(*to, text)
			}
		}
		for _, r := range a.beside(b) {
			column(&left, r, r.Left)
			column(&right, r, r.Right)
		}
		if d := cmp.Diff(a.steps, left); d != "" {
			t.Errorf("before: %s", d)
		}
		if d := cmp.Diff(b.steps, right); d != "" {
			t.Errorf("after: %s", d)
		}
	})
}

// A chain of more steps than are compared is set beside the other in one piece.
func TestVeryManySteps(t *testing.T) {
	var long strings.Builder
	for range 600 {
		long.WriteString("Step 1: again.\n")
	}
	rows := newStepped(long.String()).beside(newStepped(long.String() + "Step 2: rest."))
	if len(rows) != 1 || len(rows[0].Right) == 0 {
		t.Errorf("%d rows", len(rows))
	}
	if rows := newStepped("Step 1: again.").beside(newStepped(long.String())); len(rows) != 600 {
		t.Errorf("%d rows of 600 steps beside one", len(rows))
	}
}

// A change that is too large to align is told, and one that only removes is none.
func TestDiffThatGaveUpIsTold(t *testing.T) {
	many := func(word string) string { return strings.Repeat(word+" ", worddiff.MaxEdits) }
	for name, c := range map[string]struct {
		before, after string
		want          bool
	}{
		"cut":      {"head " + many("tail"), "head", true},
		"extended": {"", many("new"), true},
		"replaced": {many("old"), many("new"), false},
		"a word":   {many("old") + "end", many("old") + "End", true},
	} {
		if pieces, ok := worddiff.Compared(c.before, c.after); ok != c.want || len(pieces) == 0 {
			t.Errorf("%s: aligned %v, %d pieces", name, ok, len(pieces))
		}
	}
}

func BenchmarkBeside(b *testing.B) {
	line := "The patient has a fever of 38.5 and a cough that began two days ago, with pain on the left side and no history of travel."
	var before, after strings.Builder
	for i := range 12 {
		before.WriteString("Step 1: " + line + strings.Repeat(" more", i) + "\n")
		after.WriteString("Step 1: " + strings.Replace(line, "38.5", "36.5", 1) + strings.Repeat(" more", i) + "\n")
	}
	base := newStepped(before.String())
	for b.Loop() {
		base.beside(newStepped(after.String()))
	}
}
