package blind

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The forms that are shipped can be read, practise each label set, and name the labels that reports take.
func TestForms(t *testing.T) {
	for _, k := range Kinds() {
		f, err := FormOf(k)
		if err != nil {
			t.Errorf("%s: %v", k, err)
			continue
		}
		if len(f.Instructions) < 2 || len(f.Practice) == 0 {
			t.Errorf("%s: %d paragraphs, %d practice items", k, len(f.Instructions), len(f.Practice))
		}
	}
	if _, err := FormOf("other"); err == nil || !strings.Contains(err.Error(), "perturbation") {
		t.Errorf("an unknown task: %v", err)
	}
}

// The items that stand in the form of interactions look like those of a run: beside a strength stands what it does to the odds.
func TestFormsTellOdds(t *testing.T) {
	f, err := FormOf(Interactions)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, item := range slices.Concat(f.Practice, f.Attention) {
		for _, r := range item.Parts[0].Rows {
			if r.Key != "Strength" {
				continue
			}
			seen++
			value, err := strconv.ParseFloat(strings.TrimSuffix(r.Text, " nats"), 64)
			if err != nil || r.Note != odds(value) {
				t.Errorf("%s: %q, %q, want %q (%v)", item.ID, r.Text, r.Note, odds(value), err)
			}
		}
	}
	if seen != len(f.Practice)+len(f.Attention) {
		t.Errorf("%d of %d items tell a strength", seen, len(f.Practice)+len(f.Attention))
	}
}

// What is wrong with a form is said with its file and, where YAML itself is wrong, the line.
func TestBadForms(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown field", "title: x\nquestion: y\n", "2"},
		{"no title", "questions: []\n", "no title"},
		{"no questions", "title: x\n", "no questions"},
		{"one label", "title: x\nquestions: [{id: q, text: t, labels: [{id: a, name: A}]}]\n", "1 labels"},
		{"two the same", "title: x\nquestions: [{id: q, text: t, labels: [{id: a, name: A}, {id: a, name: B}]}]\n", "twice"},
		{"a column's name", "title: x\nquestions: [{id: rater, text: t, labels: [{id: a, name: A}, {id: b, name: B}]}]\n", "column"},
		{"after nothing", "title: x\nquestions: [{id: q, text: t, when: {question: p, label: a}, labels: [{id: a, name: A}, {id: b, name: B}]}]\n", "p = a"},
		{"practice without answer", "title: x\nquestions: [{id: q, text: t, labels: [{id: a, name: A}, {id: b, name: B}]}]\npractice: [{id: p, parts: [{show: text, text: x}]}]\n", "feedback"},
		{"practice with another's label", "title: x\nquestions: [{id: q, text: t, labels: [{id: a, name: A}, {id: b, name: B}]}]\npractice: [{id: p, parts: [{show: text, text: x}], expected: {q: c}}]\n", `"c"`},
	} {
		if _, err := ParseForm("own.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "own.yaml") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
