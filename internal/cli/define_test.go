package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/steps"
)

// TestDefine: the words of a report can be looked up in the terminal, by id, by name or by a part.
func TestDefine(t *testing.T) {
	for _, c := range []struct {
		args   []string
		wanted []string
		absent string
	}{
		{[]string{"cdr"}, []string{"CDR (cdr; chain audit)", "Chain-decoupling rate", "Range: 0 to 1. Better: lower. Source: chain paper, section 4."}, "cdr_mean"},
		{[]string{"CDR, mean of sets"}, []string{"(cdr_mean; chain audit)"}, "inflected"},
		{[]string{"noise floor"}, []string{"Noise floor (floor; evidence audit)", "0 nats or more"}, "chain audit"},
		{[]string{"rule 4"}, []string{"Rule 4: differential conflict/cancellation (rule_4;"}, "Rule 5"},
		{[]string{"agreement"}, []string{"(agreement; chain audit)", "(agreement; evidence audit)"}, "Kappa"},
		{[]string{"ece"}, []string{"ECE (ece; steps audit)", "Better: lower."}, "chain audit"},
		{[]string{"paraphrase"}, []string{"(paraphrase; steps audit)", "by a neutral model"}, "raw"},
		{[]string{"trial"}, []string{"Trial (trial; every audit)", "One thing that is asked about an item"}, "Range"},
		{[]string{"token rule"}, []string{"(token_rule; chain audit)", "does not, denies, no longer, never"}, "evidence audit"},
		{[]string{"preserving"}, []string{"Preserving edit (P) (preserving; chain audit)"}, "over_preserving"},
		{[]string{"flip", "item", "baseline", "destructive", "fingerprint", "interval", "operator"}, []string{"Flip (flip; chain audit)", "Item (item; every audit)", "Baseline (baseline;", "Destructive edit (D)", "Fingerprint of an edit", "Interval (interval;", "Operator (edit)"}, "cdr_if"},
		{[]string{"FCS", "salient"}, []string{"(fcs; chain audit)", "(salient; evidence audit)"}, "fcs_"},
	} {
		status, out, errs := command(t, append([]string{"define"}, c.args...)...)
		if status != exitDone || errs != "" {
			t.Errorf("%q: status %d: %s", c.args, status, errs)
		}
		flat := strings.Join(strings.Fields(out), " ")
		for _, w := range c.wanted {
			if !strings.Contains(flat, w) {
				t.Errorf("%q: no %q in\n%s", c.args, w, out)
			}
		}
		if strings.Contains(out, c.absent) {
			t.Errorf("%q: says %q:\n%s", c.args, c.absent, out)
		}
	}
	if status, out, errs := command(t, "define", "cdr", "blub"); status != exitUsage || out != "" || !strings.Contains(errs, "`percuss define` lists") {
		t.Errorf("an unknown word: status %d, %q, %q", status, out, errs)
	}
}

// TestDefineKnowsAllWords: every word of all pages is in the list, once for each audit, and each is found by its id; all fits a terminal.
func TestDefineKnowsAllWords(t *testing.T) {
	_, list, _ := command(t, "define")
	every := list
	for _, d := range allDefinitions() {
		if n := strings.Count(list, "  "+d.id+" "); n < 1 || n > 3 {
			t.Errorf("%s is listed %d times", d.id, n)
		}
		_, out, _ := command(t, "define", d.id)
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(d.means), " ")) {
			t.Errorf("%s is defined as\n%s", d.id, out)
		}
		every += out
	}
	if n := len(report.Glossary()) + len(cases.Glossary()) + len(steps.Glossary()) + len(runningWords()); n < 100 || len(allDefinitions()) != n {
		t.Errorf("%d words of %d", len(allDefinitions()), n)
	}
	for line := range strings.Lines(every) {
		if w := screen.Width(strings.TrimSuffix(line, "\n")); w > screen.Columns {
			t.Errorf("%d columns: %s", w, line)
		}
	}
}
