package explore

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/run"
)

func TestChangedPart(t *testing.T) {
	words := "one two three four five six seven eight nine ten eleven twelve"
	for _, c := range []struct{ before, after, want string }{
		{"a man of 30", "a man of 30", ""},
		{"a man of 30", "a woman of 30", "a woman of 30"},
		{"a man of 30", "a man of 90", "a man of 90"},
		{words + " man " + words, words + " woman " + words, "five six seven eight nine ten eleven twelve woman one two three four five six seven eight"},
		{words, "Note: it rains. " + words, "Note: it rains. one two three four five six seven eight nine"},
		{"né", "nè", "nè"}, // their first bytes are equal
		{"long " + words, "", ""},
	} {
		if got := altered(c.before, c.after); strings.TrimSpace(got) != c.want {
			t.Errorf("%q -> %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// Whatever the texts are, the part is one of the edited text, and what it leaves out stands in both.
func TestChangedPartIsOfTheEditedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([aé ]|\n){0,40}`)
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		got := altered(before, after)
		at := strings.Index(after, got)
		if at < 0 || !utf8.ValidString(got) {
			t.Fatalf("%q is no part of %q", got, after)
		}
		if before == after {
			return
		}
		for ; at >= 0; at++ {
			if strings.HasPrefix(before, after[:at]) && strings.HasSuffix(before, after[at+len(got):]) {
				return
			}
			next := strings.Index(after[at+1:], got)
			if next < 0 {
				break
			}
			at += next
		}
		t.Fatalf("%q -> %q: outside %q they differ", before, after, got)
	})
}

// A word that only an edit holds leads to the trials of that edit: of the question by its wording, of the chain by what was
// put in.
func TestEditsAreFound(t *testing.T) {
	trial := func(id, content, begin string) percuss.Trial {
		t := percuss.Trial{ID: id, Fired: true}
		t.Ask(percuss.Request{Begin: begin, Messages: []percuss.Message{{Role: percuss.System, Content: "You answer."}, {Role: percuss.User, Content: content}}})
		return t
	}
	view := run.View{Subject: percuss.Subject{Question: percuss.Question{Stem: "A man coughs."}}, Answers: percuss.AnswerMap{},
		Trials: []percuss.Trial{trial(chain.BaseTrial, "A man coughs.", ""), trial("M2-sex", "A woman coughs.", ""), trial("F4-a", "A man coughs.", "Step 1: it rains."), trial("quoted", "A man coughs.\n\nYou thought: it snows.", "")},
		Record: chain.Record{Direct: chain.Reading{State: chain.NotFired}, Operators: []chain.OperatorTrial{{ID: "M2-sex", Edit: battery.Edit{Fired: true, New: "woman"}}, {ID: "F4-a", Edit: battery.Edit{Fired: true, New: "it rains"}},
			{ID: "quoted", Edit: battery.Edit{Fired: true, New: "it snows"}}, {ID: "M6-a"}}}}
	view.Answers.(percuss.AnswerMap)[view.Trials[1].Key()] = percuss.Answer{Text: "She has a cold."}
	got := textOf(0, 0, view)
	if got.Asked != "\nA man coughs." {
		t.Errorf("asked %q", got.Asked)
	}
	for i, want := range []string{"", "A woman coughs. She has a cold.", "it rains", "it snows", ""} {
		if said := strings.TrimPrefix(strings.Join(strings.Fields(got.Replies[i]), " "), "You answer. "); said != want {
			t.Errorf("row %d: %q, want %q", i, said, want)
		}
	}
}
