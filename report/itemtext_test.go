package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/internal/worddiff"
)

func TestItemText(t *testing.T) {
	for _, color := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteItemText(&b, items()[0], small().Findings.Battery, color); err != nil {
			t.Fatal(err)
		}
		wants := []string{"* A. Rest", "  B. Surgery", "flips", "not fired: too short", "The chain shows no trace of the edit."}
		if color {
			wants = append(wants, "\x1b[31m[-Severe-]\x1b[0m\x1b[32m{+Mild+}\x1b[0m")
		} else {
			wants = append(wants, "[-Severe-]{+Mild+}")
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("color %v: no %q in\n%s", color, want, b.String())
			}
		}
	}
}

// TestReplyIsPrinted: "no trace of the edit" can be checked in the terminal: the reply stands there, a long one without
// its middle, but always with its answer.
func TestReplyIsPrinted(t *testing.T) {
	for name, c := range map[string]struct {
		reply      string
		want, lack []string
	}{
		"short": {"Step 1: it is mild.\nAnswer: B", []string{"  model:\n    Step 1: it is mild.\n    Answer: B\n"}, []string{"left out"}},
		"long":  {"Step 1: first. " + strings.Repeat("é", 2000) + " the end.\nAnswer: B", []string{"Step 1: first.", "bytes left out", "the end.", "Answer: B"}, []string{strings.Repeat("é", 400), "\uFFFD"}},
		"empty": {"", nil, []string{"model:"}},
	} {
		it := items()[0]
		key := it.Trials[1].Request.Key()
		it.Answers = percuss.AnswerMap{key: {Outcome: percuss.OK, Text: c.reply}}
		var b bytes.Buffer
		if err := WriteItemText(&b, it, small().Findings.Battery, false); err != nil {
			t.Fatal(err)
		}
		// Lines are folded and set in: words are looked for without what stands between them.
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		for _, want := range c.want {
			if !strings.Contains(squeeze(b.String()), squeeze(want)) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
		for _, lack := range c.lack {
			if strings.Contains(squeeze(b.String()), squeeze(lack)) {
				t.Errorf("%s: %q in\n%s", name, lack, b.String())
			}
		}
	}
}

// TestExcerptKeepsItsEnds: whatever a model wrote, an excerpt stays short, valid and whole where it is short.
func TestExcerptKeepsItsEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringN(0, 900, 2000).Draw(t, "said")
		end := rapid.IntRange(0, len(said)).Draw(t, "end")
		for end < len(said) && !utf8.RuneStart(said[end]) {
			end++
		}
		v := trialView{said: said, end: end}
		got := v.excerpt()
		if utf8.ValidString(said) && !utf8.ValidString(got) || len(got) > chainHead+chainTail+answerBytes+150 {
			t.Fatalf("%d bytes of %d: %q", len(got), len(said), got)
		}
	})
}

// TestQuotationIsTakenOff: the words around a quoted chain are no part of the edit. They stand once, where they are known.
func TestQuotationIsTakenOff(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []worddiff.Piece
		wrapper       string
	}{
		"known": {"So far:\n\n", "\n\nGo on.", []worddiff.Piece{{Kind: worddiff.Same, Text: "Step 1: pain is "}, {Kind: worddiff.Deleted, Text: "severe"}, {Kind: worddiff.Inserted, Text: "absent"}, {Kind: worddiff.Same, Text: "."}}, "So far: […] Go on."},
		"other": {"Until now:", "Continue.", []worddiff.Piece{{Kind: worddiff.Inserted, Text: "So far:\n\n"}, {Kind: worddiff.Same, Text: "Step 1: pain is "}, {Kind: worddiff.Deleted, Text: "severe"}, {Kind: worddiff.Inserted, Text: "absent.\n\nGo on"}, {Kind: worddiff.Same, Text: "."}}, ""},
		"none":  {"", "", []worddiff.Piece{{Kind: worddiff.Inserted, Text: "So far:\n\n"}, {Kind: worddiff.Same, Text: "Step 1: pain is "}, {Kind: worddiff.Deleted, Text: "severe"}, {Kind: worddiff.Inserted, Text: "absent.\n\nGo on"}, {Kind: worddiff.Same, Text: "."}}, ""},
	} {
		it := items()[0]
		it.Before, it.After = c.before, c.after
		it.Trials[2].Request.Begin = ""
		it.Trials[2].Request.Messages[0].Content += "\n\nSo far:\n\nStep 1: pain is absent.\n\nGo on."
		v := newItemView(it, small().Findings.Battery)
		if d := cmp.Diff(c.want, v.Trials[1].Pieces); d != "" || !v.Trials[1].Quoted || v.Wrapper() != c.wrapper {
			t.Errorf("%s: quoted %v, words %q\n%s", name, v.Trials[1].Quoted, v.Wrapper(), d)
		}
	}
	it := items()[0] // a back-end that quotes of its own accord
	it.Answers.(percuss.AnswerMap)[it.Trials[2].Request.Key()] = percuss.Answer{Outcome: percuss.OK, Text: "So.", Continued: percuss.Quotes}
	if v := newItemView(it, small().Findings.Battery); !v.Trials[1].Quoted || v.Wrapper() != "" {
		t.Error("the item does not say that its chain was quoted")
	}
}

// Whatever an item holds, no line is wider than a terminal, and none of the words of a question is lost.
func TestItemTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab cd ef.\n胸痛e\u0301👩‍⚕️→\t\x1b[31m"))).Draw(t, "text")
		it := items()[0]
		it.Subject.Question.Stem = text + " " + strings.Repeat("long", 50)
		it.Answers = percuss.AnswerMap{it.Trials[1].Request.Key(): {Outcome: percuss.OK, Text: text + strings.Repeat(" word", 100)}}
		for _, color := range []bool{false, true} {
			var b bytes.Buffer
			if err := WriteItemText(&b, it, small().Findings.Battery, color); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				if n := screen.Width(line); n > columns {
					t.Fatalf("%d columns: %q", n, line)
				}
			}
			bare := strings.NewReplacer(" ", "", "\n", "", "\t", "")
			if !strings.Contains(bare.Replace(b.String()), bare.Replace(Visible(it.Subject.Question.Stem))) {
				t.Fatalf("the question is not whole in\n%s", &b)
			}
		}
	})
}
