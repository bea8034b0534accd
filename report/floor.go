package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// What the analyses of package chain call the parts that the opening draws on.
const (
	controlsID  = "controls"    // the analysis of the controls
	noiseID     = "noise"       // its table of noise floors
	aboveClaim  = "noise-floor" // the claim that edits move the answer more often than asking again
	updatesID   = "updates"     // the table of a + b
	updateID    = "update"      // its column, and the figure of a failure mode
	notAskedFor = "That was not asked: the run has no sham controls, so it cannot say which flips are more than chance. " +
		"A run with --controls sham,sham-chain asks it."
)

// table is a table of an analysis.
func (r Report) table(analysis, id string) (percuss.Table, bool) {
	for _, a := range r.Findings.Analyses {
		for _, t := range a.Tables {
			if t.ID == id && (analysis == "" || a.ID == analysis) {
				return t, true
			}
		}
	}
	return percuss.Table{}, false
}

// columnOf is a row's cell in the column with an id.
func columnOf(t percuss.Table, r percuss.Row, id string) percuss.Cell {
	at := slices.IndexFunc(t.Columns, func(c percuss.Column) bool { return c.ID == id })
	if at < 0 {
		return percuss.Cell{}
	}
	return cellAt(r, at)
}

// updates is how often the chain shows a trace of an edit: with the interval that the failure modes have of a model, and
// the table of updates of a panel.
func (r Report) updates(l level) (percuss.Estimate, bool) {
	for _, m := range r.Findings.Modes {
		if m.Model == l.Model && m.Variant == l.Variant && l.Kind == "model" {
			for _, f := range m.Figures {
				if f.ID == updateID {
					return f.Estimate, f.Value.OK()
				}
			}
		}
	}
	t, ok := r.table("", updatesID)
	if !ok || l.Kind != "panel" {
		return percuss.Estimate{}, false
	}
	for _, row := range t.Rows {
		if row.Head && columnOf(t, row, "model").Text == l.Name {
			e := columnOf(t, row, updateID).Estimate
			return e, e.Value.OK()
		}
	}
	return percuss.Estimate{}, false
}

// above is the claim that destructive edits of a block move a model's answers more often than asking again does.
func (r Report) above(g chain.Group, block string) (percuss.Claim, bool) {
	for _, c := range r.Findings.Claims {
		if c.ID == aboveClaim && c.Subject == g.Model+", "+g.Variant+", "+block+"-block" {
			return c, c.Measure.Value.OK()
		}
	}
	return percuss.Claim{}, false
}

// held keeps a sentence from calling an effect what the controls do not bear out: where the edits of a block move the
// answer no more often than asking again does, or this cannot be told, evidence is not said to move it; where asking again
// was not tried, the sentence says that it compares edits with edits alone.
func (r Report) held(l level, block, words string) string {
	const yes = "Yes, in this sample: the interval"
	rest, is := strings.CutPrefix(words, yes)
	if !is {
		return words
	}
	members := l.members
	if len(members) == 0 {
		members = []chain.Group{l.Group}
	}
	asked, short := 0, 0
	for _, g := range members {
		if c, ok := r.above(g, block); ok {
			asked++
			if c.Verdict != percuss.ClaimHolds {
				short++
			}
		}
	}
	switch {
	case asked == 0 && r.controlled():
		return words + " That compares edits with edits: whether either moves the answer more often than asking again does is not known."
	case short == 0:
		return words
	case len(members) == 1:
		return "Not shown. The interval" + rest + " But edits that change the evidence do not surely move the answer more often than asking again does; see below."
	case short == asked:
		return "Not shown. The interval" + rest + " But in none of the models do edits that change the evidence surely move the answer more often than asking again does."
	}
	return fmt.Sprintf("%s In %d of %d models edits that change the evidence do not surely move the answer more often than asking again does.", words, short, asked)
}

// controlled says whether the findings have a place for controls, asked or not: those of a foreign log can have none.
func (r Report) controlled() bool {
	_, ok := r.table(controlsID, noiseID)
	return ok && !r.given()
}

// shams are the columns of a table of noise floors in which nothing at all was changed.
func shams(t percuss.Table) []string {
	return slices.DeleteFunc([]string{"sham", "sham_chain"}, func(id string) bool {
		return !slices.ContainsFunc(t.Columns, func(c percuss.Column) bool { return c.ID == id })
	})
}

