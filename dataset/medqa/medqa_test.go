package medqa

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

// load reads a file with the given content.
func load(t *testing.T, content string, o dataset.Options) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, "us_test.jsonl", content), o)
	return datasettest.Questions(t, l, err)
}

// one reads a single good row.
func one(t *testing.T, line string) percuss.Question {
	t.Helper()
	questions, bad := load(t, line, nil)
	if len(questions) != 1 || len(bad) != 0 {
		t.Fatalf("%d questions, bad rows %v", len(questions), bad)
	}
	return questions[0]
}

const good = `{"question":"A 5-year-old boy coughs. What is it?","answer":"x","options":{"A":"w","B":"x"},"answer_idx":"B"}`

// golang/go#18916: the options of an object have one order, whatever order they stand in.
func TestOptionsHaveOneOrder(t *testing.T) {
	line := `{"question":"Which?","answer_idx":"D","options":{"E":"e","C":"c","A":"a","D":"d","B":"b"}}`
	want := one(t, `{"question":"Which?","answer_idx":"D","options":{"A":"a","B":"b","C":"c","D":"d","E":"e"}}`)
	for range 50 {
		got := one(t, line)
		if d := cmp.Diff([]string{"A", "B", "C", "D", "E"}, got.Labels()); d != "" {
			t.Fatal(d)
		}
		if got.ID != want.ID || got.Gold != "D" {
			t.Fatalf("id %s, gold %s", got.ID, got.Gold)
		}
	}
}

func TestLabelsAreLetteredAnew(t *testing.T) {
	q := one(t, `{"question":"Which?","answer_idx":"10","options":{"10":"ten","9":"nine","2":"two"}}`)
	want := []percuss.Option{{Label: "A", Text: "two"}, {Label: "B", Text: "nine"}, {Label: "C", Text: "ten"}}
	if d := cmp.Diff(want, q.Options); d != "" || q.Gold != "C" {
		t.Errorf("gold %s, %s", q.Gold, d)
	}
	// PrairieLearn#3133: more options than letters.
	texts := map[string]string{}
	for i := range 27 {
		texts[percuss.Label(i)] = fmt.Sprint("text ", i)
	}
	line, err := json.Marshal(map[string]any{"question": "Which?", "answer_idx": "AA", "options": texts})
	if err != nil {
		t.Fatal(err)
	}
	q = one(t, string(line))
	if last := q.Options[26]; last.Label != "AA" || last.Text != "text 26" || q.Gold != "AA" {
		t.Errorf("last option %+v, gold %s", last, q.Gold)
	}
}

// jind11/MedQA#5: trimmed for display and matching, raw for the id.
func TestStrayNewlineAndQuote(t *testing.T) {
	row := `{"question":"Which?","answer_idx":"E","answer":%[1]q,"options":{"A":"a","B":"b","C":"c","D":"d","E":%[1]q}}`
	got := one(t, fmt.Sprintf(row, "Pulmonary embolism\n\""))
	if o := got.Options[4]; o.Label != "E" || o.Text != "Pulmonary embolism" || got.Gold != "E" {
		t.Errorf("option %+v, gold %s", o, got.Gold)
	}
	clean := one(t, fmt.Sprintf(row, "Pulmonary embolism"))
	if d := cmp.Diff(clean.Options, got.Options); d != "" {
		t.Error(d)
	}
	if clean.ID == got.ID {
		t.Error("the id is not made from the raw text")
	}
}

