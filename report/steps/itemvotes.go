package steps

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// voteView is an answer with its votes.
type voteView struct {
	Answer, Text string // Text: of the option; empty where there are none
	N, Of        int
	Bar          string // the share, in percent of the bar's length
	Gold         bool
}

// Shown is the number of votes.
func (v voteView) Shown() string { return fmt.Sprintf("%d of %d", v.N, v.Of) }

// vote counts the answers of the chains, the most frequent first.
func (v *itemView) vote() {
	counts, all := map[string]int{}, 0
	for _, c := range v.Record.Chains {
		if c.State == step.Read {
			counts[c.Answer]++
			all++
		}
	}
	for label, n := range counts {
		vote := voteView{Answer: label, N: n, Of: all, Bar: fmt.Sprintf("%.1f", 100*float64(n)/float64(all)), Gold: label == v.Record.Gold && label != ""}
		if o, ok := v.Subject.Question.Option(label); ok {
			vote.Text = o.Text
		}
		v.Votes = append(v.Votes, vote)
	}
	slices.SortFunc(v.Votes, func(a, b voteView) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Answer, b.Answer)) })
	if len(v.Votes) == 1 || len(v.Votes) > 1 && v.Votes[0].N > v.Votes[1].N {
		v.Winner = v.Votes[0].Answer
		v.Right = map[bool]string{true: "yes", false: "no"}[v.Votes[0].Gold]
	}
}

// tied says whether several answers have the most votes.
func (v *itemView) tied() bool { return len(v.Votes) > 1 && v.Winner == "" }

// readCalls counts how the item's calls ended, and gives the addresses of its requests by trial.
func (v *itemView) readCalls(raw func(percuss.Key) string) map[string]string {
	hrefs, counts, seen := map[string]string{}, map[percuss.Outcome]int{}, map[percuss.Key]bool{}
	for _, t := range v.Trials {
		if t.Request == nil {
			continue
		}
		key := t.Key()
		if raw != nil {
			hrefs[t.ID] = raw(key)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		outcome := percuss.Failed
		if v.Answers != nil {
			if a, ok := v.Answers.Answer(key); ok {
				outcome = a.Outcome
			}
		}
		counts[outcome]++
		v.Requests++
	}
	for _, o := range percuss.Outcomes() {
		if counts[o] > 0 {
			v.Outcomes = append(v.Outcomes, step.Count{Name: string(o), N: counts[o]})
		}
	}
	return hrefs
}

// Brief is an item in a line: its vote, and what the first judge said of its steps under the first view.
type Brief struct {
	Winner         string // the answer with the most votes; empty: none has, or several
	Tied           bool   // several answers have the most votes
	Right, Read    int    // chains with the right answer, of those with an answer
	Chains         int    // that were asked for
	Judge          string // empty: no step was judged
	Errors, Judged int    // steps that it calls an error, of those with a claim
}

// BriefOf is a record in a line.
func BriefOf(r step.Record) Brief {
	v := newItemView(Item{Record: r}, nil, "")
	out := Brief{Winner: v.Winner, Tied: v.tied(), Chains: len(r.Chains)}
	for _, o := range v.Votes {
		out.Read += o.N
		if o.Gold {
			out.Right += o.N
		}
	}
	if len(v.order) > 0 {
		out.Judge = v.order[0]
		out.Errors, out.Judged = v.tally[out.Judge].errors, v.tally[out.Judge].judged
	}
	return out
}
