package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// Sentence answers one question that a reader has.
type Sentence struct {
	Question string // empty: a remark on the sentences before it
	Text     string
	Ground   string // the place in the page of what bears it out; empty: none
}

// String is the sentence for a terminal.
func (s Sentence) String() string { return strings.TrimSpace(s.Question + " " + s.Text) }

// The grounds of sentences before they are known by their group's anchor.
const (
	onMetrics = "m"
	onTables  = "t"
)

// leastRead is how many items must have a baseline answer that could be read before anything beside accuracy is put into
// words: an edit is held against that answer, and of fewer nearly every share is one by chance.
const leastRead = 5

// answer says in words what the group's figures show, each with its interval and sample.
func answer(g level, r Report) []Sentence {
	var out []Sentence
	thin, given := false, r.given()
	say := func(question string, m chain.Metric, words, ground string) {
		if given && !m.Value.OK() {
			return // said once, at the head of the report
		}
		out = append(out, Sentence{question, words, ground})
		thin = thin || m.Value.OK() && m.N < few
	}
	if m, ok := metric(g.Group, "acc", ""); ok && m.Value.OK() {
		say("How often is it right?", m, fmt.Sprintf("%s the answer after a chain of thought is right (%s).%s",
			g.in(m.Estimate, "items"), sample(m.Estimate, Percent), g.spread("acc", "", Percent)), onMetrics)
	}
	if read, of, known := r.read(g); known && read < leastRead {
		return append(out, Sentence{Text: fmt.Sprintf("Of %s, %s have a baseline answer that could be read: too few to hold edits against, "+
			"so nothing more is put into words. What there is stands in the tables.", Plural(of, "item"), percuss.Grouped(read))})
	}
	if m, ok := metric(g.Group, "cdr", ""); ok {
		say("Does the chain register the edit?", m, strings.TrimSpace(g.follows(r)+" "+g.registers(m)), onTables)
	}
	for _, scope := range []string{"F", "M"} {
		if m, ok := metric(g.Group, "fcs", scope); ok {
			say("Do edits that change the evidence move the answer more than edits that leave it alone, "+where(m)+"?", m, r.held(g, scope, g.drives(m)), onMetrics)
		}
	}
	if s, ok := r.floor(g); ok {
		out = append(out, s)
	}
	if m, ok := metric(g.Group, "ecr", ""); ok && m.Value.OK() {
		say("Is the answer settled before the chain ends?", m, g.settled(m), onMetrics)
	}
	if len(out) == 0 {
		return []Sentence{{Text: "The findings hold no figure that answers the question for this group."}}
	}
	if thin {
		out = append(out, Sentence{Text: fmt.Sprintf("Fewer than %d items stand behind some of these figures: a small sample, to be read with caution.", few)})
	}
	return out
}

// follows says how often the chain takes an edit up, and how often the answer follows then: a + b and b of the joint table
// under its first rule.
func (l level) follows(r Report) string {
	if len(l.Joint) == 0 || !l.Joint[0].B.Value.OK() {
		return ""
	}
	j := l.Joint[0]
	update, ok := r.updates(l)
	if !ok {
		return ""
	}
	return fmt.Sprintf("The chain shows a trace of the edit in %s of the compared trials (%s); the answer moves with it in %s (%s).",
		Percent(update.Value), sample(update, Percent), Percent(j.B.Value), sample(j.B, Percent))
}

// read counts, over the cells of a group, the items with a baseline answer that could be read. known is false where the
// cells do not say.
func (r Report) read(l level) (read, items int, known bool) {
	of := func(g chain.Group) {
		for _, c := range r.Findings.Cells {
			m, ok := c.Metric("acc", "")
			if !ok || c.Model != g.Model || c.Variant != g.Variant || g.Set != "" && c.Set != g.Set {
				continue
			}
			known = true
			read, items = read+int(m.Den.Or(0)), items+c.Items
		}
	}
	if len(l.members) == 0 {
		of(l.Group)
	}
	for _, g := range l.members {
		of(g)
	}
	return read, items, known
}

// modes are the failure modes of the models with enough baseline answers to have one; the table of modes has all.
func (r Report) modes() []chain.Mode {
	return slices.DeleteFunc(slices.Clone(r.Findings.Modes), func(m chain.Mode) bool {
		read, _, known := r.read(level{Group: chain.Group{Model: m.Model, Variant: m.Variant}})
		return known && read < leastRead
	})
}

// mute says whether no model has enough baseline answers for anything but accuracy to be put into words.
func (r Report) mute() bool {
	return len(r.Findings.Models) > 0 && !slices.ContainsFunc(r.Findings.Models, func(g chain.Group) bool {
		read, _, known := r.read(level{Group: g})
		return !known || read >= leastRead
	})
}

// Asked says in a line what was asked: models, sets, how many of each and when. info is the content of runinfo.json.
func Asked(models []Model, data []Data, noun string, info json.RawMessage) string {
	var names, sets []string
	for _, m := range models {
		names = append(names, m.ID)
	}
	drawn := 0
	for _, d := range data {
		sets, drawn = append(sets, fmt.Sprintf("%s of %s", Plural(d.Drawn, noun), d.Set)), drawn+d.Drawn
	}
	if len(sets) > mostLead {
		sets = []string{fmt.Sprintf("%s of %d sets", Plural(drawn, noun), len(data))}
	}
	if len(names) > mostLead {
		names = []string{Plural(len(models), "model")}
	}
	out := strings.Join(names, ", ")
	if len(sets) > 0 {
		out += " on " + strings.Join(sets, ", ")
	}
	var when struct{ Began time.Time }
	if json.Unmarshal(info, &when) == nil && !when.Began.IsZero() {
		out += ", " + when.Began.UTC().Format("2 January 2006")
	}
	return strings.TrimSpace(out)
}
