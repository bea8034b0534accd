package steps

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// points prints a difference of shares in percentage points, with its sign.
func points(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return n.Format(1)
	}
	s := percuss.Num(100 * v).Format(1)
	if v > 0 && s != "0.0" {
		s = "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
}

// thousandth prints a figure that is no share.
func thousandth(n percuss.Number) string { return strings.Replace(n.Format(3), "-", "−", 1) }

// change is a difference with its interval, or why it is missing.
func change(what string, e percuss.Estimate) string {
	if !e.Value.OK() {
		return what + " is not known (" + strings.TrimSuffix(orElse(e.Why, "the value is missing"), ".") + ")"
	}
	out := what + " " + points(e.Value) + " points"
	if e.Lo.OK() && e.Hi.OK() {
		out += fmt.Sprintf(" (%g %% interval %s to %s)", 100*e.Level, points(e.Lo), points(e.Hi))
	}
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// compared is one comparison on one set under one prompt, by all judges under all views.
type compared struct {
	Title string
	rows  []step.Pair // those under the first view first
	view  string
}

// comparisons gathers the rows of the findings' comparisons.
func comparisons(f step.Findings) (out []compared) {
	index := map[[5]string]int{}
	for _, p := range f.Pairs {
		key := [5]string{p.Name, p.Before, p.After, p.Set, p.Variant}
		at, ok := index[key]
		if !ok {
			at, index[key] = len(out), len(out)
			out = append(out, compared{Title: p.Before + " → " + p.After + place(f, p.Set, p.Variant), view: firstView(f)})
		}
		out[at].rows = append(out[at].rows, p)
	}
	return out
}

// told are the rows that the comparison is told by: one a judge, under the first view.
func (c compared) told() (out []step.Pair) {
	for _, p := range c.rows {
		if p.View == c.view || p.View == "" {
			out = append(out, p)
		}
	}
	return out
}

// sentences say what changed.
func (c compared) sentences(f step.Findings) []report.Sentence {
	var out []report.Sentence
	for _, p := range c.told() {
		verdict := strings.ToUpper(string(p.Verdict[:1])) + string(p.Verdict[1:])
		text := fmt.Sprintf("%s: %s, %s, %s", verdict, change("accuracy of one chain", p.Accuracy), change("error rate of steps", p.Errors), report.Plural(p.Items, "item"))
		if p.Judge != "" {
			text += ", judge " + p.Judge
		}
		if p.Verdict == step.Untold {
			text += ". Why not: " + strings.TrimSuffix(orElse(p.Why, "the intervals do not tell"), ".")
		}
		text += "."
		if p.Corrected.Value.OK() {
			text += " Corrected for what is known of the judge, " + change("the error rate of steps", p.Corrected) + "."
		} else if p.Errors.Value.OK() && p.Judge != "" {
			text += " " + trustShort(f, p.Judge)
		}
		out = append(out, report.Sentence{Question: "Did answers and steps move together?", Text: text, Ground: "s-pairs"})
	}
	if s := c.otherwise(); s != "" {
		out = append(out, report.Sentence{Question: "Does it hang on how the steps are shown?", Text: s, Ground: "t-pairs"})
	}
	if s := c.beside(); s != "" {
		out = append(out, report.Sentence{Question: "What else changed?", Text: s, Ground: "t-pairs"})
	}
	return out
}

// otherwise counts the verdicts under the other views.
func (c compared) otherwise() string {
	var same, other []string
	by := map[string]step.Direction{}
	for _, p := range c.told() {
		by[p.Judge] = p.Verdict
	}
	for _, p := range c.rows {
		if p.View == c.view || p.View == "" {
			continue
		}
		name := fmt.Sprintf("%s (error rate %s)", p.View, points(p.Errors.Value))
		if len(by) > 1 {
			name = p.Judge + ", " + name
		}
		if p.Verdict == by[p.Judge] {
			same = append(same, name)
		} else {
			other = append(other, name+": "+string(p.Verdict))
		}
	}
	var out []string
	if len(same) > 0 {
		out = append(out, "The verdict is the same under "+strings.Join(same, ", ")+".")
	}
	if len(other) > 0 {
		out = append(out, "It is another under "+strings.Join(other, "; ")+".")
	}
	return strings.Join(out, " ")
}

// beside says how votes, calibration and hedging changed.
func (c compared) beside() string {
	rows := c.told()
	if len(rows) == 0 {
		return ""
	}
	p := rows[0]
	var parts []string
	if p.Majority.Value.OK() {
		parts = append(parts, change("accuracy of the vote", p.Majority))
	}
	if p.Hedged.Value.OK() {
		parts = append(parts, change("share of steps that hedge", p.Hedged))
	}
	if p.ECE.Value.OK() {
		s := "ECE " + signed3(p.ECE.Value)
		if p.ECE.Lo.OK() && p.ECE.Hi.OK() {
			s += fmt.Sprintf(" (%s to %s)", signed3(p.ECE.Lo), signed3(p.ECE.Hi))
		}
		if p.Floor.OK() {
			s += ", of which the vote shares alone would make " + signed3(p.Floor)
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return ""
	}
	return "After less before: " + strings.Join(parts, "; ") + "."
}

// signed3 prints a number to the thousandth, with its sign.
func signed3(n percuss.Number) string {
	s := thousandth(n)
	if v, ok := n.Get(); ok && v > 0 && s != "0.000" {
		return "+" + s
	}
	return s
}
