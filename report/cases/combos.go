package cases

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/stat/lattice"
)

// comboView is a salient combination of a case.
type comboView struct {
	Set                lattice.Set
	Numbers, Text      string // of its findings
	Value, Label, Rule string
	Suspicious         bool
	Floor              percuss.Number // the noise floor of its order, nats
	Noise              string         // which side of the floor it lies on
	Checks             string         // what became of it under the checks
	value              float64
	class              string
}

// readRows gathers the salient combinations in the margin of the right diagnosis, the strongest first.
func (v *caseView) readRows(floors []evidence.FloorRow) {
	survived := map[lattice.Set]evidence.Survival{}
	for _, s := range v.Record.Cascade {
		survived[s.Set] = s
	}
	weak, strength := 0, 0.0
	for _, x := range v.Record.Base.Interactions {
		if math.Abs(x.Value) < v.Threshold {
			weak, strength = weak+1, strength+math.Abs(x.Value)
			continue
		}
		r := v.combo(x)
		r.Floor = floorOf(floors, x.Set.Size())
		if f, ok := r.Floor.Get(); ok {
			r.Noise = map[bool]string{true: "below", false: "above"}[math.Abs(x.Value) < f]
		}
		// Under rotations the checks follow the base order's interactions: one of the other sign is another one.
		if s, ok := survived[x.Set]; ok && (s.Value > 0) == (x.Value > 0) {
			r.Checks = verdictWords(s)
		}
		if x.Suspicious {
			v.suspicious++
		}
		v.Rows = append(v.Rows, r)
	}
	if weak > 0 {
		v.Weak = fmt.Sprintf("%s below the threshold, with %.2f nats of strength together.", report.Plural(weak, "more combination"), strength)
		if weak == 1 {
			v.Weak = fmt.Sprintf("1 more combination is below the threshold, with %.2f nats.", strength)
		} else {
			v.Weak = strings.Replace(v.Weak, " below", " are below", 1)
		}
	}
}

// pairView is a pair of findings with its indices.
type pairView struct {
	evidence.Pair
	Numbers, Text string
}

func (v *caseView) readPairs() {
	for _, p := range v.Record.Base.Pairs {
		numbers, _ := v.named(p.Set)
		v.Pairs = append(v.Pairs, pairView{p, numbers, v.short(p.Set)})
	}
}

// combo writes an interaction over the record's units.
func (v *caseView) combo(x evidence.Interaction) comboView {
	r := comboView{Set: x.Set, Value: signed(percuss.Num(x.Value)), Label: x.Label, Rule: x.Rule, Suspicious: x.Suspicious, value: x.Value,
		class: colour(x.Label, x.Suspicious)}
	if x.Suspicious {
		r.Label = "suspicious: " + r.Label
	}
	r.Numbers, _ = v.named(x.Set)
	r.Text = v.short(x.Set)
	return r
}

// named writes a set of units by their numbers and texts. What lies outside the record's units has no text.
func (v *caseView) named(s lattice.Set) (numbers, text string) {
	var n, words []string
	for i := range s.Units() {
		n = append(n, fmt.Sprint(i+1))
		if i < len(v.Units) {
			words = append(words, strings.TrimRight(v.Units[i].Text, "."))
		}
	}
	return strings.Join(n, " + "), strings.Join(words, " + ")
}

// floorOf is the noise floor of an order: the larger of that of repeated prompts and that of other candidate orders.
func floorOf(floors []evidence.FloorRow, order int) percuss.Number {
	var out percuss.Number
	for _, f := range floors {
		if v, ok := f.Floor.Get(); f.Order == order && ok && v > out.Or(-1) {
			out = f.Floor
		}
	}
	return out
}

const notChecked = "not checked"

