package medcase

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.CaseLoader = (*Loader)(nil)

func collect(t *testing.T, path string) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	l, err := New(path, nil)
	return datasettest.Cases(t, l, err)
}

// The one real row of the set that is at hand.
func TestPublishedRow(t *testing.T) {
	cases, bad := collect(t, datasettest.File(t, "medcasereasoning", "train_row0.jsonl"))
	if len(cases) != 1 || len(bad) != 0 {
		t.Fatalf("%d cases, bad %v", len(cases), bad)
	}
	c := cases[0]
	want := []string{"Traumatic neuroma", "Infection or inflammation", "Mucosal neuroma", "Neurofibroma", "Palisading neuroma", "Neurovascular hamartoma"}
	if d := cmp.Diff(want, c.Candidates); d != "" {
		t.Error(d)
	}
	if c.ID != "medcase:PMC4863315" || c.Gold != "Traumatic neuroma" || c.Source.Split != "train" || len(c.Units) != 7 || len(c.LeftOut) != 0 || len(c.Flags) != 0 {
		t.Errorf("%s %q %q, %d units, left out %v, flags %q", c.ID, c.Gold, c.Source.Split, len(c.Units), c.LeftOut, c.Flags)
	}
	if !strings.HasPrefix(c.Units[0].Text, "A 30-year-old man") || !strings.HasPrefix(c.Note, "1. Infection") {
		t.Errorf("first unit %q, note %q", c.Units[0].Text, c.Note)
	}
	for _, u := range c.Units {
		if strings.Contains(strings.ToLower(u.Text), "traumatic neuroma") {
			t.Errorf("%s tells the diagnosis: %q", u.ID, u.Text)
		}
	}
}

// The ten rows of testdata, each written for one turn of the rule.
func TestWrittenRows(t *testing.T) {
	cases, bad := collect(t, filepath.Join("testdata", "ten.jsonl"))
	got := map[int][]string{}
	flags := map[int][]string{}
	for _, c := range cases {
		got[c.Source.Line], flags[c.Source.Line] = c.Candidates, c.Flags
	}
	want := map[int][]string{
		1: {"Gout", "Septic arthritis", "Lyme disease"},
		2: {"Sarcoidosis", "Tuberculosis", "Hodgkin lymphoma", "Histoplasmosis"},
		3: {"Acute appendicitis", "Ovarian torsion", "Ectopic pregnancy"},
		4: {"Scrub typhus", "Dengue", "Malaria", "Typhoid fever", "Leptospirosis", "Influenza", "Brucellosis", "Measles"},
		5: {"Wilson disease", "Autoimmune hepatitis", "Hemochromatosis"},
		6: {"Deep vein thrombosis (DVT)", "Cellulitis", "Ruptured Baker cyst"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{dataset.CutCandidates}, flags[4]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[int]string{
		7: "too few candidates: 2 that differ",
		8: "too few sentences: 5 can be used, at least 6 are needed; 2 were left out",
		9: "no diagnosis", 10: "no case",
	}, whys(bad), cmp.Comparer(func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) })); d != "" {
		t.Error(d)
	}
	for _, c := range cases {
		if c.Source.Line == 6 && (len(c.LeftOut) != 2 || !dataset.Hashed(c.ID)) {
			t.Errorf("line 6: id %s, left out %v", c.ID, c.LeftOut)
		}
	}
}

// The twelve rows of a file in the published form, written so that all can be audited: six sentences or more that do
// not tell, three candidates or more, and the split in the file's name.
func TestWrittenFile(t *testing.T) {
	cases, bad := collect(t, filepath.Join("testdata", "written_test.jsonl"))
	if len(cases) != 12 || len(bad) != 0 {
		t.Fatalf("%d cases, bad %v", len(cases), bad)
	}
	told := 0
	for _, c := range cases {
		if len(c.Units) < 6 || len(c.Units) > 8 || len(c.Candidates) < 4 || len(c.Flags) != 0 || c.Source.Split != "test" || c.Note == "" {
			t.Errorf("%s: %d units, candidates %q, flags %q, split %q", c.ID, len(c.Units), c.Candidates, c.Flags, c.Source.Split)
		}
		told += len(c.LeftOut)
		for _, l := range c.LeftOut {
			if !strings.HasPrefix(l.Why, "names the gold: ") {
				t.Errorf("%s: %q left out: %s", c.ID, l.Text, l.Why)
			}
		}
	}
	if told != 4 {
		t.Errorf("%d sentences name the gold, want 4", told)
	}
}

