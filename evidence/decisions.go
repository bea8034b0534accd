package evidence

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// decisions lists the choices that the paper leaves open and that mattered here.
func (a *Audit) decisions(cells []*cell, judgements *review, o stat.Options) []percuss.Decision {
	out := []percuss.Decision{}
	if len(cells) == 0 {
		return out
	}
	add := func(applies bool, id, format string, args ...any) {
		if applies {
			out = append(out, percuss.Decision{ID: id, Text: fmt.Sprintf(format, args...)})
		}
	}
	var all caseCounts
	has := struct{ stability, selectors, cascade, noise, changes, judged bool }{}
	for _, c := range cells {
		all.structured, all.narratives = all.structured+c.cases.structured, all.narratives+c.cases.narratives
		all.censored, all.sampled = all.censored+c.cases.censored+c.cases.states[Censored], max(all.sampled, c.cases.sampled)
		has.stability = has.stability || len(c.stable.rows) > 0
		has.selectors = has.selectors || len(c.stable.selectors) > 0
		has.cascade = has.cascade || c.sifted
		has.noise = has.noise || len(c.strength.noise) > 0
		has.changes = has.changes || c.strata.asked
		has.judged = has.judged || len(c.reviewed) > 0
	}
	a.caseDecisions(all, add)
	a.labelDecisions(all, add)
	checkDecisions(has.stability, has.selectors, has.cascade, add)
	add(has.noise, "discovery", "Beside the salience threshold stand lists that are held against noise: two-sided p-values of strength ÷ standard deviation of repetitions (Student's distribution; noise is pooled over the repeated cases, each of which counts for its repetitions and not for all that was measured in it: a case's interactions share its prompts), all interactions of a cell tested together, false discoveries at most %g %% (Benjamini and Hochberg). Noise between candidate orders includes what the order does to the model.", 100*falsely)
	add(has.noise, "noise-share", "Strength by order is set beside independent normal noise of the size measured between repetitions of the same prompts: the mean size of an interaction of such noise is its standard deviation times the root of 2/π, in every set of the order.")
	add(has.changes, "outcomes", "Counterfactuals (Table 20): cases that the model gets right on the full evidence. The outcome is the larger of the two score moves, the gold's where they are equal, and stable where both are below %g nats; a rise of the gold is an outcome too. The gold's score is a log-probability, which cannot rise above 0: where the model is sure of it, what moves shows in the competitor. Stratum salient is a control to high: in a salient interaction, and in no suspicious one. Strong: a move of the gold's score by %g, of its margin by %g, or of its rank. Examples are chosen from all cases.", scoreMove, scoreMove, marginMove)
	add(has.judged, "judgements", "An interaction judged by several counts once, with the commonest verdict (questionable where two are equally common) and the commonest confidence (low). Precision is the share judged invalid; intervals are Wilson's, as if judged interactions were independent.")
	unmet := judgements.unmet()
	add(unmet > 0, "judgements-unmet", "%d judged interactions are of cases that this run does not hold: they are in no table.", unmet)
	add(judgements.unknown > 0, "judgements-unknown", "%d judgements have a verdict other than valid, questionable or invalid: they are in no table.", judgements.unknown)
	add(true, "bootstrap", "Intervals: %g %% percentile bootstrap over the cases of each cell, %d resamples; all interactions of a case are resampled together, and cells of one set with as many cases share their resamples. Where every resample gives the same value, a bound of Wilson's kind stands in. Accuracy: Wilson.", 100*o.Level, o.Replicates)
	return out
}

type adder func(applies bool, id, format string, args ...any)

