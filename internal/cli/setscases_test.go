package cli

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/spec"
)

// quiet is an app that finds no data of the user's.
func quiet() *app {
	return &app{env: func(name string) string { return map[string]string{"HOME": "/nowhere"}[name] }, out: &bytes.Buffer{}, err: &bytes.Buffer{}}
}

func isUsage(err error) bool {
	var u usageError
	return errors.As(err, &u)
}

func drawn(data ...spec.Data) spec.Specification { return spec.Specification{Seed: 1, Data: data} }

func idsOf(cases []percuss.Case) []string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestLoadCases(t *testing.T) {
	mine := datasettest.Write(t, "mine.jsonl", `{"units":["The toe hurts.","It is red."],"candidates":["Gout","Sepsis","Lupus"],"gold":"Gout"}`+"\n{}\n")
	few, infos, err := quiet().loadCases(drawn(spec.Data{Data: "demo", N: 3}, spec.Data{Data: "custom:" + mine}))
	if err != nil || len(few) != 4 || len(infos) != 2 {
		t.Fatalf("%d cases, %+v, %v", len(few), infos, err)
	}
	if d := infos[0]; d.Set != "demo" || d.File != "cases.json" || len(d.SHA256) != 64 || d.Rows < 12 || d.Bad != 0 || d.Drawn != 3 || d.Split != "" {
		t.Errorf("%+v", d)
	}
	if d := infos[1]; d.Set != "custom" || d.Rows != 1 || d.Bad != 1 || d.Drawn != 1 || len(d.BadRows) != 1 || !strings.Contains(d.BadRows[0], "mine.jsonl:2: too few candidates") {
		t.Errorf("%+v", d)
	}
	// A smaller sample is the beginning of a larger one, and 0 is all.
	all, infos, err := quiet().loadCases(drawn(spec.Data{Data: "demo"}))
	if err != nil || len(all) != infos[0].Rows || !slices.Equal(idsOf(all)[:3], idsOf(few)[:3]) {
		t.Errorf("%q, %q, %v", idsOf(few), idsOf(all), err)
	}
	other := drawn(spec.Data{Data: "demo"})
	other.Seed = 2
	if moved, _, err := quiet().loadCases(other); err != nil || slices.Equal(idsOf(moved), idsOf(all)) {
		t.Errorf("another seed draws %q, %v", idsOf(moved), err)
	}
}

