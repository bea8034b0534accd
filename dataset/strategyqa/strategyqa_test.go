package strategyqa

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

func load(t *testing.T, content string) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, "dev.json", content), nil)
	return datasettest.Questions(t, l, err)
}

func TestRow(t *testing.T) {
	questions, bad := load(t, `[{"qid":"q1","term":"Owl","question":"Can the man in the moon see an owl?","answer":false,
		"facts":["Owls fly."],"decomposition":["Where is #1?"],"evidence":[[[["x"]]]]},
		{"qid":"q2","question":"Is ice cold?","answer":true}]`)
	if len(questions) != 2 || len(bad) != 0 {
		t.Fatal(questions, bad)
	}
	want := percuss.Question{ID: "strategyqa:q1", Set: "strategyqa", Stem: "Can the man in the moon see an owl?", Domain: "commonsense",
		Options: []percuss.Option{{Label: "A", Text: "Yes"}, {Label: "B", Text: "No"}}, Gold: "B", Note: "Owls fly.\nWhere is #1?",
		Source: percuss.Source{File: "dev.json", SHA256: questions[0].Source.SHA256, Split: "dev", Line: 1}}
	if d := cmp.Diff(want, questions[0]); d != "" {
		t.Error(d)
	}
	if questions[1].Gold != "A" || questions[1].Note != "" {
		t.Errorf("%+v", questions[1])
	}
}

func TestBadRows(t *testing.T) {
	for row, why := range map[string]string{
		`{"qid":"a","question":"Is it?"}`:                                                                     `no field "answer"`,
		`{"qid":"a","question":"Is it?","answer":null}`:                                                       `no field "answer"`,
		`{"qid":"a","question":"Is it?","answer":"yes"}`:                                                      "not a JSON object",
		`{"qid":"a","answer":true}`:                                                                           `no field "question"`,
		`{"qid":"a","question":"","answer":true}`:                                                             "the question is empty",
		`{"qid":"a","question":"Is it?","answer":true},{"qid":"a","question":"Was it?","answer":true}`:        "duplicate",
		`{"qid":"b","question":"Is it?","answer":true,"facts":"one fact where a list is expected, not text"}`: "not a JSON object",
	} {
		if _, bad := load(t, "["+row+"]"); len(bad) != 1 || !strings.Contains(bad[0].Why, why) {
			t.Errorf("%s: %v, want %q", row, bad, why)
		}
	}
}

func TestOptions(t *testing.T) {
	if k, err := Known(nil); err != nil || cmp.Diff(k.Files, []string{"dev.json", "train.json"}) != "" {
		t.Error(k, err)
	}
	if k, err := Known(dataset.Options{"split": "train"}); err != nil || cmp.Diff(k.Files, []string{"train.json"}) != "" {
		t.Error(k, err)
	}
	for _, o := range []dataset.Options{{"split": "test"}, {"n": "4"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("%v is taken", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
}

func TestPublished(t *testing.T) {
	for file, want := range map[string]struct{ rows, yes int }{"dev.json": {229, 107}, "train.json": {2061, 964}} {
		l, err := New(datasettest.File(t, "strategyqa", file), nil)
		questions, bad := datasettest.Questions(t, l, err)
		yes := 0
		for _, q := range questions {
			if q.Gold == "A" {
				yes++
			}
			if q.Note == "" || q.Domain != Domain || len(q.Flags) != 0 || dataset.Hashed(q.ID) || q.Source.Split != strings.TrimSuffix(file, ".json") {
				t.Errorf("%+v", q)
			}
		}
		if len(questions) != want.rows || len(bad) != 0 || yes != want.yes {
			t.Errorf("%s: %d questions, %d with yes, bad rows %v", file, len(questions), yes, bad)
		}
	}
}
