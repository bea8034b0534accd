package clinical

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

var (
	cells     = lettered("Cells staining positive for CD15", "Cells with BCR-ABL rearrangement", "Cells overexpressing Bcl-2", "Cells with t(8;14) chromosomal translocation")
	referrals = lettered("Watch and wait", "Refer to a surgeon if it may burst", "Refer to a dietician")
	amounts   = lettered("4", "4.5", "45")
)

// cutCases are cut replies by what becomes of them.
var cutCases = map[string][]reading{
	"an answer that has been said": {
		{reply: "A. Cells with CD15\n\nThe correct answer is D. Cells with t(8;14) chromosomal translocation.", options: cells, want: "D", how: "phrase"},
		{reply: "Step 2: Read it.\nThe answer is D. No further tests.\n\nStep 3: Read the next question.\nThe answer is", want: "D", how: "phrase"},
		{reply: "The answer is A. Metoprolol.\nStep 2.\nThe answer is C. Warfarin.\nStep 3: Read", want: "C"},
		{reply: "The answer is B.\nStep 2: The fev", want: "B"},
		{reply: "The answer is B. The eye pressure is", want: "B"},
		{reply: "The answer is B.", want: "B"},
		{reply: "The answer is **B**.\n", want: "B"},
		{reply: "The answer is B because of the pressure. Therefore the", want: "B"},
		{reply: "Based on the findings, the correct answer is acetazolamide. It lowers", want: "B", how: "option-text"},
		{reply: "The answer is acetazolamide.", want: "B"},
		{reply: "The correct answer is:\nC. Warfarin\n\nThe correct answer is:\n", want: "C", how: "answer-line"},
		{reply: "The correct answer is:\nC. Warfarin\n\nThe correct answer is:\nD.", want: "D", how: "answer-line"},
		{reply: "Answer: B", want: "B"},
		{reply: "Answer: B. Acetaz", want: "B"},
		{reply: "Answer: B\nIf the patient were older, the answer would be C. But", want: "B"},
		{reply: "The answer is B. Refer to a surgeon if it may burst. It", options: referrals, want: "B"},
		{reply: "The answer is C. Refer to a dietician.\nStep 2: the", options: referrals, want: "C"},
		{reply: "The answer is A. Watch and wait. It", options: referrals, want: "A"},
	},
	"cut in the statement itself": {
		{reply: "The correct answer is"},
		{reply: "The answer is D"},
		{reply: "The answer is D. No furth"},
		{reply: "The answer is C. Cells with BCR", options: cells},
		{reply: "Answer: C. Cells with BCR", options: cells},
		{reply: "The answer is acetazolamide"},
		{reply: "Answer: acetazolamide"},
		{reply: "acetazolamide"},
		{reply: "Answer: B or"},
		{reply: "Answer: B,"},
		{reply: "The answer is 4.", options: amounts},
		{reply: "Answer: 4", options: amounts},
		{reply: "The answer is C. Warfarin.\nStep 3.\nThe answer is D"},
	},
	"weighed, supposed, doubted or taken back": {
		{reply: "The most likely cause is warfarin.\nStep 2: The"},
		{reply: "Option B is the best choice.\nStep 2: The"},
		{reply: "The answer might be B. Step 2: the"},
		{reply: "Maybe the answer is B. Step 2: the"},
		{reply: "I think the answer is B. Let me"},
		{reply: "The answer is probably B. Step 2: the"},
		{reply: "It seems that the answer is B. Step 2: the"},
		{reply: "The answer should be B. Step 2: the"},
		{reply: "So the answer could be either B or C. Step 2: the"},
		{reply: "1) Does it bleed?\nThe answer to this question is no.\n2) Does", options: labels},
		{reply: "To determine the correct answer to this, let us go through each:\n\n(A) Metoprolol: It slows the heart. It"},
		{reply: "To find the answer, note:\nB. Acetazolamide lowers the pressure. It"},
		{reply: "If it is glaucoma, the answer is B.\nStep 2: the"},
		{reply: "The answer is B if it is glaucoma.\nStep 2: the"},
		{reply: "The answer is B? Not sure.\nStep 2: the"},
		{reply: "The answer is not B.\nStep 2: the"},
		{reply: "The answer is B.\n\nHowever, the fever"},
		{reply: "So the answer is B. But wait, the fever"},
		{reply: "The answer is B. The pressure is high. Wait, it is nor"},
		{reply: "The answer is B.\nPerhaps the answer is C. The"},
		{reply: "The answer is B. Step 2: so the answer cannot be determined. The"},
		{reply: "The answer is C. Acetazolamide.\n\nStep 2: the", want: "?"},
	},
}

