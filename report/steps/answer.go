package steps

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// answer says in words what a cell's tables show, each figure with its interval and sample.
func answer(f step.Findings, c step.Cell) []report.Sentence {
	out := []report.Sentence{{Question: "How often is it right?", Text: rightWords(f, c), Ground: "s-answers"}}
	say := func(question, words, ground string) {
		if words != "" {
			out = append(out, report.Sentence{Question: question, Text: words, Ground: ground})
		}
	}
	say("Does the share of the votes tell how sure to be?", sureWords(f, c), "s-calibration")
	question := "How often are its steps wrong?"
	for _, words := range wrongWords(f, c) {
		say(question, words, "s-trace")
		question = ""
	}
	say("Does it say that it is unsure?", hedgeWords(c), "s-hedging")
	for i, s := range out {
		out[i].Text = report.Signed(s.Text)
	}
	return out
}

func around(e percuss.Estimate, format func(percuss.Number) string) string {
	return report.Around(e, format, "item")
}

func rightWords(f step.Findings, c step.Cell) string {
	if !c.Accuracy.Value.OK() {
		return report.Unknown(c.Accuracy)
	}
	out := fmt.Sprintf("One chain is right in %s (%s).", report.Percent(c.Accuracy.Value), around(c.Accuracy, report.Percent))
	if num, den, ok := report.Quotient(c.Accuracy); ok {
		out = fmt.Sprintf("%s of %s with an answer are right (%s; %s).", percuss.Grouped(num), report.Plural(den, "chain"), report.Percent(c.Accuracy.Value), around(c.Accuracy, report.Percent))
	}
	if f.Settings.K < 2 || !c.Majority.Value.OK() {
		return out
	}
	out += fmt.Sprintf(" The vote of all chains of an item is right in %s (%s)", report.Percent(c.Majority.Value), around(c.Majority, report.Percent))
	if n := len(c.Curve); n > 0 && c.Curve[n-1].Gain.Value.OK() && c.Curve[n-1].K > 1 {
		g := c.Curve[n-1].Gain
		out += ", " + strings.TrimPrefix(change("", g), " ") + " against one chain"
	}
	out += "."
	if c.Tied > 0 {
		out += fmt.Sprintf(" In %s several answers had the most votes, and a seeded draw decided.", report.Plural(c.Tied, "item"))
	}
	return out
}

// sureWords hold the ECE against what perfect calibration would give.
func sureWords(f step.Findings, c step.Cell) string {
	switch {
	case !c.ECE.Value.OK():
		return ""
	case f.Settings.K < 2:
		return "Not known: with one chain an item every winner has all the votes, so that a vote share says nothing."
	}
	out := fmt.Sprintf("ECE %s (%s).", thousandth(c.ECE.Value), around(c.ECE, thousandth))
	floor := c.Calibration.Floor
	v, _ := c.ECE.Value.Get()
	if hi, ok := floor.Hi.Get(); ok && floor.Value.OK() {
		out += fmt.Sprintf(" With so few items perfect calibration would show %s (%s to %s): ", thousandth(floor.Value), thousandth(floor.Lo), thousandth(floor.Hi))
		if v <= hi {
			out += "this one is no sign of a fault."
		} else {
			out += "this one is larger than that."
		}
	}
	over := c.Calibration.Overconfidence
	lo, okLo := over.Lo.Get()
	hi, okHi := over.Hi.Get()
	switch {
	case !over.Value.OK() || !okLo || !okHi:
	case lo > 0:
		out += fmt.Sprintf(" The vote share is above the accuracy by %s on average: overconfident.", strings.TrimPrefix(points(over.Value), "+")+" points")
	case hi < 0:
		out += fmt.Sprintf(" The vote share is below the accuracy by %s on average: underconfident.", strings.TrimPrefix(points(over.Value), "−")+" points")
	}
	return out
}

// wrongWords are what the judges said of a cell's steps, one each.
func wrongWords(f step.Findings, c step.Cell) (out []string) {
	if len(f.Settings.Judges) == 0 {
		return []string{"Not known: the run has no judge. A run with --judge has the steps judged."}
	}
	for _, t := range first(f, c) {
		out = append(out, traceWords(f, t))
	}
	if len(out) == 0 {
		return []string{"Not known: no step was judged."}
	}
	return out
}

