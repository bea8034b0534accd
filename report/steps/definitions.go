package steps

// Definition says what a word of the report means.
type Definition struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Means  string `json:"means"`
	Range  string `json:"range,omitempty"`
	Better string `json:"better"` // "higher", "lower", or "neither" where neither is better by itself
	Source string `json:"source"`
}

// Where words come from. The third paper is known to us by its abstract alone.
const (
	abstract = "abstract of “Better Accuracies, Worse Reasoning”"
	ours     = "Percuss"
	unit     = "0 to 1"
)

// Glossary is every word that a report of the step audit defines, in the order of its page.
func Glossary() []Definition { return terms() }

// terms are the words of the report, in the order in which a reader meets them.
func terms() []Definition {
	out := append(answerTerms(), stepTerms()...)
	return append(out, viewTerms()...)
}

func answerTerms() []Definition {
	return []Definition{
		{"chain_of_item", "Chain", "One sampled reply to a question: reasoning, then an answer. Every item has k of them, drawn at a temperature above 0 with seeds of their own.", "", "neither", abstract},
		{"accuracy", "Accuracy of one chain", "Share of the chains with an answer that was read whose answer is right. Intervals resample items, so that the chains of one item count together.", unit, "higher", abstract},
		{"majority", "Vote (SC@k)", "Self-consistency: the answer that most of an item's k chains give is taken as the model's. A tie is broken by a seeded draw, and counted.", unit, "higher", "Wang and others 2023; " + abstract},
		{"gain", "Gain", "Accuracy of the vote less that of one chain, on the same items.", "−100 to 100 points", "higher", ours},
		{"confidence", "Vote share", "Share of an item's chains with an answer that give the winning one. It is taken as the model's confidence in that answer.", unit, "neither", abstract},
		{"tied", "Tied", "Items where several answers had the most votes.", "counts", "neither", ours},
		{"unvoted", "Without a vote", "Items of which no chain has an answer that was read: they are in no accuracy of votes.", "counts", "lower", ours},
		{"per_point", "Tokens a point gained", "Generated tokens that a vote takes beyond one chain, for each percentage point of accuracy that it has more. Missing where the gain's interval does not lie above 0.", "0 or more", "lower", ours},
		{"ece", "ECE", "Expected calibration error: mean distance of accuracy from vote share over bins of vote share, weighted by their items; empty bins are left out. It cannot be negative, so that noise makes it larger.", unit, "lower", "Naeini, Cooper and Hauskrecht 2015"},
		{"ece_mass", "ECE, equal mass", "The same over bins that hold equally many items.", unit, "lower", "Nguyen and O'Connor 2015"},
		{"calibration_floor", "Under perfect calibration", "The ECE that a perfectly calibrated model with these vote shares would show by noise alone, and the range of most of its samples. An ECE inside it is no sign of a fault.", unit, "neither", "Bröcker and Smith 2007"},
		{"ece_floor", "Of it by confidence alone", "How much of the change of the ECE the change of the vote shares makes by noise alone.", "−1 to 1", "neither", ours},
		{"mce", "Largest distance (MCE)", "Maximum calibration error: the largest distance of a bin's accuracy from its vote share.", unit, "lower", "Naeini, Cooper and Hauskrecht 2015"},
		{"over", "Overconfidence", "Mean vote share less accuracy of the vote. Above 0: surer than right.", "−1 to 1", "neither", ours},
		{"brier", "Brier score", "Mean squared distance of the vote share from 1 where the answer is right and from 0 where it is wrong. It is reliability − resolution + uncertainty + within bins.", unit, "lower", "Brier 1950; Murphy 1973"},
		{"reliability", "Reliability", "Part of the Brier score: mean squared distance of a bin's accuracy from its vote share.", unit, "lower", "Murphy 1973"},
		{"resolution", "Resolution", "Part of the Brier score: mean squared distance of a bin's accuracy from that of all items. How far vote shares tell right answers from wrong ones.", unit, "higher", "Murphy 1973"},
		{"uncertainty", "Uncertainty", "Part of the Brier score: accuracy × (1 − accuracy). It hangs on the questions alone.", "0 to 0.25", "neither", "Murphy 1973"},
		{"within", "Within bins", "Part of the Brier score: what vote shares that differ inside a bin add or take.", "−1 to 1", "lower", "Stephenson, Coelho and Jolliffe 2008"},
	}
}

