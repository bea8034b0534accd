package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a specification names and this program does not have is told with file, line and field, before anything is opened.
func TestMisnamedInASpecification(t *testing.T) {
	const audit = `version: 1
models:
  - {id: a, model: "sim:faithful"}
  - {id: judge, model: "sim:judge", role: judge}
data:
  - {data: demo, n: 2}
audits:
  chain:
    answer: text
`
	const cases = `version: 1
models:
  - {id: a, model: "sim:additive"}
data: [{data: demo, n: 2}]
audits:
  evidence:
    order: 2
`
	for name, c := range map[string]struct {
		file, old, change string // old: replaced by change; empty: change is appended
		says              string // after file and colon; empty: the specification is right
	}{
		"battery":         {audit, "", "    battery: nope", `10: audits.chain.battery: battery "nope": there is no "nope"`},
		"variants":        {audit, "", "    battery: families+F9", `10: audits.chain.battery: `},
		"condition":       {audit, "", "    prompts: [neutral, weird]", `10: audits.chain.prompts: no prompt condition "weird"`},
		"model's prompts": {audit, `faithful"`, `faithful", prompts: [weird]`, `3: models[0].prompts: no prompt condition "weird"`},
		"back-end":        {audit, "sim:faithful", "simm:faithful", `3: models[0].model: model simm:faithful: there is no back-end "simm"`},
		"reasoner":        {audit, "sim:faithful", "sim:fathful", `3: models[0].model: no simulated model "fathful"`},
		"data set":        {audit, "demo", "dmeo", `6: data[0].data: data set "dmeo" is not known`},
		"battery file":    {audit, "", "    battery_file: broken.yaml", "10: audits.chain.battery_file: "},
		"prompt file":     {audit, "", "    prompt_file: broken.yaml", "10: audits.chain.prompt_file: "},
		"rubric file":     {audit, "", "    rubric_file: broken.yaml", "10: audits.chain.rubric_file: "},
		"gone":            {audit, "", "    battery_file: gone.yaml", ""},
		"chain":           {audit, "", "    battery: families+M2", ""},
		"wording":         {cases, "", "    wording: sonnet", `8: audits.evidence.wording: wording "sonnet": there are `},
		"case prompts":    {cases, "", "    prompt_file: broken.yaml", "8: audits.evidence.prompt_file: "},
		"labels":          {cases, "", "    label_file: broken.yaml", "8: audits.evidence.label_file: "},
		"no case prompts": {cases, "", "    prompt_file: gone.yaml", ""},
		"evidence":        {cases, "", "    check_order: 1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text := c.file + c.change + "\n"
			if c.old != "" {
				text = strings.Replace(c.file, c.old, c.change, 1)
			}
			path := filepath.Join(dir, "audit.yaml")
			if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.WriteFile(filepath.Join(dir, "broken.yaml"), []byte("nothing: 1\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
			_, err := readSpec(path)
			var mistake usageError
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (!errors.As(err, &mistake) || !strings.HasPrefix(err.Error(), path+":"+c.says)):
				t.Errorf("%v, want %s", err, c.says)
			}
		})
	}
}
