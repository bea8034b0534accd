package cases

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// answer says in words what a cell's tables show, each figure with its interval and sample.
func answer(c evidence.Cell) []report.Sentence {
	out := []report.Sentence{{Question: "How often is it right?", Text: rightWords(c), Ground: "t-accuracy"}}
	say := func(question, words, ground string) {
		if words != "" {
			out = append(out, report.Sentence{Question: question, Text: words, Ground: ground})
		}
	}
	if c.Scored > 0 {
		say("What moves the diagnosis?", movesWords(c), "s-mechanisms")
		say("How much of that is suspicious?", suspiciousWords(c), "s-mechanisms")
		say("What survives the checks?", survivalWords(c), "s-robust")
		say("What would noise alone do?", noiseWords(c), "s-robust")
	}
	say("What happens when the evidence is changed?", changeWords(c), "s-changes")
	say("What did reviewers say?", reviewWords(c), "s-review")
	for i, s := range out {
		out[i].Text = report.Signed(s.Text)
	}
	return out
}

// sample is the hedge: interval and number of cases.
func sample(e percuss.Estimate, format func(percuss.Number) string) string {
	return report.Around(e, format, "case")
}

func rightWords(c evidence.Cell) string {
	if !c.Accuracy.Value.OK() {
		return report.Unknown(c.Accuracy)
	}
	out := fmt.Sprintf("With all the evidence shown, the model picks the right diagnosis in %s of the cases (%s).",
		report.Percent(c.Accuracy.Value), sample(c.Accuracy, report.Percent))
	if num, den, ok := report.Quotient(c.Accuracy); ok {
		out = fmt.Sprintf("With all the evidence shown, the model picks the right diagnosis in %s of %s (%s; %s).", percuss.Grouped(num), report.Plural(den,
			"case"), report.Percent(c.Accuracy.Value), sample(c.Accuracy, report.Percent))
	}
	if c.Sampled > 0 {
		out += fmt.Sprintf(" The back-end gives no log-probabilities: scores are smoothed shares of %d drawn letters a prompt.", c.Sampled)
	}
	if c.AlwaysA.Value.OK() {
		out += fmt.Sprintf(" Always answering A would be right in %s.", report.Percent(c.AlwaysA.Value))
	}
	full, okFull := c.Full.Value.Get()
	empty, okEmpty := c.Empty.Value.Get()
	if okFull && okEmpty {
		out += fmt.Sprintf(" The audited findings move the margin of the right diagnosis from %s to %s nats on average.",
			percuss.Num(empty).Format(2), percuss.Num(full).Format(2))
	}
	if v, ok := c.Mass.Value.Get(); ok && v < 0.5 {
		out += fmt.Sprintf(" Only %s of the probability lies on the letters of the candidates: the model would rather say something else.", report.Percent(c.Mass.Value))
	}
	return out
}

// orderName names the combinations of an order.
func orderName(order int) string {
	switch order {
	case 1:
		return "single findings"
	case 2:
		return "pairs"
	case 3:
		return "triples"
	}
	return fmt.Sprintf("sets of %d findings", order)
}

func suspiciousWords(c evidence.Cell) string {
	g := c.Gold
	switch {
	case c.Narrative:
		return "It cannot be said: in a narrative nothing is known of what a sentence is evidence for, so no combination is called suspicious."
	case !g.Suspicious.Value.OK():
		return report.Unknown(g.Suspicious)
	}
	of := "that strength"
	if c.Prose > 0 {
		of = "the strength in cases that are no narratives"
	}
	out := fmt.Sprintf("%s of %s (%s) comes from combinations that raise the right diagnosis through evidence that is absent, "+
		"irrelevant to it or speaks for a rival.",
		report.Percent(g.Suspicious.Value), of, sample(g.Suspicious, report.Percent))
	return out + coinWords(g)
}

// coinWords hold the suspicious share against a coin for the signs of the same combinations. Where few combinations have
// a name that hangs on their sign, or none, nothing is made of it.
func coinWords(g evidence.Profile) string {
	expected, ok := g.SameSets.Count.Get()
	if !ok || !g.SuspCount.Value.OK() {
		return ""
	}
	out := fmt.Sprintf(" By count it is %s.", report.Percent(g.SuspCount.Value))
	if !g.SameSets.ByCount.Value.OK() {
		return out + " The sign of none of these combinations decides whether it is suspicious: a comparison with random signs says nothing."
	}
	out += fmt.Sprintf(" If a coin gave these same combinations their signs, the rules would call %s of the strength and %s of the count suspicious: ",
		report.Percent(g.SameSets.Strength), report.Percent(percuss.Num(expected)))
	strength, count := againstCoin(g.SameSets.ByStrength), againstCoin(g.SameSets.ByCount)
	switch {
	case strength != count:
		out += fmt.Sprintf("where the sign decides, the model is %s by strength and %s by count.", coinSide(strength), coinSide(count))
	case strength == "above":
		out += "where the sign decides, the model raises the right diagnosis through such evidence more often than a coin would."
	case strength == "below":
		out += "where the sign decides, the model raises the right diagnosis through such evidence less often than a coin would."
	case strength == tooFew:
		out += "too few cases to compare."
	default:
		out += "this sample shows no difference from it, so the share neither speaks against the model nor for it."
	}
	for _, m := range g.Mechanisms {
		if m.Suspicious && againstCoin(m.SameSets.ByCount) == "above" {
			out += fmt.Sprintf(" More often than a coin, taken by itself: %s (%s of the count, a coin %s).", m.Name, report.Percent(m.Share.Value), report.Percent(m.SameSets.Count))
		}
	}
	return out
}

