package ddxplus

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

var _ dataset.CaseLoader = (*Loader)(nil)

// Our own dictionaries, in the form of the published ones.
const (
	ourEvidences = `{
"E_1": {"question_en": "Do you have a fever?", "code_question": "E_1", "is_antecedent": false, "data_type": "B", "possible-values": [], "value_meaning": {}},
"E_2": {"question_en": "Where does it hurt?", "code_question": "E_6", "is_antecedent": false, "data_type": "M", "possible-values": ["V_3", "V_7", "V_9"],
 "value_meaning": {"V_3": {"en": "left knee", "fr": "genou(G)"}, "V_7": {"en": "chin", "fr": "menton"}, "V_9": {"en": "nowhere", "fr": "nulle part"}}},
"E_5": {"question_en": "How strong is it?", "code_question": "E_6", "is_antecedent": false, "data_type": "C", "possible-values": [0, 1, 2, 3, 4, 5], "value_meaning": {}},
"E_6": {"question_en": "Do you feel pain?", "code_question": "E_6", "is_antecedent": false, "data_type": "B", "possible-values": [], "value_meaning": {}},
"E_7": {"question_en": "Have you ever smoked?", "code_question": "E_7", "is_antecedent": true, "data_type": "B", "possible-values": [], "value_meaning": {}},
"E_8": {"question_en": "Have you travelled?", "code_question": "E_8", "is_antecedent": true, "data_type": "C", "possible-values": ["V_0", "V_1"],
 "value_meaning": {"V_0": {"en": "N"}, "V_1": {"en": "Asia"}}}
}`
	ourConditions = `{
"Grippe": {"symptoms": {"E_1": {}, "E_2": {}}, "antecedents": {"E_8": {}}},
"Chagas' disease": {"symptoms": {"E_1": {}, "E_6": {}}, "antecedents": {"E_7": {}}},
"URTI": {"symptoms": {}, "antecedents": {"E_1": {}}}
}`
)

// patient is a row of the patients' file.
type patient struct{ age, differential, sex, gold, evidences, complaint string }

var usual = patient{"8", `[['URTI', 0.6], ["Chagas' disease", 0.3], ['Grippe', 0.1]]`, "M", "Chagas' disease",
	`['E_1', 'E_2_@_V_3', 'E_5_@_0', 'E_6', 'E_2_@_V_7', 'E_7', 'E_8_@_V_0']`, "E_6"}

var header = []string{"AGE", "DIFFERENTIAL_DIAGNOSIS", "SEX", "PATHOLOGY", "EVIDENCES", "INITIAL_EVIDENCE"}

// folder writes the files of a set and returns the path of the patients.
func folder(t testing.TB, evidences, conditions string, rows ...patient) string {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	records := [][]string{header}
	for _, p := range rows {
		records = append(records, []string{p.age, p.differential, p.sex, p.gold, p.evidences, p.complaint})
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{evidencesFile: evidences, conditionsFile: conditions, "release_validate_patients.csv": b.String()} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "release_validate_patients.csv")
}

// load reads rows with our own dictionaries.
func load(t testing.TB, o dataset.Options, rows ...patient) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	l, err := New(folder(t, ourEvidences, ourConditions, rows...), o)
	if err != nil {
		t.Fatal(err)
	}
	cases, bad, err := dataset.CollectCases(l)
	if err != nil {
		t.Fatal(err)
	}
	return cases, bad
}

// one reads a single row that can be used.
func one(t testing.TB, o dataset.Options, p patient) percuss.Case {
	t.Helper()
	cases, bad := load(t, o, p)
	if len(cases) != 1 {
		t.Fatalf("%+v: %v", p, bad)
	}
	return cases[0]
}

