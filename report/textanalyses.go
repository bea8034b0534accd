package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/chain"
)

// leadRows is how many rows of a table the short summary shows.
const leadRows = 8

// analyses are the claims, the failure modes and the tables of the analyses. The short summary has the claims that do
// not hold and the leading table of each analysis that reproduces one of the paper's.
func (t *text) analyses() {
	f := t.r.Findings
	t.claims(f.Claims)
	t.modes(f.Modes)
	for _, a := range analysesOf(f) {
		if t.full {
			t.paragraph("\n" + a.Heading())
			t.paragraph(a.About)
			if a.Absent != "" {
				t.paragraph("  – " + a.Absent)
			}
			for _, table := range a.Tables {
				TableText(&t.Buffer, table, 0)
			}
			continue
		}
		for _, table := range a.Tables {
			if table.Paper != "" && !table.Long && len(table.Rows) > 0 {
				TableText(&t.Buffer, table, leadRows)
				break
			}
		}
	}
}

// claims lists each claim with what was measured; the short summary leaves out those that hold.
func (t *text) claims(all []chain.Claim) {
	count := claimCount(all)
	if count == "" {
		return
	}
	t.paragraph("\n" + claimsTitle)
	t.paragraph(strings.ToUpper(count[:1]) + count[1:] + "; percuss check lists them.")
	for _, c := range ordered(all) {
		if t.full || c.Verdict != chain.ClaimHolds {
			Wrap(&t.Buffer, "  ", fmt.Sprintf("%s: %s (%s): %s", c.Verdict, strings.TrimSuffix(c.Says, "."), orElse(c.Subject, "the run"), c.Shown))
		}
	}
}

// modes names the failure mode of each model.
func (t *text) modes(all []chain.Mode) {
	if len(all) == 0 {
		return
	}
	if t.full {
		TableText(&t.Buffer, modesTable(all), 0)
		return
	}
	t.paragraph("\nFailure modes")
	for _, m := range all {
		words := fmt.Sprintf("%s, %s: %s", m.Model, m.Variant, m.Mode)
		if len(m.Borderline) > 0 {
			words += " (borderline: " + strings.Join(m.Borderline, "; ") + ")"
		}
		Wrap(&t.Buffer, "  ", words)
	}
}
