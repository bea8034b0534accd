package clinical

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// refusals are replies that decline, by what they are.
var refusals = map[string][]string{
	"apology": {
		"I'm sorry, but I can't help with medical advice.",
		"I’m sorry, but I can’t assist with that.",
		"I am sorry, but I cannot help with that request.",
		"Sorry, I can't.",
		"Sorry, can't help with that.",
		"I apologize, but I am not able to provide medical advice. Please consult a qualified healthcare professional.",
		"Unfortunately, I am unable to answer medical questions.",
		"My apologies. I won't be able to help you with this.",
		"I'm sorry, but I cannot provide answers on political topics. My primary function is to assist with general knowledge.",
	},
	"inability": {
		"I can't provide medical advice.",
		"I cannot give a diagnosis or treatment recommendations.",
		"I do not provide medical advice.",
		"I'm not able to help with this question.",
		"I must decline to answer.",
		"I am not qualified to give medical advice, so please see a doctor.",
		"I can't answer that.",
		"As an AI language model, I cannot provide medical advice.",
		"I'm not a doctor. I can't diagnose this.",
		"I understand your concern, but I can't provide medical advice.",
		"Thank you for your question. I am unable to assist with it.",
	},
	"with a frame": {
		"Step 1: I'm sorry, but I can't help with that.",
		"**Answer:** I cannot provide medical advice.",
		"<think>The user asks about a drug.</think>\n\nI'm sorry, but I can't help with that.",
		"I'm sorry, but I can't help with that.\n\nHuman: Which of these is right?",
		"I can't provide medical advice, but you should see a doctor.",
		"I can't help with that. However, I can offer general information on health.",
		"I'm sorry, but I can't provide medical advice. It is",
	},
}

func TestRefusals(t *testing.T) {
	for name, replies := range refusals {
		for _, reply := range replies {
			for _, truncated := range []bool{false, true} {
				if r := ReadAnswer(reply, drugs, truncated); !r.Refused || r.Status != Unparseable {
					t.Errorf("%s: %q: %+v, want a refusal", name, reply, r)
				}
			}
		}
	}
}

// A refusal is not what finds the case undecidable, what answers after all, or what denies something of the patient.
func TestNoRefusals(t *testing.T) {
	for name, replies := range map[string][]string{
		"abstention": {
			"Cannot be settled from the data given.",
			"The answer cannot be determined from the data.",
			"I cannot determine the answer from the information given.",
			"I'm sorry, but I cannot answer this question without the ECG.",
			"I can't answer this question. Insufficient findings are listed.",
			"Unfortunately, we cannot provide an answer without knowing the specific options.",
			"As an AI language model, I cannot provide a definitive answer without additional context.",
			"I cannot answer: the image is missing.",
			"I don't know.", "I am not sure.", "None of the options is right.",
		},
		"the matter after all": {
			"I can't provide medical advice, but the eye pressure has to fall.",
			"I cannot provide a personal opinion. However, blue lips can be a sign of an emergency.",
			"I can't give medical advice. The patient most likely has glaucoma.",
			"I can't help but notice that the pressure is high.",
			"I'm sorry, I can't help with that. Still, I think the pressure is too high.",
		},
		"about the patient": {
			"We cannot give this patient beta blockers, for he has asthma.",
			"I cannot offer the patient any treatment that would help.",
			"The patient is unable to answer questions and is sorry.",
			"Metoprolol cannot help.",
			"The doctor must decline to provide information to the family.",
		},
		"not at the start": {
			"The pressure is high. The eye is red. I'm sorry, but I can't help with that.",
			"Glaucoma is an emergency of the eye. I can't provide medical advice.",
		},
		"reasoning": {
			"<think>I'm sorry, but I can't help with that.",
			"<think>I can't help with that, the policy says.</think>",
		},
		"another language": {"Es tut mir leid, dabei kann ich nicht helfen."},
		"nothing":          {"", " \n", "...", "<think>", "but", "I can't"},
		"too long":         {"I'm sorry, but I can't help with that. " + strings.Repeat("Please consult your doctor. ", 30)},
	} {
		for _, reply := range replies {
			if r := ReadAnswer(reply, drugs, false); r.Refused {
				t.Errorf("%s: %q is read as a refusal", name, reply)
			}
		}
	}
}

