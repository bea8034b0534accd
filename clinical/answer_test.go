package clinical

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

var (
	drugs  = lettered("Metoprolol", "Acetazolamide", "Warfarin", "No further tests")
	labels = lettered("yes", "no", "maybe")
	ten    = lettered("one thing", "two things", "three things", "four things", "five things", "six things", "seven things",
		"eight things", "nine things", "ten things")
)

// reading is a case of the tables below: the wanted label, or "" for no answer and "?" for an ambiguous one.
type reading struct {
	reply   string
	options []percuss.Option
	want    string
	how     string // the form, where it matters
}

func check(t *testing.T, c reading, truncated bool) {
	t.Helper()
	if c.options == nil {
		c.options = drugs
	}
	got := ReadAnswer(c.reply, c.options, truncated)
	checkEnd(t, c.reply, got)
	status := Parsed
	switch c.want {
	case "":
		status = Unparseable
	case "?":
		status, c.want = Ambiguous, ""
	}
	if got.Status != status || got.Label != c.want || c.how != "" && got.How != c.how {
		t.Errorf("%q (truncated: %v)\n got %q, %s, %q\nwant %q, %s, %q", c.reply, truncated, got.Label, got.Status, got.How, c.want, status, c.how)
	}
}

// trialCases are faults that answer readers of other projects had, by the report, each as a kind with variants.
var trialCases = map[string][]reading{
	"openai/simple-evals#33 a repeated marker": {
		{reply: "Antwort:\n\nAntwort: C", want: "C"},
		{reply: "Answer:\n\nAnswer: C", want: "C"},
		{reply: "Answer: Answer: B", want: "B"},
		{reply: "Jawaban: B\n\nJawaban: D", want: "D"},
		{reply: "Antwort: Calcium wird gegeben", want: ""},
	},
	"jundot/omlx#3668 letters after the answer, the pronoun I": {
		{reply: "So the answer is C, since I have excluded sepsis; A is tempting.", options: ten, want: "C", how: "phrase"},
		{reply: "Answer: I think it is C", options: ten, want: "C"},
		{reply: "Answer: I", options: ten, want: "I"},
		{reply: "The answer is (I), not J.", options: ten, want: "I"},
		{reply: "The answer is I because of the rash.", options: ten, want: "I"},
		{reply: "Answer: B\nI considered D as well, and A.", want: "B"},
		{reply: "I'm certain that I have seen this.", options: ten, want: ""},
	},
	"UKGovernmentBEIS/inspect_ai#5145 wrapped letters": {
		{reply: "ANSWER: $B$", want: "B", how: "answer-line"},
		{reply: "**ANSWER: B**", want: "B"},
		{reply: "ANSWER: **(B)**", want: "B"},
		{reply: "***Answer***: ***B***", want: "B"},
		{reply: "Answer: [B]", want: "B"},
		{reply: "Answer: “B”", want: "B"},
		{reply: "Answer: `b`", want: "B"},
		{reply: "<answer>B</answer>", want: "B", how: "answer-line"},
		{reply: "Answer: $\\mathbf{B}$.", want: "B"},
	},
	"NVIDIA-NeMo/Gym#1790 boxes within boxes": {
		{reply: "\\boxed{\\text{C: Warfarin}}", want: "C", how: "boxed"},
		{reply: "\\[ \\boxed{\\mathrm{(B)}} \\]", want: "B"},
		{reply: "\\boxed{\\textbf{B. Acetazolamide}}", want: "B"},
		{reply: "first \\boxed{A}, then \\boxed{D}", want: "?"},
		{reply: "First \\boxed{A}.\nThen, corrected: \\boxed{D}", want: "D"},
		{reply: "Answer: B\nwhere the area is $x = \\boxed{A}$", want: "B"},
		{reply: "Answer: B\n\\boxed{A + 2}", want: "B"},
		{reply: "\\boxed{acetazolamide}", want: "B", how: "boxed"},
		{reply: "\\boxed{\\text{Apixaban}}", want: ""},
	},
	"UKGovernmentBEIS/inspect_ai#2216 words are no labels": {
		{reply: "ANSWER: None of the above", want: ""},
		{reply: "Answer: Don't know", want: ""},
		{reply: "Answer: Because of Addison", want: ""},
		{reply: "Answer: none of the above", options: lettered("Asthma", "None of the above"), want: "B", how: "option-text"},
	},
	"hexo-ai/sia#57 no letter from anywhere": {
		{reply: "Cannot be settled from the data given.", want: ""},
		{reply: "A 45-year-old man cannot be judged from this. Consider B12 and vitamin D.", want: ""},
		{reply: "I'm sorry, but I can't help with that.", options: ten, want: ""},
		{reply: "Error 503: Bad Gateway (A)", want: ""},
		{reply: "The answer is probably A. No: the answer cannot be determined.", want: ""},
		{reply: "", want: ""},
	},
	"SophieZheng998/RSafe#2 the next item is invented": {
		{reply: "\\boxed{B}\n\nHuman: Task: a boy has a rash. Which drug?\n\\boxed{D}", want: "B"},
		{reply: "Answer: B\n\nQ: Which vitamin?\nA: The answer is D.", want: "B"},
		{reply: "The answer is B.\n\nQuestion 2: Which vein?\nThe answer is D.", want: "B"},
		{reply: "B<|im_end|>\n<|im_start|>user\nThe answer is D", want: "B"},
		{reply: "B\n\nUser: thanks\nAnswer: C", want: "B", how: "bare"},
		{reply: "Question: which drug?\nA. Metoprolol\nB. Acetazolamide\nC. Warfarin\nD. No further tests\n\nAssistant: The answer is C.", want: "C"},
	},
	"superseriousbusiness/gotosocial#3299 letters with accents": {
		{reply: "Début de réponse : la bonne option est B", want: "B"},
		{reply: "Cómo se trata: la respuesta correcta es D", want: "D"},
		{reply: "La réponse est É", want: ""},
		{reply: "Answer: Cúrcuma", want: ""},
		{reply: "答案：B", want: "B"},
		{reply: "正确答案是C。", want: "C"},
	},
}

