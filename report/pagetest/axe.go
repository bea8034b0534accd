package pagetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/model/modeltest"
)

// axeVersion is the version of axe-core that scripts/setup brings.
const axeVersion = "4.14.1"

// finding is one rule that a page breaks.
type finding struct {
	ID, Impact, Help string
	Nodes            int
	First, Why       string // the first element, and what is wrong with it
}

// Axe holds a page against the rules of axe-core, all of them or the named ones: a finding that is serious or critical is
// an error, others are logged. Of the second colour scheme only "color-contrast" can differ. Without axe-core the test is
// skipped.
func (p *Page) Axe(t testing.TB, rules ...string) {
	t.Helper()
	for _, f := range p.findings(t, rules) {
		line := fmt.Sprintf("%s: axe: %s: %s (%s), %d times, first %s: %s", p.noun, f.Impact, f.Help, f.ID, f.Nodes, f.First, f.Why)
		if f.Impact == "serious" || f.Impact == "critical" {
			t.Error(line)
		} else {
			t.Log(line)
		}
	}
}

func (p *Page) findings(t testing.TB, rules []string) []finding {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(modeltest.Cache(), "axe", axeVersion, "axe.min.js"))
	if err != nil {
		t.Skipf("needs axe-core %s (make setup): %v", axeVersion, err)
	}
	options := map[string]any{"resultTypes": []string{"violations"}, "preload": false}
	if len(rules) > 0 {
		options["runOnly"] = rules
	}
	how, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	Eval[int](t, p, string(source)+";0")
	return Eval[[]finding](t, p, `axe.run(document,`+string(how)+`).then(r=>r.violations.map(v=>({ID:v.id,Impact:v.impact,Help:v.help,Nodes:v.nodes.length,
		First:v.nodes[0].html.slice(0,160),Why:v.nodes[0].any.concat(v.nodes[0].all,v.nodes[0].none).map(x=>x.message).join(" ").slice(0,240)})))`)
}
