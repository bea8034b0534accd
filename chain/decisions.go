package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// decisions lists the choices that the papers leave open and that mattered here. rivals are the models of the means.
func (a *Audit) decisions(cells []*cell, rivals []*model) []percuss.Decision {
	l := newLayout(a.o.Battery, a.o.Stem)
	out := []percuss.Decision{}
	if len(cells) == 0 {
		return out
	}
	add := func(applies bool, id, format string, args ...any) {
		if applies {
			out = append(out, percuss.Decision{ID: id, Text: fmt.Sprintf(format, args...)})
		}
	}
	a.readingDecisions(cells, add)
	a.companionDecisions(cells, add)
	l.editDecisions(cells, add)
	l.metricDecisions(cells, add)
	sets, prompts := map[string]bool{}, map[string]bool{}
	for _, c := range cells {
		sets[c.set], prompts[c.variant] = true, true
	}
	add(otherDomains(cells), "domain", "Data sets of another domain than medicine stand in rows of their own and enter no mean of a model, a tier or the panel: edits of the question do not fire on them. A model without a medical set has its figures from them, which its row says, and is in no tier and no panel beside models that have one.")
	add(len(sets) > 1, "pooling", "A model's figures are the mean of its data sets; the joint table, CDR and the firing and flip tables pool the trials of all its data sets. CDR as a mean of the data sets stands beside the pooled one (cdr_mean).")
	add(len(rivals) > 1, "panel", "Tiers and the panel are unweighted means of models. Their intervals resample items, the models stay as they are; models that answer the same items share the resamples.")
	add(len(rivals) > 1 && a.repeatedModels(cells), "panel-prompt", "A model that was run under several prompts enters tiers and panel once, under the first of them with a medical data set.")
	o := a.o.described()
	add(len(l.ops) > 0, "failure-modes", "A model counts as one that writes reasoning blocks when at least half of its baseline chains hold one. A figure that is missing settles no failure mode: it is named where it could have.")
	add(len(rivals) > 1, "sweeps", "The paper gives the ends of its six weight triples of MFC. The four between are ours: %s. Rankings are of models that have the metric, each under its first prompt.", betweenTriples())
	told := a.o.settings().differences()
	add(told != "", SettingsDecision, "This report was told other settings than the defaults: %s. They steer no request.", told)
	add(true, "bootstrap", "Intervals: %g %% percentile bootstrap over the items of each data set, %d resamples (the paper used 200). Where every resample gives the same value, a bound of Wilson's kind stands in, so that no interval has zero width. A rate that no resample moves, or on fewer than ten items, shows little or no spread in the resamples: what they lack to Wilson's interval is added in quadrature to every mean, sum and difference that it enters (Zou and Donner 2008), plainly for what several models show on the same items, and the method says so. A rate on fewer than ten items has at least Wilson's interval.%s", 100*o.Level, o.Replicates, l.bands())
	return out
}

// bands says which intervals are no percentile intervals; empty: none of the battery.
func (l layout) bands() string {
	if !slices.ContainsFunc(l.ops, isDemographic) {
		return ""
	}
	return " DFG and dfg_paired are the extreme of several accuracies, whose percentile interval misses the truth where these lie close together: their intervals, and that of MFC, which holds DFG, are simultaneous bands for those accuracies from the same resamples."
}

type adder func(applies bool, id, format string, args ...any)

// betweenTriples lists the triples of MFC's sweep that the paper does not name.
func betweenTriples() string {
	var out []string
	for _, s := range compositeSchemes {
		if s.name != equalScheme && s.name != faithfulScheme {
			out = append(out, fmt.Sprintf("(%g, %g, %g)", s.weights[0], s.weights[1], s.weights[2]))
		}
	}
	return strings.Join(out, ", ")
}

// companionDecisions are those of what is asked beside the operators, and of foreign logs.
func (a *Audit) companionDecisions(cells []*cell, add adder) {
	given := false
	for _, c := range cells {
		given = given || c.given > 0
	}
	var controls []string
	for _, c := range a.o.Controls {
		controls = append(controls, c.asks())
	}
	add(len(controls) > 0, "controls", "Asked beside the operators: %s. Controls enter no metric; effects are held against them.", strings.Join(controls, "; "))
	add(slices.Contains(a.o.Controls, Shuffle), "shuffle", "Each item has one order of its options, drawn until it is not the one at hand. Answers are compared by content, and only where both were read in the same way. Questions whose options are labels (yes, no, maybe) are not shuffled, nor are those with an option that points at others by their place or letter (\"All of the above\", \"A and C\"), which would say something else in another order.")
	add(a.o.Margins, "margins", "After a reply whose text has the answer the letters are read for the margin alone; they never decide an answer there.")
	add(len(a.o.Judges) > 0, "judges", "A judge sees the edit and the new chain, not the question, the answer or whose chain it is. A reply outside its grammar is asked for once more and then missing, never \"not updated\". CDR under the token rule stays the headline; the judge's stands beside it. %s", a.o.rubricTold())
	add(given, "foreign-log", "A foreign log holds answers to the questions as they stand and cannot be asked on. What takes a new answer (flips, ECR, CDR, CHS) is missing there, not 0; firing rates, chain length and accuracy are measured.")
}

