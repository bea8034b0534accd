package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// wantsLetters says whether the letters decide, or help out, after a reply.
func (b *builder) wantsLetters(r clinical.Reply) bool {
	switch {
	case !r.Usable() && r.Answer.Outcome != percuss.Empty:
		return false
	case r.Read.Refused: // the letters would answer what the model would not
		return false
	case b.a.o.Answer == Letters:
		return true
	case b.a.o.Answer == TextLetters:
		return r.Read.Status != clinical.Parsed
	}
	return false
}

// margins says whether the letters are read after a reply although its text has the answer: only of the baseline and of
// operators, and where the back-end can. They decide nothing.
func (b *builder) margins(c call) bool {
	return b.a.o.Margins && (c.id == BaseTrial || OfOperator(c.id)) && cannotScore(b.can, c.q.Question) == ""
}

// letters asks for the log-probabilities of the option letters after a closed chain.
func (b *builder) letters(c call, suffix, begin string, direct bool) {
	id := c.id + suffix
	if why := cannotScore(b.can, c.q.Question); why != "" {
		b.skip(id, c.version, why)
		return
	}
	r := b.request(c, begin, direct)
	r.Sampling = percuss.Greedy(1)
	r.Want.Letters = c.q.Labels()
	b.ask(id, c.version, labels{}, r)
}

// cannotScore says why the letters of a question cannot be read, or nothing.
func cannotScore(can percuss.Capabilities, q percuss.Question) string {
	switch {
	case can.Given:
		return GivenOnly
	case q.Kind == percuss.Numeric:
		return "the answer is a number and has no letter"
	case !can.Letters || !can.Continue:
		return "the back-end gives no log-probabilities after a given chain"
	}
	for _, l := range q.Labels() {
		if len(l) > 1 && !can.MultiLetter {
			return "label " + l + " is more than one token"
		}
	}
	return ""
}

// direct asks for the answer without a chain.
func (b *builder) direct() {
	c := call{id: DirectTrial, q: b.own}
	switch {
	case b.can.Given:
		b.skip(DirectTrial, "", GivenOnly)
		return
	case b.a.o.Answer == Letters:
		b.skip(DirectTrial, "", "the letters are read at once")
		b.letters(c, LettersSuffix, b.a.o.Prompts.Close(""), true)
		return
	}
	r := b.request(c, "", true)
	r.Sampling = percuss.Greedy(directTokens)
	b.ask(DirectTrial, "", labels{}, r)
	answer, ok := b.last()
	if ok && b.wantsLetters(clinical.ReadReply(answer, "", c.q.Question)) {
		b.letters(c, LettersSuffix, b.a.o.Prompts.Close(""), true)
	}
}