func TestCase(t *testing.T) {
	got := one(t, nil, usual)
	chagas, grippe, urti := "Chagas' disease", "Grippe", "URTI"
	want := percuss.Case{
		ID: got.ID, Set: Name, Gold: chagas, Candidates: []string{urti, chagas, grippe},
		Facts:     []string{"Age: 8 years", "Sex: male", "Initial complaint: Feel pain"},
		Complaint: &percuss.Unit{ID: "E_6", Family: "E_6", Text: "Feel pain: yes", Asked: "Do you feel pain?", Value: "yes", SymptomOf: []string{chagas}},
		Units: []percuss.Unit{
			{ID: "E_1", Family: "E_1", Text: "Fever: yes", Asked: "Do you have a fever?", Value: "yes", SymptomOf: []string{chagas, grippe}, AntecedentOf: []string{urti}},
			{ID: "E_2=V_3", Family: "E_6", Text: "Where does it hurt? left knee", Asked: "Where does it hurt?", Value: "left knee", SymptomOf: []string{grippe}},
			{ID: "E_2=V_7", Family: "E_6", Text: "Where does it hurt? chin", Asked: "Where does it hurt?", Value: "chin", SymptomOf: []string{grippe}},
			{ID: "E_5=0", Family: "E_6", Text: "How strong is it? 0 of 5", Asked: "How strong is it?", Value: "0 of 5", Absent: true},
			{ID: "E_7", Family: "E_7", Text: "Ever smoked: yes", Asked: "Have you ever smoked?", Value: "yes", Antecedent: true, AntecedentOf: []string{chagas}},
			{ID: "E_8=V_0", Family: "E_8", Text: "Travelled: no", Asked: "Have you travelled?", Value: "no", Absent: true, Antecedent: true, AntecedentOf: []string{grippe}},
		},
		Source: got.Source,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got.Source.Line != 2 || got.Source.Split != validate || len(got.Source.SHA256) != 64 || !dataset.Hashed(got.ID) {
		t.Errorf("%s, %+v", got.ID, got.Source)
	}
	older := usual
	older.age = "9"
	if one(t, nil, older).ID == got.ID {
		t.Error("the id does not depend on the whole row")
	}
}

// mila-iqia/ddxplus:EVIDENCES: a Python list, no JSON; values of one code are collected though not neighbours; a code
// without a value means yes.
func TestTrialCaseEvidences(t *testing.T) {
	for _, literal := range []string{
		`['E_1', 'E_2_@_V_3', 'E_2_@_V_7', 'E_5_@_4']`,
		`['E_1', 'E_2_@_V_3', 'E_5_@_4', 'E_2_@_V_7']`,
	} {
		p := usual
		p.evidences = literal
		var got []string
		for _, u := range one(t, nil, p).Units {
			got = append(got, u.ID+": "+u.Value)
		}
		if want := []string{"E_1: yes", "E_2=V_3: left knee", "E_2=V_7: chin", "E_5=4: 4 of 5"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q", literal, got)
		}
	}
}

func TestDroppedRows(t *testing.T) {
	change := func(f func(*patient)) patient { p := usual; f(&p); return p }
	rows := []struct {
		row patient
		why string
	}{
		{usual, ""},
		{usual, "duplicate of line 2"},
		{change(func(p *patient) { p.gold = " " }), "no gold"},
		{change(func(p *patient) { p.differential = "" }), "no differential"},
		{change(func(p *patient) { p.differential = "[]" }), "no differential"},
		{change(func(p *patient) { p.differential = "[['URTI']]" }), "DIFFERENTIAL_DIAGNOSIS is no list of names with probabilities: character"},
		{change(func(p *patient) { p.differential = `[["Chagas' disease", 1.0]]` }), "fewer than 2 candidates"},
		{change(func(p *patient) { p.differential = `[['Flu', 1.0]]` }), `unknown diagnosis: "Flu" is not in release_conditions.json`},
		{change(func(p *patient) { p.gold = "Chagas" }), `unknown diagnosis: "Chagas"`},
		{change(func(p *patient) { p.age = "x" }), `unknown age: "x"`},
		{change(func(p *patient) { p.age = "-1" }), `unknown age: "-1"`},
		{change(func(p *patient) { p.age = "131" }), `unknown age`},
		{change(func(p *patient) { p.sex = "" }), `unknown sex: ""`},
		{change(func(p *patient) { p.complaint = "E_99" }), `unknown evidence: "E_99" is not in release_evidences.json`},
		{change(func(p *patient) { p.evidences = `['E_1', 'E_98']` }), `unknown evidence: "E_98"`},
		{change(func(p *patient) { p.evidences = `['E_2_@_V_4']` }), `unknown value: "E_2_@_V_4"`},
		{change(func(p *patient) { p.evidences = `['E_5_@_6']` }), `unknown value: "E_5_@_6"`},
		{change(func(p *patient) { p.evidences = `['E_1_@_V_3']` }), `unknown value: "E_1_@_V_3"`},
		{change(func(p *patient) { p.evidences = `['E_1_@_']` }), `unknown value: "E_1_@_"`},
		{change(func(p *patient) { p.evidences = `['E_2']` }), "no value: E_2 asks for one of 3 values"},
		{change(func(p *patient) { p.evidences = `['']` }), `unknown evidence: ""`},
		{change(func(p *patient) { p.evidences = `{"E_1": 1}` }), "EVIDENCES is no list of codes: character 1"},
		{change(func(p *patient) { p.evidences = `['E_1', 'E_6', 'E_7', 'E_1', 'E_8_@_V_1']` }), "fewer than 4 findings beside the complaint: 3"},
		{change(func(p *patient) { p.age = "40" }), ""},
	}
	var patients []patient
	for _, r := range rows {
		patients = append(patients, r.row)
	}
	cases, bad := load(t, nil, patients...)
	at := map[int]string{}
	for _, b := range bad {
		at[b.Line] = b.Why
	}
	for i, r := range rows {
		if got, dropped := at[i+2]; dropped != (r.why != "") || !strings.HasPrefix(got, r.why) {
			t.Errorf("row %d: %q, want %q", i, got, r.why)
		}
	}
	if len(cases)+len(bad) != len(rows) || len(cases) != 2 {
		t.Errorf("%d cases, %d dropped of %d", len(cases), len(bad), len(rows))
	}
}

func TestFlags(t *testing.T) {
	p := usual
	p.differential = `[['URTI', 0.6], ['URTI', 0.3], ['Grippe', 0.1]]`
	p.evidences = `['E_1', 'E_1', 'E_2_@_V_9', 'E_7', 'E_2_@_V_3']`
	c := one(t, nil, p)
	if want := []string{GoldAdded, Merged, Contradiction}; !slices.Equal(c.Flags, want) || !slices.Equal(c.Candidates, []string{"URTI", "Grippe", "Chagas' disease"}) {
		t.Errorf("%q, %q", c.Flags, c.Candidates)
	}
	if want := []percuss.LeftOut{{Text: "Fever: yes", Why: "repeats another"}}; !slices.Equal(c.LeftOut, want) || len(c.Units) != 4 {
		t.Errorf("%v, %d units", c.LeftOut, len(c.Units))
	}
	p = usual
	p.complaint, p.age = "", "1"
	if c := one(t, nil, p); c.Complaint != nil || !slices.Equal(c.Facts, []string{"Age: 1 year", "Sex: male"}) || len(c.Units) != 7 || c.Flags != nil {
		t.Errorf("%q, %d units, %q", c.Facts, len(c.Units), c.Flags)
	}
}

// Whatever the differential: the gold stays, the kept ones are at least as probable as those that went, in order.
func TestCandidatesProperty(t *testing.T) {
	names := make([]string, 40)
	d := dictionaries{conditions: map[string]condition{}}
	for i := range names {
		names[i] = fmt.Sprintf("D%02d", i)
		d.conditions[names[i]] = condition{}
	}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.Permutation(names).Draw(t, "order")[:rapid.IntRange(1, 40).Draw(t, "n")]
		gold := rapid.SampledFrom(names).Draw(t, "gold")
		p := map[string]float64{}
		var b []string
		for _, n := range list {
			p[n] = float64(rapid.IntRange(0, 9).Draw(t, "p")) / 10
			b = append(b, fmt.Sprintf("['%s', %v]", n, p[n]))
		}
		got, flags, err := caseReader{dictionaries: d}.candidates("["+strings.Join(b, ", ")+"]", gold)
		whole := list
		if !slices.Contains(list, gold) {
			whole = append(slices.Clone(list), gold)
		}
		if len(whole) < 2 {
			if err == nil {
				t.Fatal("one candidate is no choice")
			}
			return
		}
		if err != nil || len(got) != min(len(whole), 20) || !slices.Contains(got, gold) {
			t.Fatalf("%q, %v", got, err)
		}
		if slices.Contains(flags, GoldAdded) != !slices.Contains(list, gold) || slices.Contains(flags, DifferentialCut) != (len(whole) > 20) || slices.Contains(flags, Merged) {
			t.Fatal(flags)
		}
		kept := slices.DeleteFunc(slices.Clone(whole), func(n string) bool { return !slices.Contains(got, n) })
		if !slices.Equal(kept, got) {
			t.Fatalf("another order than the file's: %q of %q", got, whole)
		}
		for _, in := range got {
			for _, out := range whole {
				if !slices.Contains(got, out) && in != gold && p[in] < p[out] {
					t.Fatalf("%s (%v) stays, %s (%v) goes", in, p[in], out, p[out])
				}
			}
		}
	})
}

