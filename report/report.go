// Package report renders the findings of an audit: JSON, CSV, a terminal summary and one self-contained HTML page. It
// computes nothing anew: every figure shown is one of the findings'.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// Schema names the layout of report.json.
const Schema = "percuss.report/1"

// Report is what report.json holds. It is a function of the specification, the subjects and the stored answers: no
// times and no costs.
type Report struct {
	Schema      string             `json:"schema"`
	Audit       string             `json:"audit"` // "chain"
	Spec        json.RawMessage    `json:"spec"`  // the resolved specification, seeds included
	Versions    map[string]string  `json:"versions"`
	Models      []Model            `json:"models"`
	Data        []Data             `json:"data"`
	Calls       []Calls            `json:"calls"` // how the calls to each model ended
	Findings    chain.Findings     `json:"findings"`
	Definitions []chain.Definition `json:"definitions"`
	Notes       []string           `json:"notes"`
}

// Model says which model was asked and by what engine.
type Model struct {
	ID       string `json:"id"`
	Identity string `json:"identity"`
	Engine   string `json:"engine,omitempty"`
	Weights  string `json:"weights,omitempty"`
	Template string `json:"template,omitempty"`
	Tier     string `json:"tier,omitempty"`
	Exact    bool   `json:"exact"`            // an answer does not depend on what else is in the batch
	Layout   string `json:"layout,omitempty"` // how the embedded engine shares what prompts have in common: "exact" or "shared"
}

// Data says which rows were asked.
type Data struct {
	Set     string   `json:"set"`
	Split   string   `json:"split,omitempty"` // of the set, as the loader knows it
	File    string   `json:"file"`
	SHA256  string   `json:"sha256"` // of the whole file, hex
	Rows    int      `json:"rows"`
	Bad     int      `json:"bad"`   // rows that could not be used
	Drawn   int      `json:"drawn"` // rows in the sample
	BadRows []string `json:"bad_rows,omitempty"`
	// Of the drawn items: how many have each remark of their loader, and how many units were left out for each reason.
	Remarks map[string]int `json:"remarks,omitempty"`
	LeftOut map[string]int `json:"left_out,omitempty"`
}

// Item is one subject with all that a reader needs to check its trials.
type Item struct {
	Subject percuss.Subject
	Trials  []percuss.Trial
	Record  chain.Record
	Answers percuss.Answers

	// Asks names the model that a trial asks where that is not the subject's, by the trial's id; nil: as a chain audit names
	// its judges.
	Asks func(trial string) (model string, ok bool)

	// What a quoted chain stands between in a user turn (chain.Audit.Quotation); empty: not known. A request that other
	// words made is shown as it is.
	Before, After string
}

// Complete sets the schema and the definitions.
func (r *Report) Complete() {
	r.Schema = Schema
	r.Definitions = chain.Definitions()
}

// WriteJSON writes the report, indented; the same report always gives the same bytes.
func WriteJSON(w io.Writer, r Report) error {
	return WriteIndented(w, r)
}

// level is a group with the name of its kind.
type level struct {
	Kind string // "panel", "tier", "model" or "cell"
	chain.Group
	members []chain.Group // the models of a panel or tier, each under its first prompt
}

// heading names the group with its kind, where the name does not say it.
func (l level) heading() string {
	if kind := l.Sort(); kind != "" {
		return kind + ": " + l.title()
	}
	return l.title()
}

// Sort is the group's kind where its name does not say it.
func (l level) Sort() string {
	if strings.HasPrefix(l.title(), l.Kind) {
		return ""
	}
	return l.Kind
}

// Size is how many items stand behind the group. A panel counts every item once for each model.
func (l level) Size() string {
	k := len(l.members)
	switch {
	case k < 2:
		return Plural(l.Items, "item")
	case l.Items%k == 0:
		return fmt.Sprintf("%s × %d models", Plural(l.Items/k, "item"), k)
	}
	return fmt.Sprintf("%s of %d models", Plural(l.Items, "item"), k)
}

// spread is the smallest and the largest value of a figure among the models of a panel or tier; empty where there are
// not two.
func (l level) spread(id, scope string, format func(percuss.Number) string) string {
	var all []float64
	for _, g := range l.members {
		if m, ok := metric(g, id, scope); ok {
			if v, ok := m.Value.Get(); ok {
				all = append(all, v)
			}
		}
	}
	if len(all) < 2 {
		return ""
	}
	lo, hi := format(percuss.Num(slices.Min(all))), format(percuss.Num(slices.Max(all)))
	if lo == hi {
		return " All models: " + lo + "."
	}
	return fmt.Sprintf(" The models range from %s to %s.", lo, hi)
}

// levels lists every group, the widest first.
func levels(f chain.Findings) []level {
	var out []level
	if f.Panel != nil {
		out = append(out, level{"panel", *f.Panel, membersOf(f, "")})
	}
	for _, part := range []struct {
		kind   string
		groups []chain.Group
	}{{"tier", f.Tiers}, {"model", f.Models}, {"cell", f.Cells}} {
		for _, g := range part.groups {
			l := level{Kind: part.kind, Group: g}
			if part.kind == "tier" {
				l.members = membersOf(f, g.Tier)
			}
			out = append(out, l)
		}
	}
	return out
}

// membersOf are the models that a tier's means are taken over, or the panel's where no tier is named: each once, under
// its first prompt.
func membersOf(f chain.Findings, tier string) []chain.Group {
	var out []chain.Group
	seen := map[string]bool{}
	for _, g := range f.Models {
		if !seen[g.Model] && (tier == "" || g.Tier == tier) {
			seen[g.Model] = true
			out = append(out, g)
		}
	}
	return out
}

// shown leaves out what repeats another group: the cells where every model has one cell only, and a tier that holds all models
// of the panel.
func shown(f chain.Findings) []level {
	all := levels(f)
	if len(f.Models) > 0 && len(f.Cells) == len(f.Models) {
		all = all[:len(all)-len(f.Cells)]
	}
	if f.Panel != nil && len(f.Tiers) == 1 && len(membersOf(f, f.Tiers[0].Tier)) == len(membersOf(f, "")) {
		all = slices.DeleteFunc(all, func(l level) bool { return l.Kind == "tier" })
	}
	return all
}

// metric finds a figure of a group.
func metric(g chain.Group, id, scope string) (chain.Metric, bool) {
	for _, m := range g.Metrics {
		if m.ID == id && (scope == "" || m.Scope == scope) {
			return m, true
		}
	}
	return chain.Metric{}, false
}
