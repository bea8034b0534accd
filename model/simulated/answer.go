package simulated

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// answer is the reply to a request, a function of the request alone.
func (m *Model) answer(r percuss.Request) percuss.Answer {
	switch p := m.policy; {
	case p.readsEvidence():
		return m.answerCase(r)
	case p.kind == judging:
		return p.judge(r)
	case p.kind == stepJudging:
		return p.judgeStep(r)
	case p.kind == paraphrasing:
		return p.paraphrase(r)
	}
	v := m.library.look(r)
	t := thought{p: m.policy, v: v, id: questionID(v), stem: v.stemChange()}
	c, isCase := caseView{}, false
	if v.item == nil {
		if c, isCase = m.cases.look(r); isCase { // it knows nothing of evidence, but the case is one in all its prompts
			t.id, t.v = "case "+c.item.id, view{labels: c.labels, option: make([]int, len(c.labels))}
			for i := range t.v.option {
				t.v.option[i] = i
			}
		}
	}
	begin := strings.TrimRight(r.Begin, " \t\r\n")
	a := percuss.Answer{Outcome: percuss.OK, Reported: "simulated", Usage: percuss.Usage{Prompt: promptWords(r)}}
	if begin != "" {
		a.Continued = percuss.Continues
	}
	if len(r.Want.Letters) > 0 {
		a.Letters = t.scores(r, withoutCue(begin))
		return a
	}
	a.Text, a.Usage.Output, a.Outcome = limit(t.reply(r, begin, !isCase && wantsChain(r, v)), r.Sampling)
	return a
}

// reply is the text of an answer that goes on from begin, with a chain where one is asked for.
func (t thought) reply(r percuss.Request, begin string, chain bool) string {
	if t.p.kind == stepwise && begin == "" && chain {
		return t.sampled(r)
	}
	label := t.settle(r)
	switch {
	case begin != "":
		label = t.reactToChain(label, begin, false)
		return t.p.continuation(t.id, t.v.form(), t.stem, label, begin) + "\n\nAnswer: " + label
	case chain:
		return strings.TrimLeft(t.p.chain(t.id, t.v.form(), t.stem, label)+"\n\nAnswer: "+label, "\n")
	}
	return "Answer: " + label
}

// questionID names the question for the draws; one that is not known goes by its text.
func questionID(v view) string {
	if v.item != nil {
		return v.item.id
	}
	return "unknown " + v.before
}

// thought is one question as the reasoner sees it in one request.
type thought struct {
	p    policy
	v    view
	id   string
	stem change
}

// settle is the answer to the question as shown, before any edit of the chain.
func (t thought) settle(r percuss.Request) string {
	switch t.p.kind {
	case alwaysA:
		if slices.Contains(t.v.labels, "A") {
			return "A"
		}
		return t.v.labels[0]
	case random:
		r.Replicate = 0 // never sent
		return choose(percuss.Rand(t.p.seed, string(r.Key()), "", "uniform").IntN, t.v.labels)
	}
	label := t.react(t.v.label(t.shifted(r)), t.stem)
	if r.Replicate > 0 && len(t.v.labels) > 1 {
		rng := percuss.Rand(t.p.seed, t.id, t.stem.key+strconv.Itoa(r.Replicate), "sham")
		if rng.Float64() < t.p.sham {
			label = t.move(label, rng.IntN)
		}
	}
	return label
}

// shifted is the option that is chosen under the request's system prompt when nothing else is changed.
func (t thought) shifted(r percuss.Request) int {
	option := t.baseline()
	for _, m := range r.Messages {
		if m.Role != percuss.System || t.p.promptShift == 0 || len(t.v.option) < 2 {
			continue
		}
		rng := percuss.Rand(t.p.seed, t.id, m.Content, "prompt")
		if rng.Float64() < t.p.promptShift {
			return other(rng.IntN, len(t.v.option), option)
		}
	}
	return option
}

// baseline draws the option that is chosen when nothing is changed, by its place in the question.
func (t thought) baseline() int {
	rng := percuss.Rand(t.p.seed, t.id, "", "baseline")
	k, gold := len(t.v.labels), -1
	if t.v.item != nil {
		k, gold = max(1, len(t.v.item.options)), t.v.item.gold
	}
	switch knows := rng.Float64() < t.p.acc; {
	case gold < 0:
		return rng.IntN(k)
	case knows || k == 1:
		return gold
	}
	return other(rng.IntN, k, gold)
}

// label is what an option is called where it stands now.
func (v view) label(option int) string {
	if i := slices.Index(v.option, option); i >= 0 {
		return v.labels[i]
	}
	return v.labels[0]
}