// caseDecisions are those of cases and scores.
func (a *Audit) caseDecisions(all caseCounts, add adder) {
	add(!a.o.FileOrder, "candidate-order", "The base order of the candidates is a seeded shuffle for each case, for files put the gold first more often than not.")
	add(a.o.FileOrder, "candidate-order", "The base order of the candidates is that of the file, in which the gold may stand first more often than not: see the letters and the accuracy of always saying A.")
	t := a.o.Thresholds.withDefaults()
	spacing := map[bool]string{true: "at random", false: "at even spacing"}
	add(all.structured > 0, "specific", "A unit is target-specific when it supports the target and at most %g %% of the other candidates; it has low specificity when it supports at least %g %% of all candidates.", 100*t.Specific, 100*t.Low)
	add(all.narratives > 0, "sentences", "The audited units of a narrative are %d of its sentences, chosen %s; the others are not in the prompt.", a.o.Sentences, spacing[a.o.Narrative == Random])
	add(all.censored > 0, "censored", "A letter that was not among those returned is scored at the lower of the lowest returned value and the log of the probability left over; a case whose gold's letter is missing so is left out of the interactions.")
	add(all.sampled > 0, "sampled", "Scores are smoothed shares of %d letters drawn for each prompt.", all.sampled)
	add(a.o.Debias == Cyclic, "debias", "A candidate's scores are averaged over all rotations of the base order, and margins are taken of the means: what a letter adds is then the same for all candidates. Margins averaged after they are taken would keep some of it, because the best rival is chosen anew at each rotation (docs/decisions/0009-letter-bias.md). Checks are asked in one order: stability, selectors and cascade are held against the base order alone, and there is neither a noise floor nor a list of discoveries.")
	add(a.o.Debias == Prior, "debias", "The letters' scores on a prompt without content are subtracted.")
}

// labelDecisions are those of labels and shares.
func (a *Audit) labelDecisions(all caseCounts, add adder) {
	add(all.structured > 0, "labels", "The paper gives the order of the labels, not their tests: conflict, redundancy, faithful and background are told apart by the rules listed with these tables.")
	add(all.narratives > 0, "narrative-labels", "Interactions of sentences are called by their sign alone: faithful/plausible support or conflict/cancellation.")
	add(true, "null", "Two nulls stand beside the share of a label. Random signs on the same sets: each salient interaction counts half under its own sign and half under the opposite one; comparisons are made with this one, by the share of those interactions whose label hangs on their sign. Random signs on all sets: what a coin for the sign would give over all sets of units at the orders asked, of the scored cases, salient or not; there is none for the profile of every candidate. The salient sets are chosen by strength and a quiet model's are single units, so a share may differ from this second null for that reason alone.")
	add(all.structured > 0, "overuse", "Potential overuse of history or risk: positive, of background units only, and among the strongest tenth of the cell's salient interactions in the gold's margin. That strength is one for all thresholds and candidates, and stands beside the figure. It is outside the strict suspicious set.")
	add(all.structured > 0 && all.narratives > 0, "mixed", "Where cases and narratives are in one set, the suspicious figures and overuse count the cases with findings only, above and below the line.")
	add(true, "order-3", "Lower orders do not change when higher ones are asked: Table 3 is read off the orders of one audit. Table 17 and the mechanism tables hold all orders that were asked; the paper's stop at order %d.", depth)
}

// checkDecisions are those of the checks.
func checkDecisions(stability, selectors, cascade bool, add adder) {
	add(stability, "stability", "Each row of a check is held against its reference on the same cases, at the orders of interactions that both were asked at. A wording's figures are means over its candidate orders; agreement, correlation and overlap are means over comparisons within a case, then over cases. Levels between candidates carry the correlation, so that beside it stands that of margins minus their candidate's mean; beside the overlap stands that of as many sets drawn at random.")
	add(selectors, "selectors", "Interactions under the seeds of a random selector are pooled; its overlap is a mean over seeds, then over cases.")
	add(cascade, "cascade", "An interaction is stable when the same units move the same diagnosis, salient, with the same sign and, if it was suspicious, suspicious again, in every variant of the step. The wording step keeps the base order, the order step the base wording. The first row counts all of the cell, the second those that the first step could check: of cases asked in other wordings, up to the order of the checks; a step counts what the steps before kept and what it could check. Each suspicious interaction has a control in its case, as far as there is one: salient, of the same order, not picked by the strict rules, of the same sign where possible and of the nearest strength. In a narrative, where nothing can be suspicious, one salient interaction of a case is followed.")
}
