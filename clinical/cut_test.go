package clinical

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCutSentences: a sentence that says what the answer is counts in a cut reply once it has ended, unless it supposes
// or doubts, or is taken back.
func TestCutSentences(t *testing.T) {
	cells := lettered("Cells staining positive for CD15", "Cells with BCR-ABL rearrangement", "Cells overexpressing Bcl-2", "Cells with t(8;14) chromosomal translocation")
	amounts := lettered("4", "4.5", "45")
	for _, c := range []reading{
		// complete
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
		// cut in the statement itself
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
		// weighed, supposed, doubted, taken back
		{reply: "The most likely cause is warfarin.\nStep 2: The"},
		{reply: "Option B is the best choice.\nStep 2: The"},
		{reply: "The answer might be B. Step 2: the"},
		{reply: "Maybe the answer is B. Step 2: the"},
		{reply: "I think the answer is B. Let me"},
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
	} {
		check(t, c, true)
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
