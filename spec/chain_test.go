package spec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// panel is a chain audit with a judge, in block form so that every field has a line of its own.
const panel = `version: 1
models:
  - id: a
    model: openai:a@http://localhost:8000/v1
    params: 8B
  - id: b
    model: openai:b@http://localhost:8000/v1
    params: 8x7B
  - id: referee
    model: openai:b@http://localhost:8000/v1
    role: judge
    family: b
data:
  - data: medqa
  - data: gsm8k
audits:
  chain:
    controls: [sham, format]
    margins: false
    rubric_file: rubric.yaml
`

func readText(text string) (Specification, error) { return Read(strings.NewReader(text), "p.yaml") }

func TestReadPanel(t *testing.T) {
	s, err := readText(panel)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"sham", "format-markers", "format-space"}, s.Chain.Controls); d != "" || s.Chain.Margins || s.Chain.RubricFile != "rubric.yaml" {
		t.Errorf("%+v %s", s.Chain, d)
	}
	var names [2][]string
	for i, models := range [][]Model{s.Subjects(), s.Judges()} {
		for _, m := range models {
			names[i] = append(names[i], m.ID)
		}
	}
	if d := cmp.Diff([2][]string{{"a", "b"}, {"referee"}}, names); d != "" {
		t.Error(d)
	}
	if got := s.Conditions(s.Judges()[0]); got != nil {
		t.Errorf("a judge is asked under %v", got)
	}
}

// TestReadControls: left out is all, an empty list is none, and none of it comes back as another after run.json.
func TestReadControls(t *testing.T) {
	for written, want := range map[string][]string{
		"":                                allControls(),
		"    controls:\n":                 allControls(),
		"    controls: []\n":              nil,
		"    controls: [none]\n":          nil,
		"    controls: [shuffle, sham]\n": {"sham", "shuffle"},
		"    controls:\n      - sham-chain\n      - format-space\n": {"sham-chain", "format-space"},
	} {
		s, err := readText(strings.Replace(panel, "    controls: [sham, format]\n", written, 1))
		if err != nil || !slices.Equal(s.Chain.Controls, want) {
			t.Errorf("%q: %v, %v", written, s.Chain, err)
			continue
		}
		kept, err := json.Marshal(s)
		var back Specification
		if err != nil || json.Unmarshal(kept, &back) != nil {
			t.Fatalf("%q: %v", written, err)
		}
		if _, diff := Extend(back, s); len(diff) > 0 {
			t.Errorf("%q: the same file again: %v", written, diff)
		}
	}
}

