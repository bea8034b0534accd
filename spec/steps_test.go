package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/spec"
)

// stepsFile is a specification of a step audit, with lines of models and of the audit.
func stepsFile(models, audit string) string {
	return "version: 1\nmodels:\n" + models + "data:\n  - {data: demo, n: 4}\naudits:\n  steps:\n" + audit
}

const twoStudents = "  - {id: a, model: \"sim:faithful?seed=1\", role: before}\n  - {id: b, model: \"sim:faithful?seed=2\", role: after}\n"

func TestReadSteps(t *testing.T) {
	s, err := spec.Read(strings.NewReader(stepsFile(twoStudents+`  - {id: j, model: "sim:judge", role: judge, quality: {sensitivity: 0.9, specificity: 0.95, positives: 50, negatives: 80}}
  - {id: n, model: "sim:neutral", role: paraphraser}
`, "    k: 8\n    temperature: 0.5\n    judged: 12\n")), "steps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := spec.DefaultSteps()
	want.K, want.Temperature, want.Judged, want.Prompts = 8, 0.5, 8, []string{"neutral"}
	want.Views = []string{"markers", "sentence", "paragraph", "raw", "paraphrase"}
	if diff := cmp.Diff(&want, s.Steps); diff != "" {
		t.Errorf("the audit is not what the file says:\n%s", diff)
	}
	if diff := cmp.Diff(&spec.Quality{Sensitivity: 0.9, Specificity: 0.95, Positives: 50, Negatives: 80}, s.Models[2].Quality); diff != "" {
		t.Errorf("quality:\n%s", diff)
	}
	var order []string
	for _, m := range s.Helpers() {
		order = append(order, m.ID)
	}
	if got := strings.Join(order, " "); got != "n j" {
		t.Errorf("asked in the order %q, want the paraphraser first", got)
	}
	if subjects := s.Subjects(); len(subjects) != 2 || cmp.Diff(s.Conditions(subjects[0]), []string{"neutral"}) != "" || s.Conditions(s.Models[3]) != nil {
		t.Errorf("audited: %v, under %v", subjects, s.Conditions(subjects[0]))
	}
}

func TestReadStepsRefuses(t *testing.T) {
	plain := "  - {id: a, model: \"sim:faithful\"}\n"
	for name, c := range map[string]struct{ models, audit, says string }{
		"no chain":           {plain, "    k: 0\n", "steps.yaml:8: -k 0: from 1"},
		"equal chains":       {plain, "    k: 4\n    temperature: 0\n", "--temperature 0: all 4 chains of an item would be the same"},
		"top_p":              {plain, "    top_p: 0\n", "--top-p 0"},
		"repeats":            {plain, "    repeats: 2\n", "--repeats 2"},
		"an unknown view":    {plain, "    views: [markers, colour]\n", "--views \"colour\": there are markers"},
		"a control first":    {plain, "    views: [raw]\n", "\"raw\" cannot come first"},
		"a view twice":       {plain, "    views: [markers, markers]\n", "named twice"},
		"no view":            {plain, "    views: []\n", "name at least one"},
		"nobody paraphrases": {plain, "    views: [markers, paraphrase]\n", "--paraphraser"},
		"nobody shows it":    {plain + "  - {id: n, model: \"sim:neutral\", role: paraphraser}\n", "    views: [markers]\n", "no view shows them"},
		"no judge":           {plain, "    rubric_file: mine.yaml\n", "a rubric is for judges"},
		"two paraphrasers":   {plain + "  - {id: n, model: \"sim:n\", role: paraphraser}\n  - {id: m, model: \"sim:m\", role: paraphraser}\n", "    k: 1\n", "a second paraphraser"},
		"nothing before":     {plain + "  - {id: b, model: \"sim:b\", role: after}\n", "    k: 1\n", "no model has role before"},
		"nothing after":      {plain + "  - {id: b, model: \"sim:b\", role: before}\n", "    k: 1\n", "no model has role after"},
		"a pair of subjects": {"  - {id: a, model: \"sim:faithful\", pair: x}\n", "    k: 1\n", "a pair is of models with role before"},
		"other prompts":      {strings.Replace(twoStudents, "role: after", "role: after, prompts: [strict]", 1), "    k: 2\n", "give both the same prompts"},
		"quality of a model": {"  - {id: a, model: \"sim:faithful\", quality: {sensitivity: 1, specificity: 1}}\n", "    k: 1\n", "quality is that of a judge"},
		"quality of nothing": {plain + "  - {id: j, model: \"sim:judge\", role: judge, quality: {sensitivity: 2, specificity: 1}}\n", "    k: 1\n", "sensitivity 2"},
		"an unknown field":   {plain, "    kk: 1\n", "kk"},
	} {
		_, err := spec.Read(strings.NewReader(stepsFile(c.models, c.audit)), "steps.yaml")
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "steps.yaml:") && name != "an unknown field" {
			t.Errorf("%s: %v, want an error with a line that says %q", name, err, c.says)
		}
	}
	chain := strings.Replace(stepsFile(twoStudents, ""), "steps:", "chain: {}", 1)
	if _, err := spec.Read(strings.NewReader(chain), "chain.yaml"); err == nil || !strings.Contains(err.Error(), "role before belongs to the step audit") {
		t.Errorf("a chain audit of a model before a change: %v", err)
	}
	cases := strings.Replace(stepsFile(twoStudents, "    k: 2\n"), "data: demo", "data: ddxplus", 1)
	if _, err := spec.Read(strings.NewReader(cases), "cases.yaml"); err == nil || !strings.Contains(err.Error(), "the step audit needs questions") {
		t.Errorf("a step audit of cases: %v", err)
	}
}

