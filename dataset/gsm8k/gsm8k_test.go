package gsm8k

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

func load(t *testing.T, content string) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, "test.jsonl", content), nil)
	return datasettest.Questions(t, l, err)
}

func TestRow(t *testing.T) {
	questions, bad := load(t, `{"question":" Ann has 1,000 eggs and buys 234. How many are there? ","answer":"1,000 + 234 = <<1000+234=1234>>1,234 eggs.\n#### 1,234"}`)
	if len(questions) != 1 || len(bad) != 0 {
		t.Fatal(questions, bad)
	}
	q := questions[0]
	if q.Kind != percuss.Numeric || q.Gold != "1234" || q.Domain != "arithmetic" || len(q.Options) != 0 || q.Source.Split != "test" ||
		q.Note != "1,000 + 234 = 1,234 eggs." || q.Stem != "Ann has 1,000 eggs and buys 234. How many are there?" || !dataset.Hashed(q.ID) {
		t.Errorf("%+v", q)
	}
}

func TestBadRows(t *testing.T) {
	const good = `{"question":"How many?","answer":"#### -7"}`
	for line, why := range map[string]string{
		good + "\n" + good:                        "duplicate of line 1",
		`[1]`:                                     "not a JSON object",
		`{"answer":"#### 1"}`:                     `no field "question"`,
		`{"question":"How many?"}`:                `no field "answer"`,
		`{"question":"How many?","answer":"7"}`:   "####",
		`{"question":"How?","answer":"#### "}`:    "no number behind",
		`{"question":"How?","answer":"#### six"}`: `"six" is no number`,
		`{"question":" ","answer":"#### 6"}`:      "the question is empty",
	} {
		_, bad := load(t, line)
		if len(bad) != 1 || !strings.Contains(bad[0].Why, why) {
			t.Errorf("%s: %v, want %q", line, bad, why)
		}
	}
}

func TestOptions(t *testing.T) {
	if k, err := Known(nil); err != nil || k.Files[0] != "test.jsonl" {
		t.Error(k, err)
	}
	if k, err := Known(dataset.Options{"split": "train"}); err != nil || k.Files[0] != "train.jsonl" {
		t.Error(k, err)
	}
	for _, o := range []dataset.Options{{"split": "dev"}, {"options": "4"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("%v is taken", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
	if l, err := New("my.jsonl", dataset.Options{"split": "train"}); err != nil || l.split != "train" || l.Name() != Name {
		t.Error(l, err)
	}
}

// The published test split: every row can be used, and its own worked solution is read as its gold answer.
func TestPublished(t *testing.T) {
	l, err := New(datasettest.File(t, "gsm8k", "test.jsonl"), nil)
	questions, bad := datasettest.Questions(t, l, err)
	if len(questions) != 1319 || len(bad) != 0 {
		t.Fatalf("%d questions, bad rows %v", len(questions), bad)
	}
	for _, q := range questions {
		if strings.Contains(q.Note, "<<") || strings.Contains(q.Note, mark) || q.Note == "" {
			t.Errorf("%s: note %q", q.ID, q.Note)
		}
		if got := clinical.ReadNumber(q.Note+"\nAnswer: "+q.Gold, false); got.Label != q.Gold {
			t.Errorf("%s: gold %s is read as %+v", q.ID, q.Gold, got)
		}
	}
}