// A cut reply may have gone on with "but"; one that is whole has not.
func TestCutRefusals(t *testing.T) {
	for reply, want := range map[string]bool{
		"I'm sorry, but I can't help with that": false, "I'm sorry, but I can't help with that.": true, "I'm sorry, but I can't help with that!": true,
		"I can't provide medical advice. Please": true, "I can't provide medical advice, b": false, "I'm sorry. I can't help with that": false,
	} {
		if got := ReadAnswer(reply, drugs, true).Refused; got != want {
			t.Errorf("cut: %q: %v", reply, got)
		}
		if !ReadAnswer(strings.TrimSuffix(reply, ", b"), drugs, false).Refused {
			t.Errorf("whole: %q is no refusal", reply)
		}
	}
}

// Whoever declines and then answers has answered.
func TestRefusalThenAnswer(t *testing.T) {
	for _, reply := range slices.Concat(refusals["apology"], refusals["inability"]) {
		r := ReadAnswer(reply+"\n\nAnswer: B", drugs, false)
		if r.Refused || r.Label != "B" {
			t.Errorf("%q and an answer: %+v", reply, r)
		}
	}
}

// A refusal never has a label, and its chain is the whole reply, whatever stands around it.
func TestRefusedIsUnparseable(t *testing.T) {
	pieces := []string{"I'm sorry", ", but ", "I can't ", "help", " with that", ". ", "provide ", "medical advice", "\n\n", "Answer: ", "B", "not",
		"<think>", "</think>", "However, ", "I ", "Human:", "Step 1: ", "’", "\xff", "sorry"}
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		r := ReadAnswer(reply, drugs, rapid.Bool().Draw(t, "truncated"))
		checkEnd(t, reply, r)
		if r.Refused && (r.Status != Unparseable || r.Label != "") {
			t.Fatalf("refused, but %+v", r)
		}
	})
}

// TestRefusalsOfRealReplies reads every stored reply. The refusals are 16 replies of one model, each of them "I'm sorry,
// but I can't ..."; nothing else is read as one, nor is any beginning of another.
func TestRefusalsOfRealReplies(t *testing.T) {
	counts, all := map[string]int{}, 0
	see := func(file, reply string) {
		all++
		if !refuses(reply, false) {
			for _, n := range []int{60, 120, 250, 400, 650} { // where a short limit would have cut it
				if len(reply) > n && refuses(reply[:n], true) {
					t.Errorf("%s: cut to a refusal: %q", file, reply[:n])
				}
			}
			return
		}
		counts[file]++
		if !strings.HasPrefix(reply, "I'm sorry, but I can") || len(reply) > 250 {
			t.Errorf("%s: read as a refusal: %q", file, reply)
		}
	}
	for _, file := range agentFiles {
		for _, row := range agentRows(t, file) {
			see(file, row.text())
		}
	}
	for _, file := range []string{"medmcqa_validation_150q_x6prompts", "pubmedqa_test_100q_x6prompts", "usmle_validation_100q_x30prompts"} {
		for _, row := range readLines[gptRow](t, dataFile(t, "cot_outputs", "lievin_gpt3", file+".jsonl")) {
			for _, c := range row.Completions {
				see(file, c.Completion)
			}
		}
	}
	for _, file := range []string{"gpt-3.5-turbo_and_gpt-4.zhou-01.med_qa+medmc_qa+strategy_qa", "text-davinci-003.kojima-01.med_qa.incorrect57"} {
		for _, splits := range readJSON[map[string]map[string][]thoughtRow](t, dataFile(t, "cot_outputs", "thoughtsource", file+".json")) {
			for _, rows := range splits {
				for _, row := range rows {
					for _, g := range row.Generated {
						see(file, g.Cot)
					}
				}
			}
		}
	}
	want := map[string]int{"QwQ-32B-Preview-medmcqa-test_hard-zero_shot": 13, "QwQ-32B-Preview-medqa-test_hard-zero_shot": 3}
	if fmt.Sprint(counts) != fmt.Sprint(want) || all < 6000 {
		t.Errorf("refusals %v of %d replies, want %v", counts, all, want)
	}
}

func TestInReasoning(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a": false, BlockOpen: true, BlockOpen + "a": true, BlockOpen + "a" + BlockClose: false, "a" + BlockClose: false,
		"<thinking>a": true, "<think>a</think>\n<THINK>b": true, "<think>a</think>b<": false, "<thin": false,
	} {
		if got := InReasoning(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
