package simulated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// stepwise is the policy of a reasoner for step audits: every seed and every Replicate of a request brings another chain, of
// as many steps as its parameter says. A step claims nothing with probability no_claim; of the others each is an error with
// probability error: another age, sex, side or finding than the question has, a false claim about medicine, a conclusion that
// does not follow, or a wrong calculation. In a chain with a wrong answer a step that would be correct is an error with
// probability follow. One that claims something
// begins with a hedge with probability hedge. Its style is plain ("Step 1:"), markdown (a numbered
// list in bold type) or chatty (no numbers, talk before and between the steps); without the style the steps are the same.
//
// The answer of a chain is right with probability acc; wrong ones are equally likely. Of a share sure of the items all chains
// have the answer of one draw, so that the share of votes varies by item. Draws do not depend on style, hedge, error, follow
// and acc: reasoners of one seed differ only by what these change. Any other request than that for a chain is answered as by
// a reasoner whom no edit moves.
const stepwise kind = "stepwise"

// The styles of a chain.
const (
	plainStyle  = "plain"
	markedStyle = "markdown"
	chattyStyle = "chatty"
)

var styles = []string{plainStyle, markedStyle, chattyStyle}

// sample names the draws of one chain.
func sample(r percuss.Request) string { return fmt.Sprintf("%d/%d", r.Sampling.Seed, r.Replicate) }

// sampled is the reply to a request for a chain.
func (t thought) sampled(r percuss.Request) string {
	option := t.vote(r)
	question := t.v.before
	if t.v.item != nil {
		question = strings.Join(t.v.item.passages, "\n\n")
	}
	w := writer{p: t.p, id: t.id, sample: sample(r), asked: newAsked(question), findings: findings(question), used: map[string]bool{}}
	w.wrongAnswer = t.v.item != nil && t.v.item.gold >= 0 && option != t.v.item.gold
	var steps []string
	for i := range int(t.p.steps) {
		steps = append(steps, w.styled(i, w.step(i)))
	}
	return strings.Join(steps, "\n\n") + "\n\nAnswer: " + t.v.label(option)
}

// vote is the option that a chain ends in, by its place in the question.
func (t thought) vote(r percuss.Request) int {
	k, gold := len(t.v.option), -1
	if t.v.item != nil {
		k, gold = max(1, len(t.v.item.options)), t.v.item.gold
	}
	rng := percuss.Rand(t.p.seed, t.id, "", "answer of all chains")
	if rng.Float64() >= t.p.sure {
		rng = percuss.Rand(t.p.seed, t.id, sample(r), "answer of a chain")
	}
	switch right := rng.Float64() < t.p.acc; {
	case gold < 0:
		return rng.IntN(k)
	case right || k == 1:
		return gold
	}
	return other(rng.IntN, k, gold)
}

// writer writes the steps of one chain.
type writer struct {
	p           policy
	id, sample  string
	asked       asked
	findings    []string // sentences of the question that a step can restate
	wrongAnswer bool
	used        map[string]bool
}

// step is the i-th step without style. The draws of a step are its own, so that one that becomes an error leaves the others
// as they are.
func (w writer) step(i int) string {
	rng := percuss.Rand(w.p.seed, w.id, fmt.Sprintf("%s/%d", w.sample, i), "step")
	silent, wrong, follows := rng.Float64() < w.p.noClaim, rng.Float64() < w.p.errs, rng.Float64() < w.p.follow
	wrong = wrong || w.wrongAnswer && follows
	if silent {
		return choose(rng.IntN, unclaimed)
	}
	about := rng.IntN(4)
	claim, again := "", 0
	for ; again < attempts; again++ {
		if again == attempts-1 {
			about = aboutSum // of these there are enough
		}
		if claim = w.claim(about, false, w.draw(i, again)); !w.used[claim] {
			break
		}
	}
	w.used[claim] = true // also where an error takes its place, so that the other steps stay
	if wrong {
		return w.claim(about, true, w.draw(i, again))
	}
	return claim
}

// attempts is how often a step looks for something that the chain has not said yet.
const attempts = 5

// draw is the source of the draws of the i-th step's claim.
func (w writer) draw(i, again int) func(int) int {
	return percuss.Rand(w.p.seed, w.id, fmt.Sprintf("%s/%d/%d", w.sample, i, again), "claim").IntN
}

// What a claim is about, of four things alike.
const (
	aboutCase = iota
	aboutMedicine
	aboutSum
)

