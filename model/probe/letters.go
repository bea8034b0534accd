package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// score is the request for the letters of a question.
func (p *prober) score(chat []percuss.Message) percuss.Request {
	r := p.request(chat, p.o.Cue, percuss.Greedy(1))
	r.Want.Letters = p.o.Letters
	return r
}

func (p *prober) letters() error {
	const asks = "are there log-probabilities of the option letters"
	if !p.can.Letters {
		p.found(Letters, asks, No, "the back-end says that it gives none")
		return nil
	}
	got, err := p.ask(p.score(p.o.Chat))
	if err != nil {
		return err
	}
	if got[0].err != nil {
		p.r.Can.Letters = !capability(got[0].err)
		p.found(Letters, asks, map[bool]Verdict{true: Unclear, false: No}[p.r.Can.Letters], "%v", got[0].err)
		return nil
	}
	p.scored = got[0].Answer
	if o := p.scored.Outcome; o == percuss.ContextExceeded || o == percuss.PromptTruncated {
		p.found(Letters, asks, Unclear, "%s; the back-end's word is taken", tooLong(p.scored))
		return nil
	}
	have := 0
	for _, l := range p.scored.Letters {
		if l.LogProb.OK() && !l.Censored {
			have++
		}
	}
	if have == 0 {
		p.r.Can.Letters = false
		p.found(Letters, asks, No, "no letter has one: outcome %s %s %s", p.scored.Outcome, p.scored.Detail, scores(p.scored.Letters))
		return nil
	}
	v := Yes
	if have < 2 {
		v = Unclear
	}
	p.found(Letters, asks, v, "%s; together %.3f of the probability", scores(p.scored.Letters), mass(p.scored.Letters))
	return nil
}

