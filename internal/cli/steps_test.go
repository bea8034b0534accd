package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

// stepPair are the flags of a small comparison with a judge.
var stepPair = []string{"--before", "sim:stepwise", "--after", "sim:stepwise?error=0.3", "--judge", "sim:step-judge", "-d", "demo", "-n", "3", "-k", "3"}

// stepsInto runs a step audit into a folder of its own, which it returns.
func stepsInto(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	must(t, append(append([]string{"steps"}, args...), "-o", dir)...)
	return dir
}

// stepsOf is the report of a step audit.
func stepsOf(t *testing.T, dir string) steps.Report {
	t.Helper()
	var r steps.Report
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// What a flag cannot mean ends with status 2 and says what to write, before a folder is made.
func TestStepsRefuse(t *testing.T) {
	judged := []string{"--judge", "sim:step-judge"}
	for says, more := range map[string][]string{
		"-k 0: from 1 to 4096":                         {"-k", "0"},
		"-k 5000: from 1":                              {"-k", "5000"},
		"give a temperature above 0, or -k 1":          {"--temperature", "0"},
		"--temperature NaN: from 0 to 5":               {"--temperature", "NaN"},
		"--top-p 0: above 0":                           {"--top-p", "0"},
		"--repeats NaN: a share":                       append(judged, "--repeats", "NaN"),
		"--repeats: there is no judge":                 {"--repeats", "0.5"},
		"--judged -1: from 0":                          {"--judged", "-1"},
		"has a judge and no step for it":               append(judged, "--judged", "0"),
		"--most 0: from 1":                             {"--most", "0"},
		"--max-tokens 0: from 1":                       {"--max-tokens", "0"},
		`"raw" cannot come first`:                      {"--views", "raw,markers"},
		`--views "colour": there are`:                  {"--views", "markers,colour"},
		`"markers" is named twice`:                     {"--views", "markers,markers"},
		"name at least one of markers":                 {"--views", ""},
		"no model paraphrases":                         {"--views", "markers,paraphrase"},
		"no view shows them":                           {"--views", "markers", "--paraphraser", "sim:paraphraser"},
		"no chain is shown so":                         {"--control", "0", "--paraphraser", "sim:paraphraser"},
		`no prompt condition "kind"`:                   {"--prompt", "kind"},
		"a rubric is for judges":                       {"--rubric", "none.yaml"},
		"open rubric.none: ":                           append(judged, "--rubric", "rubric.none"),
		"open style.none: ":                            {"--style", "style.none"},
		"open prompts.none: ":                          {"--prompts", "prompts.none"},
		"--judge-quality: there is no judge":           {"--judge-quality", "x=1,1"},
		"there is no such judge: there are step-judge": append(judged, "--judge-quality", "x=1,1"),
		"is no count of a count":                       append(judged, "--judge-quality", "step-judge=50/45,1"),
		"--judge-family: there is no judge":            {"--judge-family", "x"},
		"no simulated model":                           {"--judge", "sim:nobody"},
		"no model has role after (--after)":            {"--before", "sim:inert"},
		"no model has role before (--before)":          {"--after", "sim:inert"},
		"say with pair: NAME which belong together":    {"--before", "sim:inert", "--before", "sim:random", "--after", "sim:stepwise", "--after", "sim:always-a", "--after", "sim:derail"},
		"model after-inert is model inert once more":   {"--before", "sim:inert", "--after", "sim:inert"},
		"no model of this run is behind a service":     {"--batch"},
		"percuss steps takes no name":                  {"extra"},
		"write the number of parameters":               {"--params", "q"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		args := append([]string{"steps", "-m", "sim:faithful", "-d", "demo", "-n", "1", "-k", "2", "-o", dir}, more...)
		if status, _, errs := command(t, args...); status != exitUsage || !strings.Contains(errs, says) || fileExists(filepath.Join(dir, run.ManifestFile)) {
			t.Errorf("%q: status %d, %s, want %q", more, status, errs, says)
		}
	}
}

// One chain is greedy where no temperature is named, and several are not.
func TestStepsOfOneChain(t *testing.T) {
	for _, c := range []struct {
		more []string
		want float64
	}{{[]string{"-k", "1"}, 0}, {[]string{"-k", "1", "--temperature", "0.4"}, 0.4}, {[]string{"-k", "2"}, 0.7}} {
		dir := stepsInto(t, append([]string{"-m", "sim:stepwise", "-d", "demo", "-n", "1"}, c.more...)...)
		if m, err := run.ReadManifest(dir); err != nil || m.Spec.Steps.Temperature != c.want {
			t.Errorf("%q: temperature %g, %v", c.more, m.Spec.Steps.Temperature, err)
		}
	}
}

// A whole panel in a file is the run that the flags make.
func TestStepsFromAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "panel.yaml")
	text := `version: 1
models:
  - {id: "stepwise?seed=1", model: "sim:stepwise?seed=1", role: before, price: {prompt: 1, output: 2, currency: EUR}}
  - {id: "stepwise?seed=2", model: "sim:stepwise?seed=2", role: before, price: {prompt: 1, output: 2, currency: EUR}}
  - {id: "stepwise?error=0.3&seed=1", model: "sim:stepwise?seed=1&error=0.3", role: after, price: {prompt: 1, output: 2, currency: EUR}}
  - {id: "stepwise?error=0.3&seed=2", model: "sim:stepwise?seed=2&error=0.3", role: after, price: {prompt: 1, output: 2, currency: EUR}}
  - {id: "stepwise?acc=0.9", model: "sim:stepwise?acc=0.9", role: teacher, price: {prompt: 1, output: 2, currency: EUR}}
  - {id: paraphraser, model: "sim:paraphraser", role: paraphraser}
  - {id: step-judge, model: "sim:step-judge", role: judge, family: x, quality: {sensitivity: 0.9, specificity: 0.95, positives: 50, negatives: 100}}
  - {id: "step-judge?seed=7", model: "sim:step-judge?seed=7", role: judge, family: x}
data: [{data: demo, n: 3}]
audits: {steps: {k: 3, judged: 2, repeats: 0.5}}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	byFile := filepath.Join(t.TempDir(), "file")
	must(t, "run", file, "-o", byFile)
	byFlags := stepsInto(t, "--before", "sim:stepwise?seed=1", "--before", "sim:stepwise?seed=2", "--after", "sim:stepwise?seed=1&error=0.3", "--after", "sim:stepwise?seed=2&error=0.3",
		"--teacher", "sim:stepwise?acc=0.9", "--paraphraser", "sim:paraphraser", "--judge", "sim:step-judge", "--judge", "sim:step-judge?seed=7", "--judge-family", "x",
		"--judge-quality", "step-judge=45/50,95/100", "--price-prompt", "1", "--price-output", "2", "--currency", "EUR", "-d", "demo", "-n", "3", "-k", "3", "--judged", "2", "--repeats", "0.5")
	if a, b := reportOf(t, byFile), reportOf(t, byFlags); !bytes.Equal(a, b) {
		t.Errorf("a file and flags make two runs:\n%s", cmp.Diff(strings.Split(string(a), "\n"), strings.Split(string(b), "\n")))
	}
	r := stepsOf(t, byFile)
	pairs := map[string]bool{}
	for _, p := range r.Findings.Pairs {
		pairs[p.Before+" "+p.After+" "+p.Teacher] = true
	}
	if len(pairs) != 2 || !pairs["stepwise?seed=2 stepwise?error=0.3&seed=2 stepwise?acc=0.9"] || len(r.Findings.Settings.Views) != 5 {
		t.Errorf("compared %v under %v", pairs, r.Findings.Settings.Views)
	}
	must(t, "run", file, "-o", byFlags) // and each goes on with the other's
}

// Checkpoints that are served under one name, and a judge of that name, have ids with their roles.
func TestStepsOfOneName(t *testing.T) {
	status, out, errs := command(t, "plan", "steps", "--before", "openai:m@http://a:8000/v1", "--after", "openai:m@http://b:8000/v1", "--judge", "openai:m@http://c:8000/v1",
		"-d", "demo", "-n", "1", "-k", "2", "--csv")
	if status != exitDone || !strings.Contains(out, "\nm,") || !strings.Contains(out, "\nafter-m,") || !strings.Contains(out, "\njudge-m,") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// A run grows by items, a judge, a model and a quality; what it has is not asked again, and each time the report is that of a
// run that was begun so.
func TestStepsGrow(t *testing.T) {
	dir := stepsInto(t, "-m", "sim:stepwise", "-d", "demo", "-n", "2", "-k", "3")
	grown := []string{"steps", "-m", "sim:stepwise", "-d", "demo", "-k", "3", "-o", dir}
	for name, more := range map[string][]string{"same": {"-n", "2"}, "k": {"-n", "2", "-k", "4"}, "temperature": {"-n", "2", "--temperature", "0.2"}, "views": {"-n", "2", "--views", "sentence"},
		"most": {"-n", "2", "--most", "3"}, "seed": {"-n", "2", "--seed", "9"}} {
		status, _, errs := command(t, append(slices.Clone(grown), more...)...)
		if refused := status == exitUsage && strings.Contains(errs, name+": the run has"); refused != (name != "same") {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
	}
	for _, more := range [][]string{{"-n", "4"}, {"-n", "4", "--judge", "sim:step-judge"}, {"-n", "4", "--judge", "sim:step-judge", "-m", "sim:stepwise?error=0.3"},
		{"-n", "4", "--judge", "sim:step-judge", "-m", "sim:stepwise?error=0.3", "--judge", "sim:step-judge?seed=7", "--judge-quality", "step-judge=0.9,0.95"}} {
		before := answers(t, dir)
		must(t, append(slices.Clone(grown), more...)...)
		if asked := answered(t, dir); asked != answers(t, dir)-before {
			t.Errorf("%q: %d answers, then %d, but %d were asked for", more, before, answers(t, dir), asked)
		}
	}
	r := stepsOf(t, dir)
	want := map[string]step.Quality{"step-judge": {Sensitivity: 0.9, Specificity: 0.95, From: "given with the run"}}
	if diff := cmp.Diff(want, r.Findings.Settings.Quality); diff != "" {
		t.Errorf("the quality that the last command gave:\n%s", diff)
	}
	whole := stepsInto(t, "-m", "sim:stepwise", "-d", "demo", "-k", "3", "-n", "4", "--judge", "sim:step-judge", "-m", "sim:stepwise?error=0.3", "--judge", "sim:step-judge?seed=7", "--judge-quality", "step-judge=0.9,0.95")
	one, all := r.Findings, stepsOf(t, whole).Findings
	byModel := func(a, b step.Cell) int { return strings.Compare(a.Model, b.Model) }
	slices.SortFunc(one.Cells, byModel)
	slices.SortFunc(all.Cells, byModel)
	a, errA := json.Marshal(all.Cells)
	b, errB := json.Marshal(one.Cells)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("a run that grew is another: %v, %v\n%s\n%s", errA, errB, a, b)
	}
}

// A pair that joins a run of one model is compared on its items.
func TestStepsGrowAPair(t *testing.T) {
	dir := stepsInto(t, stepPair...)
	must(t, append(append([]string{"steps"}, stepPair...), "--after", "sim:stepwise?error=0.6", "-o", dir)...)
	after := map[string]int{}
	for _, p := range stepsOf(t, dir).Findings.Pairs {
		if p.View == "markers" {
			after[p.After] = p.Items
		}
	}
	if diff := cmp.Diff(map[string]int{"stepwise?error=0.3": 3, "stepwise?error=0.6": 3}, after); diff != "" {
		t.Errorf("compared:\n%s", diff)
	}
	if status, _, errs := command(t, "steps", "-m", "sim:stepwise", "-m", "sim:stepwise?error=0.3", "-m", "sim:stepwise?error=0.6", "--judge", "sim:step-judge", "-d", "demo", "-n", "3", "-k", "3", "-o", dir); status != exitUsage || !strings.Contains(errs, "role: the run has") {
		t.Errorf("without roles: status %d, %s", status, errs)
	}
}

// How good a judge is can be told when the report is made: the report changes, and no answer does.
func TestJudgeQualityAtTheReport(t *testing.T) {
	dir := stepsInto(t, stepPair...)
	before, kept := reportOf(t, dir), answers(t, dir)
	if c := stepsOf(t, dir).Findings.Cells[0].Traces[0].Corrected; c.Value.OK() || !strings.Contains(c.Why, "--judge-quality") {
		t.Errorf("a rate is corrected for nothing: %+v", c)
	}
	must(t, "report", dir, "--judge-quality", "step-judge=45/50,95/100")
	r := stepsOf(t, dir)
	want := step.Quality{Sensitivity: 0.9, Specificity: 0.95, Positives: 50, Negatives: 100, From: "given with --judge-quality"}
	if got := r.Findings.Settings.Quality["step-judge"]; got != want || !r.Findings.Cells[0].Traces[0].Corrected.Value.OK() || answers(t, dir) != kept {
		t.Errorf("%+v, corrected %+v, %d answers of %d", got, r.Findings.Cells[0].Traces[0].Corrected, answers(t, dir), kept)
	}
	must(t, "report", dir)
	if !bytes.Equal(before, reportOf(t, dir)) {
		t.Error("the quality was told to one report and is in the next")
	}
	for says, args := range map[string][]string{
		"there is no such judge: there are step-judge": {dir, "--judge-quality", "judge=1,1"},
		"the run has no judge":                         {stepsInto(t, "-m", "sim:inert", "-d", "demo", "-n", "1", "-k", "1"), "--judge-quality", "judge=1,1"},
		"only a step audit has judges whose rates":     {audit(t, "sim:inert"), "--judge-quality", "judge=1,1"},
	} {
		if status, _, errs := command(t, append([]string{"report"}, args...)...); status != exitUsage || !strings.Contains(errs, says) {
			t.Errorf("status %d, %s, want %q", status, errs, says)
		}
	}
}

// Files of wordings, rubric and style are kept with the run, which goes on without them and refuses others.
func TestStepsKeepTheirFiles(t *testing.T) {
	from := t.TempDir()
	var files []string
	for flag, of := range map[string]string{"--style": "../../step/style.yaml", "--rubric": "../../judge/steps.yaml"} {
		raw, err := os.ReadFile(of)
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(from, filepath.Base(of))
		if err := os.WriteFile(at, append(raw, "\n# mine\n"...), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, flag, at)
	}
	args := append(files, "-m", "sim:stepwise", "--judge", "sim:step-judge", "-d", "demo", "-n", "1", "-k", "2")
	dir := stepsInto(t, args...)
	m, err := run.ReadManifest(dir)
	if err != nil || m.Fingerprints[stylePrint] == step.DefaultStyle().Fingerprint || m.Fingerprints[stylePrint] == "" || m.Fingerprints[rubricPrint] == "" {
		t.Errorf("%v, %v", m.Fingerprints, err)
	}
	again := append([]string{"steps", "-o", dir}, args...)
	for i := 1; i < len(files); i += 2 {
		other := slices.Clone(again)
		other[slices.Index(other, files[i])] += ".other"
		raw, err := os.ReadFile(files[i])
		if err == nil {
			err = os.WriteFile(files[i]+".other", append(raw, "# other\n"...), 0o644)
		}
		if status, _, errs := command(t, other...); err != nil || status != exitUsage || !strings.Contains(errs, "other prompts, other rules") {
			t.Errorf("another %s: status %d, %s, %v", files[i-1], status, errs, err)
		}
	}
	if err := os.RemoveAll(from); err != nil {
		t.Fatal(err)
	}
	must(t, again...)
	must(t, "report", dir)
	if stepsOf(t, dir).Findings.Cells[0].Traces[0].Steps == 0 {
		t.Error("the run is not read from its copies")
	}
}

// A judge that is audited, too, and one of the family of a model, is warned of in the plan, the run and the report.
func TestStepJudgesOfTheFamily(t *testing.T) {
	for says, args := range map[string][]string{
		"Judge judge-stepwise is the model that it judges": {"-m", "sim:stepwise", "--judge", "sim:stepwise"},
		"is of the same family as stepwise":                {"-m", "sim:stepwise", "--family", "X", "--judge", "sim:step-judge", "--judge-family", "x"},
	} {
		args = append(args, "-d", "demo", "-n", "1", "-k", "1")
		if _, _, errs := command(t, append([]string{"plan", "steps"}, args...)...); !strings.Contains(unfolded(errs), says) {
			t.Errorf("the plan: %s", errs)
		}
		dir := filepath.Join(t.TempDir(), "run")
		status, _, errs := command(t, append(append([]string{"steps"}, args...), "-o", dir)...)
		if status != exitDone || !strings.Contains(unfolded(errs), says) || !strings.Contains(string(reportOf(t, dir)), says) {
			t.Errorf("status %d, %s, want %q", status, errs, says)
		}
	}
}

// The defaults of the flags are those of a file.
func TestStepDefaults(t *testing.T) {
	dir := stepsInto(t, "-m", "sim:stepwise", "-d", "demo", "-n", "1")
	m, err := run.ReadManifest(dir)
	want := spec.DefaultSteps()
	want.Prompts = []string{"neutral"}
	if diff := cmp.Diff(&want, m.Spec.Steps); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
