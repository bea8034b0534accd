package review

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Row is one label joined to what it is of, in the columns that `percuss report --human` and `--judgements` read.
type Row struct {
	ID         string  `json:"id"`
	Rater      string  `json:"rater"`
	Model      string  `json:"model"`
	Variant    string  `json:"variant,omitempty"`
	Item       string  `json:"item"`
	Operator   string  `json:"operator,omitempty"`
	Set        string  `json:"set,omitempty"`          // of a step audit, as the next four
	Chain      int     `json:"chain,string,omitempty"` // as text, as all columns are
	View       string  `json:"view,omitempty"`
	Step       int     `json:"step,string,omitempty"`
	Weight     float64 `json:"weight,string,omitempty"`
	Task       string  `json:"task,omitempty"`  // of a chain audit: the question that was asked
	Label      string  `json:"label,omitempty"` // and its answer
	Judgement  string  `json:"judgement,omitempty"`
	Confidence string  `json:"confidence"` // of an interaction; else empty
	Comment    string  `json:"comment,omitempty"`
	At         string  `json:"at,omitempty"` // when it was answered; UTC, RFC 3339: of two reviews in which a rater says something of the same thing, the later holds
}

// Join joins what raters said with the keys: of the first round under the raters' names, of the second, which may be nil, what more than half of
// its raters say, under Adjudicator. Items that are there to look at the raters, and flagged ones without an answer, are left out. names are the
// raters' names by id. Rows are in the order of items, raters and questions.
func Join(p blind.Package, keys []Key, first, second ratings.Latest, names map[string]string) []Row {
	of := map[string]Key{}
	for _, k := range keys {
		of[k.ID] = k
	}
	var out []Row
	for _, item := range p.Items {
		k, ok := of[item.ID]
		if !ok || !k.Judged() {
			continue
		}
		for _, id := range sortedRaters(first) {
			out = append(out, rowsOf(p, k, names[id], first[id][item.ID])...)
		}
		out = append(out, rowsOf(p, k, Adjudicator, settled(p, second, item.ID))...)
	}
	return out
}

// settled is what the raters of a second round say of an item together: the label of more than half of those who answered the question, all their
// comments, and the time of the last of them.
func settled(p blind.Package, second ratings.Latest, item string) ratings.Entry {
	out := ratings.Entry{Labels: map[string]string{}}
	for _, q := range p.Questions {
		votes, all := map[string]int{}, 0
		for _, said := range second {
			if label := said[item].Labels[q.ID]; label != "" {
				votes[label]++
				all++
			}
		}
		for label, n := range votes {
			if 2*n > all {
				out.Labels[q.ID] = label
			}
		}
	}
	var comments []string
	for _, id := range sortedRaters(second) {
		e := second[id][item]
		if e.Comment != "" {
			comments = append(comments, e.Comment)
		}
		if e.At.After(out.At) {
			out.At = e.At
		}
	}
	out.Comment = strings.Join(comments, "\n")
	return out
}

func sortedRaters(l ratings.Latest) []string {
	var out []string
	for id := range l {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// The questions of the form of interactions.
const (
	judgement  = "judgement"
	confidence = "confidence"
)

// The questions of the form of steps.
const (
	askStep = "step"
	askKind = "error_kind"
)

// rowsOf are the rows of one rater's answers to one item.
func rowsOf(p blind.Package, k Key, who string, e ratings.Entry) []Row {
	base := Row{ID: k.ID, Rater: who, Model: k.Model, Variant: k.Variant, Item: k.Item, Operator: k.Operator, Comment: e.Comment}
	if !e.At.IsZero() {
		base.At = e.At.UTC().Format(time.RFC3339Nano)
	}
	var out []Row
	if p.Task == blind.Interactions && e.Labels[judgement] != "" {
		r := base
		r.Judgement, r.Confidence = e.Labels[judgement], e.Labels[confidence]
		out = append(out, r)
	}
	if k.Step > 0 && e.Labels[askStep] != "" {
		r := base
		r.Set, r.Chain, r.View, r.Step, r.Weight = k.Set, k.Chain, k.View, k.Step, k.Weight
		r.Task, r.Label = askStep, e.Labels[askStep]
		if kind := e.Labels[askKind]; kind != "" { // which only an error has
			r.Label = kind
		}
		out = append(out, r)
	}
	for _, q := range p.Questions {
		if k.Step > 0 && (q.ID == askStep || q.ID == askKind) {
			continue
		}
		if e.Labels[q.ID] == "" || p.Task == blind.Interactions && (q.ID == judgement || q.ID == confidence) {
			continue
		}
		r := base
		r.Task, r.Label = q.ID, e.Labels[q.ID]
		if q.ID == blind.AskShift || q.ID == blind.AskValidity { // of the edit, the same for all models
			r.Model, r.Variant = "", ""
		}
		out = append(out, r)
	}
	return out
}

// Unsealed says that a review was unsealed.
type Unsealed struct {
	Schema  string         `json:"schema"` // percuss.review.unsealed/1
	Package string         `json:"package"`
	Seal    string         `json:"seal"`
	At      string         `json:"at"` // UTC, RFC 3339
	Tiers   map[string]int `json:"tiers,omitempty"`
	Models  map[string]int `json:"models,omitempty"`
}

// UnsealedFile says, in the folder of a review, that its key was opened.
const UnsealedFile = "unsealed.json"

// Counts are how many items of the sample are of each tier and model.
func Counts(keys []Key) (tiers, models map[string]int) {
	tiers, models = map[string]int{}, map[string]int{}
	for _, k := range keys {
		if k.Judged() && k.Model != "" {
			models[k.Model]++
			if k.Tier != "" {
				tiers[k.Tier]++
			}
		}
	}
	return tiers, models
}

// UnsealedOf are the files of joined rows of a run's unsealed reviews that a report reads: labels of the tasks of the chain audit, judgements
// of interactions, and labels of steps.
func UnsealedOf(run string) (labels, judgements, steps []string, err error) {
	for _, f := range []struct {
		name string
		out  *[]string
	}{{LabelsFile, &labels}, {JudgementsFile, &judgements}, {StepsFile, &steps}} {
		found, err := filepath.Glob(filepath.Join(globbed(run), Folder, "*", f.name))
		if err != nil {
			return nil, nil, nil, err
		}
		*f.out = found
	}
	return labels, judgements, steps, nil
}

// Title names a stratum of a count for a reader.
func (s Stratum) Title() string {
	line := fmt.Sprintf("%d of %d", s.Drawn, s.There)
	if s.Drawn > 0 && s.Cases > 0 {
		line += fmt.Sprintf(", from %d questions or cases, at most %d from each", s.Cases, s.Most)
	}
	if s.Drawn < s.Wanted {
		of := "the run has"
		if s.Bucket == flips {
			of = "the drawn edits have"
		}
		line += fmt.Sprintf("; %d were wanted, %s no more", s.Wanted, of)
	}
	return strings.TrimSpace(line)
}
