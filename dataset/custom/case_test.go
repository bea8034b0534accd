package custom

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.CaseLoader = (*CaseLoader)(nil)

func loadCases(t *testing.T, name, content string, o dataset.Options) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	l, err := NewCases(datasettest.Write(t, name, content), o)
	return datasettest.Cases(t, l, err)
}

const (
	findings = `{"id":7,"facts":["Age: 58 years"],"complaint":"Painful toe","units":[{"id":"urate","family":"blood","text":"Urate: 9.1","asked":"What is the urate?","value":9.1,"symptom_of":["Gout"]},` +
		`{"text":"Fever: no","absent":true,"antecedent":false,"symptomOf":["Sepsis"],"antecedent_of":null}],"candidates":["Sepsis","Gout"],"gold":"Gout","note":"crystals"}`
	sentences = `{"units":["The toe hurts.","The urate is high."],"candidates":["Sepsis","Gout","Lupus"],"gold":"gout"}`
)

func TestCasesOfFindings(t *testing.T) {
	cases, bad := loadCases(t, "c.jsonl", findings, nil)
	if len(cases) != 1 {
		t.Fatal(bad)
	}
	want := percuss.Case{ID: "custom:7", Set: Name, Facts: []string{"Age: 58 years", "Initial complaint: Painful toe"},
		Complaint: &percuss.Unit{ID: "complaint", Family: "complaint", Text: "Painful toe"},
		Units: []percuss.Unit{
			{ID: "urate", Family: "blood", Text: "Urate: 9.1", Asked: "What is the urate?", Value: "9.1", SymptomOf: []string{"Gout"}},
			{ID: "U2", Family: "U2", Text: "Fever: no", Absent: true, SymptomOf: []string{"Sepsis"}}},
		Candidates: []string{"Sepsis", "Gout"}, Gold: "Gout", Note: "crystals", Source: cases[0].Source}
	if d := cmp.Diff(want, cases[0]); d != "" {
		t.Error(d)
	}
	if s := cases[0].Source; s.File != "c.jsonl" || s.Line != 1 || len(s.SHA256) != 64 {
		t.Errorf("%+v", s)
	}
}

