package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// ClaimsTable is what the tables of a run seem to say, and whether the run bears it out: failures first.
func ClaimsTable(claims []percuss.Claim) percuss.Table {
	t := percuss.Table{ID: claimsID, Title: claimsTitle, About: "What the tables seem to say, and whether this run bears it out.",
		Columns: []percuss.Column{{ID: "verdict", Head: "Verdict"}, {ID: "claim", Head: "Claim"}, {ID: "about", Head: "About"}, {ID: "says", Head: "Says"},
			{ID: "measure", Head: "Measured", Scale: percuss.Decimal}, {ID: "shown", Head: "In words"}, {ID: "against", Head: "What would contradict it"}}}
	t.Long = len(claims) > mostLines
	for _, c := range ordered(claims) {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(string(c.Verdict)), percuss.Said(c.ID), percuss.Said(orElse(c.Subject, "the run")),
			percuss.Said(c.Says), percuss.Measured(c.Measure), percuss.Said(c.Shown), percuss.Said(c.Against)}})
	}
	return t
}

const claimsTitle = "Does this run support its own claims?"

// verdicts are in the order in which a reader wants them.
var verdicts = []percuss.Holds{percuss.ClaimFails, percuss.CannotTell, percuss.ClaimHolds}

// ordered puts claims that fail first and those that hold last; the same claim on several models stands together.
func ordered(claims []percuss.Claim) []percuss.Claim {
	out := slices.Clone(claims)
	said := map[string]int{}
	for i, c := range claims {
		if _, ok := said[c.Says]; !ok {
			said[c.Says] = i
		}
	}
	slices.SortStableFunc(out, func(a, b percuss.Claim) int {
		return cmp.Or(cmp.Compare(slices.Index(verdicts, a.Verdict), slices.Index(verdicts, b.Verdict)), cmp.Compare(said[a.Says], said[b.Says]))
	})
	return out
}

// ClaimCount says in one line how many claims hold; empty: none was made.
func ClaimCount(claims []percuss.Claim) string {
	if len(claims) == 0 {
		return ""
	}
	n := map[percuss.Holds]int{}
	for _, c := range claims {
		n[c.Verdict]++
	}
	return fmt.Sprintf("Of %s, %d %s, %d %s, and %d cannot be told", Plural(len(claims), "claim"), n[percuss.ClaimHolds], verb(n[percuss.ClaimHolds], "hold"),
		n[percuss.ClaimFails], verb(n[percuss.ClaimFails], "fail"), n[percuss.CannotTell])
}

// verb is the form of a regular verb for so many.
func verb(n int, of string) string {
	if n == 1 {
		return of + "s"
	}
	return of
}

// claimGroup is one claim about several models or edits.
type claimGroup struct {
	Says   string
	Claims []claimView // those that fail first
}

// claimGroups gathers the claims that say the same: first those that fail of some model, last those that hold of all.
func claimGroups(claims []percuss.Claim) []claimGroup {
	var out []claimGroup
	for _, c := range ordered(claims) {
		i := slices.IndexFunc(out, func(g claimGroup) bool { return g.Says == c.Says })
		if i < 0 {
			i, out = len(out), append(out, claimGroup{Says: c.Says})
		}
		out[i].Claims = append(out[i].Claims, claimView{c})
	}
	return out
}

// of are the claims of the group with a verdict.
func (g claimGroup) of(v percuss.Holds) []claimView {
	var out []claimView
	for _, c := range g.Claims {
		if c.Verdict == v {
			out = append(out, c)
		}
	}
	return out
}

// Verdicts counts the claims of the group by verdict, failures first; a verdict that none has is left out.
func (g claimGroup) Verdicts() []verdictCount {
	var out []verdictCount
	for _, v := range verdicts {
		if n := len(g.of(v)); n > 0 {
			out = append(out, verdictCount{claimView{percuss.Claim{Verdict: v}}, n})
		}
	}
	return out
}

// verdictCount is how many claims have a verdict.
type verdictCount struct {
	claimView
	N int
}

// Open says whether a page shows the rows of the group unfolded: where one fails and they are few.
func (g claimGroup) Open() bool {
	return len(g.of(percuss.ClaimFails)) > 0 && len(g.Claims) <= mostUnfolded
}

// mostUnfolded is how many rows of one claim a page shows unfolded.
const mostUnfolded = 8

// Against is what would contradict the claim, where that is the same for all rows; else empty.
func (g claimGroup) Against() string {
	for _, c := range g.Claims {
		if c.Claim.Against != g.Claims[0].Claim.Against {
			return ""
		}
	}
	return Signed(g.Claims[0].Claim.Against)
}

// claimView is a claim as the page shows it.
type claimView struct{ percuss.Claim }

// Class is the style of the verdict; the word says the same.
func (c claimView) Class() string {
	switch c.Verdict {
	case percuss.ClaimHolds:
		return "v-holds"
	case percuss.ClaimFails:
		return "v-fails"
	}
	return "v-open"
}

// About is what the claim is about.
func (c claimView) About() string { return orElse(c.Subject, "the run") }

// Measured is what was measured, in words.
func (c claimView) Measured() string { return Signed(c.Shown) }

// Contradicts is what would contradict the claim.
func (c claimView) Contradicts() string { return Signed(c.Claim.Against) }

// ClaimsPage is the claims of a run as the template "claims" shows them, on the page of any audit.
type ClaimsPage struct {
	Count  string // in words; empty: no claim was made
	Groups []claimGroup
}

// NewClaimsPage gathers claims for a page.
func NewClaimsPage(claims []percuss.Claim) ClaimsPage {
	return ClaimsPage{ClaimCount(claims), claimGroups(claims)}
}

// ClaimsText lists claims for a terminal with what was measured. The full list has all; the short one those that fail of
// something, each with at most so many measurements, and counts the others.
func ClaimsText(b *bytes.Buffer, claims []percuss.Claim, full bool, most int) {
	count := ClaimCount(claims)
	if count == "" {
		return
	}
	b.WriteByte('\n')
	Wrap(b, "", claimsTitle)
	Wrap(b, "", count+"; percuss check lists them.")
	for _, g := range claimGroups(claims) {
		for _, v := range verdicts {
			some := g.of(v)
			if len(some) == 0 || !full && v != percuss.ClaimFails {
				continue
			}
			Wrap(b, "  ", fmt.Sprintf("%s%s: %s", v, outOf(len(some), len(g.Claims)), g.Says))
			shown := len(some)
			if !full {
				shown = min(shown, most)
			}
			for _, c := range some[:shown] {
				Wrap(b, "    ", c.About()+": "+c.Measured())
			}
			if n := len(some) - shown; n > 0 {
				Wrap(b, "    ", fmt.Sprintf("… and %d more", n))
			}
		}
	}
}

// outOf says of how many of several a verdict is; empty for one.
func outOf(n, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", n, of)
}