// traceWords is what one judge said.
func traceWords(f step.Findings, t step.Trace) string {
	if !t.Errors.Value.OK() {
		return "Judge " + t.Judge + ": not known, " + strings.TrimSuffix(orElse(t.Errors.Why, "the value is missing"), ".") + "."
	}
	out := fmt.Sprintf("Judge %s calls %s of the steps with a claim an error (%s)", t.Judge, report.Percent(t.Errors.Value), around(t.Errors, report.Percent))
	if num, den, ok := report.Quotient(t.Errors); ok {
		out = fmt.Sprintf("Judge %s calls %s of %s with a claim an error (%s; %s)", t.Judge, percuss.Grouped(num), report.Plural(den, "step"), report.Percent(t.Errors.Value), around(t.Errors, report.Percent))
	}
	out += "."
	if t.Corrected.Value.OK() {
		out += fmt.Sprintf(" Corrected for what is known of the judge, %s are wrong (%s).", report.Percent(t.Corrected.Value), around(t.Corrected, report.Percent))
	} else {
		out += " " + trustShort(f, t.Judge)
	}
	if t.Chains.Value.OK() {
		out += fmt.Sprintf(" By it, %s of the judged chains have an error", report.Percent(t.Chains.Value))
		if v, ok := t.First.Value.Get(); ok {
			out += fmt.Sprintf(", the first one at %.0f %% of the way", 100*v)
		}
		out += "."
	}
	if len(t.Kinds) > 0 {
		var kinds []string
		for _, k := range t.Kinds {
			kinds = append(kinds, fmt.Sprintf("%s %s", kindWord(step.Says(k.Name)), percuss.Grouped(k.N)))
		}
		out += " Kinds: " + strings.Join(kinds, ", ") + "."
	}
	return out
}

// trustShort says of a rate what it is where it could not be corrected.
func trustShort(f step.Findings, judge string) string {
	if _, known := f.Settings.Quality[judge]; known {
		return "For what is known of the judge no corrected rate can be given."
	}
	return "How good this judge is at finding errors is not known: the rate is what it says, not how often steps are wrong."
}

func hedgeWords(c step.Cell) string {
	if !c.Hedged.Value.OK() {
		return ""
	}
	return fmt.Sprintf("%s of the steps, as they were written, have a word that hedges (%s).", report.Percent(c.Hedged.Value), around(c.Hedged, report.Percent))
}

// kindWord names a label for a reader.
func kindWord(s step.Says) string {
	switch s {
	case step.Correct:
		return "correct"
	case step.Factual:
		return "factual"
	case step.Contradicts:
		return "contradicts the case"
	case step.Unsupported:
		return "unsupported"
	case step.Arithmetic:
		return "arithmetic or unit"
	case step.Erroneous:
		return "kind not named"
	case step.Abstain:
		return "no claim"
	}
	return "no verdict"
}

// trust says of the judges how far their verdicts can be taken for the truth: of those of which nothing is known together, of
// each of the others.
func trust(f step.Findings) []report.Sentence {
	var out []report.Sentence
	var unknown []string
	for _, j := range f.Settings.Judges {
		if q, known := f.Settings.Quality[j]; known {
			out = append(out, report.Sentence{Question: "How far can judge " + j + " be trusted?", Text: report.Signed(qualityWords(q)), Ground: "s-trace"})
		} else {
			unknown = append(unknown, j)
		}
	}
	if len(unknown) == 0 {
		return out
	}
	says, who := "A judge of unknown quality", "judge "+unknown[0]
	if len(unknown) > 1 {
		says, who = "Judges of unknown quality", "judges "+listed(unknown)
	}
	return append(out, report.Sentence{Question: "How far can " + who + " be trusted?", Ground: "s-trace", Text: says + ": raw rates are what a judge says, not how often steps are wrong. " +
		"One that misses errors evenly can still show which of two models has more of them, and one that favours a style cannot. " +
		"Labels of experts (percuss review create, task steps) or --judge-quality say how good a judge is."})
}

// listed is names one after the other: "a, b and c".
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// qualityWords say what a known quality means for the rates.
func qualityWords(q step.Quality) string {
	measured := "known exactly"
	if q.Positives > 0 || q.Negatives > 0 {
		measured = fmt.Sprintf("measured on %s and %s", report.Plural(q.Positives, "erroneous step"), report.Plural(q.Negatives, "correct step"))
		if strings.Contains(q.From, step.ExpertLabels) {
			measured = fmt.Sprintf("they tell as much as %s and %s drawn one by one", report.Plural(q.Positives, "erroneous step"), report.Plural(q.Negatives, "correct step"))
		}
	}
	out := fmt.Sprintf("It finds %s of the errors and passes %s of the correct steps (%s; %s).", report.Percent(percuss.Num(q.Sensitivity)), report.Percent(percuss.Num(q.Specificity)),
		orElse(q.From, "known from elsewhere"), measured)
	switch youden := q.Sensitivity + q.Specificity - 1; {
	case youden <= 0:
		out += " That is no better than a coin: nothing it says of errors can be used."
	case youden < littleBetter:
		out += " That is little better than a coin: corrected rates have wide intervals and rest on this quality being right."
	default:
		out += fmt.Sprintf(" Of steps that are all correct it would call %s an error; corrected rates take that away, if it is as good on these models as where it was measured.",
			report.Percent(percuss.Num(1-q.Specificity)))
	}
	return out
}

// littleBetter is the sum of sensitivity and specificity, less 1, below which a judge is called little better than a coin.
const littleBetter = 0.3