func TestTrialCases(t *testing.T) {
	for name, cases := range trialCases {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				check(t, c, false)
			}
		})
	}
}

// The ninth of the reports concerns cut replies.
func TestUnclosedReasoning(t *testing.T) { // EleutherAI/lm-evaluation-harness#3382
	for _, c := range []reading{
		{reply: "<think>Option B fits, yet the fever points to"},
		{reply: "<think>The answer is B. Answer: B\n"},
		{reply: "<think>\nSo \\boxed{C}\n\nC"},
		{reply: "<think>short</think>\n<think>Answer: D"},
	} {
		check(t, c, true)
		check(t, c, false) // a server that does not say that it cut the reply
	}
	check(t, reading{reply: "Answer: A\n<think>or rather B", want: "A"}, true)
}

func TestCutReplies(t *testing.T) {
	for _, c := range []reading{
		{reply: "Step 1: ...\nAnswer: B\nThis is because the", want: "B", how: "answer-line"},
		{reply: "B", want: "B"},
		{reply: "\\boxed{B} since the pres", want: "B"},
		{reply: "So the answer is B. But wait, the fever", want: ""},
		{reply: "Step 3: consider\n\nB", want: ""},
		{reply: "The answer is B.\n\nQuestion: A 3-year-old boy", want: "B"},
		{reply: "<think>long</think>\nThe answer is C, as the", want: "C"},
	} {
		check(t, c, true)
	}
}

