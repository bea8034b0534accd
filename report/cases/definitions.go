package cases

import (
	"reflect"

	"github.com/percuss/percuss/evidence"
)

// Definition says what a word of the report means.
type Definition struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Means  string `json:"means"`
	Range  string `json:"range,omitempty"`
	Source string `json:"source"`
}

const (
	paper = "evidence paper"
	ours  = "Percuss"
)

// definitions are the words of the report, in the order in which a reader meets them. The rules are explained where they
// are the shipped ones; those of a user stand in the report's own table of rules only.
func definitions(used evidence.Labels) []Definition {
	shipped := evidence.DefaultLabels()
	if !reflect.DeepEqual(used.Rules, shipped.Rules) || !reflect.DeepEqual(used.Narrative, shipped.Narrative) {
		return terms()
	}
	return append(terms(), rules()...)
}

// terms are the terms.
func terms() []Definition {
	return []Definition{
		{"score", "Score", "Natural logarithm of the probability that the model gives the letter of a candidate as its next token.", "at most 0 nats", paper},
		{"margin", "Margin", "Score of a diagnosis minus the highest score of any other candidate. Above 0 the model prefers the diagnosis. " +
			"A step of 0.5 nats multiplies the odds against the strongest rival by 1.6, one of 1 nat by 2.7.", "nats", paper},
		{"interaction", "Combination (interaction)", "What a set of findings adds to the margin together that its parts do not: the " +
			"alternating sum of the margins over all its subsets. A single finding is a combination of order 1.", "nats", paper},
		{"order", "Order", "How many findings a combination has.", "1 or more", paper},
		{"strength", "Strength", "Size of a combination, whatever its sign.", "0 nats or more", paper},
		{"salient", "Salient", "Strength at or above the threshold.", "", paper},
		{"role", "Role of a finding", "What a finding is to the audited diagnosis, in one word, decided in this order: absent (its recorded " +
			"value says that it is not there); background (history or risk); supporting (a symptom); competitor-supporting (linked to other " +
			"candidates only); low-specificity (linked to at least half of the candidates); other.", "", paper},
		{"strict", "Suspicious (strict set)", "Named by a rule that is marked as suspicious; of the shipped ones these are 1 to 3: the " +
			"combination raises the diagnosis through a finding that is absent, or without any finding that is a symptom or antecedent of " +
			"it.", "", paper},
		{"suspicious_ratio", "Suspicious strength ratio", "Strength of the strict suspicious combinations divided by that of all salient ones.", "0 to 1", paper},
		{"null_same_sets", "Random signs, same sets", "Share that a label would have if a coin gave the salient combinations their signs: each " +
			"counts half under its own sign and half under the opposite one. A model is above or below it when the interval of the share that its " +
			"own sign puts under the label, of the combinations whose label hangs on their sign, does not hold one half.", "0 to 1", ours},
		{"null", "Random signs, all sets", "Share of count that a label would have if the sign of every combination of the audited findings " +
			"were a coin's, salient or not. A model whose salient combinations are mostly single findings departs from it whatever their signs.", "0 to 1", ours},
		{"overuse", "Overuse of history (potential)", "Share of count of the positive combinations of background findings only whose strength " +
			"is among the strongest tenth of the salient combinations in the margin of the right diagnosis at the report's threshold. That " +
			"one cut holds for every threshold and candidate; it stands beside the share.", "0 to 1", paper},
		{"noise_alone", "Noise alone", "Share of strength that independent noise would have, of the size measured between repetitions of the " +
			"same prompts: for each order the number of combinations times the standard deviation times 0.80 (the root of 2/π).", "0 to 1", ours},
		{"noise_most", "Explained by noise, at most", "Strength of that noise divided by the measured strength.", "0 or more", ours},
		{"shapley", "Shapley value", "A finding's part of the margin: its combinations, each divided evenly among its findings. Needs all " +
			"orders.", "nats", "Shapley 1953"},
		{"sii", "Shapley-interaction index", "What two findings do together beyond what each does, on the mean over the orders in which " +
			"the others could come. Needs all orders. k-SII (k = 3): the part of the margin that is the pair's where combinations of up to " +
			"three findings share it.", "nats", "Grabisch and Roubens 1999; Bordt and von Luxburg 2023"},
		{"banzhaf", "Banzhaf value", "What a finding adds to the margin on average over all subsets of the others. Needs all orders.", "nats", "Banzhaf 1965"},
		{"agreement", "Agreement", "Share of cases in which the same diagnosis is best on the full evidence under both settings.", "0 to 1", paper},
		{"correlation", "Correlation", "Pearson correlation of the margins of all candidates over all subsets under two settings, averaged " +
			"over cases.", "–1 to 1", paper},
		{"centred", "Correlation by evidence", "The same of margins minus their candidate's mean over the subsets: levels between " +
			"candidates, which most settings keep, do not count.", "–1 to 1", ours},
		{"chance", "Overlap by chance", "Overlap that as many combinations drawn at random would have.", "0 to 1", ours},
		{"overlap", "Overlap", "Jaccard index of the ten strongest combinations under two settings, averaged over cases.", "0 to 1", paper},
		{"cascade", "Cascade", "The checks that a suspicious combination goes through one after another: other wordings, other candidate " +
			"orders, hidden findings marked instead of dropped.", "", paper},
		{"floor", "Noise floor", "What noise alone exceeds once in twenty times: the standard deviation of a repeated measurement × " +
			"Student's quantile, with cases × repetitions degrees of freedom.", "0 nats or more", ours},
		{"family", "Family", "All findings of a case under one question, audited or not.", "", paper},
		{"strong", "Strong change", "The score of the right diagnosis moves by at least 0.5 nats, its margin by at least 1, or its rank " +
			"changes. A score is a log-probability, at most 0: where the model is sure, a change shows in the rival's score instead.", "", paper},
		{"precision", "Precision", "Of the suspicious combinations that reviewers judged, the share that they call invalid.", "0 to 1", paper},
	}
}

// rules are the shipped rules that name combinations.
func rules() []Definition {
	return []Definition{
		{"rule_1", "Rule 1: negated or absent evidence misuse", "Positive, and a finding of the combination is absent. Suspicious.", "", paper},
		{"rule_2", "Rule 2: irrelevant evidence misuse", "Positive, and no finding is a symptom or antecedent of the diagnosis, nor do all " +
			"support competitors only. Suspicious.", "", paper},
		{"rule_3", "Rule 3: competitor evidence misuse", "Positive, and every finding is linked to other candidates only. Suspicious.", "", paper},
		{"rule_4", "Rule 4: differential conflict/cancellation", "Negative with a finding that is linked to another candidate (4a); or " +
			"positive with findings of competitors beside some of the diagnosis (4b).", "", paper},
		{"rule_5", "Rule 5: target redundancy", "Negative, and all of two or more findings are symptoms of the diagnosis and of no other " +
			"candidate: they say the same.", "", paper},
		{"rule_6", "Rule 6: faithful target evidence", "Positive, and every finding is a symptom of the diagnosis, or an antecedent beside a symptom.", "", paper},
		{"rule_7", "Rule 7: background/history influence", "Only antecedents of the diagnosis.", "", paper},
		{"rule_8", "Rule 8: weak/redundant or ambiguous", "Everything else.", "", paper},
		{"rule_n", "Rules n1 and n2 (narratives)", "Nothing is known of what a sentence is evidence for: positive combinations count as " +
			"support, negative ones as conflict.", "", paper},
	}
}
