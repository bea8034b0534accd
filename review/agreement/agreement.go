// Package agreement makes tables of what raters said: shares, agreement beyond chance, unanimous counts, adjudicated
// outcomes. It knows the package and the ratings; what an item is, where that is unsealed, it is told as strata.
package agreement

import (
	"cmp"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/stat"
)

// Known is what the opened key tells of an item.
type Known struct {
	Strata   map[string]string // e.g. "bucket" -> "conflict"; an item that is in no stratum of a name leaves it out
	Repeats  string            // the id of the item that it shows again; empty: it is none
	Expected map[string]string // of an attention item: question -> label; nil: it is none
}

// judged says whether the item is one of the sample, and not there to look at the raters.
func (k Known) judged() bool { return k.Repeats == "" && k.Expected == nil }

// Review is a package with what was answered to it.
type Review struct {
	Package blind.Package
	Names   map[string]string // of raters, by id; a rater without one is called by the id
	Said    ratings.Latest    // of the first round
	Second  *Round            // nil: there was no adjudication
	Key     map[string]Known  // by item; nil: the key is not open
	Strata  []string          // names of strata, in the order in which they are told
	Only    map[string]string // strata and their values: only items of all of these count; nil: all
	Asked   bool              // raters are still asked: nothing is told of what they said, for it could reach who has yet to answer
}

// Round is a second round.
type Round struct {
	Package blind.Package
	Said    ratings.Latest
}

// ResultsSchema names the format of Results.
const ResultsSchema = "percuss.review.results/1"

// Results are the tables of a review.
type Results struct {
	Schema     string            `json:"schema"` // ResultsSchema
	Package    string            `json:"package"`
	Task       blind.Kind        `json:"task"`
	Title      string            `json:"title"`
	KeyOpen    bool              `json:"key_open"`       // what items are is known
	Only       map[string]string `json:"only,omitempty"` // the strata that were told
	Items      int               `json:"items"`
	Raters     int               `json:"raters"` // who answered anything
	Open       int               `json:"open"`   // items that raters who answered anything have not finished, over all of these
	Seed       uint64            `json:"seed"`
	Replicates int               `json:"replicates"`
	Level      float64           `json:"level"`
	Withheld   bool              `json:"withheld,omitempty"` // raters are still asked: the tables tell who has done how much, and no answer
	Lead       []string          `json:"lead"`               // sentences for a reader
	Tables     []percuss.Table   `json:"tables"`
}

// Tabulate makes the tables. Neither the order of raters nor that of items changes anything: raters stand by name, items by id.
// Options.Metrics and Options.Resamples are not used.
func Tabulate(r Review, o stat.Options) Results {
	if o.Replicates == 0 {
		o.Replicates = stat.DefaultReplicates
	}
	if o.Level == 0 {
		o.Level = stat.DefaultLevel
	}
	o.Metrics, o.Resamples = nil, &stat.Resamples{}
	t := tables{Review: r, o: o, raters: people(r.Said, r.Names)}
	for _, item := range r.Package.Items {
		if t.counts(item.ID) {
			t.items = append(t.items, item)
		}
	}
	slices.SortFunc(t.items, func(a, b blind.Item) int { return cmp.Compare(a.ID, b.ID) })
	out := Results{Schema: ResultsSchema, Package: r.Package.ID, Task: r.Package.Task, Title: r.Package.Title, KeyOpen: r.Key != nil, Only: r.Only,
		Items: len(t.items), Raters: len(t.raters), Seed: o.Seed, Replicates: o.Replicates, Level: o.Level}
	progress, open := t.progress()
	out.Open = open
	out.Lead = t.lead(open)
	out.Tables = append(out.Tables, progress)
	if r.Asked {
		out.Withheld = true
		out.Lead = append(out.Lead, "The review is open: what was answered is not shown until it is closed, so that no rater can hear of it.")
		return out
	}
	if r.Package.Task == blind.Perturbation {
		out.Tables = append(out.Tables, t.statements())
	}
	for _, q := range r.Package.Questions {
		out.Tables = append(out.Tables, t.ofQuestion(q)...)
	}
	out.Tables = append(out.Tables, t.ofConfidence()...)
	out.Tables = append(out.Tables, t.ofThemselves()...)
	return out
}

// tables is a review with what its tables share.
type tables struct {
	Review
	o      stat.Options
	raters []person     // of the first round, who answered anything, by name
	items  []blind.Item // that count, by id
}

// person is a rater.
type person struct{ id, name string }

// people are the raters who answered anything, by name.
func people(said ratings.Latest, names map[string]string) []person {
	var out []person
	for id, entries := range said {
		if len(entries) > 0 {
			out = append(out, person{id, cmp.Or(names[id], id)})
		}
	}
	slices.SortFunc(out, func(a, b person) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	return out
}

// counts says whether an item is one of those that tables are of.
func (t tables) counts(id string) bool {
	k := t.Key[id]
	if !k.judged() {
		return false
	}
	for name, value := range t.Only {
		if k.Strata[name] != value {
			return false
		}
	}
	return true
}

// ofQuestion are the tables of one question.
func (t tables) ofQuestion(q blind.Question) []percuss.Table {
	s := t.sheet(q, t.items)
	out := []percuss.Table{t.shares(s)}
	out = append(append(out, t.agreement(s)...), t.prevalence(s))
	if len(s.raters) > 2 { // of two it would be the same again
		out = append(out, t.pairs(s))
	}
	out = append(out, t.crossed(s), t.direction(s))
	final := t.outcomes(s)
	if t.Second != nil {
		out = append(out, t.adjudicated(s, final), t.sided(s, final))
	}
	return append(out, t.strata(s, final)...)
}
