package report

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// leadRows is how many rows of a table the short summary shows.
const leadRows = 4

// leadClaims is of how many models or edits the short summary shows the measurement behind one claim.
const leadClaims = 3

// sideID is the table that says what the groups side by side, at the head of the summary, say.
const sideID = "summary"

// analyses are the claims, the failure modes and the tables of the analyses. The short summary has the claims that do
// not hold and the leading table of each analysis that reproduces one of the paper's and has
// estimates, without its notes.
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
		if len(a.Tables) > 0 {
			if lead := a.Tables[0]; lead.Paper != "" && lead.ID != sideID && !lead.Long && estimates(lead) {
				lead.Notes = nil
				TableText(&t.Buffer, lead, leadRows)
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
	t.paragraph(count + "; percuss check lists them.")
	var last chain.Claim
	shown, more := 0, 0
	rest := func() {
		if more > 0 {
			Wrap(&t.Buffer, "    ", fmt.Sprintf("… and %d more", more))
		}
		shown, more = 0, 0
	}
	for _, c := range ordered(all) {
		if !t.full && c.Verdict == chain.ClaimHolds {
			continue
		}
		if c.Verdict != last.Verdict || c.Says != last.Says {
			rest()
			Wrap(&t.Buffer, "  ", fmt.Sprintf("%s: %s", c.Verdict, c.Says))
			last = c
		}
		if shown++; t.full || shown <= leadClaims {
			Wrap(&t.Buffer, "    ", orElse(c.Subject, "the run")+": "+c.Shown)
		} else {
			more++
		}
	}
	rest()
}

// modes names the failure mode of each model.
func (t *text) modes(all []chain.Mode) {
	if len(all) == 0 {
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
