package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/worddiff"
)

// shownMarks writes a part with its marks as text: [what is changed|by whom].
func shownMarks(p markedPart) string {
	var b strings.Builder
	for _, piece := range p.Pieces {
		if piece.Marked {
			b.WriteString("[" + piece.Text + "|" + strings.Join(piece.Edits, ",") + "]")
		} else {
			b.WriteString(piece.Text)
		}
	}
	if len(p.Rewrite) > 0 {
		b.WriteString(" rewritten by " + strings.Join(p.Rewrite, ","))
	}
	return b.String()
}

func TestQuestionIsMarkedWhereEditsChangeIt(t *testing.T) {
	const stem = "A 27-year-old woman has had severe pain since yesterday, and there is no fever, no cough and no rash at all."
	v := itemView{Subject: percuss.Subject{Question: percuss.Question{Stem: stem}}}
	base := &percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "Question: " + stem + "\nAnswer."}}}
	v.of.Trials = []percuss.Trial{{ID: "base", Request: base}}
	edit := func(id, old, with string) {
		v.Trials = append(v.Trials, trialView{ID: id, Fired: true, Pieces: worddiff.Diff(base.Messages[0].Content, strings.Replace(base.Messages[0].Content, old, with, 1))})
	}
	edit("M2", "27", "5")
	edit("M2-b", "27-year-old woman", "30-year-old man")
	edit("M3", "A 27", "The sky is blue. A 27")
	edit("M5", "severe", "mild")
	edit("M1", " has had severe pain since yesterday,", "")
	edit("M8", stem, "Something else altogether is asked of whoever reads this.")
	edit("form", "\nAnswer.", "\n\nAnswer:") // outside of the stem
	v.Trials = append(v.Trials, trialView{ID: "F1", Fired: true, OfChain: true, Pieces: []worddiff.Piece{{Kind: worddiff.Deleted, Text: "Question: A"}}}, trialView{ID: "M9"})
	got := v.marked()
	want := "[|M3]A [27|M2,M2-b]-year-old [woman|M2-b] [has had severe|M5][ pain since yesterday, |M1]and there is no fever, no cough and no rash at all. rewritten by M8"
	if len(got) != 1 || shownMarks(got[0]) != want {
		t.Errorf("%s", cmp.Diff(want, shownMarks(got[0])))
	}
	v.Subject.Question.Context = []string{"A passage that the message does not hold."}
	if got := v.marked(); len(got) != 2 || got[0].Marked || got[0].Pieces[0].Text != v.Subject.Question.Context[0] {
		t.Errorf("a passage that was not sent: %+v", got)
	}
}

// Marked or not, the text of the question is shown byte for byte.
func TestMarksLeaveTheText(t *testing.T) {
	word := rapid.SampledFrom([]string{"fever", "pain", "no", "38.5", "漢字", ".", "\n"})
	text := rapid.Map(rapid.SliceOfN(word, 0, 40), func(w []string) string { return strings.Join(w, " ") })
	rapid.Check(t, func(t *rapid.T) {
		before := text.Draw(t, "before")
		var all []changed
		for _, by := range []string{"M1", "M2", "M3"} {
			all = append(all, changesOf(worddiff.Diff("Question: "+before+" Options", "Question: "+text.Draw(t, by)+" Options"), by)...)
		}
		all = within(all, len("Question: "), len(before))
		var shown strings.Builder
		for _, p := range mark(before, slices.Clone(all)).Pieces {
			shown.WriteString(p.Text)
		}
		if shown.String() != before {
			t.Errorf("%q is shown as %q", before, shown.String())
		}
	})
}
