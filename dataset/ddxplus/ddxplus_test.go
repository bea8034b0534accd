package ddxplus

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
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
	return datasettest.Cases(t, l, err)
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
	for name, literal := range map[string]string{
		"mila-iqia/ddxplus:EVIDENCES":                   `['E_1', 'E_2_@_V_3', 'E_2_@_V_7', 'E_5_@_4']`,
		"mila-iqia/ddxplus:EVIDENCES not as neighbours": `['E_1', 'E_2_@_V_3', 'E_5_@_4', 'E_2_@_V_7']`,
	} {
		t.Run(name, func(t *testing.T) {
			p := usual
			p.evidences = literal
			var got []string
			for _, u := range one(t, nil, p).Units {
				got = append(got, u.ID+": "+u.Value)
			}
			if want := []string{"E_1: yes", "E_2=V_3: left knee", "E_2=V_7: chin", "E_5=4: 4 of 5"}; !slices.Equal(got, want) {
				t.Errorf("%s: %q", literal, got)
			}
		})
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
	if err != nil || !slices.Equal(k.Files, []string{"release_validate_patients.csv", "release_validate_patients", "validate.csv", "release_validate_patients_sample.csv"}) {
		t.Errorf("%q, %v", k.Files, err)
	}
	if k, err = Known(nil); err != nil || len(k.Files) != 12 || !slices.Contains(k.Files, sample) {
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
