package evidence

import (
	"iter"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Summarise implements percuss.Audit: the tables of each cell, a model on a set. It reads the records once and keeps of
// each case the sums that the tables need and the strengths of its interactions in the gold's margin, some ten kilobytes
// where the record has hundreds: less than the 10,000 × columns of a streaming bootstrap would take below ten thousand
// cases, and cells of one set get the same resamples. Records of another type are passed over; the order of the records
// decides in which order cells are listed and nothing else.
func (a *Audit) Summarise(records iter.Seq[percuss.Record]) percuss.Findings {
	o := stat.Options{Seed: a.o.Seed, Replicates: a.o.Bootstrap, Level: stat.DefaultLevel}
	if o.Replicates <= 0 {
		o.Replicates = stat.DefaultReplicates
	}
	f := Findings{Salient: a.o.Salient, Labels: a.o.Labels, Cells: []Cell{}, Bootstrap: o.Replicates, Level: o.Level}
	cells, review := a.gather(records)
	for _, c := range cells {
		f.Cells = append(f.Cells, c.tables(o))
	}
	f.Ranks = ranks(f.Cells, o.Level)
	f.Panel = panel(cells, o)
	f.Decisions = a.decisions(cells, review, o)
	return f
}

// gather reads the records into their cells, in the order in which the cells first appear.
func (a *Audit) gather(records iter.Seq[percuss.Record]) ([]*cell, *review) {
	type key struct{ variant, model, set string }
	var out []*cell
	index := map[key]*cell{}
	judged := newReview(a.o.Judgements)
	for record := range records {
		r, ok := record.(Record)
		if !ok {
			continue
		}
		k := key{r.Subject.Variant, r.Subject.Model, r.Subject.Set}
		c := index[k]
		if c == nil {
			c = newCell(a.o, r.Subject)
			index[k] = c
			out = append(out, c)
		}
		c.add(r, judged)
	}
	return out, judged
}

// cell gathers what the tables need of one model on one set.
type cell struct {
	o       Options
	subject percuss.SubjectID // of the first record
	main    *block            // all cases: profiles, orders, means
	checks  *block            // cases that were asked under other settings
	cascade *block            // cases with interactions that were checked
	changes *block            // clean-correct cases with counterfactuals

	layout   layout
	cases    caseCounts
	strength strengths
	stable   stability
	sieve    sieve
	sifted   bool // some interaction was followed through the checks
	strata   strataTally
	reviewed []judged
	weights  []weight // what is set side by side in a panel
}

func newCell(o Options, s percuss.SubjectID) *cell {
	c := &cell{o: o, subject: s, main: newBlock(), checks: newBlock(), cascade: newBlock(), changes: newBlock()}
	c.cases = newCaseCounts()
	c.layout = newLayout(o, c.main)
	c.stable = newStability()
	c.sieve = sieve{}
	c.strata = newStrata()
	return c
}

// add enters a record. A case that is already there is counted, not entered again.
func (c *cell) add(r Record, judgements *review) {
	item := r.Subject.Item
	if _, twice := c.main.rows[item]; twice {
		c.cases.repeated++
		return
	}
	c.main.addAt(item, 0, 0)
	c.count(r)
	if r.Base.State == Scored {
		c.interactions(r)
	}
	words := judgements.of(r, c.o.Salient)
	c.reviewed = append(c.reviewed, words...)
	c.check(r)
	c.survive(r, words)
	c.change(r)
}

// tables are the cell's findings.
func (c *cell) tables(o stat.Options) Cell {
	out := Cell{Variant: c.subject.Variant, Model: c.subject.Model, Set: c.subject.Set,
		Narrative: c.cases.narratives > 0 && c.cases.structured == 0, Prose: c.cases.narratives}
	c.noiseTables(&out)
	var figures []figure
	figures = append(figures, c.caseTables(&out, o)...)
	figures = append(figures, c.profiles(&out, floors(out.Floor))...)
	figures = append(figures, c.orders(&out)...)
	figures = append(figures, c.ablation(&out, o)...)
	c.weigh(&out, figures)
	c.main.fill(c.subject.Set, o, figures)
	if at := slices.Index(swept[:], c.o.Salient); at >= 0 {
		out.Thresholds[at] = out.Gold
	}
	c.noiseShares(&out)
	figures = slices.Concat(c.stabilityRows(&out), c.selectorRows(&out))
	c.checks.fill(c.subject.Set+"/checks", o, figures)
	c.cascade.fill(c.subject.Set+"/cascade", o, c.cascadeRows(&out, o))
	c.changes.fill(c.subject.Set+"/changes", o, c.stratumRows(&out))
	out.Examples = c.strata.chosen()
	out.Review = reviewRows(c.reviewed, o.Level)
	out.Cautions = c.cautions(out)
	return out
}