// Every format gives the same case.
func TestCasesInEveryFormat(t *testing.T) {
	type unit struct {
		Text      string   `parquet:"text"`
		Absent    bool     `parquet:"absent"`
		SymptomOf []string `parquet:"symptom_of,list"`
	}
	type patient struct {
		ID         string   `parquet:"id"`
		Units      []unit   `parquet:"units,list"`
		Candidates []string `parquet:"candidates,list"`
		Gold       string   `parquet:"gold"`
		Note       *string  `parquet:"note,optional"`
	}
	row := `{"id":"a","units":[{"text":"Fever: no","absent":true,"symptom_of":["Sepsis"]},{"text":"Urate: 9"}],"candidates":["Sepsis","Gout"],"gold":"Gout"}`
	files := map[string]string{
		"c.jsonl": row + "\n",
		"c.json":  "[\n" + row + "\n]",
		"c.csv": "id,units,candidates,gold\n" + `a,"[{""text"":""Fever: no"",""absent"":true,""symptom_of"":[""Sepsis""]},{""text"":""Urate: 9""}]",` +
			`"[""Sepsis"",""Gout""]",Gout` + "\n",
		"c.parquet": parquetOf(t, patient{ID: "a", Units: []unit{{"Fever: no", true, []string{"Sepsis"}}, {Text: "Urate: 9"}}, Candidates: []string{"Sepsis", "Gout"}, Gold: "Gout"}),
	}
	want := percuss.Case{ID: "mine:a", Set: "mine", Candidates: []string{"Sepsis", "Gout"}, Gold: "Gout", Units: []percuss.Unit{
		{ID: "U1", Family: "U1", Text: "Fever: no", Absent: true, SymptomOf: []string{"Sepsis"}}, {ID: "U2", Family: "U2", Text: "Urate: 9"}}}
	for name, content := range files {
		cases, bad := loadCases(t, name, content, dataset.Options{"name": "mine", "split": "dev"})
		if len(cases) != 1 {
			t.Errorf("%s: %v", name, bad)
			continue
		}
		if cases[0].Source.Split != "dev" {
			t.Errorf("%s: split %q", name, cases[0].Source.Split)
		}
		cases[0].Source = percuss.Source{}
		if d := cmp.Diff(want, cases[0]); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Sentences make a narrative, unless the row says otherwise; so does the text of a report.
func TestCasesOfSentences(t *testing.T) {
	report := `{"narrative":"A man came in with pain. The toe was red and hot. He had eaten much meat. His father had it too. The urate was very high. It was gout. Needles were seen in it.",` +
		`"facts":"Age: 58 years","candidates":["Sepsis","Gout","Lupus"],"gold":"Gout"}`
	cases, bad := loadCases(t, "c.jsonl", strings.Join([]string{sentences,
		strings.Replace(sentences, `{`, `{"narrative":false,"id":"f",`, 1), report,
		strings.Replace(strings.Replace(findings, `"id":7`, `"narrative":"true"`, 1), `[{"id"`, `[{"text":"The toe hurts."}],"note2":[{"id"`, 1)}, "\n"), nil)
	if len(cases) != 3 || len(bad) != 1 || !strings.Contains(bad[0].Why, `unknown field: "note2"`) {
		t.Fatalf("%d cases, %v", len(cases), bad)
	}
	if c := cases[0]; !c.Narrative || len(c.Units) != 2 || c.Units[0].Family != "" || !dataset.Hashed(c.ID) {
		t.Errorf("%+v", c)
	}
	if c := cases[1]; c.Narrative || c.Units[0].Family != "U1" {
		t.Errorf("%+v", c)
	}
	if c := cases[2]; !c.Narrative || len(c.Units) != 6 || len(c.LeftOut) != 1 || c.Units[5].ID != "S7" || len(c.Facts) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestBadCases(t *testing.T) {
	change := func(from, to string) string {
		if !strings.Contains(findings, from) {
			t.Fatalf("%q is not in the row", from)
		}
		return strings.Replace(findings, from, to, 1)
	}
	rows := []struct{ line, why string }{
		{findings, ""},
		{findings, "duplicate of line 1"},
		{`{"units":`, "not a JSON object"},
		{change(`"gold":"Gout"`, `"gold":"Lupus"`), `gold is no candidate: "Lupus"`},
		{change(`,"gold":"Gout"`, ``), "no gold"},
		{change(`["Sepsis","Gout"]`, `["Gout"]`), "too few candidates: 1"},
		{change(`["Sepsis","Gout"]`, `["Sepsis","Gout","gout"]`), "candidates are the same"},
		{change(`["Sepsis","Gout"]`, `["Sepsis","Gout",["x"]]`), "no list of texts: candidates, item 3 is no text"},
		{change(`["Sepsis","Gout"]`, `{"a":"Gout"}`), "no list: candidates is an object"},
		{change(`["Sepsis","Gout"]`, `"[Sepsis"`), "no list: candidates begins as one but is no JSON"},
		{change(`"text":"Fever: no"`, `"text":" "`), "empty unit: number 2"},
		{change(`"text":"Fever: no"`, `"text":"URATE: 9.1"`), "repeated unit: number 2"},
		{change(`"symptom_of":["Gout"]`, `"symptom_of":["Lupus"]`), `link to no candidate: symptom_of of unit urate names "Lupus"`},
		{change(`"note"`, `"notes"`), `unknown field: "notes"; a case has id, facts,`},
		{change(`"absent"`, `"missing"`), `unknown field: "missing"; a unit has id, text,`},
		{change(`"note"`, `"Gold"`), `field stands twice: "gold"`},
		{change(`"absent":true`, `"absent":"maybe"`), `neither true nor false: absent is "maybe" (unit 2)`},
		{change(`"text":"Fever: no"`, `"text":["Fever"]`), "no text: text is a list or an object (unit 2)"},
		{change(`"complaint":"Painful toe"`, `"complaint":{"words":"Painful toe"}`), `unknown field: "words"; a unit has`},
		{change(`"complaint":"Painful toe"`, `"complaint":["Painful toe"]`), "neither a text nor an object (the complaint)"},
		{change(`"complaint":"Painful toe"`, `"complaint":"{Painful"`), "no complaint: the field begins"},
		{`{"units":["a",{"text":"b"}],"candidates":["Sepsis","Gout"],"gold":"Gout"}`, "mixed units: number 2"},
		{`{"units":[null],"candidates":["Sepsis","Gout"],"gold":"Gout"}`, "neither a text nor an object (unit 1)"},
		{`{"units":"a","candidates":["Sepsis","Gout"],"gold":"Gout"}`, "no list: units is a text"},
		{`{"units":"[a","candidates":["Sepsis","Gout"],"gold":"Gout"}`, "no units: the field begins"},
		{`{"units":[],"candidates":["Sepsis","Gout"],"gold":"Gout"}`, "no units"},
		{change(`"id":7`, `"narrative":"He coughs."`), "units and a text"},
		{change(`"id":7`, `"narrative":["He coughs."]`), "no text: narrative"},
		{change(`"id":7`, `"narrative":true`), "sentence with a role: unit urate"},
		{change(`"symptomOf"`, `"symptoms_of"`), `unknown field: "symptoms_of"; a unit has`},
		{strings.Replace(sentences, `,"Lupus"`, "", 1), "too few candidates: 2; a case of sentences needs at least 3"},
		{strings.Replace(sentences, `,"The urate is high."`, "", 1), "too few sentences: 1 can be used, at least 2 are needed; 0 left out"},
		{strings.Replace(sentences, "The urate is high.", "It was gout.", 1), "too few sentences: 1 can be used, at least 2 are needed; 1 left out"},
		{change(`"id":7`, `"narrative":true`), "sentence with a role: unit urate"},
		{sentences, ""},
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, r.line)
	}
	cases, bad := loadCases(t, "c.jsonl", strings.Join(lines, "\n"), nil)
	at := map[int]string{}
	for _, b := range bad {
		at[b.Line] = b.Why
		if b.File != "c.jsonl" {
			t.Errorf("file %q", b.File)
		}
	}
	if len(cases) != 2 {
		t.Errorf("%d cases", len(cases))
	}
	for i, r := range rows {
		if got := at[i+1]; (got == "") != (r.why == "") || !strings.Contains(got, r.why) {
			t.Errorf("line %d %s: got %q, want %q", i+1, r.line, got, r.why)
		}
	}
}

// Whoever gives a file of the other sort is told the command for it.
func TestTheOtherSort(t *testing.T) {
	for name, content := range map[string]string{"q.jsonl": `{"question":"q","options":["x","y"],"answer":"A"}`, "q.csv": "stem,A,B,answer\nq,x,y,A\n"} {
		l, err := NewCases(datasettest.Write(t, name, content), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := dataset.CollectCases(l); !errors.Is(err, ErrQuestions) || !strings.Contains(err.Error(), "percuss chain") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	l, err := New(datasettest.Write(t, "c.jsonl", findings), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := dataset.Collect(l); !errors.Is(err, ErrCases) || !strings.Contains(err.Error(), "percuss evidence") {
		t.Error(err)
	}
	if _, err := NewCases("c.jsonl", dataset.Options{"stem": "x"}); err == nil || !strings.Contains(err.Error(), "fixed names: id, facts") {
		t.Error(err)
	}
	if _, err := NewCases("", nil); err == nil || !strings.Contains(err.Error(), "custom:FILE") {
		t.Error(err)
	}
	for name, content := range map[string]string{"c.jsonl": "", "c.parquet": "PAR1 nonsense PAR1"} {
		l, err := NewCases(datasettest.Write(t, name, content), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := dataset.CollectCases(l); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever stands in a row, it is a case that holds together or a reason; the same on every reading.
func TestCasesProperty(t *testing.T) {
	value := rapid.SampledFrom([]string{`null`, `""`, `"Gout"`, `true`, `3`, `["Gout","Sepsis"]`, `["Gout",null]`, `{"text":"Gout"}`, `[{"text":"a","symptom_of":["Gout"]}]`, `["The toe hurts."]`, `[[]]`, `"[1"`})
	path := datasettest.Write(t, "c.jsonl", "")
	l, err := NewCases(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var fields []string
		for _, name := range caseFields {
			if rapid.IntRange(0, 4).Draw(rt, "there") > 0 {
				fields = append(fields, `"`+name+`":`+value.Draw(rt, name))
			}
		}
		content := "{" + strings.Join(fields, ",") + "}\n" + findings
		writeFile(rt, path, []byte(content))
		cases, bad, err := dataset.CollectCases(l)
		again, badAgain, _ := dataset.CollectCases(l)
		if err != nil || len(cases)+len(bad) != 2 {
			rt.Fatalf("%d cases, %d bad, %v", len(cases), len(bad), err)
		}
		if d := cmp.Diff(cases, again) + cmp.Diff(bad, badAgain); d != "" {
			rt.Fatal(d)
		}
		for _, c := range cases {
			if why := datasettest.Faults(c); len(why) > 0 {
				rt.Fatalf("%q: %+v", why, c)
			}
		}
	})
}