// asks says what a control is.
func (c Control) asks() string {
	switch c {
	case Sham:
		return "the same request again (sham)"
	case ShamChain:
		return "the model's own chain given back unedited (sham-chain)"
	case FormatMarkers:
		return "the options marked in another way (format-markers)"
	case FormatSpace:
		return "a blank line between the options (format-space)"
	case Shuffle:
		return "the options in another order (shuffle)"
	}
	return string(c)
}

// repeatedModels reports whether a model was run under several prompts.
func (a *Audit) repeatedModels(cells []*cell) bool {
	prompt := map[string]string{}
	for _, c := range cells {
		if p, ok := prompt[c.model]; ok && p != c.variant {
			return true
		}
		prompt[c.model] = c.variant
	}
	return false
}

// otherDomains reports whether there is a cell of another domain than medicine.
func otherDomains(cells []*cell) bool {
	return slices.ContainsFunc(cells, func(c *cell) bool { return c.domain != "" })
}

// readingDecisions are those of prompts and answers.
func (a *Audit) readingDecisions(cells []*cell, add adder) {
	strict, direct, mixed, quoted, cut, refused := false, false, false, false, false, false
	for _, c := range cells {
		condition, _, _ := strings.Cut(c.variant, "+") // addenda stand after it
		strict = strict || condition == "strict"
		cut = cut || c.outcomes[percuss.Truncated] > 0
		refused = refused || c.refused > 0
		direct = direct || c.metricSum[colDirect] > 0
		for _, n := range c.counts {
			mixed, quoted = mixed || n.mixed > 0, quoted || n.quoted > 0
		}
	}
	add(a.o.Answer == Letters, "answer-mode", "Answers were read from the letters: each chain was closed, cut off or not, the answer cue appended, and the most probable letter taken. The paper reads the text.")
	add(a.o.Answer == TextLetters, "answer-mode", "Answers were read from the text as in the paper, and from the letters' probabilities after the closed chain only where the text has none.")
	add(cut && a.o.Answer != Letters, "cut-replies", "A reply that was cut at its token limit has an answer in its text if it has an answer line, or a sentence that says outright what the answer is, has ended and is not taken back. A statement that is itself cut, an option that is only weighed or praised, and anything in a reasoning block that does not close are none.")
	add(refused, "refusals", "A short reply that declines to answer in words (\"I'm sorry, but I can't help with that\") is a refusal: it has no answer, its letters are not asked for or, in an older run, do not count, and a refusal of the unedited question is no chain to edit. Refusals are counted on their own and enter no rate. A reply that declines and then answers is an answer; one that finds the case undecidable is unparseable. English only.")
	add(mixed, "mixed-readings", "A flip between an answer read from the text and one read from the letters is in no rate; such trials stand in columns of their own.")
	add(quoted, "quotation", "Where a back-end cannot continue a given chain, the edited chain was quoted in a user turn with the request to continue it.")
	add(direct, "direct-prompt", "The prompt without a chain is the same user message without the sentence that asks for steps.")
	add(strict, "strict-prompt", "The strict prompt puts the model's own system prompt, if it has one, before the neutral one and adds one sentence on reasoning as a physician would. Where no condition is named, models of the tier medical are asked under strict and all others under neutral.")
}

