package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// recordsOf are the records of a run's item, as show prints them.
func recordsOf(t *testing.T, dir, item string) []chain.Record {
	t.Helper()
	status, out, errs := command(t, "show", dir, item, "--json")
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	var records []chain.Record
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var r chain.Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// verdictsOf counts the verdicts of a record, by judge and what it says.
func verdictsOf(r chain.Record) map[string]int {
	out := map[string]int{}
	for _, o := range r.Operators {
		for _, v := range o.Judged {
			out[v.Judge+" "+string(v.Says)]++
		}
	}
	return out
}

// TestJudgesOnTheCommandLine: a run with a judge, another judge that joins it, and a rubric that has changed.
func TestJudgesOnTheCommandLine(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	rubric := filepath.Join(t.TempDir(), "mine.yaml")
	raw, err := os.ReadFile("../../judge/rubric.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(rubric, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(raw), "name: rubric-1", "name: mine", 1))
	base := []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "3", "--battery", "families", "-o", dir}
	if status, _, errs := command(t, base...); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	withJudge := append(slices.Clone(base), "--judge", "sim:judge", "--rubric", rubric)
	if status, _, errs := command(t, withJudge...); status != exitDone {
		t.Fatalf("a judge joins: status %d\n%s", status, errs)
	}
	if r := recordsOf(t, dir, "1")[0]; len(r.Controls) != 5 || verdictsOf(r)["judge updated"]+verdictsOf(r)["judge not_updated"] == 0 || verdictsOf(r)["judge missing"] != 0 {
		t.Errorf("%d controls, verdicts %v", len(r.Controls), verdictsOf(r))
	}
	m, err := run.ReadManifest(dir)
	if err != nil || m.Fingerprints["rubric"] == "" || m.Fingerprints["controls"] != chain.ControlsVersion || len(m.Extensions) != 1 {
		t.Errorf("%v, %+v, %v", m.Fingerprints, m.Extensions, err)
	}
	if kept, err := os.ReadFile(filepath.Join(dir, rubricCopy)); err != nil || !strings.Contains(string(kept), "name: mine") {
		t.Errorf("the run keeps no copy of its rubric: %v", err)
	}
	write(strings.Replace(string(raw), "name: rubric-1", "name: other", 1))
	if status, _, errs := command(t, withJudge...); status != exitUsage || !strings.Contains(errs, "other rules") {
		t.Errorf("another rubric: status %d\n%s", status, errs)
	}
	if err := os.Remove(rubric); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, withJudge...); status != exitDone {
		t.Errorf("the rubric is gone, its copy is there: status %d\n%s", status, errs)
	}
	var report struct {
		Calls []struct {
			Model    string
			Requests int
		}
	}
	if err := json.Unmarshal(reportOf(t, dir), &report); err != nil || len(report.Calls) != 2 || report.Calls[1].Model != "judge" || report.Calls[1].Requests == 0 {
		t.Errorf("calls %+v, %v", report.Calls, err)
	}
}

// TestControlsOnTheCommandLine: controls and margins are asked by default, fewer where fewer are named, none where a run
// was begun without.
func TestControlsOnTheCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		flags   []string
		want    []chain.Control
		margins bool
	}{
		"default":    {nil, chain.AllControls(), true},
		"two":        {[]string{"--controls", "shuffle,sham"}, []chain.Control{chain.Sham, chain.Shuffle}, true},
		"format":     {[]string{"--controls", "format", "--no-margins"}, []chain.Control{chain.FormatMarkers, chain.FormatSpace}, false},
		"none":       {[]string{"--controls", "none", "--no-margins"}, nil, false},
		"no margins": {[]string{"--no-margins"}, chain.AllControls(), false},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		args := append([]string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "1", "--battery", "families", "-o", dir}, c.flags...)
		if status, _, errs := command(t, args...); status != exitDone {
			t.Fatalf("%s: status %d\n%s", name, status, errs)
		}
		r := recordsOf(t, dir, "1")[0]
		var got []chain.Control
		for _, control := range r.Controls {
			got = append(got, control.ID)
		}
		if !slices.Equal(got, c.want) || r.Base.Margin.OK() != c.margins {
			t.Errorf("%s: %v, margin %v", name, got, r.Base.Margin)
		}
		if status, _, errs := command(t, args...); status != exitDone {
			t.Errorf("%s: again: status %d\n%s", name, status, errs)
		}
	}
	for _, wrong := range []string{"shamm", "none,sham", "sham,sham", "format,format-space"} {
		if status, _, errs := command(t, "chain", "-m", "sim:faithful", "-d", "demo", "--controls", wrong); status != exitUsage || !strings.Contains(errs, "--controls") {
			t.Errorf("%s: status %d\n%s", wrong, status, errs)
		}
	}
}