func TestForms(t *testing.T) {
	for _, c := range []reading{
		{reply: "Answer: B", want: "B", how: "answer-line"},
		{reply: "**Answer:** (B)", want: "B", how: "answer-line"},
		{reply: "Answer: B. Acetazolamide", want: "B", how: "answer-line"},
		{reply: "Final answer: option B", want: "B", how: "answer-line"},
		{reply: "### Final Answer\n\n**B**", want: "B"},
		{reply: "The correct answer is B", want: "B", how: "phrase"},
		{reply: "Answer B", want: "B"},
		{reply: "Answer B is wrong, and so is answer C.", want: ""},
		{reply: "Therefore, among A through D, the answer is D.", want: "D", how: "phrase"},
		{reply: "Therefore, the correct answer is:\n\n(A) Metoprolol", want: "A"},
		{reply: "Hence the best option is:\n(A) Metoprolol\n\nIt slows the heart, unlike C.", want: "A"},
		{reply: "The drug that helps is:\n\n(A) Metoprolol\n\nIt slows the heart.", want: "A", how: "bare"},
		{reply: "I would choose option (C).", want: "C"},
		{reply: "So option C is the most likely to help.", want: "C"},
		{reply: "Therefore the signs are most consistent with warfarin (option C).", want: "C"},
		{reply: "The answer to the question \"Does it help?\" is:\n\n(B) no\n\nMore trials are needed.", options: labels, want: "B"},
		{reply: "</think>\n\nB", want: "B", how: "bare"},
		{reply: "<think>The answer is A.</think>\n\n(B) Acetazolamide", want: "B", how: "bare"},
		{reply: "<think>The answer is A.</think>\n", want: "A"},
		{reply: "<think>The answer is A.</think>\nThis cannot be said.", want: ""},
		{reply: "B) Acetazolamide, as the eye pressure is high.", want: "B", how: "bare"},
		{reply: "B\n\nThe eye pressure is high, which D does not treat.", want: "B", how: "bare"},
		{reply: "At first the answer is A.\nAnswer: B\nOn reflection, the answer is C.", want: "C"},
		{reply: "The answer might be A. In the end the answer is D.", want: "D"},
		{reply: "I do not think the answer is A. The answer is D.", want: "D"},
		{reply: "If the fever were high, the answer is A.\nAnswer: D", want: "D"},
		{reply: "The answer is B? No.\nAnswer: D", want: "D"},
		{reply: "The wrong answer is A, clearly.", want: ""},
		{reply: "The answer is not A.", want: ""},
		{reply: "Answer: A 45-year-old man has this.", want: ""},
		{reply: "The answer is E.", want: ""},
		{reply: "A. Metoprolol\nB. Acetazolamide\nC. Warfarin\nD. No further tests", want: ""},
		{reply: "The options are:\nA) Metoprolol\nB) Acetazolamide", want: ""},
		{reply: "Answer: B cells are made in the marrow.", want: ""},
		{reply: "Answer: C. difficile colitis", options: lettered("E. coli", "C. difficile colitis", "Norovirus"), want: "B", how: "option-text"},
	} {
		check(t, c, false)
	}
}

func TestTwoAnswers(t *testing.T) {
	for _, c := range []reading{
		{reply: "Answer: A or B", want: "?"},
		{reply: "The answer is A and C.", want: "?"},
		{reply: "The answer is either A) Metoprolol or C) Warfarin.", want: "?"},
		{reply: "Answer: A/B/C/D", want: "?"},
		{reply: "The answer is A, B, or C.", want: "?"},
		{reply: "Answer: A. Answer: B", want: "?"},
		{reply: "Answer: A) Warfarin", want: "?"}, // the label of one option with the text of another
		{reply: "Answer: yes or no", options: labels, want: "?"},
		{reply: "Answer: A or B\n\nOn reflection: the answer is A.", want: "A"},
		{reply: "The answer is B, and A is wrong.", want: "B"},
		{reply: "The answer is both rashes.", options: lettered("Measles", "Rubella", "both rashes"), want: "C"},
	} {
		check(t, c, false)
	}
}

