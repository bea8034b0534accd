package blind_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/source"
	"github.com/percuss/percuss/review/blind"
)

func patient() percuss.Case {
	return percuss.Case{ID: "secret-item", Set: "secret-set", Facts: []string{"Age: 41 years"}, Gold: "Pneumonia",
		Candidates: []string{"Pneumonia", "Asthma", "GERD"}, Note: "secret-note", Flags: []string{"secret-flag"},
		Units: []percuss.Unit{
			{ID: "secret-1", Family: "secret-family", Text: "Fever: yes", SymptomOf: []string{"secret-link"}},
			{ID: "secret-2", Text: "=1+1 \"quoted\", <b>;\nsecond line", Absent: true},
			{ID: "secret-3", Text: "Toux: oui, fièvre"},
		}}
}

func TestNew(t *testing.T) {
	got, err := blind.New("i1", patient(), "Pneumonia", []string{"secret-3", "secret-1"}, -1.2345)
	if err != nil {
		t.Fatal(err)
	}
	want := blind.Task{ID: "i1", Diagnosis: "Pneumonia", Candidates: []string{"Asthma", "GERD", "Pneumonia"}, Sign: "negative", Strength: 1.23,
		Findings: []string{"Fever: yes", "Toux: oui, fièvre"}, Facts: []string{"Age: 41 years"},
		Case: []blind.Finding{{Text: "Fever: yes", Marked: true}, {Text: patient().Units[1].Text}, {Text: "Toux: oui, fièvre", Marked: true}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if plus, _ := blind.New("i1", patient(), "Pneumonia", []string{"secret-1"}, 0.5); plus.Sign != "positive" || plus.Strength != 0.5 {
		t.Errorf("%s %v", plus.Sign, plus.Strength)
	}
	for _, units := range [][]string{{"secret-9"}, {"secret-1", "secret-1"}} {
		if _, err := blind.New("i1", patient(), "Pneumonia", units, 1); err == nil || !strings.Contains(err.Error(), "secret-item") {
			t.Errorf("%v: %v", units, err)
		}
	}
}

func tasks(t *testing.T) []blind.Task {
	t.Helper()
	var out []blind.Task
	for _, id := range []string{"i2", "i1"} {
		task, err := blind.New(id, patient(), "Pneumonia", []string{"secret-2"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, task)
	}
	return out
}

// Whatever the format: a guide with the words that may be written, then every task, and nothing of the case that a
// reviewer is not to see.
func TestWrite(t *testing.T) {
	for _, f := range blind.Formats() {
		var b bytes.Buffer
		if err := blind.Write(&b, f, tasks(t)); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if strings.Contains(text, "secret") {
			t.Errorf("%s: tells of the case what it should not:\n%s", f, text)
		}
		guide := text[:strings.Index(text, "i2")]
		for _, word := range slices.Concat(blind.Verdicts(), blind.Confidences(), []string{"guide"}) {
			if !strings.Contains(guide, word) {
				t.Errorf("%s: the guide does not name %s", f, word)
			}
		}
		if !strings.Contains(text, "<b>") {
			t.Errorf("%s: a text is written with escapes:\n%s", f, text)
		}
	}
	if err := blind.Write(&bytes.Buffer{}, "xlsx", nil); err == nil || !strings.Contains(err.Error(), "csv") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestLinesAreTasks(t *testing.T) {
	var b bytes.Buffer
	if err := blind.Write(&b, blind.JSONL, tasks(t)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	var guide, task map[string]any
	var back blind.Task
	if json.Unmarshal([]byte(lines[0]), &guide) != nil || json.Unmarshal([]byte(lines[1]), &task) != nil || json.Unmarshal([]byte(lines[1]), &back) != nil || len(lines) != 3 {
		t.Fatalf("not three objects:\n%s", b.String())
	}
	if guide["schema"] != blind.Schema || guide["id"] != blind.GuideID {
		t.Errorf("guide %v", guide)
	}
	for name := range task {
		if guide[name] == nil {
			t.Errorf("the guide does not explain %s", name)
		}
	}
	if d := cmp.Diff(tasks(t)[0], back); d != "" {
		t.Error(d)
	}
}

// A spreadsheet must show every text as it is and take none for a formula; the rows are read back with the reader that
// judgements are read with.
func TestTableSurvivesItsReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := patient()
		c.Gold = rapid.StringMatching(`[=+\-@A-Za-z",; \n]{1,12}`).Draw(t, "diagnosis")
		c.Units[0].Text = rapid.StringMatching(`[=+\-@A-Za-zé",; \n]{0,20}`).Draw(t, "text")
		task, err := blind.New("i1", c, c.Gold, []string{"secret-1"}, 2)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := blind.Write(&b, blind.CSV, []blind.Task{task}); err != nil {
			t.Fatal(err)
		}
		var rows []source.Record
		for r, err := range source.CSV(0, func([]string) bool { return true })(bytes.NewReader(b.Bytes()), "x.csv") {
			if err != nil || r.Bad != nil {
				t.Fatal(err, r.Bad)
			}
			rows = append(rows, r.Value)
		}
		if len(rows) != 2 || rows[1].Header[0] != "id" {
			t.Fatalf("%d rows, %q", len(rows), rows[0].Header)
		}
		cell := func(name string) string { return rows[1].Fields[slices.Index(rows[1].Header, name)] }
		if got := cell("findings"); got != "* "+c.Units[0].Text {
			t.Fatalf("findings %q, want %q", got, c.Units[0].Text)
		}
		if got := cell("diagnosis"); strings.TrimPrefix(got, "'") != c.Gold || strings.ContainsAny(got[:1], "=+-@") {
			t.Fatalf("diagnosis %q of %q", got, c.Gold)
		}
		for _, name := range []string{"judgement", "confidence", "reviewer", "comment"} {
			if cell(name) != "" {
				t.Fatalf("%s comes filled in: %q", name, cell(name))
			}
		}
	})
}
