package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/spec"
)

// examples is the folder of examples.
var examples = filepath.Join("..", "..", "examples")

// wanted is the panel that an example says it is.
type wanted struct {
	tiers     map[string]int
	sets      []string
	n         []int
	operators int // 0: another audit than that of chains
	judges    int
}

// papers are the examples with what they are to hold.
func papers() map[string]wanted {
	fourSets, n := []string{"medqa", "medmcqa", "pubmedqa", "mmlu-medical"}, []int{200, 200, 200, 200}
	return map[string]wanted{
		"chain-paper":        {map[string]int{"general": 5, "medical": 4, "reasoning": 2}, fourSets, n, 30, 1},
		"chain-paper-closed": {map[string]int{"closed": 3}, fourSets, n, 13, 0},
		"chain-robustness":   {map[string]int{"general": 1, "closed": 1}, []string{"medqa", "pubmedqa"}, []int{100, 100}, 13, 0},
		"cross-domain":       {map[string]int{"medical": 4}, append([]string{"gsm8k", "strategyqa"}, fourSets...), append([]int{200, 200}, n...), 17, 0},
		"evidence-paper":     {map[string]int{"general": 1, "medical": 4}, []string{"ddxplus", "cupcase", "medcase"}, []int{500, 200, 200}, 0, 0},
		"local":              {map[string]int{"general": 2, "": 6}, []string{"demo"}, []int{32}, 30, 0},
		"steps":              {map[string]int{"": 3}, []string{"demo"}, []int{32}, 0, 1},
		"vllm":               {map[string]int{"general": 1}, fourSets, n, 30, 0},
	}
}

