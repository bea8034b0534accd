package step_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/step"
)

// pieces are the steps of a chain, trimmed.
func pieces(chain string, by step.Segmentation) []string {
	var out []string
	for _, s := range step.Segment(chain, by) {
		out = append(out, strings.TrimSpace(s.In(chain)))
	}
	return out
}

func TestSegment(t *testing.T) {
	for _, c := range []struct {
		name, chain string
		by          step.Segmentation
		want        []string
	}{
		{"step markers", "Let us see.\nStep 1: fever.\nStep 2: a cough.\nIt is dry.", step.Markers, []string{"Let us see.\nStep 1: fever.", "Step 2: a cough.\nIt is dry."}},
		{"step headings", "### Step 1: age\nHe is 40.\n\n**Step 2:** fever", step.Markers, []string{"### Step 1: age\nHe is 40.", "**Step 2:** fever"}},
		{"one marker", "Step 1: fever.\nA cough.", step.Markers, []string{"Step 1: fever.\nA cough."}},
		// langchain-ai/langchain#40065
		{"a figure within a line", "1. Give potassium, see fig. 2. for the dose.\n2. Recheck in 4 h.", step.Markers, []string{"1. Give potassium, see fig. 2. for the dose.", "2. Recheck in 4 h."}},
		// esengine/DeepSeek-Reasonix#2539
		{"a nested list", "1. Localise the lesion\n   - pyramidal signs\n   - sensory level\n2. Name the cause", step.Markers, []string{"1. Localise the lesion\n   - pyramidal signs\n   - sensory level", "2. Name the cause"}},
		{"a nested numbered list", "1. Look\n   1. skin\n   2. eyes\n2. Name the cause", step.Markers, []string{"1. Look\n   1. skin\n   2. eyes", "2. Name the cause"}},
		// ClarityNLP/ClarityNLP#84
		{"a number glued to its text", "1.No evidence of pneumonia.\n2.Mild cardiomegaly.", step.Markers, []string{"1.No evidence of pneumonia.", "2.Mild cardiomegaly."}},
		{"bold numbers, brackets", "**1. Age**: 40\n**2. Fever**: none", step.Markers, []string{"**1. Age**: 40", "**2. Fever**: none"}},
		{"numbers in brackets", "(1) fever\n(2) cough", step.Markers, []string{"(1) fever", "(2) cough"}},
		{"decimals and years are no numbers", "Potassium is\n3.5 mmol/l.\n\nIn\n1998. it was high.", step.Markers, []string{"Potassium is\n3.5 mmol/l.", "In\n1998. it was high."}},
		{"a list that does not begin at one", "5. is a lot.\n\n7. is more.", step.Markers, []string{"5. is a lot.", "7. is more."}},
		{"code is one", "1. Reckon\n```\n1. x = 1\n\n2. y = 2\n```\n2. Done", step.Markers, []string{"1. Reckon\n```\n1. x = 1\n\n2. y = 2\n```", "2. Done"}},
		{"code in paragraphs", "So:\n```\na = 1\n\nb = 2\n```\n\nDone.", step.Paragraph, []string{"So:\n```\na = 1\n\nb = 2\n```", "Done."}},
		{"a table is one", "Values:\n\n| Na | K |\n|---|---|\n| 140. Low. | 4 |\n\nNormal. All of them.", step.Sentence, []string{"Values:", "| Na | K |\n|---|---|\n| 140. Low. | 4 |", "Normal.", "All of them."}},
		// nltk/nltk#1210
		{"abbreviations and units", "She has hepatitis B. His temperature was 37.8 C. Dr. Smith gave 3.5 mg b.i.d. vs. placebo.", step.Sentence,
			[]string{"She has hepatitis B.", "His temperature was 37.8 C.", "Dr. Smith gave 3.5 mg b.i.d. vs. placebo."}},
		{"a marker is no sentence", "Step 1:\nFever is high. It is viral.", step.Sentence, []string{"Step 1:\nFever is high.", "It is viral."}},
		{"a number is no sentence", "1. Fever is high.\n2. It is viral.", step.Sentence, []string{"1. Fever is high.", "2. It is viral."}},
		{"entries of a list", "Signs:\n- fever\n- cough\n  - dry", step.Sentence, []string{"Signs:", "- fever", "- cough", "- dry"}},
		{"paragraphs", "Fever. Cough.\nDry.\n\n\nViral.\n \nRest.\n", step.Paragraph, []string{"Fever. Cough.\nDry.", "Viral.", "Rest."}},
		{"a rule is no paragraph", "Fever.\n\n---\n\nViral.", step.Paragraph, []string{"Fever.", "---\n\nViral."}},
		{"a block of reasoning", "<think>\nFever.\n\nViral.\n</think>\n\nRest.", step.Paragraph, []string{"<think>\nFever.", "Viral.\n</think>", "Rest."}},
		{"an open block of code", "Look:\n```\nx\n\ny", step.Paragraph, []string{"Look:\n```\nx\n\ny"}},
		{"carriage returns", "Step 1: a\r\nStep 2: b\r\n", step.Markers, []string{"Step 1: a", "Step 2: b"}},
		{"nothing", " \n\t", step.Markers, nil},
		{"only a marker", "Step 1:", step.Markers, []string{"Step 1:"}},
	} {
		if got := pieces(c.chain, c.by); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.chain, got, c.want)
		}
	}
}

// The steps tile any chain, in any way of cutting, and none is empty.
func TestSegmentTiles(t *testing.T) {
	bits := []string{"Step 1:", "Step 2", "1. ", "2) ", "(3)", "- ", "\n", "\n\n", "```", "|a|b|", "Fever is high. ", "3.5 mg", "é ", "<think>", " ", "**", "\r\n", "---"}
	rapid.Check(t, func(t *rapid.T) {
		chain := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 30).Draw(t, "bits"), "")
		for _, by := range []step.Segmentation{step.Markers, step.Sentence, step.Paragraph} {
			at := 0
			for _, s := range step.Segment(chain, by) {
				if s.Start != at || s.End <= s.Start {
					t.Fatalf("%s: step %v of %q, want one that begins at %d", by, s, chain, at)
				}
				at = s.End
			}
			if want := len(chain); at != want && strings.TrimSpace(chain) != "" {
				t.Fatalf("%s: the steps of %q end at %d of %d", by, chain, at, want)
			}
		}
	})
}