// TestCutSentences: a sentence that says what the answer is counts in a cut reply once it has ended, unless it supposes
// or doubts, or is taken back.
func TestCutSentences(t *testing.T) {
	for name, cases := range cutCases {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				check(t, c, true)
			}
		})
	}
}

// TestCutAfterBlock: after a closed reasoning block the reply is an answer that was cut, and only the statement at the
// cut itself is in doubt.
func TestCutAfterBlock(t *testing.T) {
	for _, c := range []reading{
		{reply: "<think>long</think>\nThe answer is C, as the", want: "C"},
		{reply: "<think>long</think>\nThe most likely cause is warfarin. It", want: "C"},
		{reply: "<think>long</think>\nThe answer is warfarin"},
		{reply: "<think>long</think>\nwarfarin"},
		{reply: "<think>long</think>\nThe answer is B or"},
	} {
		check(t, c, true)
	}
}

// TestCutAnywhere: cutting a reply that states one answer gives that answer or none, never another one, and with the
// whole first sentence in it, the answer.
func TestCutAnywhere(t *testing.T) {
	options := lettered("Metoprolol", "Metoprolol and warfarin", "Warfarin", "Warfarin sodium")
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.IntRange(0, len(options)-1).Draw(t, "option")
		o := options[label]
		form := rapid.SampledFrom([]string{"The answer is L. T.", "The correct answer is L.", "Answer: L. T", "The answer is T.", "So the answer is:\n\n(L) T"}).Draw(t, "form")
		stated := strings.NewReplacer("L", o.Label, "T", o.Text).Replace(form)
		before := rapid.SampledFrom([]string{"", "Step 1: the pulse is slow.\n", "It bleeds, so warfarin was given before.\n\n"}).Draw(t, "before")
		reply := before + stated + "\nThis is because the pulse is slow."
		cut := wordEnd(reply, rapid.IntRange(0, len(reply)).Draw(t, "cut")) // between words, where models are cut as a rule
		got := ReadAnswer(reply[:cut], options, true)
		checkEnd(t, reply[:cut], got)
		if got.Label != "" && got.Label != o.Label {
			t.Fatalf("%q is read as %s, want %s or none", reply[:cut], got.Label, o.Label)
		}
		if cut > len(before)+len(stated) && got.Label != o.Label {
			t.Fatalf("%q is read as %q, want %s", reply[:cut], got.Label, o.Label)
		}
	})
}

// TestCutChains cuts real replies before their answer: what is read from the rest is the final answer or nothing, for a
// cut reply must not be read from an option that it weighs.
func TestCutChains(t *testing.T) {
	cuts, read := 0, 0
	cut := func(id string, reply string, options []percuss.Option) {
		full := ReadAnswer(reply, options, false)
		for tenth := 2; full.Status == Parsed && tenth < 10; tenth += 2 {
			got := ReadAnswer(reply[:full.ChainEnd*tenth/10], options, true)
			cuts++
			if got.Status == Parsed {
				read++
			}
			if got.Label != "" && got.Label != full.Label {
				t.Errorf("%s: %s after %d tenths, %s at the end", id, got.Label, tenth, full.Label)
			}
		}
	}
	for i, row := range chains(t) {
		cut(fmt.Sprint("medagents ", i), row.text(), fromMap(row.Options))
	}
	for _, file := range []string{"medmcqa_validation_150q_x6prompts", "pubmedqa_test_100q_x6prompts", "usmle_validation_100q_x30prompts"} {
		for i, row := range readLines[gptRow](t, dataFile(t, "cot_outputs", "lievin_gpt3", file+".jsonl")) {
			for j, c := range row.Completions {
				cut(fmt.Sprintf("%s %d/%d", file, i, j), c.Completion, listedOptions(row.Question))
			}
		}
	}
	t.Logf("%d cut replies, %d with an answer", cuts, read)
	if read > cuts/100 {
		t.Errorf("%d of %d replies have an answer before their answer", read, cuts)
	}
}