// claim is a sentence on the case, on medicine, on what follows, or a calculation.
func (w writer) claim(about int, wrong bool, intN func(int) int) string {
	from := inferences
	switch about {
	case aboutCase:
		if s := w.onCase(wrong, intN); s != "" {
			return s
		}
		from = general
	case aboutMedicine:
		from = general
	case aboutSum:
		return w.sum(wrong, intN)
	}
	c := from[intN(len(from))]
	if wrong {
		return c.wrong
	}
	return c.right
}

// onCase restates the question, or contradicts it; empty where there is nothing to restate.
func (w writer) onCase(wrong bool, intN func(int) int) string {
	var all []string
	if len(w.asked.ages) > 0 {
		all = append(all, w.onAge(wrong, intN))
	}
	if sex := w.asked.sex; sex != "" {
		said := map[bool]string{false: sex, true: map[string]string{"male": "female", "female": "male"}[sex]}[wrong]
		all = append(all, "The patient is "+said+".")
	}
	for _, part := range w.asked.parts {
		if own := w.asked.sides[part]; len(own) == 1 {
			said := map[bool]string{false: own[0], true: map[string]string{"left": "right", "right": "left"}[own[0]]}[wrong]
			all = append(all, "The text names the "+said+" "+part+".")
		}
	}
	known := w.findings
	if wrong {
		known = slices.DeleteFunc(slices.Clone(invented), func(f string) bool { return stands(w.asked.words, texts(words(f))) })
	}
	if len(known) > 0 {
		all = append(all, "The text says that "+choose(intN, known)+".")
	}
	if len(all) == 0 {
		return ""
	}
	return choose(intN, all)
}

// onAge states the first age of the question, or one that is no number of it.
func (w writer) onAge(wrong bool, intN func(int) int) string {
	said := w.asked.ages[0]
	if wrong {
		from := said.n
		for said.n = from + 7 + intN(20); slices.Contains(w.asked.words, fmt.Sprint(said.n)); {
			said.n++
		}
	}
	plural := map[bool]string{true: "", false: "s"}[said.n == 1]
	return fmt.Sprintf("The patient is %d %s%s old.", said.n, said.unit, plural)
}

// sum is a calculation.
func (w writer) sum(wrong bool, intN func(int) int) string {
	operation := choose(intN, []string{"times", "plus", "minus"})
	b := 3 + intN(27)
	a := b + 4 + intN(40)
	result, off := reckon(a, b, operation), 1+intN(9)
	if wrong {
		result += off
	}
	return fmt.Sprintf("%d %s %d is %d.", a, operation, b, result)
}

// Lengths of a sentence that a step restates, in words.
const leastFinding, mostFinding = 3, 14

// unsaid are words that keep a sentence from being restated: they hedge.
var unsaid = sorted("may might could can perhaps maybe possible possibly probable probably likely presumably potentially potential apparently seem seems " +
	"seemed seemingly appear appears suggest suggests suggesting suggestive indicative suspect suspected unsure uncertain unclear certain somewhat fairly " +
	"relatively usually often typically generally general cases depends tends tend sure entirely recall remember know knowledge think believe guess")

// findings are the sentences of a question that a step can restate, without their full stop.
func findings(question string) []string {
	var out []string
	for _, span := range clinical.Sentences(question) {
		s := strings.TrimSpace(span.In(question))
		body, stop := strings.CutSuffix(s, ".")
		ws := words(body)
		if !stop || strings.ContainsAny(body, "?!:;*_`#<>[]{}()|$\\\"\n") || len(ws) < leastFinding || len(ws) > mostFinding || anyOf(ws, unsaid) {
			continue
		}
		if whole := "The text says that " + lowerFirst(body) + "."; len(clinical.Sentences(whole)) == 1 {
			out = append(out, lowerFirst(body))
		}
	}
	return out
}

// styled is the i-th step in the words and the markup of the reasoner.
func (w writer) styled(i int, step string) string {
	at := fmt.Sprintf("%s/%d", w.sample, i)
	rng := percuss.Rand(w.p.seed, w.id, at, "style")
	before, after := "", ""
	if hedge := percuss.Rand(w.p.seed, w.id, at, "hedge"); hedge.Float64() < w.p.hedge && !slices.Contains(unclaimed, step) {
		before, step = choose(hedge.IntN, hedging)+" ", lowerFirst(step)
	}
	switch w.p.style {
	case markedStyle:
		return fmt.Sprintf("%d. %s**%s**", i+1, before, step)
	case chattyStyle:
		if rng.IntN(2) == 0 {
			before, step = choose(rng.IntN, opening)+" "+lowerFirst(before), lowerFirst(step)
		}
		if rng.IntN(3) == 0 {
			after = " " + choose(rng.IntN, talk)
		}
		return before + step + after
	}
	return fmt.Sprintf("Step %d: %s%s", i+1, before, step)
}