func whys(bad []*dataset.BadRow) map[int]string {
	m := map[int]string{}
	for _, b := range bad {
		m[b.Line] = b.Why
	}
	return m
}

func TestConsidered(t *testing.T) {
	for reasoning, want := range map[string][]string{
		"1. Gout was considered because of pain.":                                             {"Gout"},
		"1) Warts were also considered.\n2) The flu was not considered.":                      {"Warts", "Flu"},
		"**1. Lupus** was initially considered.":                                              {"Lupus"},
		"1. **Lupus** was considered.":                                                        {"Lupus"},
		"1. A diagnosis of gout, was considered.":                                             {"Gout"},
		"Gout was considered.":                                                                nil, // no numbered item
		"1. We thought of gout.":                                                              nil,
		"1. Pain. “Gout was considered.”":                                                     nil, // a quotation
		"1. One of the many diagnoses that nobody would have thought of here was considered.": nil,
		"1. Acute lymphoblastic leukemia (ALL) and lymphoma were considered due to nodes.":    {"Acute lymphoblastic leukemia (ALL) and lymphoma"},
		"": nil,
	} {
		if d := cmp.Diff(want, considered(reasoning)); d != "" {
			t.Errorf("%q: %s", reasoning, d)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for _, name := range considered("1. " + text + " was considered\n2. " + text) {
			if name == "" || len(strings.Fields(name)) > longestName {
				t.Fatalf("%q is taken for a diagnosis", name)
			}
		}
	})
}

// The published files are Parquet: rows read from one are those read from JSON lines.
func TestParquet(t *testing.T) {
	type published struct {
		Number    int64  `parquet:"Unnamed: 0"`
		PMCID     string `parquet:"pmcid"`
		Title     string `parquet:"title"`
		Prompt    string `parquet:"case_prompt,optional"`
		Reasoning string `parquet:"diagnostic_reasoning"`
		Diagnosis string `parquet:"final_diagnosis"`
	}
	lines, err := os.ReadFile(filepath.Join("testdata", "ten.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []published
	for line := range strings.Lines(string(lines)) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, published{int64(len(rows)), r.PMCID, "A title", r.Prompt, r.Reasoning, r.Diagnosis})
	}
	path := filepath.Join(t.TempDir(), "test-00000-of-00001.parquet")
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	want, wantBad := collect(t, filepath.Join("testdata", "ten.jsonl"))
	got, gotBad := collect(t, path)
	if d := cmp.Diff(whys(wantBad), whys(gotBad)); d != "" {
		t.Error(d)
	}
	for i := range want {
		want[i].Source = percuss.Source{}
	}
	for i := range got {
		if got[i].Source.Split != "test" || len(got[i].Source.SHA256) != 64 {
			t.Errorf("source %+v", got[i].Source)
		}
		got[i].Source = percuss.Source{}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDamagedFiles(t *testing.T) {
	for name, content := range map[string]string{"a.parquet": "PAR1 nothing PAR1", "b.parquet": ""} {
		l, err := New(datasettest.Write(t, name, content), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := dataset.CollectCases(l); err == nil || !strings.Contains(err.Error(), "Parquet") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, bad := collect(t, datasettest.Write(t, "c.jsonl", "{\n[1]\n{}\n\xff\n"))
	if len(bad) != 4 {
		t.Errorf("bad %v", bad)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []dataset.Options{{"split": "dev"}, {"years": "5"}} {
		if _, err := New("x", o); err == nil {
			t.Errorf("New takes %v", o)
		}
		if _, err := Known(o); err == nil {
			t.Errorf("Known takes %v", o)
		}
	}
	k, err := Known(dataset.Options{"split": "val"})
	if err != nil || k.Files[0] != "val.jsonl" {
		t.Errorf("%+v, %v", k, err)
	}
	if l, err := New("x/val-00000.parquet", nil); err != nil || l.split != "val" {
		t.Errorf("%+v, %v", l, err)
	}
}
