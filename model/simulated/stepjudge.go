package simulated

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// stepJudging is the policy of a judge of steps of known quality. Of a step that a stepwise reasoner wrote it knows the truth
// from its text and the question (StepLabel); of any other step, as real chains have them, the truth is a draw from its text:
// an error with probability rate, of a kind that is drawn too. A step that claims nothing is called so. Of the others it calls
// abstain of all "nothing to check", an erroneous one an error with probability sensitivity, and a correct one correct with
// probability specificity. Draws are keyed by question and step, so that neither the order of the examples, the steps before
// nor the style moves a verdict, but: a request with another order of the examples gets other draws with probability repeat,
// and a step that is shown with markup or openers is called an error with probability style_bias more. With probability
// malformed the reply is no verdict, and when it is asked for once more it is with probability 1 − mend. It reads the step
// from a request in the form of the default rubric: the line that begins with ">" behind the last "The step:", and such lines
// behind the last "Question:" before it.
const stepJudging kind = "step-judge"

var (
	stepLine      = regexp.MustCompile(`(?m)^The step:\n> ?(.*)$`)
	questionLines = regexp.MustCompile(`(?m)^Question:\n((?:>.*(?:\n|$))+)`)
)

// judgeStep is the reply to a request to judge a step, a function of the request alone.
func (p policy) judgeStep(r percuss.Request) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK, Reported: "simulated", Usage: percuss.Usage{Prompt: promptWords(r)}, Letters: evenly(r.Want.Letters)}
	if r.Begin != "" {
		a.Continued = percuss.Continues
	}
	if len(r.Want.Letters) > 0 {
		return a
	}
	a.Text = "There is no step to judge."
	if s, ok := stepAsked(r); ok {
		a.Text = p.stepVerdict(s)
		rate, turn := p.malformed, "malformed"
		if s.again {
			rate, turn = 1-p.mend, "malformed again"
		}
		if percuss.Rand(p.seed, s.key(), "", turn).Float64() < rate {
			a.Text = "It could be said that the step is true."
		}
	}
	a.Text, a.Usage.Output, a.Outcome = limit(a.Text, r.Sampling)
	return a
}

// shownStep is what a request shows.
type shownStep struct {
	question, text string
	plain          string // the sentences of the step that claim something, without style
	order          string // what precedes the step: examples and labels in their order
	again          bool   // a malformed reply is there already
}

func (s shownStep) key() string { return s.question + "\x00" + s.plain }

// stepAsked finds the step that a request shows, in the last message that shows one.
func stepAsked(r percuss.Request) (shownStep, bool) {
	for at, m := range slices.Backward(r.Messages) {
		all := stepLine.FindAllStringSubmatchIndex(m.Content, -1)
		if m.Role != percuss.User || len(all) == 0 {
			continue
		}
		last := all[len(all)-1]
		s := shownStep{text: m.Content[last[2]:last[3]], again: at < len(r.Messages)-1}
		if q := questionLines.FindAllStringSubmatch(m.Content[:last[0]], -1); len(q) > 0 {
			var lines []string
			for l := range strings.Lines(q[len(q)-1][1]) {
				lines = append(lines, strings.TrimPrefix(strings.TrimRight(l[1:], "\n"), " "))
			}
			s.question = strings.Join(lines, "\n")
		}
		s.plain = strings.Join(slices.DeleteFunc(statements(s.text), func(said string) bool { return fixedLabels[said] == stepAbstain }), "\n")
		for _, before := range r.Messages[:at] {
			s.order += before.Content + "\x00"
		}
		return s, true
	}
	return shownStep{}, false
}

// stepVerdict is what the judge says of a step.
func (p policy) stepVerdict(s shownStep) string {
	label := p.stepLabel(s)
	if label == stepAbstain {
		return "VERDICT: NOTHING TO CHECK"
	}
	key, variant := s.key(), ""
	// Two orders share their draws with probability 1 − repeat: each keeps the common ones with the root of that.
	if percuss.Rand(p.seed, key, s.order, "other draws").Float64() >= math.Sqrt(1-p.repeat) {
		variant = s.order
	}
	draw := func(what string) float64 { return percuss.Rand(p.seed, key, variant, what).Float64() }
	if draw("abstain") < p.abstain {
		return "VERDICT: NOTHING TO CHECK"
	}
	wrong := label != stepCorrect
	found := draw("verdict") < p.sensitivity
	if !wrong {
		label = choose(percuss.Rand(p.seed, key, "", "kind").IntN, errorKinds)
		found = draw("verdict") < 1-p.specificity
	}
	if !found && p.styleBias > 0 && s.styled() {
		found = draw("style") < p.styleBias
	}
	if !found {
		return "VERDICT: CORRECT"
	}
	return "VERDICT: ERROR (" + strings.ReplaceAll(label, "_", " ") + ")"
}

// stepLabel is the truth about a step.
func (p policy) stepLabel(s shownStep) string {
	if label, known := StepLabel(s.question, s.text); known {
		return label
	}
	rng := percuss.Rand(0, s.key(), "", "truth of a step") // the same for judges of any seed
	if rng.Float64() < p.base {
		return choose(rng.IntN, errorKinds)
	}
	return stepCorrect
}

// styled reports whether a step shows markup, its number or an opener.
func (s shownStep) styled() bool {
	return strings.ContainsAny(s.text, "*#`") || len(undone(texts(words(s.text)))) != len(strings.Fields(s.plain))
}

// evenly gives all letters the same log-probability.
func evenly(letters []string) []percuss.LetterScore {
	var out []percuss.LetterScore
	for _, l := range letters {
		out = append(out, percuss.LetterScore{Letter: l, LogProb: percuss.Num(math.Log(onLetters / float64(len(letters))))})
	}
	return out
}
