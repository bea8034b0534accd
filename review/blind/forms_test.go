package blind

import (
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