func TestImplicitAbsent(t *testing.T) {
	p := usual
	p.evidences = `['E_2_@_V_3', 'E_5_@_4', 'E_7', 'E_8_@_V_1']`
	o := dataset.Options{"implicit-absent": "yes"}
	c := one(t, o, p)
	last := c.Units[len(c.Units)-1]
	if len(c.Units) != 5 || last.ID != "E_1" || !last.Implicit || !last.Absent || last.Text != "Fever: no" || len(last.SymptomOf) != 2 {
		t.Errorf("%d units, last %+v", len(c.Units), last)
	}
	p.evidences = `['E_7', 'E_8_@_V_1']`
	if cases, _ := load(t, o, p); len(cases) != 0 {
		t.Error("findings that nobody recorded make a case long enough")
	}
	if got := one(t, dataset.Options{"findings": "2"}, p); len(got.Units) != 2 {
		t.Errorf("%d units", len(got.Units))
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []dataset.Options{{"findings": "0"}, {"findings": "x"}, {"implicit-absent": "1"}, {"split": "dev"}, {"splits": "test"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("Known(%v): no error", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("New(%v): no error", o)
		}
	}
	k, err := Known(dataset.Options{"split": "validation"})
	if err != nil || !slices.Equal(k.Files, []string{"release_validate_patients.csv", "release_validate_patients", "release_validate_patients_sample.csv"}) {
		t.Errorf("%q, %v", k.Files, err)
	}
	if k, err = Known(nil); err != nil || len(k.Files) != 9 || !slices.Contains(k.Files, sample) {
		t.Errorf("%q, %v", k.Files, err)
	}
	if c := one(t, dataset.Options{"split": "train"}, usual); c.Source.Split != train {
		t.Errorf("split %q: what the user says comes before the file's name", c.Source.Split)
	}
	for path, want := range map[string]string{"a/release_test_patients_sample.csv": test, "validate.csv": validate, "Valid.csv": validate,
		"test/mine.csv": "", "train-test.csv": "", "latest.csv": "", "release_train_patients": train} {
		if got := splitOf(path); got != want {
			t.Errorf("%s: split %q, want %q", path, got, want)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	replace := func(in, old, new string) string { return strings.Replace(in, old, new, 1) }
	for _, c := range []struct{ evidences, conditions, want string }{
		{"", ourConditions, "needs release_evidences.json and release_conditions.json beside it"},
		{ourEvidences, "", "needs release_evidences.json and release_conditions.json beside it"},
		{"{", ourConditions, "not JSON"},
		{replace(ourEvidences, `"data_type": "M"`, `"data_type": "D"`), ourConditions, `release_evidences.json:3: evidence E_2: data_type "D"`},
		{replace(ourEvidences, `"data_type": "M"`, `"data_type": "B"`), ourConditions, "data_type B with 3 possible-values"},
		{replace(ourEvidences, "Do you have a fever?", ""), ourConditions, "evidence E_1 has no question_en"},
		{replace(ourEvidences, `"left knee"`, `""`), ourConditions, `evidence E_2: value "V_3" has no English meaning`},
		{replace(ourEvidences, `[0, 1`, `[null, {}`), ourConditions, `evidence E_5: value`},
		{replace(ourEvidences, `"E_2":`, `"E_1":`), ourConditions, `evidence "E_1" has no code of its own`},
		{replace(ourEvidences, `"is_antecedent": false`, `"is_antecedent": "no"`), ourConditions, `evidence "E_1": json`},
		{ourEvidences, replace(ourConditions, "E_8", "E_80"), `condition "Grippe" lists "E_80"`},
		{ourEvidences, replace(ourConditions, `"URTI"`, `"Grippe"`), `condition "Grippe" has no name of its own`},
		{ourEvidences, `{"Grippe": 3}`, `condition "Grippe"`},
	} {
		l, err := New(folder(t, c.evidences, c.conditions, usual), nil)
		if err == nil {
			_, _, err = dataset.CollectCases(l)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "data set ddxplus: ") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestPatientsThatCannotBeRead(t *testing.T) {
	path := folder(t, ourEvidences, ourConditions, usual)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(raw), "PATHOLOGY", "diagnosis", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	l, _ := New(path, nil)
	if cases, bad, err := dataset.CollectCases(l); err == nil || len(cases)+len(bad) != 0 || !strings.Contains(err.Error(), "no column PATHOLOGY, the file has AGE, ") {
		t.Errorf("%d, %d, %v", len(cases), len(bad), err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := dataset.CollectCases(l); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What is left of a question must still make sense before a colon; else the question stays whole.
func TestNote(t *testing.T) {
	for question, want := range map[string]string{
		"Do you have a fever?":               "Fever: yes",
		"Do you have an active cancer?":      "Active cancer: yes",
		"Do you have any lesions?":           "Lesions: yes",
		"Have you ever had pneumonia?":       "Ever had pneumonia: yes",
		"Do you feel anxious?":               "Feel anxious: yes",
		"Are you infected with HIV?":         "Infected with HIV: yes",
		"Characterize your pain:":            "Characterize your pain: yes",
		"How intense is the pain?":           "How intense is the pain? yes",
		"Do you smoke or do you chew?":       "Do you smoke or do you chew? yes",
		"Have you or a sister ever had it?":  "Have you or a sister ever had it? yes",
		"Do you cough or is a cold going on": "Do you cough or is a cold going on yes",
		"Do you wheeze or is your nose red?": "Do you wheeze or is your nose red? yes",
	} {
		if got := (evidence{question: question}).note(yes); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
