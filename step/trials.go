package step

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/judge"
)

// The ids of trials: "c3" is the third chain; "c3/markers/2/judge:ID" a judge's verdict on its second step under a view,
// with "/repair" behind it where it was asked to say it once more; "c3/markers/2/again:ID" the same with its examples in
// another order; "c3/paraphrase/2/words" the step as the neutral model puts it.
const (
	chainPrefix  = "c"
	judgeInfix   = "/judge:"
	againInfix   = "/again:"
	repairSuffix = "/repair"
	wordsSuffix  = "/words"
)

// ChainTrial is the id of the n-th chain's trial, from 1.
func ChainTrial(n int) string { return chainPrefix + strconv.Itoa(n) }

// StepID names a step of a chain under a view, both from 1: the beginning of the ids of its trials.
func StepID(chain int, view string, step int) string {
	return fmt.Sprintf("%s/%s/%d", ChainTrial(chain), view, step)
}

// JudgeTrial is the id of a judge's trial on a step.
func JudgeTrial(step, judge string) string { return step + judgeInfix + judge }

// JudgeOf returns the judge that a trial asks, and whether it asks one.
func JudgeOf(id string) (judge string, ok bool) {
	if _, judge, ok = strings.Cut(id, judgeInfix); !ok {
		_, judge, ok = strings.Cut(id, againInfix)
	}
	return strings.TrimSuffix(judge, repairSuffix), ok
}

// OfChain reports whether a trial is a chain's own.
func OfChain(id string) bool { return !strings.Contains(id, "/") }

// labels is what the ledger keeps of a trial on a step: where in the chain it stands, in bytes.
type labels struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Trials implements percuss.Audit.
func (a *Audit) Trials(s percuss.Subject, answers percuss.Answers) []percuss.Trial {
	b := builder{a: a, s: s, answers: answers, question: shownQuestion(s.Question), gold: shownGold(s.Question)}
	messages, err := a.o.Prompts.Chat(s.Question, s.Variant, s.System, false)
	if err != nil {
		// The condition was checked when the run was resolved; a question on which the template fails is asked alone.
		messages = []percuss.Message{{Role: percuss.User, Content: s.Question.Stem}}
	}
	for n := 1; n <= a.o.K; n++ {
		b.ask(ChainTrial(n), "", nil, a.request(s, messages, n))
	}
	for n := 1; n <= min(a.o.K, max(a.o.Judged, a.o.Control)); n++ {
		if answer, ok := answers.Answer(b.trials[n-1].Key()); ok && len(a.o.Judges) > 0 {
			b.judged(n, clinical.ReadReply(answer, "", s.Question))
		}
	}
	return b.trials
}

// request is the call for the n-th chain. Its seed is drawn for item and number, not for the model: models that are
// compared get the same seeds.
func (a *Audit) request(s percuss.Subject, messages []percuss.Message, n int) percuss.Request {
	r := percuss.Request{Model: s.Identity, Messages: messages, Sampling: percuss.Greedy(a.o.MaxTokens)}
	if a.o.Heat > 0 {
		r.Sampling.Temperature, r.Sampling.TopP, r.Replicate = a.o.Heat, a.o.TopP, n-1
		r.Sampling.Seed = percuss.Rand(a.o.Seed, s.Item, strconv.Itoa(n), "seed of a chain").Uint64() >> seedBits
	}
	return r
}

// seedBits leaves 31 bits of a seed, which every server takes.
const seedBits = 33

// builder gathers the trials of one subject.
type builder struct {
	a              *Audit
	s              percuss.Subject
	answers        percuss.Answers
	trials         []percuss.Trial
	question, gold string
}

// ask appends a trial with its request, and returns the answer where it is there.
func (b *builder) ask(id, version string, at *labels, r percuss.Request) (percuss.Answer, bool) {
	t := percuss.Trial{ID: id, Fired: true, Version: version}
	t.Ask(r)
	if at != nil {
		t.Labels, _ = json.Marshal(at) // two numbers always can be
	}
	b.trials = append(b.trials, t)
	return b.answers.Answer(t.Key())
}