// floor says how often the answer moves by itself, and whether edits move it more often. Nothing is said where the
// findings know of no controls at all.
func (r Report) floor(l level) (Sentence, bool) {
	t, _ := r.table(controlsID, noiseID)
	if !r.controlled() || l.Kind != "model" && l.Kind != "panel" && l.Kind != "cell" {
		return Sentence{}, false
	}
	s := Sentence{Question: "How often does the answer move by itself?", Ground: "t-" + noiseID}
	if len(t.Rows) == 0 || len(shams(t)) == 0 {
		s.Text = notAskedFor
		return s, true
	}
	if len(l.members) > 0 {
		s.Text = strings.TrimSpace(floorSpread(t, l) + " " + r.aboveCount(l))
		return s, s.Text != ""
	}
	row, ok := floorRow(t, l)
	if !ok {
		return s, false
	}
	var parts []string
	for _, id := range shams(t) {
		if e := columnOf(t, row, id).Estimate; e.Value.OK() {
			parts = append(parts, fmt.Sprintf("%s in %s of %s (%s; %s)", map[string]string{"sham": "asked the same again,", "sham_chain": "given its own chain back,"}[id],
				inText(e.Num), Plural(int(e.Den.Or(0)), "item"), Percent(e.Value), sample(e, Percent)))
		}
	}
	if len(parts) == 0 {
		s.Text = notAskedFor
		return s, true
	}
	s.Text = "With nothing changed, the answer moved: " + strings.Join(parts, "; ") + "."
	if l.Kind == "model" {
		s.Text += r.aboveWords(l.Group)
	}
	return s, true
}

// floorSpread is the smallest and the largest share of items whose answer moved when the same was asked again, among the
// models of a panel.
func floorSpread(t percuss.Table, l level) string {
	var all []float64
	for _, g := range l.members {
		if row, ok := floorRow(t, level{Group: g}); ok {
			if v, ok := columnOf(t, row, "sham").Estimate.Value.Get(); ok {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	lo, hi := Percent(percuss.Num(slices.Min(all))), Percent(percuss.Num(slices.Max(all)))
	if lo == hi {
		return fmt.Sprintf("Asked the same again, the answer moved in %s of the items of each model.", lo)
	}
	return fmt.Sprintf("Asked the same again, the answer moved in %s to %s of the items of a model.", lo, hi)
}

// floorRow is the row of a model, over all its sets, or of a cell.
func floorRow(t percuss.Table, l level) (percuss.Row, bool) {
	var of []percuss.Row
	for _, row := range t.Rows {
		if columnOf(t, row, "model").Text == l.Model && columnOf(t, row, "prompt").Text == l.Variant && (l.Set == "" || columnOf(t, row, "set").Text == l.Set) {
			if row.Head {
				return row, true
			}
			of = append(of, row)
		}
	}
	if len(of) != 1 {
		return percuss.Row{}, false
	}
	return of[0], true
}

// edited names what the edits of a block change.
var edited = map[string]string{"F": "in the chain", "M": "in the question"}

// aboveWords say for each block whether its edits move the answer more often than asking again.
func (r Report) aboveWords(g chain.Group) string {
	out := ""
	for _, block := range []string{"F", "M"} {
		c, ok := r.above(g, block)
		if !ok {
			continue
		}
		by := fmt.Sprintf("by %s points (%s)", inPoints(c.Measure.Value), sample(c.Measure, inPoints))
		switch c.Verdict {
		case percuss.ClaimHolds:
			out += fmt.Sprintf(" Edits that change the evidence %s move it more often than that, %s.", edited[block], by)
		case percuss.ClaimFails:
			out += fmt.Sprintf(" Edits that change the evidence %s do not move it more often than that: the difference is %s points (%s).",
				edited[block], inPoints(c.Measure.Value), sample(c.Measure, inPoints))
		default:
			out += fmt.Sprintf(" Whether edits that change the evidence %s move it more often than that cannot be told: the difference is %s points (%s).",
				edited[block], inPoints(c.Measure.Value), sample(c.Measure, inPoints))
		}
	}
	return out
}

// aboveCount counts, of the models of a panel, those whose answers edits move more often than asking again.
func (r Report) aboveCount(l level) string {
	var parts []string
	for _, block := range []string{"F", "M"} {
		asked, above, unsure := 0, 0, 0
		for _, g := range l.members {
			if c, ok := r.above(g, block); ok {
				asked++
				switch c.Verdict {
				case percuss.ClaimHolds:
					above++
				case percuss.CannotTell:
					unsure++
				}
			}
		}
		if asked == 0 {
			continue
		}
		part := fmt.Sprintf("%s in %d of %s", edited[block], above, Plural(asked, "model"))
		if unsure > 0 {
			part += fmt.Sprintf(", and in %d it cannot be told", unsure)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "Edits that change the evidence move the answer more often than asking again does: " + strings.Join(parts, "; ") + "."
}
