package pubmedqa

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

const instanceOf12 = `"12": {"QUESTION": "Does it help?", "CONTEXTS": ["It was tried.", "It did."], "LABELS": ["METHODS", "RESULTS"],
  "MESHES": ["Humans"], "YEAR": "2011", "final_decision": "no", "LONG_ANSWER": "It does not help."}`

// put writes both files and returns the path of the instances; without a list there is none.
func put(t *testing.T, instances, truth string) string {
	t.Helper()
	path := datasettest.Write(t, "ori_pqal.json", instances)
	if truth != "" {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), groundTruth), []byte(truth), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestQuestion(t *testing.T) {
	path := put(t, "\ufeff{\r\n"+instanceOf12+",\r\n"+strings.Replace(instanceOf12, "12", "13", 1)+"}", `{"12": "no"}`)
	l, err := New(path, nil)
	questions, bad := datasettest.Questions(t, l, err)
	if len(questions) != 1 || len(bad) != 0 {
		t.Fatal(questions, bad)
	}
	want := percuss.Question{
		ID: "pubmedqa:12", Set: "pubmedqa", Stem: "Does it help?", Gold: "B", Note: "It does not help.",
		Context: []string{"METHODS: It was tried.", "RESULTS: It did."},
		Options: []percuss.Option{{Label: "A", Text: "yes"}, {Label: "B", Text: "no"}, {Label: "C", Text: "maybe"}},
		Source:  percuss.Source{File: "ori_pqal.json", Split: "test", Line: 2, SHA256: questions[0].Source.SHA256},
	}
	if d := cmp.Diff(want, questions[0]); d != "" {
		t.Error(d)
	}
	l, err = New(path, dataset.Options{"split": "all"})
	questions, _ = datasettest.Questions(t, l, err)
	if len(questions) != 2 || questions[1].ID != "pubmedqa:13" || questions[1].Source.Line != 4 {
		t.Errorf("%+v", questions)
	}
	for range l.Questions() { // left early
		break
	}
}

func TestBadRows(t *testing.T) {
	swap := func(old, new string) string { return strings.Replace(instanceOf12, old, new, 1) }
	for want, in := range map[string]string{
		"12: not a PubMedQA instance":                            `"12": [1]`,
		"12: no field QUESTION":                                  `"12": {}`,
		"12: no CONTEXTS":                                        swap(`["It was tried.", "It did."]`, "[]"),
		"12: 1 LABELS for 2 CONTEXTS":                            swap(`, "RESULTS"`, ""),
		"12: no field final_decision":                            swap("final_decision", "decision"),
		`12: final_decision "No" is none of yes, no and maybe`:   swap(`"no"`, `"No"`),
		"final_decision is yes, in test_ground_truth.json it is": swap(`"no"`, `"yes"`),
		"the question is empty":                                  swap("Does it help?", " "),
		"not valid UTF-8":                                        swap("tried", "\xff"),
		"duplicate of line 1":                                    instanceOf12 + ",\n" + instanceOf12,
	} {
		l, err := New(put(t, "{"+in+"}", `{"12": "no"}`), nil)
		questions, bad := datasettest.Questions(t, l, err)
		if len(bad) != 1 || !strings.Contains(bad[0].Error(), want) || len(questions) > 1 {
			t.Errorf("got %v, want %q", bad, want)
		}
	}
}

func TestTestSplit(t *testing.T) {
	for want, truth := range map[string]string{
		"pubmedqa?split=all":           "",
		"is none of yes, no and maybe": `{"12": "perhaps"}`,
		"not JSON from line 1":         `{"12"`,
	} {
		l, err := New(put(t, "{"+instanceOf12+"}", truth), nil)
		if err != nil {
			t.Fatal(err)
		}
		if q, _, err := dataset.Collect(l); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), groundTruth) || len(q) > 0 {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for _, o := range []dataset.Options{{"split": "train"}, {"answers": "labels"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("Known(%v): no error", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("New(%v): no error", o)
		}
	}
	if k, err := Known(nil); err != nil || k.Files[0] != instances {
		t.Error(k, err)
	}
}

// The counts are those that the authors publish: 552, 338 and 110 of all; 276, 169 and 55 of the test split.
func TestPublishedFiles(t *testing.T) {
	path := datasettest.File(t, "pubmedqa", instances)
	for split, want := range map[string]map[string]int{
		"all": {"A": 552, "B": 338, "C": 110}, "test": {"A": 276, "B": 169, "C": 55},
	} {
		l, err := New(path, dataset.Options{"split": split})
		questions, bad := datasettest.Questions(t, l, err)
		gold, lines := map[string]int{}, 0
		for _, q := range questions {
			gold[q.Gold]++
			if q.Source.Line <= lines || len(q.Context) == 0 || q.Note == "" || strings.Contains(strings.Join(q.Context, ""), q.Note) {
				t.Errorf("%s: line %d after %d, %d passages", q.ID, q.Source.Line, lines, len(q.Context))
			}
			lines = q.Source.Line
		}
		if d := cmp.Diff(want, gold); d != "" || len(bad) != 0 {
			t.Error(split, d, bad)
		}
	}
}
