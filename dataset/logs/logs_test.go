package logs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

const rows = `[
{"question":"A boy coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"B","completion":"So. Answer: B"},
{"question":"A girl coughs. Why?","options":{"A":"Flu","B":"Gout"},"completion":"So. Answer: B"},
{"question":"A man coughs. Why?","options":{"A":"Flu"},"answer_idx":"A","completion":"So. Answer: A"},
{"question":"A boy coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"B","completion":"Again. Answer: A"}
]`

func TestQuestions(t *testing.T) {
	path := datasettest.Write(t, "m-medqa.json", rows)
	l, err := New(path, nil)
	questions, bad := datasettest.Questions(t, l, err)
	if len(questions) != 1 || l.Name() != "medqa" {
		t.Fatal(questions, l.Name())
	}
	want := percuss.Question{ID: dataset.Identity("medqa", "A boy coughs. Why?", "A", "Flu", "B", "Gout"), Set: "medqa", Stem: "A boy coughs. Why?",
		Options: []percuss.Option{{Label: "A", Text: "Flu"}, {Label: "B", Text: "Gout"}}, Gold: "B",
		Source: percuss.Source{File: "m-medqa.json", SHA256: questions[0].Source.SHA256, Line: 2}}
	if d := cmp.Diff(want, questions[0]); d != "" {
		t.Error(d)
	}
	for i, say := range []string{"no right answer", "fewer than two options", "duplicate of line 2"} {
		if len(bad) != 3 || bad[i].Line != i+3 || !strings.Contains(bad[i].Why, say) {
			t.Errorf("%v, want %q", bad, say)
		}
	}
}

// A question that no model answered is none; a number is one without options.
func TestKinds(t *testing.T) {
	path := datasettest.Write(t, "samples_gsm8k.jsonl", `{"doc_id":0,"doc":{"question":"How many?","answer":"1\n#### 1,000"},"resps":[["A: 1"]]}
{"doc_id":1,"doc":{"question":"How few?","answer":"#### many"},"resps":[["A: 1"]]}
`)
	l, err := New(path, nil)
	questions, bad := datasettest.Questions(t, l, err)
	if len(questions) != 1 || questions[0].Gold != "1000" || questions[0].Kind != percuss.Numeric || questions[0].Domain != "arithmetic" || len(bad) != 1 {
		t.Errorf("%+v, %v", questions, bad)
	}
	path = datasettest.Write(t, "ts.json", `{"med_qa":{"test":[{"id":"1","question":"Why?","choices":["x","y"],"answer":["x"],"generated_cot":[]}]}}`)
	l, err = New(path, nil)
	if questions, bad := datasettest.Questions(t, l, err); len(questions) != 0 || len(bad) != 1 || !strings.Contains(bad[0].Why, "no reply") {
		t.Errorf("%+v, %v", questions, bad)
	}
}

func TestSets(t *testing.T) {
	const both = `{"med_qa":{"test":[{"id":"1","question":"Why?","choices":["x","y"],"answer":["x"],"generated_cot":[{"cot":"c"}]}]},
"strategy_qa":{"test":[{"id":"2","question":"Is it?","choices":["True","False"],"answer":["True"],"generated_cot":[{"cot":"c"}]}]}}`
	path := datasettest.Write(t, "ts.json", both)
	for _, c := range []struct {
		path string
		o    dataset.Options
		say  string
	}{
		{path, nil, "?set=: medqa, strategyqa"}, {path, dataset.Options{"set": "pubmedqa"}, "there are medqa, strategyqa"},
		{path, dataset.Options{"split": "test"}, "no option"}, {"", nil, "log:FILE"}, {path + ".gone", nil, "ts.json.gone"},
	} {
		if _, err := New(c.path, c.o); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v: %v, want %q", c.o, err, c.say)
		}
	}
	l, err := New(path, dataset.Options{"set": "strategyqa"})
	questions, _ := datasettest.Questions(t, l, err)
	if len(questions) != 1 || questions[0].Set != "strategyqa" || questions[0].Domain != "commonsense" {
		t.Errorf("%+v", questions)
	}
}

// The questions of the published logs, as their description counts them.
func TestPublished(t *testing.T) {
	for file, want := range map[string]int{
		"medagents_benchmark/DeepSeek-R1-medqa-test_hard-zero_shot.json":   100,
		"medagents_benchmark/gpt-4o-pubmedqa-test_hard-cot.json":           100,
		"lievin_gpt3/usmle_validation_100q_x30prompts.jsonl":               99,
		"lievin_gpt3/medmcqa_validation_150q_x6prompts.jsonl":              149,
		"thoughtsource/text-davinci-003.kojima-01.med_qa.incorrect57.json": 57,
	} {
		l, err := New(datasettest.File(t, "cot_outputs", file), nil)
		questions, bad := datasettest.Questions(t, l, err)
		if len(questions) != want {
			t.Errorf("%s: %d questions, bad %v", file, len(questions), bad)
		}
	}
}
