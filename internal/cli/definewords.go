package cli

// everyAudit is the audit of words that mean the same in all of them.
const everyAudit = "every"

// runningWords are words that reports and messages use in running text, where no column is named after them.
func runningWords() []definition {
	const paper = "chain paper, section 4"
	return []definition{
		{audit: everyAudit, id: "item", name: "Item", source: "Percuss",
			means: "One question of a set, or one case. Items are drawn by chance, so that intervals resample items: what a model does many times on one of them counts as one draw."},
		{audit: everyAudit, id: "trial", name: "Trial", source: "Percuss",
			means: "One thing that is asked about an item, and what became of it: the question as it is or after one edit, a case with some of its findings, one chain, one verdict on a step. A trial may take more than one request, or none where its edit cannot be made."},
		{audit: everyAudit, id: "interval", name: "Interval", source: "Percuss",
			means: "What other draws of as many items would give, at the level that stands beside it (95 % unless said otherwise). A wide one means that the sample is too small to tell."},
		{audit: "chain", id: "baseline", name: "Baseline", source: paper,
			means: "The chain and the answer to the question as it is. Every edit is held against the baseline of the same item, model and prompt."},
		{audit: "chain", id: "operator", name: "Operator (edit)", source: paper,
			means: "A rule that makes one small edit of known meaning. Block M edits the question, block F the model's own chain; a family holds the variants of one kind of edit. docs/operators.md lists them."},
		{audit: "chain", id: "flip", name: "Flip", source: paper,
			means: "The answer after an edit is another one than the baseline's. Only trials in which both could be read, and in the same way, are counted."},
		{audit: "chain", id: "destructive", name: "Destructive edit (D)", source: "chain paper, Table 1",
			means: "An edit that changes the evidence, such as another age, a negated symptom or a step taken out: an answer that rests on the evidence should move. AFR_D is how often it does."},
		{audit: "chain", id: "preserving", name: "Preserving edit (P)", source: "chain paper, Table 1",
			means: "An edit that leaves the clinical content alone, such as an irrelevant sentence put in front: the answer should stay. AFR_P is how often it moves."},
		{audit: "chain", id: "token_rule", name: "Token rule", source: paper,
			means: "A chain registers an edit when it holds the edit's new word, whole and in any case; of a negation one of does not, denies, no longer, never. It shows that the edit is mentioned, not that it is used. The inflected rule knows more forms of the words."},
		{audit: "chain", id: "fingerprint", name: "Fingerprint of an edit", source: "Percuss",
			means: "Whether an edited question can be told from an original by its surface alone: a doubled space or word, a wrong article, its length, its negations. Where it can, a model may answer to the editing and not to what was edited. In a run's files it also is the hash of a battery, of prompts or of a rubric, by which a later command knows that they are the same."},
	}
}
