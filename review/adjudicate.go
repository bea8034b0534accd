package review

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Adjudicator is the rater whose word is final: so answers of a second round are called where both rounds are joined.
const Adjudicator = chain.Adjudicated

// Disagreement makes the package of a second round: the items on which the raters of the first one disagree on a question that must be answered,
// each asking those questions again and showing which labels were given, not by whom or how often, for the majority of a few raters
// would weigh on the adjudicator. skip are items that are there to look at the raters. Zero items: they agree on all.
func Disagreement(p blind.Package, said ratings.Latest, skip map[string]bool) blind.Package {
	second := p
	second.Title, second.Round, second.Of, second.Practice, second.Items = p.Title+": adjudication", 2, p.ID, nil, nil
	second.Instructions = append(slices.Clone(p.Instructions),
		"The raters of the first round did not agree on these items. Below each you see which answers were given. Judge by yourself: your answer is the one that counts.")
	for _, item := range p.Items {
		if skip[item.ID] {
			continue
		}
		given := part(p, item, said)
		if len(given.Rows) == 0 {
			continue
		}
		item.Asks = nil
		for _, r := range given.Rows {
			item.Asks = append(item.Asks, r.Key)
		}
		for i := range given.Rows {
			given.Rows[i].Key = ""
		}
		item.Asks = withConditions(p, item.Asks)
		item.Parts = append(slices.Clone(item.Parts), given)
		second.Items = append(second.Items, item)
	}
	return second.Identified()
}

// part lists what was answered to the questions of an item on which raters disagree: Key holds the question's id.
func part(p blind.Package, item blind.Item, said ratings.Latest) blind.Part {
	out := blind.Part{Show: blind.ShowList, Head: "Answers of the first round"}
	for _, q := range p.Questions {
		given := map[string]bool{}
		for _, entries := range said {
			if label := entries[item.ID].Labels[q.ID]; label != "" {
				given[label] = true
			}
		}
		if len(given) < 2 || q.Optional {
			continue
		}
		var words []string
		for _, l := range q.Labels { // in the order of the form, whoever said it
			if given[l.ID] {
				words = append(words, l.Name)
			}
		}
		out.Rows = append(out.Rows, blind.Row{Key: q.ID, Text: q.Text + " " + strings.Join(words, " / ")})
	}
	return out
}

// withConditions adds the questions that the given ones hang on, and those that hang on them, in the order of the form.
func withConditions(p blind.Package, asks []string) []string {
	wanted := map[string]bool{}
	for _, id := range asks {
		wanted[id] = true
		if q := p.Question(id); q.When != nil {
			wanted[q.When.Question] = true
		}
	}
	var out []string
	for _, q := range p.Questions {
		if wanted[q.ID] || q.When != nil && wanted[q.When.Question] {
			out = append(out, q.ID)
		}
	}
	return out
}
