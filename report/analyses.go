package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// analysisView is one part of the report as the page shows it.
type analysisView struct {
	chain.Analysis
	Anchor string
}

// Heading is the title with the number of the analysis.
func (a analysisView) Heading() string {
	if a.Number == 0 {
		return a.Title
	}
	return fmt.Sprintf("%d. %s", a.Number, a.Title)
}

// analysesOf are the analyses of the findings, each with its place in the page and tables whose ids
// are unique.
func analysesOf(f chain.Findings) []analysisView {
	var out []analysisView
	seen := map[string]bool{claimsID: true}
	for _, a := range f.Analyses {
		a.Tables = slices.Clone(a.Tables)
		for i := range a.Tables {
			id := slug(a.Tables[i].ID)
			for n := 2; seen[id]; n++ {
				id = fmt.Sprintf("%s_%d", slug(a.Tables[i].ID), n)
			}
			seen[id], a.Tables[i].ID = true, id
		}
		if len(a.Tables) > 0 || a.Absent != "" {
			out = append(out, analysisView{a, "a-" + slug(a.ID)})
		}
	}
	// Those of the paper's list come first, in its order.
	slices.SortStableFunc(out, func(a, b analysisView) int { return cmp.Compare(a.place(), b.place()) })
	return out
}

// place orders analyses: by number, and those without one last.
func (a analysisView) place() int {
	if a.Number == 0 {
		return math.MaxInt
	}
	return a.Number
}

// Tables are the tables of the findings beyond those of the groups, each with an id of its own: claims and those
// of the analyses.
func Tables(f chain.Findings) []percuss.Table {
	var out []percuss.Table
	if len(f.Claims) > 0 {
		out = append(out, claimsTable(f.Claims))
	}
	for _, a := range analysesOf(f) {
		out = append(out, a.Tables...)
		if len(a.Tables) == 0 {
			out = append(out, percuss.Table{ID: a.ID, Title: a.Title, About: a.About, Absent: a.Absent})
		}
	}
	return out
}

// claimsID is the id of the table that is made here.
const claimsID = "claims"

// modeLine names the failure mode of each model in a line; empty: none was found out.
func modeLine(modes []chain.Mode) string {
	var all []string
	for _, m := range modes {
		words := fmt.Sprintf("%s (%s): %s", m.Model, m.Variant, m.Mode)
		if len(m.Borderline) > 0 {
			words += ", borderline"
		}
		all = append(all, words)
	}
	return strings.Join(all, "; ")
}

// claimsTable is what the tables seem to say, and whether the run bears it out: failures first.
func claimsTable(claims []chain.Claim) percuss.Table {
	t := percuss.Table{ID: claimsID, Title: claimsTitle, About: "What the tables seem to say, and whether this run bears it out.",
		Columns: []percuss.Column{{ID: "verdict", Head: "Verdict"}, {ID: "claim", Head: "Claim"}, {ID: "about", Head: "About"}, {ID: "says", Head: "Says"},
			{ID: "measure", Head: "Measured", Scale: percuss.Decimal}, {ID: "shown", Head: "In words"}, {ID: "against", Head: "What would contradict it"}}}
	for _, c := range ordered(claims) {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(string(c.Verdict)), percuss.Said(c.ID), percuss.Said(orElse(c.Subject, "the run")),
			percuss.Said(c.Says), percuss.Measured(c.Measure), percuss.Said(c.Shown), percuss.Said(c.Against)}})
	}
	return t
}

const claimsTitle = "Does this run support its own claims?"

// verdicts are in the order in which a reader wants them.
var verdicts = []chain.Holds{chain.ClaimFails, chain.CannotTell, chain.ClaimHolds}

// ordered puts claims that fail first and those that hold last; the same claim on several models stands together.
func ordered(claims []chain.Claim) []chain.Claim {
	out := slices.Clone(claims)
	said := map[string]int{}
	for i, c := range claims {
		if _, ok := said[c.Says]; !ok {
			said[c.Says] = i
		}
	}
	slices.SortStableFunc(out, func(a, b chain.Claim) int {
		return cmp.Or(cmp.Compare(slices.Index(verdicts, a.Verdict), slices.Index(verdicts, b.Verdict)), cmp.Compare(said[a.Says], said[b.Says]))
	})
	return out
}

// claimCount says in one line how many claims hold; empty: none was made.
func claimCount(claims []chain.Claim) string {
	if len(claims) == 0 {
		return ""
	}
	n := map[chain.Holds]int{}
	for _, c := range claims {
		n[c.Verdict]++
	}
	return fmt.Sprintf("Of %s, %d hold, %d fail, and of %d this run cannot tell", Plural(len(claims), "claim"), n[chain.ClaimHolds], n[chain.ClaimFails], n[chain.CannotTell])
}

// claimView is a claim as the page shows it.
type claimView struct{ chain.Claim }

// Class is the style of the verdict; the word says the same.
func (c claimView) Class() string {
	switch c.Verdict {
	case chain.ClaimHolds:
		return "v-holds"
	case chain.ClaimFails:
		return "v-fails"
	}
	return "v-open"
}

// About is what the claim is about.
func (c claimView) About() string { return orElse(c.Subject, "the run") }

// claimsPage parts the claims into those that a reader must see and those that hold; where these are few, all are shown.
type claimsPage struct {
	Count               string
	Shown, More, Folded []claimView // More: do not hold either
}

// How many claims a page shows unfolded where some hold, and how many in any case.
const (
	mostClaims  = 16
	mostUnfolds = 40
)

func newClaimsPage(claims []chain.Claim) claimsPage {
	p := claimsPage{Count: claimCount(claims)}
	for _, c := range ordered(claims) {
		switch {
		case c.Verdict == chain.ClaimHolds && len(claims) > mostClaims:
			p.Folded = append(p.Folded, claimView{c})
		case len(p.Shown) >= mostUnfolds:
			p.More = append(p.More, claimView{c})
		default:
			p.Shown = append(p.Shown, claimView{c})
		}
	}
	return p
}