// verdictWords say what became of a combination under the checks.
func verdictWords(s evidence.Survival) string {
	var parts []string
	for _, c := range []struct {
		name string
		v    evidence.Verdict
	}{{"wording", s.Prompt}, {"order", s.Order}, {"neutralization", s.Neutralize}, {"family", s.Family}} {
		if c.v == evidence.Holds || c.v == evidence.Fails {
			parts = append(parts, c.name+" "+string(c.v))
		}
	}
	if len(parts) == 0 {
		return notChecked
	}
	return strings.Join(parts, ", ")
}

// chartRows is how many combinations the chart of a case's own page shows; the table below it lists all.
const chartRows = 24

// chart draws the strongest combinations, at most so many.
func (v *caseView) chart(most int) (template.HTML, error) { return v.combinations(most).Draw() }

// combinations is that chart.
func (v *caseView) combinations(most int) figure.Combinations {
	c := figure.Combinations{Title: "Combinations of findings that move " + v.Record.Gold, Threshold: v.Threshold}
	for _, u := range v.Units {
		c.Units = append(c.Units, figure.ChartUnit{Number: fmt.Sprint(u.Number), Mark: u.Mark, Class: u.Class, Text: u.Text + " (" + u.Called + ")"})
	}
	floor := false
	for i, r := range v.Rows {
		if i == most {
			break
		}
		floor = floor || r.Floor.OK()
		row := figure.Combination{Value: r.value, Text: v.brief(r.Set), Label: r.Label, Class: r.class, Floor: r.Floor}
		for k := range r.Set.Units() {
			row.Units = append(row.Units, k)
		}
		c.Rows = append(c.Rows, row)
	}
	c.Caption = fmt.Sprintf("Each row is a combination; filled dots are its findings, under their numbers and the letter of their role. The "+
		"bar says how far the findings together move the margin of %s (nats), to the right for it and to the left against it, beyond what "+
		"their parts do. Dashed lines: the threshold of %g.", v.Record.Gold, v.Threshold)
	if floor {
		c.Caption += " Grey band: the noise floor of repeated prompts or of other candidate orders, the larger; a bar inside it may be noise."
	}
	if n := len(v.Rows); n > most {
		c.Caption += fmt.Sprintf(" The strongest %d of %d are drawn.", most, n)
	}
	return c
}

// inWordsUpTo is the number of findings up to which a combination is written in words; more would not be read.
const inWordsUpTo = 3

// short names a set: by its texts, or by its numbers where there are many.
func (v *caseView) short(s lattice.Set) string {
	numbers, text := v.named(s)
	switch {
	case v.Record.Narrative && s.Size() > 1:
		return "sentences " + numbers
	case s.Size() > inWordsUpTo:
		return "findings " + numbers
	}
	return text
}

// brief writes a set's texts in a line of the chart, each shortened to its part of it.
func (v *caseView) brief(s lattice.Set) string {
	if s.Size() > inWordsUpTo || v.Record.Narrative && s.Size() > 1 {
		return v.short(s)
	}
	var out []string
	each := max(46/max(s.Size(), 1)-3, 8)
	for i := range s.Units() {
		if i >= len(v.Units) {
			continue
		}
		out = append(out, squeeze(strings.TrimRight(v.Units[i].Text, "."), each))
	}
	return strings.Join(out, " + ")
}

// squeeze cuts a text to n characters from its middle: findings of a questionnaire often begin alike, and their ends, the
// answers, tell them apart. An answer behind a colon stays whole where there is room for it.
func squeeze(s string, n int) string {
	all := []rune(s)
	if len(all) <= n {
		return s
	}
	tail := (n - 1) / 2
	if at := strings.LastIndex(s, ": "); at >= 0 {
		if answer := utf8.RuneCountInString(s[at:]); answer+leastHead < n {
			tail = answer
		}
	}
	return strings.TrimRight(string(all[:n-1-tail]), " ") + "…" + string(all[len(all)-tail:])
}

// leastHead is how many characters of the beginning squeeze keeps.
const leastHead = 4

// shorten cuts a text to n characters.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n-1])) + "…"
}
