package explore

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// stepSheet is the asset with the style of an item's page of a step audit.
const stepSheet = "steps.css"

// stepAudit is what a page calls the audit.
const stepAudit = "steps"

// notCompared is why two runs of which one is a step audit are not compared.
const notCompared = "A step audit compares models within one run, on the same items: percuss steps --before MODEL --after MODEL. " +
	"Its report has the comparison. percuss store diff counts how far the answers of two runs differ."

// steps says that the run is a step audit.
func (v *volume) steps() bool { return v.Manifest().Spec.Steps != nil }

// cases says that the run is an evidence audit.
func (v *volume) cases() bool { return v.Manifest().Spec.Evidence != nil }

// stepCells is a row for each model under each prompt on each set of a step audit.
func (v *volume) stepCells(x indexView) groupTable {
	t := groupTable{ID: "cells", Title: "Models, prompts and data sets", Heads: []string{"Model", "Prompt", "Data set"},
		Counts: []string{"Vote right", "Vote tied", "Chains right", "Chains with an error"},
		About: "Votes: of items with a vote; a tied one is not counted as right here, while the report breaks ties by seed. Chains right: of those with an answer. " +
			"Chains with an error: of those judged, where any judge calls a step wrong as the chain is first cut. Each number leads to what it counts; rates have their intervals in the report."}
	for _, g := range x.Tallies(index.Model, index.Prompt, index.Set) {
		names := []string{g.Of[index.Model], g.Of[index.Prompt], g.Of[index.Set]}
		f := index.Filter{Model: names[:1], Prompt: names[1:2], Set: names[2:]}
		items, chains := f, f
		items.Operator, chains.Operator = []string{index.Item}, []string{index.Chain}
		n := g.Steps
		t.Lines = append(t.Lines, groupLine{names, []counted{v.share(n.Right, n.Voted, items.With("vote", index.VoteRight)), v.share(n.Tied, n.Voted, items.With("vote", index.VoteTied)),
			v.share(n.ReadRight, n.Read, chains.With("right", "yes")), v.share(n.Faulty, n.Judged, chains.With("error", index.AnyJudge))}})
	}
	return t
}

// stepViews is a row for each view under which steps are listed.
func (v *volume) stepViews(x indexView) groupTable {
	t := groupTable{ID: "views", Title: "Steps, by how chains are cut and shown", Heads: []string{"Kind"}, Counts: []string{"Labelled", "Called wrong", "Without a verdict", "Flagged without a judge"},
		About: "Listed are steps that were judged and those that a check flags. Called wrong: by any judge, of the steps in which one found a claim. Steps in which one check or more found something are flagged."}
	for _, g := range x.Tallies(index.Operator) {
		op, n := g.Of[index.Operator], g.Steps
		if op == index.Item || op == index.Chain {
			continue
		}
		f := index.Filter{Operator: []string{op}}
		flagged := f
		flagged.Found = index.Flags()
		labelled := f
		labelled.Says = index.Labels()
		t.Lines = append(t.Lines, groupLine{[]string{op}, []counted{v.count(n.Asked, 0, labelled), v.share(n.Wrong, n.Claims, f.With("error", index.AnyJudge)),
			v.share(n.NoVerdict, n.Asked, f.With("says", string(step.Missing))), v.count(n.Found, 0, flagged)}})
	}
	return t
}

// share is a count of a whole; of nothing there is none.
func (v *volume) share(n, of int, f index.Filter) counted {
	if of == 0 {
		return counted{N: "–"}
	}
	return v.count(n, of, f)
}

// stepLine adds to a line of a list what a row of a step audit holds.
func (l *trialLine) stepLine(h index.Hit) {
	chain, at, view, ok := h.Place()
	switch {
	case !ok:
		return
	case at > 0:
		l.Op = fmt.Sprintf("chain %d, step %d, %s", chain, at, view)
	case chain > 0:
		l.Op = fmt.Sprintf("chain %d", chain)
	}
	l.Vote, l.Says, l.Found = said("vote", h.Votes()), said("says", h.Says()), said("found", h.Found())
	if errors := h.Errors(); l.Says == "" && len(errors) > 0 {
		l.Says = "no step wrong"
		if errors[0] == index.AnyJudge {
			l.Says = "a step wrong: " + strings.Join(errors[1:], ", ")
		}
	} else if len(errors) > 1 {
		l.Says += ": " + strings.Join(errors[1:], ", ")
	}
}

// said are values in words.
func said(field string, values []string) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = wordOf(field, value)
	}
	return strings.Join(words, ", ")
}

// stepTrial is how an address names the chain or step of a row: by its trial. Empty: the item as a whole.
func stepTrial(h index.Hit) (trial string, ok bool) {
	chain, at, view, ok := h.Place()
	switch {
	case at > 0:
		return step.StepID(chain, view, at), ok
	case chain > 0:
		return step.ChainTrial(chain), ok
	}
	return "", ok
}

// stepReplies are the words of every row of a view: the reply of a chain, and a step as it was written.
func (v *volume) stepReplies(view run.View, rows []index.Row) []string {
	texts := v.StepItem(view).Texts
	out := make([]string, len(rows))
	for i, r := range rows {
		chain, at, cut, ok := r.Place()
		if !ok || chain == 0 || chain > len(texts) {
			continue
		}
		text := texts[chain-1]
		if at == 0 {
			out[i] = text.Chain + "\n" + text.Answer
			continue
		}
		for _, w := range text.Views {
			if w.View == cut && at <= len(w.Steps) {
				out[i] = w.Steps[at-1].Written
			}
		}
	}
	return out
}