// The split of the published sample stands in what is kept of a run.
func TestLoadCasesSplit(t *testing.T) {
	folder := filepath.Dir(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"))
	cases, infos, err := quiet().loadCases(drawn(spec.Data{Data: "ddxplus:" + folder, N: 5}))
	if err != nil || len(cases) != 5 || infos[0].Split != "test" || infos[0].Rows != 2430 || infos[0].Bad != 181 || len(infos[0].BadRows) != 100 {
		t.Errorf("%d cases, %+v, %v", len(cases), infos, err)
	}
}

// What an audit cannot ask is refused with the command that can.
func TestTheOtherAudit(t *testing.T) {
	questions := datasettest.Write(t, "q.jsonl", `{"question":"q","options":["x","y"],"answer":"A"}`)
	cases := datasettest.Write(t, "c.jsonl", `{"units":["The toe hurts.","It is red."],"candidates":["Gout","Sepsis","Lupus"],"gold":"Gout"}`)
	for data, want := range map[string]string{
		"medqa?options=5":     "holds questions: use `percuss chain -d medqa?options=5`; the evidence audit needs a set of cases such as demo, custom, ddxplus",
		"custom:" + questions: "the file holds questions, not cases: use `percuss chain`",
		"custom":              "custom:FILE",
		"demo?options=5":      "has no option",
		"demo:x":              "built in",
		"nothing":             "is not known",
		"ddxplus:nowhere.csv": "nowhere.csv",
		"custom:nowhere.json": "nowhere.json",
	} {
		_, _, err := quiet().loadCases(drawn(spec.Data{Data: data}))
		if err == nil || !strings.Contains(err.Error(), want) || !isUsage(err) {
			t.Errorf("%s: %v", data, err)
		}
	}
	for data, want := range map[string]string{
		"cupcase":         "holds cases: use `percuss evidence -d cupcase`; the chain audit needs a set of questions such as demo, medqa",
		"custom:" + cases: "the file holds cases, not questions: use `percuss evidence`",
	} {
		_, _, err := quiet().loadData(drawn(spec.Data{Data: data}))
		if err == nil || !strings.Contains(err.Error(), want) || !isUsage(err) {
			t.Errorf("%s: %v", data, err)
		}
	}
	none := datasettest.Write(t, "none.jsonl", `{"id":7}`)
	if _, _, err := quiet().loadCases(drawn(spec.Data{Data: "custom:" + none})); err == nil || !strings.Contains(err.Error(), "no usable case, 1 bad one; the first: none.jsonl:1: ") {
		t.Error(err)
	}
	if _, _, err := quiet().loadCases(drawn(spec.Data{Data: "demo"}, spec.Data{Data: "demo", N: 2})); err == nil || !strings.Contains(err.Error(), "named twice") {
		t.Error(err)
	}
}

// A file of cases is checked as one, whether --cases is said or not; of a set that holds both it must be said.
func TestDataCheckCases(t *testing.T) {
	file := datasettest.Write(t, "c.jsonl", `{"units":["The toe hurts.","It is red."],"candidates":["Sepsis","Gout","Fracture"],"gold":"Gout"}`+"\n"+
		`{"units":["The toe hurts.","It is red."],"candidates":["Sepsis","Gout","Fracture"],"gold":"Lupus"}`+"\n")
	for _, args := range [][]string{{"custom:" + file}, {"custom:" + file, "--cases"}} {
		status, out, errs := command(t, append([]string{"data", "check"}, args...)...)
		for _, want := range []string{"custom: 1 case kept, 1 dropped", "dropped      1  gold is no candidate\n", `c.jsonl:2: gold is no candidate: "Lupus"`, "narrative  1 case:", "by place 2: 1"} {
			if status != exitDone || !strings.Contains(out, want) && !strings.Contains(unfolded(out), want) {
				t.Errorf("%q: status %d, %q is not in\n%s%s", args, status, want, out, errs)
			}
		}
	}
	status, out, _ := command(t, "data", "check", "demo", "--cases")
	for _, want := range []string{"demo: 14 cases kept, 0 dropped", "gold       14 diagnoses", "always answering A scores", "  linked to others only ", "  symptom of the gold ", "  competitor-supporting ", "  other  "} {
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status %d, %q is not in\n%s", status, want, out)
		}
	}
	if status, out, _ := command(t, "data", "check", "demo"); status != exitDone || !strings.Contains(out, "demo: 32 rows usable") || !strings.Contains(out, "percuss data check demo --cases") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, _, errs := command(t, "data", "check", "medqa", "--cases"); status != exitUsage || !strings.Contains(errs, "holds questions") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestSetsHoldSomething(t *testing.T) {
	for _, s := range dataSets() {
		if s.open == nil && s.cases == nil {
			t.Errorf("%s holds nothing", s.name)
		}
	}
	if got := namesOf(func(s dataSet) bool { return s.holds() == holdsBoth }); !slices.Equal(got, []string{"demo", "custom"}) {
		t.Errorf("%q hold both", got)
	}
	var l listedSet
	errNothing := errors.New("nothing there")
	broken := dataSet{cases: caseOpener(func(string, dataset.Options) (*notedCases, error) { return nil, errNothing })}
	if err := l.count(broken, nil, nil); err != errNothing || l.Rows.OK() || l.Cases.OK() {
		t.Errorf("%+v, %v", l, err)
	}
}
