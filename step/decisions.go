package step

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// adder appends a decision where it applied.
type adder func(applies bool, id, format string, args ...any)

// decisions are the choices that the abstract leaves open and that mattered here.
func (s *summary) decisions() []percuss.Decision {
	out := []percuss.Decision{}
	if len(s.cells) == 0 {
		return out
	}
	add := func(applies bool, id, format string, args ...any) {
		if applies {
			out = append(out, percuss.Decision{ID: id, Text: fmt.Sprintf(format, args...)})
		}
	}
	s.chainDecisions(add)
	s.answerDecisions(add)
	if len(s.a.o.Judges) > 0 {
		s.viewDecisions(add)
		s.judgeDecisions(add)
		s.qualityDecisions(add)
	}
	s.reportDecisions(add)
	return out
}

// chainDecisions are those of what was asked of the models.
func (s *summary) chainDecisions(add adder) {
	o := s.a.o
	var given []string
	sampled := 0
	for _, c := range s.cells {
		switch {
		case !c.given:
			sampled++
		case !slices.Contains(given, c.subject.Model):
			given = append(given, c.subject.Model)
		}
	}
	add(sampled > 0 && o.Heat > 0, "sampling", "%s an item, sampled at temperature %g with top-p %g and at most %d new tokens. The abstract names SC@64 and no temperature.", plural(o.K, "chain"), o.Heat, o.TopP, o.MaxTokens)
	add(sampled > 0 && o.Heat == 0, "sampling", "One chain an item at temperature 0, with at most %d new tokens. The abstract looks at the votes of 64 sampled ones.", o.MaxTokens)
	add(sampled > 0 && o.Heat > 0, "seeds", "The seed of the n-th chain is drawn for item and n, not for the model: models that are compared are asked with the same seeds. It does not make the chains of two models alike, and whether it gives one model the same chains again is for its back-end to promise: uncompressed weights on one machine do, compressed weights may not where other chains are computed beside them, a server where it says so. The run keeps the chains that it got.")
	add(len(given) > 0, "given", "The chains of %s were read from a log: how they were sampled is what its authors say.", strings.Join(given, ", "))
}

// answerDecisions are those of the votes.
func (s *summary) answerDecisions(add adder) {
	tied, unvoted, unread, chains, short := 0, 0, 0, 0, 0
	for i, c := range s.found {
		tied, unvoted, short = tied+c.Tied, unvoted+c.Unvoted, short+c.Short
		chains += s.cells[i].chains()
		unread += s.cells[i].chains() - s.cells[i].states[Read]
	}
	k := s.a.o.K
	add(k > 1, "vote", "SC@%d is the answer that most of an item's chains give. Where several have the most votes, a seeded order of the item's answers decides: %s here. Accuracy against the number of chains is the mean over all ways of choosing so many of them.", k, plural(tied, "item"))
	add(unread > 0, "unread", "A chain without an answer that was read has no vote and is neither right nor wrong: %s of %d here. An item without any vote is in no accuracy of votes: %d here.", percuss.Grouped(unread), chains, unvoted)
	add(short > 0, "short", "%s fewer chains than others and vote with what they have.", orElse(short == 1, "1 item has", percuss.Grouped(short)+" items have"))
	add(k > 1, "confidence", "Confidence is the share of an item's votes that the winning answer has. ECE is taken over %d bins of equal width, and over as many of equal mass beside it; a confidence of exactly 1 falls in the last bin, and empty bins are left out.", s.bins())
}

// viewDecisions are those of how steps are cut and shown.
func (s *summary) viewDecisions(add adder) {
	o := s.a.o
	if len(o.Views) == 0 {
		return
	}
	var other []string
	for _, v := range o.Views[1:] {
		other = append(other, v.ID)
	}
	cut := map[Segmentation]string{Markers: "at \"Step n\" and numbered lines of the outermost level, at blank lines where there are none", Sentence: "at the ends of sentences", Paragraph: "at blank lines"}[o.Views[0].By]
	add(true, "segmentation", "Chains are cut %s (%s): all figures are told by this view.", cut, o.Views[0].ID)
	add(len(other) > 0, "views", "Other views are controls and stand beside the first one: %s.", strings.Join(other, ", "))
	add(true, "style", "Before a step is judged it is normalised by the list %s (%s): no markup, step numbers, hedging or linking words where a sentence begins, nor sentences of talk alone. Within a sentence nothing is touched.", o.Style.Name, o.Style.Fingerprint)
	blank := 0
	for _, c := range s.cells {
		blank += int(c.rows.Total(traceID{o.Judges[0].ID, s.firstView()}.key()+colAsked)) - len(c.seen)
	}
	add(blank > 0, "blank", "A step of which nothing but style was there is put to no judge and counts as one without a claim: %s here.", percuss.Grouped(blank))
	judged := plural(s.a.chainsUnder(0), "chain")
	if s.a.chainsUnder(0) < o.K {
		judged = fmt.Sprintf("the first %d of %s", s.a.chainsUnder(0), plural(o.K, "chain"))
	}
	add(true, "judged", "Of an item %s are judged under the first view%s, and of a chain the first %s; what follows is cut and counted, not judged.", judged,
		orElse(len(other) > 0, fmt.Sprintf(" and %d under each other one", s.a.chainsUnder(1)), ""), plural(o.Most, "step"))
	add(slices.ContainsFunc(o.Views, func(v View) bool { return v.Words == Paraphrased }) && o.Neutral != nil, "paraphrase", "Steps are paraphrased one by one, after they were normalised and without the question. A step whose paraphrase is not there is judged in its own words.")
}

