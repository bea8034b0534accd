package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// leadRows is how many rows of a table the short summary shows.
const leadRows = 4

// sideID is the table that says what the groups side by side, at the head of the summary, say.
const sideID = "summary"

// analyses are the claims, the failure modes and the tables of the analyses. The short summary has the claims that do
// not hold and, unless the groups are many, the leading table of each analysis that reproduces one of the paper's and has
// estimates, without its notes.
func (t *text) analyses() {
	f := t.r.Findings
	ClaimsText(&t.Buffer, f.Claims, t.full, t.leadClaims())
	t.modes(t.r.modes())
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
		if len(a.Tables) > 0 && !t.many {
			if lead := a.Tables[0]; lead.Paper != "" && lead.ID != sideID && !lead.Long && estimates(lead) {
				lead.Notes = nil
				TableText(&t.Buffer, lead, leadRows)
			}
		}
	}
}

// leadClaims is of how many models or edits the short summary shows the measurement behind one claim.
func (t *text) leadClaims() int {
	if t.many {
		return 1
	}
	return 3
}

// modes names the failure mode of each model; the full summary says what makes it borderline.
func (t *text) modes(all []chain.Mode) {
	if len(all) == 0 {
		return
	}
	t.paragraph("\nFailure modes")
	for _, g := range modeGroups(all) {
		Wrap(&t.Buffer, "  ", g.Line())
	}
	if !t.full && t.many {
		return
	}
	for _, m := range all {
		if len(m.Borderline) > 0 && len(m.Open()) == 0 {
			Wrap(&t.Buffer, "  ", fmt.Sprintf("– %s, %s, borderline: %s", m.Model, m.Variant, Signed(strings.Join(m.Borderline, "; "))))
		}
	}
}

// estimates says whether a table has a value with its interval.
func estimates(t percuss.Table) bool {
	for _, r := range t.Rows {
		for i, c := range t.Columns {
			if between(cellAt(r, i), c) != "" {
				return true
			}
		}
	}
	return false
}
