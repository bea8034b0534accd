package openai

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// massMargin is how far the probabilities of one position may sum above 1 by rounding.
const massMargin = 1e-3

// leastLeft is the smallest mass that counts as left over: servers compute log-probabilities in 32 bits, so that a sum
// of twenty probabilities is known to about this.
const leastLeft = 1e-6

// score reads the labels' log-probabilities from the first position of a reply. A label that is not listed is censored:
// it gets a bound (see beyond). One that is listed without a number gets no score, since nothing is known of it.
func (c *client) score(labels []string, got reply, s shape, a *percuss.Answer) error {
	if !got.scored {
		return c.unavailable("gives no log-probabilities of this model")
	}
	if got.first == nil && got.text != "" {
		return c.unavailable("gives log-probabilities in another form than that of chats")
	}
	if got.first == nil {
		a.Outcome, a.Detail = percuss.Empty, "the reply ended before its first token"
		return nil
	}
	listed, least := c.listed(*got.first)
	switch {
	case len(listed) == 1 && listed[0].value == 0 && s.top > 1:
		// One candidate of probability 1 where more were asked for: what was left after the sampler's filters.
		return c.unavailable("gives its log-probabilities after sampling, so that only one candidate is left")
	case !least.OK():
		return c.unavailable("gives no alternatives to the sampled token")
	}
	mass := 0.0
	for _, l := range listed {
		mass += math.Exp(l.value)
	}
	if c.row.filtered && len(listed) < s.top && mass > 1-1e-6 {
		return c.unavailable("gives its log-probabilities after sampling, so that only what the filters left is there")
	}
	if mass > 1+massMargin {
		return malformed(fmt.Sprintf("the probabilities of the first token sum to %.4f", mass))
	}
	bound := beyond(least.Or(0), mass)
	scores := make([]percuss.LetterScore, len(labels))
	for i, label := range labels {
		scores[i] = percuss.LetterScore{Letter: label, LogProb: percuss.Num(bound), Censored: true}
		if void(*got.first, listed, label) {
			scores[i] = percuss.LetterScore{Letter: label}
		} else if v, ok := sum(listed, label); ok {
			scores[i] = percuss.LetterScore{Letter: label, LogProb: percuss.Num(min(v, 0))}
		} else if utf8.RuneCountInString(label) > 1 {
			a.Outcome = percuss.Refused
			a.Detail = fmt.Sprintf("the label %q has more than one character and is not among the first tokens, so its score cannot be told from that of its beginning: use labels of one character", label)
			return nil
		}
	}
	a.Outcome, a.Letters = percuss.OK, scores
	return nil
}

// beyond bounds the log-probability of a token outside the list: the lower of the smallest value in the list and the log
// of the probability that the list leaves over (evidence audit, section 3). Rounding can bring the sum to 1 and above
// it; then the list is known no better than by what it exceeds 1, and no sum better than leastLeft.
func beyond(least, mass float64) float64 {
	return min(least, math.Log(max(math.Abs(1-mass), leastLeft)))
}

// void reports whether a one-token form of a label came without a number (null, NaN) and nowhere with one. A stand-in
// for a very small probability is a number.
func void(p position, listed []entry, label string) bool {
	empty := func(t token) bool {
		valued := func(e entry) bool { return e.token == t.Token }
		return !t.LogProb.OK() && isForm(t.Token, label) && !slices.ContainsFunc(listed, valued)
	}
	return empty(p.token) || slices.ContainsFunc(p.Top, empty)
}

// isForm reports whether a token is a label: as it is or with a leading space, which some servers show by the mark of
// the tokenizer. Case and script must agree: a and A are different answers, and so is a Cyrillic letter.
func isForm(token, label string) bool { return model.LetterForm(token) == label || token == label }

// unavailable is the fault of a server whose scores cannot be used.
func (c *client) unavailable(what string) error {
	return &model.Fault{Kind: model.Capability, Fatal: true, Err: fmt.Errorf("%s %s: %s", c.row.title, what, withoutLetters)}
}

// entry is one candidate with a value.
type entry struct {
	token string
	bytes []int
	value float64
}

// same reports whether two entries are one token listed twice: same text, same bytes, same value. Two values are two
// tokens that look alike.
func (e entry) same(o entry) bool {
	return e.token == o.token && slices.Equal(e.bytes, o.bytes) && e.value == o.value
}

// listed are the candidates of a position that have a value, copies taken out, and the smallest value in the list of
// alternatives: no token outside it has a higher one. The sampled token is a candidate, in the list or not; where it
// is not, its value bounds nothing.
func (c *client) listed(p position) (out []entry, least percuss.Number) {
	add := func(t token) {
		v, ok := t.LogProb.Get()
		if !ok || v < lowest || slices.Contains(c.row.standIns, v) {
			return
		}
		if e := (entry{t.Token, t.Bytes, v}); !slices.ContainsFunc(out, e.same) {
			out = append(out, e)
		}
	}
	for _, t := range p.Top {
		add(t)
	}
	for _, e := range out {
		least = percuss.Num(min(e.value, least.Or(e.value)))
	}
	add(p.token)
	return out, least
}

// sum adds the one-token forms of a label.
func sum(listed []entry, label string) (float64, bool) {
	var forms []float64
	for _, e := range listed {
		if isForm(e.token, label) {
			forms = append(forms, e.value)
		}
	}
	if len(forms) == 0 {
		return 0, false
	}
	top := slices.Max(forms)
	total := 0.0
	for _, v := range forms {
		total += math.Exp(v - top)
	}
	return top + math.Log(total), true
}

// candidates are all entries of the first position as the server gave them, the sampled token last.
func (r *reply) candidates() []model.Candidate {
	if r.first == nil {
		return nil
	}
	var out []model.Candidate
	for _, t := range r.first.Top {
		out = append(out, model.Candidate{Token: t.Token, LogProb: t.LogProb.Number})
	}
	return append(out, model.Candidate{Token: r.first.Token, LogProb: r.first.LogProb.Number, Sampled: true})
}