// judged asks about the steps of the n-th chain under every view that it is judged under.
func (b *builder) judged(n int, reply clinical.Reply) {
	if !reply.Usable() {
		return
	}
	chain := reply.Chain()
	for i, v := range b.a.o.Views {
		if n > b.a.chainsUnder(i) {
			continue
		}
		b.view(n, v, i == 0, chain)
	}
}

// chainsUnder is how many chains of an item are judged under the i-th view.
func (a *Audit) chainsUnder(i int) int {
	if i == 0 {
		return min(a.o.K, a.o.Judged)
	}
	return min(a.o.K, a.o.Control)
}

// view asks about the steps of a chain under one view. A step that has to be paraphrased first waits for that.
func (b *builder) view(n int, v View, first bool, chain string) {
	var before []string
	for i, span := range Segment(chain, v.By) {
		if i == b.a.o.Most {
			return
		}
		id, at := StepID(n, v.ID, i+1), &labels{span.Start, span.End}
		text, ok := b.shown(id, v, at, span.In(chain))
		if !ok {
			return // what follows is shown with this step before it
		}
		if text == "" {
			continue
		}
		c := judge.Step{Item: b.s.Set + "\x00" + b.s.Item, Question: b.question, Before: before, Text: text}
		if v.Gold {
			c.Gold = b.gold
		}
		for _, j := range b.a.o.Judges {
			b.verdict(JudgeTrial(id, j.ID), at, c, j)
		}
		if first && b.a.repeated(b.s, n, i+1) {
			c.Draw = 1
			for _, j := range b.a.o.Judges {
				b.verdict(id+againInfix+j.ID, at, c, j)
			}
		}
		before = append(before[:len(before):len(before)], text)
	}
}

// shown is a step as judges see it, empty where nothing is left; ok is false while its paraphrase is not there.
func (b *builder) shown(id string, v View, at *labels, written string) (text string, ok bool) {
	if v.Words == AsWritten {
		return strings.TrimSpace(written), true
	}
	text = b.a.o.Style.Normalise(written)
	if v.Words != Paraphrased || text == "" || b.a.o.Neutral == nil {
		return text, true
	}
	r := b.a.o.Rubric
	answer, ok := b.ask(id+wordsSuffix, r.Fingerprint, at, r.Paraphrase(text, b.a.o.Neutral.Identity))
	if !ok {
		return "", false
	}
	if put, ok := r.Paraphrased(answer); ok {
		return b.a.o.Style.Normalise(put), true
	}
	return text, true // without a paraphrase the step is judged as the others are
}

// verdict asks a judge, and once more where its reply is malformed.
func (b *builder) verdict(id string, at *labels, c judge.Step, j Model) {
	r := b.a.o.Rubric
	answer, ok := b.ask(id, r.Fingerprint, at, r.Ask(c, j.Identity, b.a.o.Seed))
	if !ok || r.Read(answer).Label != judge.StepMalformed || !mendable(answer) {
		return
	}
	b.ask(id+repairSuffix, r.Fingerprint, at, r.Repair(c, j.Identity, b.a.o.Seed, answer))
}

// mendable reports whether a malformed reply may come out better when it is asked for once more: one that the server
// refused would be refused again.
func mendable(a percuss.Answer) bool { return a.Outcome.HasText() || a.Outcome == percuss.Empty }

// repeated draws whether judges are asked about a step once more. The draw is the same for all models.
func (a *Audit) repeated(s percuss.Subject, chain, step int) bool {
	if !(a.o.Repeats > 0) {
		return false
	}
	return percuss.Rand(a.o.Seed, s.Item, fmt.Sprintf("%d/%d", chain, step), "repeat").Float64() < a.o.Repeats
}

// shownQuestion is a question as a judge sees it: passages, stem, options.
func shownQuestion(q percuss.Question) string {
	parts := append([]string{}, q.Context...)
	parts = append(parts, q.Stem)
	var options []string
	for _, o := range q.Options {
		options = append(options, o.Label+". "+o.Text)
	}
	if len(options) > 0 {
		parts = append(parts, strings.Join(options, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// shownGold is the right answer in words.
func shownGold(q percuss.Question) string {
	if o, ok := q.Option(q.Gold); ok {
		return o.Label + ". " + o.Text
	}
	return q.Gold
}