// coinSide puts a comparison into words.
func coinSide(against string) string {
	switch against {
	case "above":
		return "above a coin"
	case "below":
		return "below a coin"
	}
	return "no different from a coin"
}

// stepWords say what a step of the cascade asks, by its name in the findings.
var stepWords = map[string]string{"prompt-stable": "%s of %s are found again in every other wording",
	"order-stable":                   "%s of %s of those in every other order of the candidates",
	"survives neutralization":        "%s of %s of those when hidden findings are marked instead of left out",
	"family survives neutralization": "or %s of %s when another finding of the same families may stand in"}

func survivalWords(c evidence.Cell) string {
	var suspicious, control []string
	for _, s := range c.Cascade {
		name, isControl := strings.CutPrefix(s.Step, "control: ")
		format, known := stepWords[name]
		words := ""
		if known {
			words = fmt.Sprintf(format, percuss.Grouped(s.Kept), percuss.Grouped(s.Asked))
		}
		if s.Rate.Value.OK() {
			words += fmt.Sprintf(" (n = %s)", report.Plural(s.Rate.N, "case"))
		}
		switch {
		case !known || s.Asked == 0:
		case isControl || s.Control:
			control = append(control, words)
		default:
			suspicious = append(suspicious, words)
		}
	}
	var out []string
	if len(suspicious) > 0 {
		out = append(out, "Of the suspicious combinations that could be checked, "+strings.Join(suspicious, "; ")+".")
	}
	if len(control) > 0 {
		of := "Of their controls, salient combinations of the same orders that no suspicious rule picked, "
		if len(suspicious) == 0 {
			of = "Of salient combinations that no suspicious rule picked, "
		}
		out = append(out, of+strings.Join(control, "; ")+".")
	}
	if len(out) == 0 && len(c.Stability) > 0 && !c.Narrative {
		return "No suspicious combination was among those that could be checked in other wordings, orders of the candidates or ways of hiding."
	}
	if len(out) == 0 {
		return "Not known: no combination was checked under other wordings, orders or ways of hiding."
	}
	return strings.Join(out, " ")
}

func noiseWords(c evidence.Cell) string {
	var parts []string
	why := "nothing was repeated"
	for _, source := range []struct{ id, words string }{{"batch", "Repeating the same prompts"}, {"order", "Changing only the order of the candidates"}} {
		under, of, most := 0, 0, percuss.Number{}
		known := false
		for _, f := range c.Floor {
			if f.Why != "" {
				why = f.Why
			}
			if f.Source != source.id || !f.Floor.OK() {
				continue
			}
			known = true
			if f.Order == 0 {
				most = f.Floor
			}
			under, of = under+f.Under, of+f.Of
		}
		if !known {
			continue
		}
		part := fmt.Sprintf("%s: a measured margin lies within %s nats of its mean nineteen times in twenty", source.words, most.Format(2))
		if v, ok := most.Get(); ok && v == 0 {
			part = source.words + " changes nothing"
		}
		if of > 0 {
			part += fmt.Sprintf("; %s of %s salient combinations are weaker than this noise alone makes a combination of their order", percuss.Grouped(under), percuss.Grouped(of))
		}
		parts = append(parts, part+".")
	}
	if len(parts) == 0 {
		return "Not known: " + why + "."
	}
	return strings.Join(parts, " ")
}

// changeWords sets the strata side by side.
func changeWords(c evidence.Cell) string {
	names := map[evidence.Stratum]string{evidence.High: "in a suspicious combination", evidence.Clean: "in salient combinations, none of them suspicious,", evidence.Low: "in no salient combination",
		evidence.Plausible: "called appropriate"}
	var parts []string
	for _, s := range c.Strata {
		if s.Edit == "" && s.Strong.Value.OK() {
			parts = append(parts, fmt.Sprintf("for families %s in %s of the changes (%s)", names[s.Stratum], report.Percent(s.Strong.Value), sample(s.Strong, report.Percent)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Taking out, flipping or replacing a family of findings moves the right diagnosis strongly: " + strings.Join(parts, "; ") + "."
}

func reviewWords(c evidence.Cell) string {
	for _, r := range c.Review {
		if r.Bucket == "total" && r.Judged > 0 {
			return fmt.Sprintf("Of %s judged, %s are valid, %s questionable and %s invalid or shortcut-like.", report.Plural(r.Judged, "combination"),
				percuss.Grouped(r.Valid), percuss.Grouped(r.Questionable), percuss.Grouped(r.Invalid))
		}
	}
	return ""
}
