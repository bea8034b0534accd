package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// analysisView is one part of the report as the page shows it.
type analysisView struct {
	percuss.Analysis
	Anchor string
}

// Heading is the title with the number of the analysis.
func (a analysisView) Heading() string {
	if a.Number == 0 {
		return a.Title
	}
	return fmt.Sprintf("%d. %s", a.Number, a.Title)
}

// Empty says whether no table of the analysis has a number but counts, as where no edit could be answered.
func (a analysisView) Empty() bool {
	for _, t := range a.Tables {
		numbers := false
		for i, c := range t.Columns {
			if worded(c) || c.Scale == percuss.Whole {
				continue
			}
			numbers = true
			if slices.ContainsFunc(t.Rows, func(r percuss.Row) bool { return cellAt(r, i).Estimate.Value.OK() }) {
				return false
			}
		}
		if !numbers && len(t.Rows) > 0 {
			return false
		}
	}
	return len(a.Tables) > 0
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
		out = append(out, ClaimsTable(f.Claims))
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