// judgeDecisions are those of what judges see and how their verdicts count.
func (s *summary) judgeDecisions(add adder) {
	o := s.a.o
	repeated, missing, n := 0, 0, 0
	for _, x := range s.seenSteps() {
		repeated += int(bit(len(x.again) > 0))
		for _, says := range x.says {
			n++
			missing += int(bit(says == Missing))
		}
	}
	add(true, "judge-sees", "A judge sees the question with its options, the steps before and the one step, in normalised words, neither the right answer nor what the chain answers (the view gold shows the right answer). It replies at temperature 0; the order of labels and examples is drawn for each item and judge. Equal steps of two models are one request.")
	add(true, "labels", "A step is correct, an error or without a claim. The error rate is over the steps that are correct or an error. An error counts once, by the first kind that fits; one whose kind is not named is an error all the same. A true step after a false one is true.")
	add(true, "malformed", "A reply outside the form is asked for once more. What is still outside is a step without a verdict, in no error rate: %s of %d here.", percuss.Grouped(missing), n)
	add(o.Repeats > 0, "repeats", "A seeded %g %% of the steps under the first view, the same places for all models, are judged a second time with labels and examples in another order: %s here. The second verdict enters no rate.", 100*o.Repeats, plural(repeated, "step"))
	add(len(o.Judges) > 1, "judges", "Several judges stand side by side: no figure is a mean or a vote over them.")
}

// qualityDecisions are those of what is known of the judges.
func (s *summary) qualityDecisions(add adder) {
	var known []string
	for _, j := range s.a.o.Judges {
		if q, ok := s.quality[j.ID]; ok {
			known = append(known, fmt.Sprintf("%s: sensitivity %.3g, specificity %.3g (%s)", j.ID, q.Sensitivity, q.Specificity, q.From))
		}
	}
	add(len(known) > 0, "correction", "Corrected rates are those of Rogan and Gladen, with an interval that holds what is not known of the judge: %s. The judge is taken to be as good on one model as on the other, and under each view. Shares of chains with an error are not corrected.", strings.Join(known, "; "))
	if s.experts.given() {
		add(true, "experts", "Experts and judges are compared without kinds: correct, an error, no claim. A step counts by its adjudicated label, else by that of more than half of its raters, and weighs as many judged steps as it was drawn from. A judge's quality is over the steps that both call correct or an error; its counts are those of as many independent steps of equal weight as tell the same.")
	}
}

// reportDecisions are those of the tables.
func (s *summary) reportDecisions(add adder) {
	boundary := []string{}
	for _, c := range s.cells {
		if c.domain != "" && !slices.Contains(boundary, c.subject.Set) {
			boundary = append(boundary, c.subject.Set)
		}
	}
	add(true, "hedging", "Hedging is counted in the words of the model, before anything is taken away: steps with at least one word of the list %s.", s.a.o.Style.Name)
	add(len(s.a.o.Pairs) > 0, "verdict", "The verdict of a comparison is stated where the intervals of both differences, of the accuracy of one chain and of the error rate of steps, exclude zero, each at %g %%; it is not adjusted for the number of comparisons, judges and views.", 100*s.o.Level)
	add(len(s.a.o.Pairs) > 0, "common-items", "A comparison is on the items that both models have, paired by item. Each of its figures is over those items of which both models have what it is a share of: a chain with an answer for the accuracy, a step that is correct or an error for the error rate. %s", s.restsOn())
	add(len(boundary) > 0, "boundary", "%s: of another domain, where the answer constrains the steps. It is a check of the boundary and enters no figure of medical sets.", strings.Join(boundary, ", "))
	add(true, "intervals", "Intervals: %g %% percentile bootstrap over items, %d resamples; all chains and steps of an item are resampled together. Where every resample gives the same value, or on fewer than ten items, Wilson's interval on as many items stands in or widens it.", 100*s.o.Level, s.o.Replicates)
	add(len(s.a.o.Judges) > 0, "limits", "The claims allow: %g %% of a judge's replies without a verdict, %g %% of the chains without an answer, %g %% cut; a judge agrees with itself above a kappa of %g; the leak test tells models apart above an area of %g; a change of the error rate below %g points is none to speak of. The abstract names no such limits.", 100*mostMalformed, 100*mostUnread, 100*mostCut, leastKappa, smallLeak, 100*leastShift)
}