// TestNumbersHaveNoLetters: a set of numbers is refused with --answer letters before anything is asked.
func TestNumbersHaveNoLetters(t *testing.T) {
	number := run.Items{Questions: []percuss.Question{{ID: "g:1", Kind: percuss.Numeric}}}
	for answer, refused := range map[string]bool{"letters": true, "text": false, "text+letters": false} {
		m := run.Manifest{Spec: spec.Specification{Models: []spec.Model{{ID: "m"}}, Chain: &spec.Chain{Answer: answer}}}
		err := checkLabels(number.Questions, m)
		if (err != nil) != refused || refused && (!strings.Contains(err.Error(), "g:1") || !strings.Contains(err.Error(), "--answer text")) {
			t.Errorf("--answer %s: %v", answer, err)
		}
	}
}

// TestFitness: what an audit needs of a model, and a judge of itself.
func TestFitness(t *testing.T) {
	subject, judging := spec.Model{ID: "m"}, spec.Model{ID: "j", Role: spec.Judge}
	able := percuss.Capabilities{Text: true, Letters: true, Continue: true}
	for name, c := range map[string]struct {
		m      spec.Model
		can    percuss.Capabilities
		answer string
		says   string
	}{
		"subject":                {subject, able, "letters", ""},
		"subject, text alone":    {subject, percuss.Capabilities{Text: true}, "text", ""},
		"subject, no letters":    {subject, percuss.Capabilities{Text: true}, "letters", "--answer text"},
		"subject without text":   {subject, percuss.Capabilities{Letters: true}, "text", "no text"},
		"foreign log":            {subject, percuss.Capabilities{Text: true, Given: true}, "text", ""},
		"judge":                  {judging, percuss.Capabilities{Text: true}, "letters", ""},
		"judge without text":     {judging, percuss.Capabilities{Letters: true}, "text", "judge j generates no text"},
		"judge, a foreign log":   {judging, percuss.Capabilities{Text: true, Given: true}, "text", "foreign log"},
		"evidence, text no less": {subject, percuss.Capabilities{Text: true}, "", "--samples"},
	} {
		s := spec.Specification{Chain: &spec.Chain{Answer: c.answer}}
		if c.answer == "" {
			s = spec.Specification{Evidence: &spec.Evidence{}}
		}
		err := checkCapabilities(c.m, c.can, s)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestKinship: a judge is warned of where it judges its own family, by field or by name.
func TestKinship(t *testing.T) {
	for name, c := range map[string]struct {
		subject, judge, family, other string
		warns                         string
	}{
		"by name":             {"openai:Qwen/Qwen2.5-7B-Instruct@http://h/v1", "openai:qwq-32b@http://h/v1", "", "", "same family"},
		"another":             {"openai:meta-llama/Llama-3.1-8B@http://h/v1", "openai:qwen3-8b@http://h/v1", "", "", ""},
		"the back-end's name": {"llama:smollm2-135m", "llama:gemma3-270m-base", "", "", ""},
		"a folder's name":     {"openai:qwen/other@http://h/v1", "openai:qwen3@http://h/v1", "", "", ""},
		"distilled":           {"openai:DeepSeek-R1-Distill-Llama-8B@http://h/v1", "openai:llama-3.3-70b@http://h/v1", "", "", "(llama)"},
		"derived":             {"openai:BioMistral-7B@http://h/v1", "openai:Mixtral-8x7B@http://h/v1", "", "", "(mistral)"},
		"by field":            {"sim:faithful", "sim:judge", "x", "X", "(x)"},
		"the field is right":  {"openai:qwen3@http://h/v1", "openai:qwen2@http://h/v1", "other", "", ""},
		"itself":              {"sim:judge", "sim:judge", "", "", "is the model that it judges"},
	} {
		s := spec.Specification{Models: []spec.Model{{ID: "m", Model: c.subject, Family: c.other}, {ID: "j", Model: c.judge, Role: spec.Judge, Family: c.family}}}
		got := kinship(s)
		if (len(got) > 0) != (c.warns != "") || len(got) > 0 && (!strings.Contains(got[0], c.warns) || !strings.Contains(got[0], "another family")) {
			t.Errorf("%s: %v", name, got)
		}
	}
	several := spec.Specification{Models: []spec.Model{{ID: "a", Model: "sim:faithful", Family: "x"}, {ID: "b", Model: "sim:inert", Family: "x"}, {ID: "c", Model: "sim:random", Family: "y"},
		{ID: "j", Model: "sim:judge", Role: spec.Judge, Family: "x"}}}
	if got := kinship(several); len(got) != 1 || !strings.Contains(got[0], "same family as a, b, which it judges (x)") {
		t.Errorf("several of one family: %q", got)
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, "chain", "-m", "sim:faithful", "--family", "sim", "--judge", "sim:judge", "--judge-family", "sim", "-d", "demo", "-n", "1",
		"--battery", "families", "-o", dir)
	if status != exitDone || !strings.Contains(errs, "same family") || !strings.Contains(string(reportOf(t, dir)), "same family") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// TestPlanWithJudges: judges have a row and a price of their own, and a plan bounds what the run asks.
func TestPlanWithJudges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	flags := []string{"-m", "sim:faithful", "-m", "sim:inert", "-d", "demo", "-n", "3", "--battery", "families+M2", "--judge", "sim:judge",
		"--price-prompt", "1", "--price-output", "2"}
	planOf := func(args ...string) map[string]planned {
		status, out, errs := command(t, append(append([]string{"plan", "chain", "--json"}, flags...), args...)...)
		var p struct{ Models []planned }
		if err := json.Unmarshal([]byte(out), &p); status != exitDone || err != nil {
			t.Fatalf("status %d, %v\n%s", status, err, errs)
		}
		rows := map[string]planned{}
		for _, r := range p.Models {
			rows[r.Model] = r
		}
		return rows
	}
	before := planOf()
	judge := before["judge"]
	if judge.Role != "judge" || judge.Subjects != 6 || judge.Sure != 0 || judge.Later == 0 || judge.PromptTokens == 0 || judge.OutputTokens == 0 {
		t.Errorf("judge %+v", judge)
	}
	if status, _, errs := command(t, append([]string{"chain", "-o", dir}, flags...)...); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	for id, p := range before {
		after := planOf("-o", dir)[id]
		if after.Sure != 0 || after.Later != 0 || after.Known == 0 || after.Known > p.Sure+p.Later {
			t.Errorf("%s: planned %+v, asked %+v", id, p, after)
		}
	}
}

// TestSamePrints: a run goes on where its requests are still made: with its first judge, and with wordings that only have
// more beside them.
func TestSamePrints(t *testing.T) {
	now := prompt.Default().Fingerprint
	for name, c := range map[string]struct {
		old, now map[string]string
		same     bool
	}{
		"the same":               {map[string]string{"prompts": "p", "battery": "b"}, map[string]string{"prompts": "p", "battery": "b"}, true},
		"a first judge":          {map[string]string{"prompts": "p"}, map[string]string{"prompts": "p", "rubric": "r"}, true},
		"another rubric":         {map[string]string{"rubric": "q"}, map[string]string{"rubric": "r"}, false},
		"no judge any more":      {map[string]string{"rubric": "q"}, map[string]string{}, false},
		"controls":               {map[string]string{"prompts": "p"}, map[string]string{"prompts": "p", "controls": "c"}, false},
		"former wordings":        {map[string]string{"prompts": formerPrompts[0]}, map[string]string{"prompts": now}, true},
		"former, now a file's":   {map[string]string{"prompts": formerPrompts[0]}, map[string]string{"prompts": "other"}, false},
		"a file's, now built in": {map[string]string{"prompts": "other"}, map[string]string{"prompts": now}, false},
	} {
		if got := samePrints(c.old, c.now); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFormerWordings: the requests of the former built-in wordings are those of today's.
func TestFormerWordings(t *testing.T) {
	q := percuss.Question{Stem: "Why?", Context: []string{"A passage."}, Options: []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "Tea"}}}
	h := sha256.New()
	for _, condition := range []string{"neutral", "strict"} {
		for _, direct := range []bool{false, true} {
			messages, err := prompt.Default().Chat(q, condition, "Own.", direct)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				fmt.Fprintf(h, "%s %q\n", m.Role, m.Content)
			}
		}
	}
	fmt.Fprintf(h, "%q %q\n", prompt.Default().Close("<think>\nx"), prompt.Default().Quotation("x"))
	const want = "d1855c900fbe32cd"
	if got := fmt.Sprintf("%x", h.Sum(nil)[:8]); got != want {
		t.Errorf("the wordings are %s, once %s: take them out of formerPrompts", got, want)
	}
}