// TestReadPanelRefuses: what cannot be is refused at its line, with what to do.
func TestReadPanelRefuses(t *testing.T) {
	const judged = "    role: judge\n"
	for name, c := range map[string]struct{ old, new, line, want string }{
		"control that is none":   {"[sham, format]", "[sham, fromat]", "18:", "sham, sham-chain, format and shuffle"},
		"control twice":          {"[sham, format]", "[format, format-space]", "18:", "named twice"},
		"none beside another":    {"[sham, format]", "[none, sham]", "18:", `"none"`},
		"judge at the top":       {"version: 1\n", "version: 1\njudge: openai:b@http://h/v1\n", "2:", "role: judge"},
		"judge in the audit":     {"    margins: false", "    judge: {model: x}", "19:", "role: judge"},
		"another role":           {judged, "    role: refree\n", "11:", "subject"},
		"prompts of a judge":     {judged, judged + "    prompts: [neutral]\n", "12:", "rubric_file"},
		"system text of a judge": {judged, judged + "    system_prompt: Be brief.\n", "12:", "rubric_file"},
		"the same subject twice": {judged, "", "10:", "model b once more"},
		"count without unit":     {"params: 8B", "params: 8", "5:", "135M, 7B or 8x7B"},
		"count in words":         {"params: 8x7B", "params: large", "8:", "135M, 7B or 8x7B"},
		"count of nothing":       {"params: 8B", "params: 0B", "5:", "135M, 7B or 8x7B"},
		"cases for questions":    {"data: medqa", "data: ddxplus?split=test", "14:", "holds cases"},
		"letters of numbers":     {"    margins: false", "    answer: letters", "15:", "answer: text"},
		"rubric without judge":   {"  - id: referee\n    model: openai:b@http://localhost:8000/v1\n    role: judge\n    family: b\n", "", "16:", "role: judge"},
		"judge in evidence":      {"  chain:\n    controls: [sham, format]\n    margins: false\n    rubric_file: rubric.yaml\n", "  evidence: {}\n", "11:", "no judge"},
		"questions for evidence": {"  chain:\n    controls: [sham, format]\n    margins: false\n    rubric_file: rubric.yaml\n", "  evidence: {}\n", "15:", "gsm8k holds questions"},
	} {
		text := strings.Replace(panel, c.old, c.new, 1)
		if text == panel {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := readText(text); err == nil || !strings.Contains(err.Error(), "p.yaml:"+c.line) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	all := strings.NewReplacer("  - id: a\n", "  - id: a\n    role: judge\n", "  - id: b\n", "  - id: b\n    role: judge\n").Replace(panel)
	if _, err := readText(strings.Replace(all, "openai:b@", "openai:c@", 1)); err == nil || !strings.Contains(err.Error(), "every model is a judge") {
		t.Errorf("judges alone: %v", err)
	}
}

// TestSameModel: two ids of one back-end are one model, unless what it is told differs.
func TestSameModel(t *testing.T) {
	for _, c := range []struct {
		a, b Model
		same bool
	}{
		{Model{Model: "sim:faithful"}, Model{Model: "sim:faithful"}, true},
		{Model{Model: "sim:faithful?acc=0.7&seed=3"}, Model{Model: "sim:faithful?seed=3&acc=0.7"}, true},
		{Model{Model: "sim:faithful?seed=2"}, Model{Model: "sim:faithful?seed=3"}, false},
		{Model{Model: "openai:m?key_env=A@http://h/v1"}, Model{Model: "openai:m?key_env=B@http://h/v1/"}, true},
		{Model{Model: "openai:m@http://h/v1"}, Model{Model: "openai:m@http://g/v1"}, false},
		{Model{Model: "sim:faithful", SystemPrompt: "You are a doctor."}, Model{Model: "sim:faithful"}, false},
		{Model{Model: "sim:faithful"}, Model{Model: "sim:faithful", Role: Judge}, false},
		{Model{Model: "sim:faithful", Role: Subject}, Model{Model: "sim:faithful"}, true},
	} {
		c.a.ID, c.b.ID = "one", "two"
		err := settled(func(s *Specification) { s.Models = []Model{c.a, c.b} }).Check()
		if (err != nil) != c.same {
			t.Errorf("%+v and %+v: %v", c.a, c.b, err)
		}
	}
}

func TestParameterCount(t *testing.T) {
	for params, want := range map[string]float64{"135M": 135e6, "7B": 7e9, "0.5B": 5e8, "8x7B": 56e9, "8X22b": 176e9, " 70b ": 70e9, "1.3T": 1.3e12, "600K": 6e5} {
		if got, err := ParameterCount(params); err != nil || got != want {
			t.Errorf("%q: %g, %v, want %g", params, got, err, want)
		}
	}
	for _, params := range []string{"", "7", "B", "-7B", "7GB", "0B", "0x7B", "7 B", "1e9B", "NaN", "x7B", "7B?", "99999999999B"} {
		if got, err := ParameterCount(params); err == nil || !strings.Contains(err.Error(), "8x7B") {
			t.Errorf("%q: %g, %v", params, got, err)
		}
	}
}

// TestControlsNamed: names in any order come out in the audit's, none twice, and naming all is naming nothing.
func TestControlsNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"sham", "sham-chain", "format", "shuffle"}), rapid.ID[string]).Draw(t, "names")
		got, err := ControlsNamed(names...)
		if err != nil || !slices.IsSortedFunc(got, func(a, b string) int { return slices.Index(allControls(), a) - slices.Index(allControls(), b) }) {
			t.Fatalf("%v: %v, %v", names, got, err)
		}
		if (len(names) == 0 || len(names) == 4) != slices.Equal(got, allControls()) {
			t.Fatalf("%v: %v", names, got)
		}
		again, err := ControlsNamed(got...)
		if err != nil || !slices.Equal(again, got) {
			t.Fatalf("%v is not %v: %v", again, got, err)
		}
	})
}

// TestExtendPanel: judges are added as models are, also between those that are there; what is dropped or turned is not.
func TestExtendPanel(t *testing.T) {
	base := settled(func(s *Specification) { s.Models = []Model{{Model: "sim:faithful"}, {Model: "sim:inert"}} })
	judge := Model{ID: "j", Model: "sim:faithful", Role: Judge}
	merged, diff := Extend(base, settled(func(s *Specification) {
		s.Models = []Model{{Model: "sim:inert", Role: Subject}, judge, {Model: "sim:faithful"}}
		s.Chain.RubricFile = "r.yaml"
	}))
	var ids []string
	for _, m := range merged.Models {
		ids = append(ids, m.ID)
	}
	if len(diff) > 0 || !slices.Equal(ids, []string{"faithful", "inert", "j"}) || merged.Chain.RubricFile != "r.yaml" {
		t.Errorf("%v %v %+v", diff, ids, merged.Chain)
	}
	for want, change := range map[string]func(*Specification){
		"does not name it: add -m sim:inert":                                  func(s *Specification) { s.Models = s.Models[:1] },
		"model inert: role: the run has nothing, this command says \"judge\"": func(s *Specification) { s.Models[1].Role = Judge },
		"controls: the run has none, this command says sham, format: add --controls none": func(s *Specification) {
			s.Chain.Controls = []string{"sham", "format-markers", "format-space"}
		},
		"margins: this command reads margins beside answers, the run does not: add --no-margins":           func(s *Specification) { s.Chain.Margins = true },
		"direct: this command asks for the answer without a chain, too, the run does not: add --no-direct": func(s *Specification) { s.Chain.Direct = !s.Chain.Direct },
		"--controls none": func(s *Specification) { s.Chain.Controls, s.Chain.Margins = allControls(), true },
	} {
		asked := base
		asked.Models, asked.Chain = slices.Clone(base.Models), new(Chain)
		*asked.Chain = *base.Chain
		change(&asked)
		if _, diff := Extend(base, asked); len(diff) == 0 || !strings.Contains(strings.Join(diff, "\n"), want) {
			t.Errorf("%s: %v", want, diff)
		}
	}
}