func stepTerms() []Definition {
	return []Definition{
		{"step", "Step", "A piece of a chain that a judge is asked about. How a chain is cut is a choice, and so a control.", "", "neither", abstract},
		{"judge", "Judge", "A model that sees the question, one step and the steps before it, and says whether the step is true. It sees neither whose the step is nor what was answered.", "", "neither", ours},
		{"verdict_correct", "Correct, error, no claim, no verdict", "What a judge says of a step. No claim (abstain): nothing in it can be checked. No verdict: the reply is not in the form that was asked for, also when asked once more; it is never counted as no claim.", "", "neither", ours},
		{"errors", "Error rate", "Errors over the steps that a judge calls correct or an error. It is what the judge says, not how often steps are wrong.", unit, "lower", abstract},
		{"corrected", "Corrected", "The error rate for what is known of the judge: (rate + specificity − 1) / (sensitivity + specificity − 1), within 0 and 1. It is right if the judge is as good on these steps as where it was measured.", unit, "lower", "Rogan and Gladen 1978"},
		{"sensitivity", "Sensitivity", "Share of the wrong steps that a judge calls an error.", unit, "higher", "Rogan and Gladen 1978"},
		{"specificity", "Specificity", "Share of the correct steps that a judge calls correct.", unit, "higher", "Rogan and Gladen 1978"},
		{"youden", "Youden", "Sensitivity + specificity − 1: 0 is a coin, 1 never errs. The smaller it is, the wider the interval of a corrected rate.", "−1 to 1", "higher", "Youden 1950"},
		{"trust", "Trust", "How far a flag of a check can be taken for an error, in a word, by what the check looks at; the note below the table says why.", "", "neither", ours},
		{"abstain", "No claim", "Share of the steps in which the judge finds nothing that could be checked, with those of which nothing but style was there.", unit, "neither", abstract},
		{"missing", "No verdict", "Share of the steps on which the judge's reply is not in the form that was asked for.", unit, "lower", ours},
		{"chains", "Chains with an error", "Share of the judged chains with at least one step that the judge calls an error. Longer chains have more steps that can be wrong.", unit, "lower", ours},
		{"first", "First error", "Where the first error stands in its chain: 0 the first step, 1 the last.", unit, "neither", ours},
		{"factual", "Factual", "Kind of an error: medicine is otherwise.", "", "neither", ours},
		{"contradicts", "Contradicts the case", "Kind of an error: the question says something else.", "", "neither", ours},
		{"unsupported", "Unsupported", "Kind of an error: it does not follow from the question and the steps before.", "", "neither", ours},
		{"arithmetic", "Arithmetic or unit", "Kind of an error: a number or a unit is wrong.", "", "neither", ours},
		{"hedged", "Hedged", "Share of the steps, as they were written, with a word that hedges, such as may or probably. It is counted before the style is taken away.", unit, "neither", abstract},
		{"verdict", "Verdict of a comparison", "Which way answers and steps moved from before to after. It is stated only where the intervals of both differences, of the accuracy of one chain and of the error rate, leave out 0; trace down: more errors.", "", "neither", abstract},
		{"role", "Role", "Before and after: the two models that are compared, such as a student before and after distillation. Teacher: shown beside them.", "", "neither", abstract},
		{"kappa", "Kappa", "Agreement of raters beyond what their shares would give by chance: 0 chance, 1 full. Of two raters Cohen's, of more Fleiss'.", "at most 1", "higher", "Cohen 1960; Fleiss 1971"},
		{"agreement", "Agreement", "Share of the steps of which both say the same.", unit, "higher", ours},
		{"check", "Checks without a judge", "Calculations worked out again; numbers that stand neither in the question nor in earlier steps and follow from no calculation; age, sex or side other than the question says.", "", "neither", ours},
		{"precision", "Precision", "Of the steps that a check or a judge flags, the share that experts call an error.", unit, "higher", ours},
		{"recall", "Recall", "Of the steps that experts call an error, the share that is flagged.", unit, "higher", ours},
		{"auc", "AUC", "How often a classifier that sees only the words of steps tells which of two models wrote them: 0.5 is a coin. Above it the style still shows.", unit, "neither", ours},
		{"hits", "Hits", "Share of the steps of which that classifier names the writer, mean of the two models. Chance is 50 %.", unit, "neither", ours},
		{"difference", "Difference", "One figure less another on the same items; its interval resamples each item with both sides. An interval that holds 0 shows no difference, and no sameness.", "", "neither", ours},
		{"standardised", "At one mix of lengths", "The difference within steps of equal length, weighted by the steps of both models together: what is left when one writes longer steps than the other.", "−100 to 100 points", "neither", "direct standardisation"},
		{"simulated_judge", "Simulated judge", "A judge that this program plays to try a report out. It knows which steps are wrong where a simulated model wrote them, and draws it for any other text: on real chains its verdicts tell nothing.", "", "neither", ours},
		{"leak", "Leak test", "Whether a classifier can tell which of two models wrote a step when it sees the step as judges do. If it can, a judge may know the model by its style.", "", "neither", ours},
		{"position", "Along the chain", "Error rates by where a step stands in its chain: whether it goes wrong from the start or on its way.", "", "neither", abstract},
		{"control", "Control", "The comparison once more with one thing held or changed: how a chain is cut, in whose words a step is shown, only items that both models answer alike, only steps of equal length. A verdict that is gone then hangs on that thing.", "", "neither", abstract},
		{"grid", "Replication grid", "One row for each comparison, judge and medical data set, with its verdict, and the share of rows that agree.", "", "neither", abstract},
		{"boundary", "Boundary check", "The same comparison on a data set whose answer is what the steps come to, such as gsm8k: there wrong steps give a wrong answer. It enters no medical figure.", "", "neither", abstract},
		{"n", "n", "How many items stand behind a figure. Intervals take an item as one draw, however many chains and steps it has.", "counts", "neither", ours},
		{"p", "p-value", "How often chance alone would give a difference at least as large. A large p shows no sameness.", unit, "neither", ours},
	}
}

func viewTerms() []Definition {
	return []Definition{
		{"view", "Shown as (view)", "How a chain is cut and in whose words judges see its steps. The first view of a run is the one that figures are told by, the others are controls.", "", "neither", ours},
		{"markers", "markers", "View: cut at lines that open with “Step n” or count up as a list; at blank lines where there are none.", "", "neither", ours},
		{"sentence", "sentence", "View: cut at the ends of sentences.", "", "neither", ours},
		{"paragraph", "paragraph", "View: cut at blank lines.", "", "neither", ours},
		{"normalised", "Normalised", "A step without markup, numbers of steps, hedging openers and a model's own phrases: what judges see unless the view says otherwise.", "", "neither", abstract},
		{"raw", "raw", "View: cut as the first one, in the words in which the step was written. A judge that says something else here is moved by style.", "", "neither", ours},
		{"gold", "gold", "View: as the first one, with the right answer shown to the judge.", "", "neither", ours},
		{"paraphrase", "paraphrase", "View: as the first one, each step put into other words by a neutral model before it is judged.", "", "neither", ours},
	}
}
