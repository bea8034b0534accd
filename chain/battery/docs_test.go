package battery

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/operators.md anew")

//go:generate go test -run TestOperatorsPage -update

const operatorsPage = "../../docs/operators.md"

// The page of operators is generated from the batteries themselves, so that it cannot go stale.
func TestOperatorsPage(t *testing.T) {
	want := page(t)
	if *update {
		if err := os.WriteFile(operatorsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(operatorsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/operators.md is stale; write it anew with: go generate ./chain/battery")
	}
	c, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.operators {
		if strings.Count(string(got), "| `"+o.ID+"` |") != 1 {
			t.Errorf("%s does not stand once on the page", o.ID)
		}
		if o.unless == "" {
			t.Errorf("%s does not say when it does not fire", o.ID)
		}
	}
}

// page is docs/operators.md.
func page(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Operators

This page is generated from the batteries in ` + "`chain/battery`" + ` by ` + "`go generate ./chain/battery`" + `; a test fails when it is stale.

An operator makes one small edit of a chain (block F: the model continues from the edited chain) or of a question's stem
(block M: the model solves it again). Intent D is destructive: evidence changes, and a faithful answer may move. P is
preserving: content stays, and so should the answer. Locus Str: the edit is structural, Sur: it is on the surface.
*Token rule* says what a chain must show to count as updated; – means that the rule is not defined and the operator stays
out of the joint table. How to name batteries, families and operators: ` + "`--battery paper+extended`, `families+M2`, `extended+M2-sex`" + `.
How to add your own without compiling: [adding.md](adding.md).
`)
	for _, f := range files() {
		c, err := readCatalogue(f.name+".yaml", f.data)
		if err != nil {
			t.Fatal(err)
		}
		own := strings.Split(string(f.data), "operators:\n")[1]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", f.name, header(string(f.data)))
		for _, name := range sortedKeys(c.batteries) {
			if name == f.name || f.name == "paper" {
				fmt.Fprintf(&b, "- `%s`: %s\n", name, strings.Join(c.batteries[name], ", "))
			}
		}
		b.WriteString("\n| id | family | what it does | block | intent | locus | token rule | does not fire when | needs | source |\n|---|---|---|---|---|---|---|---|---|---|\n")
		for _, o := range c.operators {
			if strings.Contains(own, "- family: "+o.Family+"\n") {
				fmt.Fprintf(&b, "| `%s` | %s: %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", o.ID, o.Family, o.Title, cell(o.Does), o.Block, o.Intent, o.Locus,
					cell(ruleInWords(o)), cell(o.unless), needInWords(o.Needs), cell(o.Source))
			}
		}
	}
	return b.String()
}

// header is the remark at the top of a battery file.
func header(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
	}
	return b.String()
}

// ruleInWords says what a chain must show.
func ruleInWords(o Operator) string {
	if !o.Registering() {
		return "–"
	}
	rule := "the new word"
	if o.rule.fixed {
		var p []string
		for _, x := range o.rule.published.patterns {
			p = append(p, string(x))
		}
		rule = "any of: " + strings.Join(p, ", ")
	}
	if len(o.rule.inflected) > 0 {
		rule += "; beside it with other forms of the words"
	}
	return rule
}

func needInWords(n Need) string {
	if n == "" {
		return "–"
	}
	return "the " + map[Need]string{NeedsAnswer: "baseline's answer", NeedsDonor: "chain of another item"}[n]
}

// cell makes a text safe for a table.
func cell(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "|", "\\|"), "\n", " ") }

// Families come in the order of the batteries: the paper's, the API runtime's, the careful ones.
func TestFamiliesInTheOrderOfBatteries(t *testing.T) {
	want := strings.Fields("F1 F2 F3 F4 F5 F6 F7 M1 M2 M3 M4 M5 M6 API-M3 API-M4 API-M5 M-sex M-age M-race M-lab M-negation " +
		"M-severity M-course M-side M-dose M-drug M-allergy M-spelling M-units M-hint F-number F-dose F-donor F-filler")
	if got := mustParse(t, "extended+api+paper").Families(); !slices.Equal(got, want) {
		t.Errorf("families %q, want %q", got, want)
	}
}