// jind11/MedQA#18: only the last sentence of a vignette is left.
func TestNoVignette(t *testing.T) {
	stems := map[string]bool{
		"Which of the following is the most likely diagnosis in this patient?":                            true,
		"What is the best next step for the woman?":                                                       true,
		"Which drug would have prevented this patient’s condition":                                        true,
		"A 65-year-old man has a cough. Which of the following is the most likely cause in this patient?": false,
		"In a 40-year-old woman with asthma, what should this patient avoid?":                             false,
		"The patient is a 4-year-old boy with fever. What does the boy have?":                             false,
		"The only immunoglobulin found as a dimer has what primary function?":                             false,
		"Which of the following is most typical of a patient with gout?":                                  false,
	}
	for stem, want := range stems {
		line, err := json.Marshal(map[string]any{"question": stem, "answer_idx": "A", "options": map[string]string{"A": "a", "B": "b"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := one(t, string(line)).Flags; (len(got) == 1 && got[0] == dataset.NoVignette) != want {
			t.Errorf("%q: flags %v", stem, got)
		}
	}
}

func TestBadRows(t *testing.T) {
	swap := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	rows := []struct{ line, why string }{
		{good, ""},
		{`{"question":`, "not a JSON object"},
		{`["a"]`, "not a JSON object"},
		{`null`, `no field "question"`},
		{good + good, "not a JSON object"},
		{swap(`"A 5-year-old boy coughs. What is it?"`, `" \n"`), "the question is empty"},
		{swap(`"answer_idx":"B"`, `"answer_idx":null`), `no field "answer_idx"`},
		{swap(`"answer_idx":"B"`, `"answer_idx":2`), "answer_idx"},
		{swap(`"answer_idx":"B"`, `"answer_idx":"C"`), `answer_idx "C" is not among the options`},
		{swap(`"answer_idx":"B"`, `"answer_idx":"A"`), `answer "x" is not the text of option A`},
		{swap(`"answer":"x"`, `"answer":"x "`), `is not the text of option B`},
		{swap(`{"A":"w","B":"x"}`, `{"B":"x"}`), "fewer than two options"},
		{swap(`{"A":"w","B":"x"}`, `["w","x"]`), "not an object"},
		{swap(`{"A":"w","B":"x"}`, `{"A":1,"B":"x"}`), `option "A" is not a text`},
		{swap(`{"A":"w","B":"x"}`, `{"A":{"t":"w"},"B":"x"}`), `option "A" is not a text`},
		{swap(`{"A":"w","B":"x"}`, `{"A":"w","A":"v","B":"x"}`), `label "A" stands twice`},
		{swap(`{"A":"w","B":"x"}`, `{"":"w","B":"x"}`), "an option has no label"},
		{swap(`"w"`, `" "`), "option A is empty"},
		{swap(`"w"`, `"x\n"`), "options A and B are the same"},
		{swap("coughs", "c\xffughs"), "not valid UTF-8"},
		{"", ""},
		{good, "duplicate of line 1"},
		{swap("coughs", "sneezes"), ""},
	}
	var text []string
	for _, r := range rows {
		text = append(text, r.line)
	}
	for _, end := range []string{"\n", "\r\n"} {
		questions, bad := load(t, "\ufeff"+strings.Join(text, end), nil)
		if len(questions) != 2 || questions[1].Source.Line != len(rows) {
			t.Errorf("%d questions", len(questions))
		}
		at := map[int]string{}
		for _, b := range bad {
			at[b.Line] = b.Error()
		}
		for i, r := range rows {
			got := at[i+1]
			if (got == "") != (r.why == "") || !strings.Contains(got, r.why) {
				t.Errorf("line %d %s: got %q, want %q", i+1, r.line, got, r.why)
			}
			if r.why != "" && !strings.HasPrefix(got, fmt.Sprintf("us_test.jsonl:%d: ", i+1)) {
				t.Errorf("line %d: %q names neither file nor line", i+1, got)
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	long := strings.Replace(good, "coughs", "coughs "+strings.Repeat("and coughs ", 100_000), 1)
	questions, bad := load(t, long+"\n"+good, nil)
	if len(bad) != 0 || len(questions) != 2 || len(questions[0].Stem) < 1<<20 {
		t.Errorf("%d questions, bad rows %v", len(questions), bad)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []dataset.Options{{"options": "6"}, {"split": "val"}, {"opt": "5"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("Known(%v): no error", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("New(%v): no error", o)
		}
	}
	files := map[string]dataset.Options{
		"phrases_no_exclude_test.jsonl":  nil,
		"phrases_no_exclude_train.jsonl": {"options": "4", "split": "train"},
		"us_5options_test.jsonl":         {"options": "5"},
	}
	for want, o := range files {
		k, err := Known(o)
		if err != nil || len(k.Files) != 1 || k.Files[0] != want || k.Obtain == "" {
			t.Errorf("%v: %+v, %v", o, k, err)
		}
	}
	questions, bad := load(t, good, dataset.Options{"options": "5"})
	if len(questions) != 0 || len(bad) != 1 || !strings.Contains(bad[0].Why, "2 options where options=5") {
		t.Errorf("%d questions, bad rows %v", len(questions), bad)
	}
	if q := one(t, good); q.Source.Split != "test" {
		t.Errorf("split %q, want the one that the file's name says", q.Source.Split)
	}
	if got := splitOf("/data/test/mine.jsonl"); got != "" {
		t.Errorf("split %q", got)
	}
}

func TestMissingFile(t *testing.T) {
	l, err := New(filepath.Join(t.TempDir(), "none.jsonl"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := dataset.Collect(l); err == nil || !strings.Contains(err.Error(), "none.jsonl") {
		t.Errorf("got %v", err)
	}
}

// Whatever stands on a line, reading it neither panics nor makes a question without a right option.
func FuzzRow(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"question":"q","answer_idx":"B","options":{"B":"x\n\"","AA":"\"\"\"y\"\"\""}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		q, err := question(line, 0)
		if err != nil {
			return
		}
		if o, ok := q.Option(q.Gold); !ok || o.Text == "" || q.Stem == "" || len(q.Options) < 2 {
			t.Errorf("%+v", q)
		}
	})
}