// other draws one of k places but not the given one; k is at least 2.
func other(intN func(int) int, k, but int) int {
	i := intN(k - 1)
	if i >= but {
		i++
	}
	return i
}

// reactToChain compares a given chain with the reasoner's own, and reacts to the difference if it reads its chain.
// cut: a beginning of its own chain is no difference.
func (t thought) reactToChain(label, begin string, cut bool) string {
	switch t.p.kind {
	case random, alwaysA, earlyCommit, compressed:
		return label
	}
	return t.react(label, chainChange(t.p.chain(t.id, t.v.form(), t.stem, label), begin, cut))
}

// react draws whether a change moves the answer, and where to: by the known options, not by their labels, for a
// shuffle of the options moves nothing.
func (t thought) react(label string, c change) string {
	rate := map[changeKind]float64{destructive: t.p.flipD, preserving: t.p.flipP}[c.kind]
	rng := percuss.Rand(t.p.seed, t.id, c.key, "flip")
	if len(t.v.labels) < 2 || rng.Float64() >= rate {
		return label
	}
	return t.move(label, rng.IntN)
}

// move draws another answer than label.
func (t thought) move(label string, intN func(int) int) string {
	order := slices.Clone(t.v.option)
	slices.Sort(order)
	now := slices.Index(order, t.v.option[slices.Index(t.v.labels, label)])
	return t.v.label(order[other(intN, len(order), now)])
}

// wantsChain reports whether a request asks for reasoning: what it says below the options speaks of steps or of
// thinking, or nothing does, and there is room for more than an answer line.
func wantsChain(r percuss.Request, v view) bool {
	if r.Sampling.MaxTokens > 0 && r.Sampling.MaxTokens <= answerLine {
		return false
	}
	asked := strings.ToLower(v.after)
	return strings.TrimSpace(asked) == "" || strings.Contains(asked, "step") || strings.Contains(asked, "think")
}

// answerLine is a limit of tokens that leaves room for an answer line only.
const answerLine = 32

// limit cuts a text at its stop sequences and at its limit, counting a word as a token.
func limit(text string, s percuss.Sampling) (string, int, percuss.Outcome) {
	for _, stop := range s.Stop {
		if i := strings.Index(text, stop); stop != "" && i >= 0 {
			text = text[:i]
		}
	}
	n := 0
	inside := false
	for i, r := range text {
		space := r == ' ' || r == '\n'
		if !space && !inside {
			if n == s.MaxTokens && s.MaxTokens > 0 {
				return strings.TrimRight(text[:i], " \n"), n, percuss.Truncated
			}
			n++
		}
		inside = !space
	}
	if strings.TrimSpace(text) == "" {
		return "", 0, percuss.Empty
	}
	return text, n, percuss.OK
}

// withoutCue drops the last line of a closed chain where it is a cue such as "Answer:".
func withoutCue(begin string) string {
	i := strings.LastIndexByte(begin, '\n') + 1
	if last := begin[i:]; strings.HasSuffix(last, ":") && len(words(last)) <= addedSentence {
		return strings.TrimRight(begin[:i], " \t\r\n")
	}
	return begin
}

// scores are the log-probabilities of the labels after a closed chain: highest for the option that the chain
// concluded, or else for the one that the reasoner would name.
func (t thought) scores(r percuss.Request, begin string) []percuss.LetterScore {
	label := t.settle(r)
	if at := t.v.form().concluded.FindAllStringSubmatch(begin, -1); len(at) > 0 && slices.Contains(t.v.labels, at[len(at)-1][1]) {
		label = at[len(at)-1][1]
	} else if begin != "" {
		label = t.reactToChain(label, begin, true)
	}
	if !slices.Contains(r.Want.Letters, label) {
		label = choose(percuss.Rand(t.p.seed, t.id, t.stem.key, "letter").IntN, r.Want.Letters)
	}
	logits := make([]float64, len(r.Want.Letters))
	sum := 0.0
	for i, l := range r.Want.Letters {
		logits[i] = percuss.Rand(t.p.seed, t.id, t.stem.key, "score "+l).Float64()
		if l == label {
			logits[i] += 1.5
		}
		sum += math.Exp(logits[i])
	}
	out := make([]percuss.LetterScore, len(logits))
	for i, l := range r.Want.Letters {
		out[i] = percuss.LetterScore{Letter: l, LogProb: percuss.Num(logits[i] - math.Log(sum) + math.Log(onLetters))}
	}
	return out
}

// onLetters is the probability that the next token is a label at all.
const onLetters = 0.95

// promptWords counts the words of a request, for they are this model's tokens.
func promptWords(r percuss.Request) int {
	n := len(strings.Fields(r.Begin))
	for _, m := range r.Messages {
		n += len(strings.Fields(m.Content))
	}
	return n
}