func TestPairs(t *testing.T) {
	m := func(id, role, pair string) spec.Model { return spec.Model{ID: id, Role: role, Pair: pair} }
	for name, c := range map[string]struct {
		models []spec.Model
		want   []spec.Pair
		says   string
	}{
		"none":            {models: []spec.Model{m("a", "", ""), m("j", spec.Judge, "")}},
		"one":             {models: []spec.Model{m("b", spec.After, ""), m("a", spec.Before, "")}, want: []spec.Pair{{Before: "a", After: "b"}}},
		"with a teacher":  {models: []spec.Model{m("a", spec.Before, ""), m("b", spec.After, ""), m("t", spec.Teacher, "")}, want: []spec.Pair{{Before: "a", After: "b", Teacher: "t"}}},
		"checkpoints":     {models: []spec.Model{m("a", spec.Before, ""), m("b", spec.After, ""), m("c", spec.After, "")}, want: []spec.Pair{{Name: "b", Before: "a", After: "b"}, {Name: "c", Before: "a", After: "c"}}},
		"one by one":      {models: []spec.Model{m("a", spec.Before, ""), m("x", spec.Before, ""), m("b", spec.After, ""), m("y", spec.After, "")}, want: []spec.Pair{{Name: "b", Before: "a", After: "b"}, {Name: "y", Before: "x", After: "y"}}},
		"named":           {models: []spec.Model{m("a", spec.Before, "p"), m("x", spec.Before, "q"), m("y", spec.After, "q"), m("b", spec.After, "p"), m("t", spec.Teacher, ""), m("u", spec.Teacher, "q")}, want: []spec.Pair{{Name: "p", Before: "a", After: "b", Teacher: "t"}, {Name: "q", Before: "x", After: "y", Teacher: "u"}}},
		"not told":        {models: []spec.Model{m("a", spec.Before, ""), m("x", spec.Before, ""), m("b", spec.After, ""), m("c", spec.After, ""), m("d", spec.After, "")}, says: "pair: NAME"},
		"two in one pair": {models: []spec.Model{m("a", spec.Before, "p"), m("x", spec.Before, "p"), m("b", spec.After, "p")}, says: "two models of one role"},
		"half a pair":     {models: []spec.Model{m("a", spec.Before, "p")}, says: "pair \"p\""},
	} {
		got, err := spec.Specification{Models: c.models}.Pairs()
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) || c.says == "" && err != nil {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestExtendSteps(t *testing.T) {
	read := func(audit string) spec.Specification {
		s, err := spec.Read(strings.NewReader(stepsFile(twoStudents, audit)), "steps.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old, same := read("    k: 8\n    style_file: a.yaml\n"), read("    k: 8\n    style_file: b.yaml\n")
	merged, differences := spec.Extend(old, same)
	if len(differences) > 0 || merged.Steps.StyleFile != "b.yaml" {
		t.Errorf("a moved file: %q, %+v", differences, merged.Steps)
	}
	if _, differences = spec.Extend(old, read("    k: 16\n")); len(differences) != 1 || !strings.Contains(differences[0], "k: the run has 8, this command says 16") {
		t.Errorf("another k: %q", differences)
	}
	if _, differences = spec.Extend(old, spec.Specification{Version: 1, Seed: old.Seed, Models: old.Models, Data: old.Data}); len(differences) == 0 {
		t.Error("a run of a step audit goes on as one of another audit")
	}
}