// scores prints letters with their log-probabilities.
func scores(letters []percuss.LetterScore) string {
	var parts []string
	for _, l := range letters {
		s := l.Letter + " " + l.LogProb.Format(2)
		if l.Censored {
			s = l.Letter + " below " + l.LogProb.Format(2)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// mass is the summed probability of the letters that have one.
func mass(letters []percuss.LetterScore) float64 {
	sum := 0.0
	for _, l := range letters {
		if v, ok := l.LogProb.Get(); ok && !l.Censored {
			sum += math.Exp(v)
		}
	}
	return sum
}

// inspect looks behind the letters once; nil when the back-end cannot show it.
func (p *prober) inspect() *model.Inspection {
	i, ok := p.m.(model.Inspector)
	if !ok || p.seen != nil || p.inspection != nil || !p.r.Can.Letters {
		return p.seen
	}
	p.r.Calls++
	got, err := i.Inspect(p.ctx, p.score(p.o.Chat))
	if err != nil {
		p.inspection = err
		return nil
	}
	p.seen = &got
	return p.seen
}

func (p *prober) oneToken() error {
	const asks = "is each letter one token after the template"
	seen := p.inspect()
	if seen == nil {
		v, why := p.unseen()
		if v == Unclear && p.r.Can.Letters {
			v, why = p.byScores()
		}
		p.found(OneToken, asks, v, "%s", why)
		return nil
	}
	var found, missing []string
	for _, l := range p.o.Letters {
		if slices.ContainsFunc(seen.Candidates, func(c model.Candidate) bool { return model.LetterForm(c.Token) == l }) {
			found = append(found, l)
		} else {
			missing = append(missing, l)
		}
	}
	switch {
	case len(missing) == 0:
		p.found(OneToken, asks, Yes, "%s: each is among the %d candidates", strings.Join(found, " "), len(seen.Candidates))
	case len(found) > 0:
		p.found(OneToken, asks, Unclear, "%s are; %s is not among the %d candidates that the back-end shows, and counts as below the least of them",
			strings.Join(found, " "), strings.Join(missing, " "), len(seen.Candidates))
	default:
		p.found(OneToken, asks, No, "no letter is among the candidates: %s", tokens(seen.Candidates))
	}
	return nil
}

// unseen says why nothing was seen behind the letters.
func (p *prober) unseen() (Verdict, string) {
	switch {
	case !p.r.Can.Letters:
		return NotAsked, "there are no log-probabilities"
	case p.inspection != nil:
		return Unclear, p.inspection.Error()
	}
	return Unclear, "the back-end does not show its candidates"
}

// byScores judges by the letters' own scores.
func (p *prober) byScores() (Verdict, string) {
	if len(p.scored.Letters) == 0 {
		return Unclear, "no scores came"
	}
	for _, l := range p.scored.Letters {
		if !l.LogProb.OK() {
			return No, "letter " + l.Letter + " has no score " + p.scored.Detail
		}
	}
	return Yes, "each has a score from the model's own vocabulary"
}

// real looks for the ways in which log-probabilities turn out to be something else.
func (p *prober) real() error {
	const asks = "are they real: before filtering, and following the prompt"
	if !p.r.Can.Letters {
		p.found(Real, asks, NotAsked, "there are no log-probabilities")
		return nil
	}
	if len(p.scored.Letters) == 0 && p.scored.Outcome != "" && p.scored.Outcome != percuss.OK {
		p.found(Real, asks, NotAsked, "no scores of the first question came to compare with: outcome %s", p.scored.Outcome)
		return nil
	}
	got, err := p.ask(p.score(p.o.Other))
	if err != nil {
		return err
	}
	// What a small model thinks of two questions may be alike; a beginning that names an answer moves any model.
	led := p.score(p.o.Chat)
	led.Begin = "The right answer is option " + p.o.Letters[len(p.o.Letters)-1] + ".\n\n" + p.o.Cue
	told, err := p.ask(led)
	if err != nil {
		return err
	}
	again, err := p.ask(p.score(p.o.Chat))
	if err != nil {
		return err
	}
	if err := firstOf(got[0].err, told[0].err, again[0].err); err != nil {
		p.found(Real, asks, Unclear, "%v", err)
		return nil
	}
	moved := max(furthest(p.scored.Letters, got[0].Letters), furthest(p.scored.Letters, told[0].Letters))
	noise := furthest(p.scored.Letters, again[0].Letters)
	var faults []string
	if moved < 1e-9 {
		faults = append(faults, "another prompt gets exactly the same values: they are constants")
	}
	if sum := mass(p.scored.Letters); sum > 1+1e-3 {
		faults = append(faults, fmt.Sprintf("the probabilities of the letters sum to %.3f", sum))
	}
	if seen := p.inspect(); seen != nil {
		faults = append(faults, candidateFaults(seen.Candidates)...)
	}
	if len(faults) > 0 {
		p.r.Can.Letters = false
		p.found(Real, asks, No, "%s", strings.Join(faults, "; "))
		return nil
	}
	if moved <= 2*noise {
		p.found(Real, asks, Unclear, "another prompt moves them by up to %.2f nats, but the same one asked again by up to %.2f", moved, noise)
		return nil
	}
	p.found(Real, asks, Yes, "another prompt moves them by up to %.2f nats, the same one asked again by %.2f; sums stay within 1", moved, noise)
	return nil
}

// candidateFaults lists what is wrong with a list of candidates.
func candidateFaults(cs []model.Candidate) (faults []string) {
	sum, with, certain := 0.0, 0, false
	seen := map[string]bool{}
	for _, c := range cs {
		v, ok := c.LogProb.Get()
		if !ok || seen[fmt.Sprint(c.Token, "\x00", v)] {
			continue
		}
		seen[fmt.Sprint(c.Token, "\x00", v)] = true
		with++
		certain = certain || v == 0
		sum += math.Exp(v)
	}
	if sum > 1+1e-2 {
		faults = append(faults, fmt.Sprintf("the probabilities of the candidates sum to %.3f", sum))
	}
	if certain && with < 3 {
		faults = append(faults, "one candidate has probability 1 and there are no rivals: the values come after filtering")
	}
	return faults
}

// furthest is the largest difference of two lists of scores, in nats.
func furthest(a, b []percuss.LetterScore) float64 {
	most := 0.0
	for i := range a {
		if i >= len(b) {
			break
		}
		v, had := a[i].LogProb.Get()
		w, has := b[i].LogProb.Get()
		if had && has {
			most = max(most, math.Abs(v-w))
		}
	}
	return most
}

func (p *prober) both() error {
	const asks = "are both forms of a letter summed, and copies counted once"
	seen := p.inspect()
	if seen == nil {
		v, why := p.unseen()
		p.found(Both, asks, v, "%s", why)
		return nil
	}
	forms, copies := map[string][]string{}, 0
	sums := map[string]float64{}
	for i, c := range seen.Candidates {
		v, ok := c.LogProb.Get()
		if !ok || !slices.Contains(p.o.Letters, model.LetterForm(c.Token)) {
			continue
		}
		if slices.ContainsFunc(seen.Candidates[:i], func(o model.Candidate) bool { return o.Token == c.Token && o.LogProb == c.LogProb }) {
			copies++
			continue
		}
		l := model.LetterForm(c.Token)
		forms[l] = append(forms[l], c.Token)
		sums[l] += math.Exp(v)
	}
	for _, l := range seen.Answer.Letters {
		v, ok := l.LogProb.Get()
		if ok && !l.Censored && math.Abs(math.Exp(v)-sums[l.Letter]) > 1e-6 {
			p.found(Both, asks, No, "%s: candidates sum to %.4f, the score says %.4f", l.Letter, sums[l.Letter], math.Exp(v))
			return nil
		}
	}
	var two []string
	for _, l := range p.o.Letters {
		if len(forms[l]) > 1 {
			two = append(two, l)
		}
	}
	evidence := "each letter has one form among the candidates"
	if len(two) > 0 {
		evidence = strings.Join(two, " ") + " came with and without a space, and were summed"
	}
	if copies > 0 {
		evidence += fmt.Sprintf("; %d copies of the sampled token were counted once", copies)
	}
	p.found(Both, asks, Yes, "%s", evidence)
	return nil
}

// tokens prints a few candidates.
func tokens(cs []model.Candidate) string {
	var parts []string
	for _, c := range cs[:min(len(cs), 6)] {
		parts = append(parts, fmt.Sprintf("%q %s", c.Token, c.LogProb.Format(2)))
	}
	return strings.Join(parts, ", ")
}