func TestOptionTexts(t *testing.T) {
	for _, c := range []reading{
		{reply: "Answer: acetazolamide.", want: "B", how: "option-text"},
		{reply: "Answer: maybe", options: labels, want: "C", how: "label-word"},
		{reply: "The answer is no, because the trial failed.", options: labels, want: "B", how: "label-word"},
		{reply: "The answer is no longer in doubt.", options: labels, want: ""},
		{reply: "maybe", options: labels, want: "C", how: "label-word"},
		{reply: "Yes.", options: labels, want: "A", how: "label-word"},
		{reply: "Answer: 4", options: lettered("2", "4", "4.5"), want: "B", how: "label-word"},
		{reply: "Answer: 4.5", options: lettered("2", "4", "4.5"), want: "C", how: "label-word"},
		{reply: "Answer: 45", options: lettered("2", "4", "4.5"), want: ""},
		{reply: "Answer: No tests", want: ""},
		{reply: "Thus the most likely cause is warfarin.", want: "C", how: "option-text"},
		{reply: "Answer: The patient’s own\n", options: lettered("The patient's own", "x"), want: "A"},
	} {
		check(t, c, false)
	}
}

func TestManyOptions(t *testing.T) {
	options := make([]percuss.Option, 28)
	for i := range options {
		options[i] = percuss.Option{Label: percuss.Label(i), Text: "finding " + percuss.Label(i)}
	}
	for _, c := range []reading{
		{reply: "Answer: AB", want: "AB"},
		{reply: "Answer: (AA)", want: "AA"},
		{reply: "The answer is AB, not A or B.", want: "AB"},
		{reply: "Answer: AC", want: ""},
		{reply: "Answer: I think Z", want: "Z"},
	} {
		c.options = options
		check(t, c, false)
	}
}

func TestChainEnd(t *testing.T) {
	for _, c := range []struct{ reply, chain string }{
		{"Step 1: look.\nStep 2: treat.\n\nAnswer: B", "Step 1: look.\nStep 2: treat.\n\n"},
		{"It is glaucoma.\n**Answer:** (B)\nA remark on D.", "It is glaucoma.\n"},
		{"It is glaucoma. Therefore, the correct answer is B.", "It is glaucoma. "},
		{"It is glaucoma.\n\n**Final Answer**\n\n\\[ \\boxed{B} \\]", "It is glaucoma.\n\n"},
		{"It is glaucoma.\n\\[\n\\boxed{B}\n\\]", "It is glaucoma.\n"},
		{"<think>It is glaucoma. The answer is B.</think>\n\nB", "<think>It is glaucoma. The answer is B.</think>\n\n"},
		{"It is glaucoma.\n\nThe best choice is:\n\n(B) Acetazolamide", "It is glaucoma.\n\n"},
		{"It is glaucoma.\nAnswer: B\n\nQ: next?\nAnswer: C", "It is glaucoma.\n"},
		{"B", ""},
		{"It is unclear.", "It is unclear."},
		{"It is glaucoma.\nAnswer: A or B", "It is glaucoma.\n"},
	} {
		got := ReadAnswer(c.reply, drugs, false)
		if chain := c.reply[:got.ChainEnd]; chain != c.chain {
			t.Errorf("%q: chain %q, want %q (%+v)", c.reply, chain, c.chain, got)
		}
	}
}

// TestShownOptions checks that reading does not change when a chain argues through all options first.
func TestShownOptions(t *testing.T) {
	chain := strings.Repeat("A) Metoprolol is wrong. B) Acetazolamide lowers pressure; option C is not the best, and D is incorrect.\n", 3)
	for _, label := range []string{"A", "B", "C", "D"} {
		check(t, reading{reply: chain + "Answer: " + label, want: label, how: "answer-line"}, false)
		check(t, reading{reply: chain + "So, the answer is (" + label + ").", want: label, how: "phrase"}, false)
		check(t, reading{reply: chain + "\n" + label, want: label, how: "bare"}, false)
	}
}
