package report

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// replied is an item with a baseline reply and its letters.
func replied(told, said string, a, b float64, r chain.Reading) Item {
	t := percuss.Trial{ID: chain.BaseTrial}
	t.Ask(percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: told}}})
	l := percuss.Trial{ID: chain.BaseTrial + chain.MarginSuffix}
	l.Ask(percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: told}}, Replicate: 1})
	q := percuss.Question{Stem: told, Gold: "A", Options: []percuss.Option{{Label: "A", Text: "Flu"}, {Label: "B", Text: "Cold"}}}
	return Item{Subject: percuss.Subject{Question: q}, Trials: []percuss.Trial{t, l}, Record: chain.Record{Base: r},
		Answers: percuss.AnswerMap{t.Key(): {Outcome: percuss.OK, Text: said}, l.Key(): {Outcome: percuss.OK,
			Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(a)}, {Letter: "B", LogProb: percuss.Num(b)}}}}}
}

func TestPairOfReplies(t *testing.T) {
	before := replied("He coughs.", "Step 1: he is <b>hot</b>.\nStep 2: it is flu.\nAnswer: A", -0.5, -1.5, chain.Reading{State: chain.Read, Answer: "A", Correct: true, Via: "text"})
	after := replied("She coughs.", "Step 1: he is <b>hot</b>.\nStep 2: it is cold.\nAnswer: B", -2, -0.25, chain.Reading{State: chain.Read, Answer: "B", Via: "text"})
	page, err := WritePair(before, after, chain.BaseTrial)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Before: A (right, read from the text). After: B (wrong, read from the text).", "<del>He</del><ins>She</ins> coughs", "answer before", "answer after", "−1.50", "+1.25",
		`<td colspan="2">Step 1: he is &lt;b&gt;hot&lt;/b&gt;.</td>`, "<del>flu</del>", "<ins>cold</ins>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	same, err := WritePair(before, before, chain.BaseTrial)
	if err != nil || !strings.Contains(string(same), "The replies are the same") || strings.Contains(string(same), "not told the same") {
		t.Errorf("an item beside itself: %v\n%s", err, same)
	}
}

// What one run lacks is said, and nothing of a trial that neither has.
func TestPairWithoutReplies(t *testing.T) {
	before, after := replied("He coughs.", "Answer: A", -0.5, -1.5, chain.Reading{}), replied("He coughs.", "", -2, -0.25, chain.Reading{})
	for want, of := range map[string][2]Item{"There is no reply after": {before, after}, "There is no reply before": {after, before}, "Neither run has a reply": {after, after}} {
		if page, err := WritePair(of[0], of[1], chain.BaseTrial); err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%v, no %q in\n%s", err, want, page)
		}
	}
	page, err := WritePair(before, after, "M9")
	if err != nil || !strings.Contains(string(page), "Neither run has a reply") || strings.Contains(string(page), "Probability") {
		t.Errorf("%v\n%s", err, page)
	}
}