// TestExamples: every example is read, and is the panel that it says.
func TestExamples(t *testing.T) {
	for name, want := range papers() {
		s, err := readSpec(filepath.Join(examples, name+".yaml"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tiers := map[string]int{}
		for _, m := range s.Subjects() {
			tiers[m.Tier]++
		}
		var sets []string
		var n []int
		for _, d := range s.Data {
			sets, n = append(sets, d.Data), append(n, d.N)
			if _, _, err := findSet(d.Data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if fmt.Sprint(tiers, sets, n, len(s.Judges())) != fmt.Sprint(want.tiers, want.sets, want.n, want.judges) {
			t.Errorf("%s: %v %v %v, %d judges", name, tiers, sets, n, len(s.Judges()))
		}
		if want.operators == 0 {
			continue
		}
		if b, err := battery.Parse(s.Chain.Battery); err != nil || len(b.Operators) != want.operators {
			t.Errorf("%s: %d operators, %v", name, len(b.Operators), err)
		}
	}
}

// TestExamplesAreListed: the page of the examples names each of them.
func TestExamplesAreListed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(examples, "*.yaml"))
	page, errPage := os.ReadFile(filepath.Join(examples, "README.md"))
	if err != nil || errPage != nil || len(files) != 8 {
		t.Fatalf("%d files, %v, %v", len(files), err, errPage)
	}
	for _, f := range files {
		if !strings.Contains(string(page), "]("+filepath.Base(f)+")") {
			t.Errorf("README.md does not name %s", f)
		}
	}
}

// TestSpecificationKnowsControlsAndSets: what the specification calls a control, a set of questions or of cases is one.
func TestSpecificationKnowsControlsAndSets(t *testing.T) {
	all, err := spec.ControlsNamed()
	if err != nil || fmt.Sprint(all) != fmt.Sprint(chain.AllControls()) {
		t.Errorf("controls %v, the audit has %v, %v", all, chain.AllControls(), err)
	}
	for _, name := range append(spec.QuestionSets(), spec.CaseSets()...) {
		s, _, err := findSet(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if questions := !strings.Contains(fmt.Sprint(spec.CaseSets()), name); questions != (s.open != nil) || questions == (s.cases != nil) {
			t.Errorf("%s: questions %v", name, questions)
		}
	}
}

// few makes an example small: few items, from files that are here or else the built-in ones, and a short chain.
func few(t *testing.T, text string) string {
	t.Helper()
	data := os.Getenv("PERCUSS_DATA")
	if data == "" {
		data, _ = filepath.Abs(filepath.Join("..", "..", "..", "shared", "data"))
	}
	if _, err := os.Stat(filepath.Join(data, "medqa")); err != nil || strings.Contains(text, "evidence:") {
		t.Log("not all data files are here: the built-in items stand for them")
		return regexp.MustCompile(`(?s)data:\n.*?audits:`).ReplaceAllString(text, "data: [{data: demo, n: 1}]\naudits:")
	}
	t.Setenv("PERCUSS_DATA", data)
	return regexp.MustCompile(`n: \d+`).ReplaceAllString(text, "n: 1")
}

// readExample is the text of an example.
func readExample(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(examples, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// example writes a changed example and returns its path and the folder for its run.
func example(t *testing.T, name, text string) (path, out string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, name+".yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, filepath.Join(dir, "run")
}

// TestExamplesPlanned: every example is priced before anything is sent, each of its models with a row.
func TestExamplesPlanned(t *testing.T) {
	for _, name := range []string{"chain-paper", "chain-paper-closed", "chain-robustness", "cross-domain", "evidence-paper", "local", "vllm"} {
		path, out := example(t, name, few(t, readExample(t, name)))
		status, said, errs := command(t, "plan", path, "-o", out)
		if status != exitDone || !strings.Contains(said, "Nothing was sent") {
			t.Errorf("%s: status %d\n%s%s", name, status, said, errs)
			continue
		}
		s, err := readSpec(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Models {
			if !strings.Contains(said, "\n"+m.ID) {
				t.Errorf("%s: no row for %s:\n%s", name, m.ID, said)
			}
		}
	}
}

// TestLocalExample: the simulated part of the local panel runs, and its report has every model.
func TestLocalExample(t *testing.T) {
	text := regexp.MustCompile(`(?m)^.*model: "llama:.*\n`).ReplaceAllString(readExample(t, "local"), "")
	path, out := example(t, "local", strings.Replace(text, "n: 32", "n: 4", 1))
	if status, said, errs := command(t, "run", path, "-o", out); status != exitDone {
		t.Fatalf("status %d\n%s%s", status, said, errs)
	}
	report := string(reportOf(t, out))
	for _, id := range []string{"faithful", "inert", "early-commit", "compressed", "random", "always-a"} {
		if !strings.Contains(report, `"`+id+`"`) {
			t.Errorf("%s is not in the report", id)
		}
	}
}

var addressed = regexp.MustCompile(`(openai|anthropic):([^"@\s]+)(?:@(https?://[^"\s]+))?`)

// onFakes puts a fake server in the place of each model: of one that is hosted by OpenAI, of one of Anthropic's newer
// ones, and of vLLM for the rest. A judge gets the server of the subject whose model it is.
func onFakes(t *testing.T, text string) string {
	t.Helper()
	t.Setenv("ANTHROPIC_API_KEY", anthropicKey)
	t.Setenv("OPENAI_API_KEY", "sk-test")
	given := map[string]string{}
	return addressed.ReplaceAllStringFunc(text, func(model string) string {
		if to, ok := given[model]; ok {
			return to
		}
		parts := addressed.FindStringSubmatch(model)
		switch {
		case parts[1] == "anthropic":
			s := anthropictest.Start(t, anthropictest.Newer)
			s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
				if n, _ := body["max_tokens"].(float64); n < 200 || prefilled(body) || body["temperature"] != nil {
					return false
				}
				anthropictest.Reply(w, chainOf, "end_turn", 300, 40)
				return true
			}
			given[model] = claude(s, "")
		default:
			kind := map[bool]string{true: "openai", false: "vllm"}[strings.Contains(parts[3], "api.openai.com")]
			s := openaitest.Start(t, kind)
			s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
				for _, field := range []string{"max_tokens", "max_completion_tokens"} {
					if n, _ := body[field].(float64); n >= 200 {
						reply(w, body, chainOf, "stop")
						return true
					}
				}
				return false
			}
			given[model] = served(s, "")
		}
		return given[model]
	})
}

// TestRemoteExamples: each panel of servers runs against fake ones, on a few items, and its report has every model.
func TestRemoteExamples(t *testing.T) {
	for _, name := range []string{"chain-paper", "chain-paper-closed", "chain-robustness", "cross-domain", "evidence-paper", "vllm"} {
		t.Run(name, func(t *testing.T) {
			text := onFakes(t, few(t, readExample(t, name)))
			if strings.Contains(text, "localhost") || strings.Contains(text, "api.openai.com") {
				t.Fatal("a model would be asked that is none of the fakes")
			}
			path, out := example(t, name, text)
			status, said, errs := command(t, "run", path, "-o", out)
			if status != exitDone {
				t.Fatalf("status %d\n%s%s", status, said, errs)
			}
			s, err := readSpec(path)
			if err != nil {
				t.Fatal(err)
			}
			var r struct{ Models []struct{ ID string } }
			if err := json.Unmarshal(reportOf(t, out), &r); err != nil || len(r.Models) != len(s.Models) {
				t.Errorf("%d models in the report, %d in the specification, %v", len(r.Models), len(s.Models), err)
			}
			nowhere(t, out, anthropicKey, said, errs)
		})
	}
}