// editDecisions are those of operators.
func (l layout) editDecisions(cells []*cell, add adder) {
	marker := 0
	for _, c := range cells {
		for _, n := range c.counts {
			marker += n.marker
		}
	}
	ids := map[string]bool{}
	for _, op := range l.ops {
		ids[op.ID] = true
	}
	var f1 []string
	for _, op := range l.family("F1") {
		f1 = append(f1, l.ops[op].ID)
	}
	m := l.where(func(op battery.Operator) bool { return op.Block == battery.M })
	add(len(f1) > 0, "f1-rounding", "F1 keeps max(1, floor(n·p)) of n steps.")
	add(marker > 0, "f3-markers", "F3 takes the number of a \"Step n:\" marker for a number of the chain, as the published pattern does; %s did so here.", plural(marker, "edit"))
	add(l.hasFamily("M5"), "m5-table", "The replacements are reconstructed, because the copy of the paper that was worked from lacks them: each word of severity becomes its opposite; moderate becomes severe in variant a and mild in variant b.")
	add(len(m) > 0 && l.stem == StemQuestion, "stem", "stem: question. Edits of the question act on the question alone; passages shown with it (PubMedQA) are not edited.")
	add(len(m) > 0 && l.stem == StemContexts, "stem", "stem: question+contexts. Edits of the question act on the passages shown with it (PubMedQA) as well: passages first, question last, as one text. An edit that would join or split a passage and the question is not made. The paper's firing of M5 agrees with this, its Appendix M with the question alone.")
	published := false
	for _, c := range cells {
		published = published || slices.Contains(benchmarks[:], c.set)
	}
	add(published, "published-firing", "The firing rates that the paper prints for its draws of 200 items stand beside ours where the set is one of its four. It prints M2 for MedQA and for the other sets, all else for the four sets together. Its rate of M1 contradicts its own condition of three sentences on questions of one; what was measured counts.")
	add(len(f1) > 0 && len(f1) < 3, "families", "The battery has only %s of F1, so ECR is labelled \"%s only\". The published subset of one variant a family is taken as F1-50, M2-age-a and variant a of every other family.", strings.Join(f1, ", "), strings.Join(f1, ", "))
}

// metricDecisions are those of the metrics.
func (l layout) metricDecisions(cells []*cell, add adder) {
	low, idle := false, false
	for _, c := range cells {
		low = low || len(l.fired(c.metricSum)) > 0
		none, unanswered := l.leftOut(c.tableSum)
		idle = idle || len(none)+len(unanswered) > 0
	}
	complete := len(l.where(isDemographic)) == len(demographic)
	add(len(l.ops) > 0, "scopes", "AFR_D, AFR_P and FCS are given in three scopes: edits of the chain (F), of the question (M), and all. The paper's Tables 3 and 5 agree with F, its Table 9 with all.")
	if standing := l.standing(); standing != "" {
		add(true, "operators", "The battery mixes the paper's operators with others: %s. CDR over every operator with a token rule is the last row of the joint table.", standing)
	}
	add(len(l.ops) > 0 && !slices.ContainsFunc(l.ops, func(op battery.Operator) bool { return op.Battery == battery.Paper || op.Battery == "" }), "operators", "The battery has none of the paper's operators: the metrics are over all of its own, the joint table over those with a token rule (%s). They compare with no figure of the paper.", alternatives(l.registering()))
	add(idle, "silent-operators", "An operator without a fired trial that can be compared is left out of the means, not counted as 0, and named.")
	add(l.hasFamily("F1"), "ecr-denominator", "ECR counts every item with a baseline answer: a chain of one step cannot be cut and counts as not kept, and so does an item whose cut chains gave no answer to compare. ecr_fired counts only the items where F1 fired.")
	add(l.hasFamily(l.hazardous()...), "chs-classes", "The paper names benign to benign for the weight of a flip within a class; a flip from one high-acuity answer to another has the same weight.")
	add(l.hasFamily(l.hazardous()...), "chs-families", "CHS is the mean of the families M3, M4 and M5 (of the paper's API runtime where the battery is that), which is nearer to the published column; chs_pooled pools their trials.")
	add(complete, "mfc-scope", "MFC takes FCS in scope F, with which the FCS that the paper prints beside its MFC agrees. MFC of a model is composed of its FCS, CHS and DFG as they stand beside it.")
	add(complete && low, "dfg-low-firing", "DFG is a headline only where M2 fired on at least half of the items; elsewhere it is marked \"low firing\". A model's DFG, and that in its MFC, is the mean of the data sets where it fired so often (of all, marked, where there is none). The paper's Table 3 averages its four data sets, although it calls DFG restricted to MedQA: that mean is dfg_all.")
	add(l.hasFamily("F2", "F3", "F4", "F5") || l.hasFamily("F1"), "f-accuracy", "Accuracy after chain edits is the mean of five: F1-50 and the pooled variants of F2, F3, F4 and F5. The headline Δ compares each with the baseline on the same items; the paper's form, with the accuracy of all baselines, stands beside it.")
	add(len(l.registering()) > 0, "joint-dropped", "Trials of the joint table without two comparable answers are left out and counted; CDR is also given as if all of them were flips (none of them in c), and as if all were keeps (in a where the chain shows a trace of the edit, else in c).")
}

// rubricTold says how many examples the judges are shown; the paper's rubric has eight.
func (o Options) rubricTold() string {
	const published = 8
	if len(o.Judges) == 0 {
		return ""
	}
	n := o.Rubric.Examples()
	out := fmt.Sprintf("The rubric shows it %s", plural(n, "judged example"))
	if n != published {
		out += fmt.Sprintf(", where the paper's has %d: agreement with the paper's judge is not to be expected", published)
	}
	return out + "."
}
