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
	rows  []step.Pair
	view  string    // the first one
	of    step.Pair // the first row
}

// named is the comparison in a figure: by its name or the model after, as far as that tells it from the others.
func (c compared) named(f step.Findings) string {
	where := strings.TrimPrefix(place(f, c.of.Set, c.of.Variant), ", ")
	several, shared := false, false
	for _, p := range f.Pairs {
		if p.Before != c.of.Before || p.After != c.of.After {
			several, shared = true, shared || p.After == c.of.After
		}
	}
	name := ""
	switch {
	case several && c.of.Name != "":
		name = c.of.Name
	case shared:
		name = "from " + c.of.Before + " to " + c.of.After
	case several:
		name = "to " + c.of.After
	case where == "":
		return "after less before"
	}
	return strings.TrimPrefix(strings.TrimSuffix(name+", "+where, ", "), ", ")
}

// comparisons gathers the rows of the findings' comparisons.
func comparisons(f step.Findings) (out []compared) {
	index := map[[5]string]int{}
	for _, p := range f.Pairs {
		key := [5]string{p.Name, p.Before, p.After, p.Set, p.Variant}
		at, ok := index[key]
		if !ok {
			at, index[key] = len(out), len(out)
			out = append(out, compared{Title: p.Before + " → " + p.After + place(f, p.Set, p.Variant), view: firstView(f), of: p})
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
	question := "Did answers and steps move together?"
	for _, p := range c.told() {
		out = append(out, report.Sentence{Question: question, Text: verdictWords(f, p), Ground: "s-pairs"})
		question = ""
	}
	if s := c.otherwise(); s != "" {
		out = append(out, report.Sentence{Question: "Does it hang on how the steps are shown?", Text: s, Ground: "t-pairs"})
	}
	if s := c.beside(f); s != "" {
		out = append(out, report.Sentence{Question: "What else changed?", Text: s, Ground: "t-pairs"})
	}
	return out
}

// verdictWords are one comparison by one judge: its verdict and what it rests on, or why there is none.
func verdictWords(f step.Findings, p step.Pair) string {
	verdict := string(p.Verdict)
	if verdict == "" {
		verdict = string(step.Untold)
	}
	text := fmt.Sprintf("%s: %s, %s, %s", strings.ToUpper(verdict[:1])+verdict[1:], change("accuracy of one chain", p.Accuracy), change("error rate of steps", p.Errors), report.Plural(p.Items, "item"))
	if p.Judge != "" {
		text += ", judge " + p.Judge
	}
	text += "."
	if p.Verdict == step.Untold {
		text += " Why not: " + strings.TrimSuffix(orElse(p.Why, "the intervals do not tell"), ".") + "."
	}
	switch {
	case p.Corrected.Value.OK():
		text += " Corrected for what is known of the judge: " + change("error rate", p.Corrected) + "."
	case p.Errors.Value.OK() && p.Judge != "":
		text += " " + rawOnly(f, p.Judge)
	}
	return text
}

// rawOnly says of a change what it is where it could not be corrected.
func rawOnly(f step.Findings, judge string) string {
	if _, known := f.Settings.Quality[judge]; known {
		return "For what is known of the judge no corrected change can be given."
	}
	return "The rates are what the judge says; its quality is not known."
}

// otherwise holds the verdicts under the other views against those under the first one, judge by judge.
func (c compared) otherwise() string {
	var out []string
	for _, told := range c.told() {
		var same, other []string
		for _, p := range c.rows {
			switch {
			case p.Judge != told.Judge || p.View == told.View || p.Judge == "":
			case p.Verdict == told.Verdict:
				same = append(same, fmt.Sprintf("%s (%s)", p.View, points(p.Errors.Value)))
			default:
				other = append(other, fmt.Sprintf("%s (%s: %s)", p.View, points(p.Errors.Value), p.Verdict))
			}
		}
		var parts []string
		if len(same) > 0 {
			parts = append(parts, "the verdict is the same under "+strings.Join(same, ", "))
		}
		if len(other) > 0 {
			parts = append(parts, "it is another under "+strings.Join(other, ", "))
		}
		if len(parts) > 0 {
			out = append(out, "By judge "+told.Judge+" "+strings.Join(parts, "; ")+".")
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, " ") + " In brackets: points of error rate, after less before."
}

// beside says how votes, calibration and hedging changed.
func (c compared) beside(f step.Findings) string {
	rows := c.told()
	if len(rows) == 0 {
		return ""
	}
	p := rows[0]
	var parts []string
	votes := f.Settings.K > 1 // of one chain an item the vote is that chain
	if p.Majority.Value.OK() && votes {
		parts = append(parts, change("accuracy of the vote", p.Majority))
	}
	if p.Hedged.Value.OK() {
		parts = append(parts, change("share of steps that hedge", p.Hedged))
	}
	if p.ECE.Value.OK() && votes {
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
