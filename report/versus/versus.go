// Package versus holds two runs of one audit against each other, item by item: which answers came right, which went
// wrong, and which edits move an answer now that did not. Whatever enters a rate was measured in both runs on the same
// question.
package versus

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/percuss/percuss"
)

// Run is one of the two runs.
type Run struct {
	Name     string // what messages call it
	Subjects []percuss.Subject
	Records  iter.Seq2[percuss.Record, error] // one for each subject, in any order; read once
	Versions map[string]string                // of the edits, by operator or control; one that is not there is taken for the same
}

// Kind says what became of the answer to one item.
type Kind string

// The kinds, in the order in which they are listed.
const (
	Broke      Kind = "broke"       // right before, wrong after
	Fixed      Kind = "fixed"       // wrong before, right after
	Lost       Kind = "lost"        // an answer before, none after
	Gained     Kind = "gained"      // none before, an answer after
	StaysWrong Kind = "stays-wrong" // wrong in both, perhaps with another answer
	StaysRight Kind = "stays-right"
	Unread     Kind = "unread" // no answer in either
)

// Kinds are all kinds, in the order in which they are listed.
func Kinds() []Kind { return []Kind{Broke, Fixed, Lost, Gained, StaysWrong, StaysRight, Unread} }

// Schema names the form of a comparison as JSON.
const Schema = "percuss.compare/1"

// Comparison is what two runs have in common, and where they differ. Before is the first run, after the second.
type Comparison struct {
	Schema string          `json:"schema"`
	Before string          `json:"before"`
	After  string          `json:"after"`
	Groups []Group         `json:"groups"`
	Both   int             `json:"both"`        // subjects that were compared
	OnlyA  int             `json:"only_before"` // subjects of the first run without a partner
	OnlyB  int             `json:"only_after"`
	Differ int             `json:"differ"`                // subjects of both whose question, options or key differ: in no rate
	Others []OtherEdit     `json:"other_edits,omitempty"` // edits of another version in each run: in no figure
	Lead   []string        `json:"lead"`                  // the answer in words
	Tables []percuss.Table `json:"tables"`
	Items  []Moved         `json:"items"` // every compared subject, by kind
}

// Group are the items of one set under one model and prompt of each run.
type Group struct {
	Set          string `json:"set"`
	BeforeModel  string `json:"before_model"`
	AfterModel   string `json:"after_model"`
	BeforePrompt string `json:"before_prompt"`
	AfterPrompt  string `json:"after_prompt"`
	Both         int    `json:"both"`
	OnlyA        int    `json:"only_before"`
	OnlyB        int    `json:"only_after"`
	Differ       int    `json:"differ"`
}

// Moved is one item under one model and prompt.
type Moved struct {
	Kind   Kind              `json:"kind"`
	Before percuss.SubjectID `json:"before"`
	After  percuss.SubjectID `json:"after"`
	Was    string            `json:"was"`    // the answer before: an option's label or a candidate; empty: none was read
	Is     string            `json:"is"`     // the answer after
	Trials []MovedTrial      `json:"trials"` // those whose outcome is another; never null
}

// MovedTrial is one trial whose outcome differs between the runs.
type MovedTrial struct {
	ID       string         `json:"id"`       // in the subject, e.g. "M5-a"; of a case "set-5", "remove:E_53"
	Operator string         `json:"operator"` // of a case "order 2", or an edit of findings
	Was      Turn           `json:"was"`
	Is       Turn           `json:"is"`
	Cell     string         `json:"cell,omitempty"`       // chain audit: the joint table's cell before, a to d
	CellIs   string         `json:"cell_is,omitempty"`    // and after
	Strength percuss.Number `json:"strength,omitzero"`    // of an interaction before, nats
	NowAt    percuss.Number `json:"strength_is,omitzero"` // and after
}

// Pair compares two runs. as names models of the first run that are another model of the second one; others are the same
// where their ids are, or where each run has one alone, and so are prompts. An error names what the runs do not have in
// common and how to say what is what; it is also the one that reading a record failed with.
//
// It holds a few bytes for each trial of the first run and streams the second one.
func Pair(a, b Run, as map[string]string) (Comparison, error) {
	p, err := pairing(a, b, as)
	if err != nil {
		return Comparison{}, err
	}
	p.apart(a.Versions, b.Versions)
	if err := p.first(a); err != nil {
		return Comparison{}, err
	}
	if err := p.second(b); err != nil {
		return Comparison{}, err
	}
	out := Comparison{Schema: Schema, Before: a.Name, After: b.Name, Both: len(p.pairs), OnlyA: p.onlyA, OnlyB: p.onlyB, Differ: p.differ, Others: p.others, Items: p.moved()}
	for _, g := range p.groups {
		out.Groups = append(out.Groups, g.Group)
	}
	results, err := p.results()
	if err != nil {
		return Comparison{}, fmt.Errorf("compare %s with %s: %w", a.Name, b.Name, err)
	}
	out.Tables, out.Lead = p.tables(results), p.lead(results)
	return out, nil
}

// moved are the compared items by kind, within a kind those with another answer first, then those with more trials that came
// out in another way, then in the order of the first run.
func (p *pairs) moved() []Moved {
	order := map[Kind]int{}
	for i, k := range Kinds() {
		order[k] = i
	}
	out := p.items
	slices.SortStableFunc(out, func(x, y Moved) int {
		return cmp.Or(order[x.Kind]-order[y.Kind], differing(y)-differing(x), len(y.Trials)-len(x.Trials), p.at[x.Before]-p.at[y.Before])
	})
	return out
}

// differing is 1 for an item whose two answers differ.
func differing(m Moved) int {
	if m.Was != m.Is {
		return 1
	}
	return 0
}
