package chain

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Summarise implements percuss.Audit: the tables over cells, models, tiers and the panel. It reads the records once
// and keeps, of each item, one row of counts. Records of another type are passed over; the order of the records
// decides in which order cells are listed and nothing else.
func (a *Audit) Summarise(records iter.Seq[percuss.Record]) percuss.Findings {
	l := newLayout(a.o.Battery, a.o.Stem)
	parts := a.analysers()
	cells := gather(l, ahead(records), func(r Record) {
		for _, p := range parts {
			p.add(r)
		}
	})
	s := summary{l: l, o: a.o.described(), w: a.o.weights(), about: a.o.Models, cells: []Group{}, items: itemLists(cells)}
	s.o.Resamples, s.plain = &stat.Resamples{}, l.figures(s.w, gate{})
	s.summarise(units(cells))
	f := Findings{Battery: a.o.Battery, Cells: s.cells, Models: s.groups(s.models), Tiers: s.tiers, Panel: s.whole, Settings: a.o.settings(),
		Bootstrap: s.o.Replicates, Level: s.o.Level}
	s.modes = a.o.Modes.modes(&s)
	f.Modes, f.Claims = s.modes, []percuss.Claim{}
	f.Analyses = analysed(parts, &s)
	for _, p := range parts {
		if c, ok := p.(claimant); ok {
			f.Claims = append(f.Claims, c.claims(&s)...)
		}
	}
	f.Decisions = a.decisions(cells, s.rivals())
	return f
}

// analysed are the analyses of some analysers in their order. As many are made at once as there are processors, for each has
// draws in memory; an analyser writes in itself alone.
func analysed(parts []analyser, s *summary) []percuss.Analysis {
	each := make([][]percuss.Analysis, len(parts))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, p := range parts {
		free <- struct{}{}
		wg.Go(func() {
			each[i] = p.analyses(s)
			<-free
		})
	}
	wg.Wait()
	return slices.Concat(each...)
}

// claimant is an analyser that states claims as well; it is asked after its analyses.
type claimant interface {
	claims(s *summary) []percuss.Claim
}

// described returns how to resample, with the defaults in force.
func (o Options) described() stat.Options {
	out := stat.Options{Seed: o.Seed, Replicates: o.Bootstrap, Level: o.Level}
	if out.Replicates <= 0 {
		out.Replicates = stat.DefaultReplicates
	}
	if !(out.Level > 0 && out.Level < 1) {
		out.Level = stat.DefaultLevel
	}
	return out
}

// cell gathers what the tables need of one model on one data set under one prompt.
type cell struct {
	variant, model, set string
	domain              string            // of its questions; empty: medicine
	metrics, tables     map[string]packed // by item
	metricSum, tableSum sums              // of all items, unweighted
	counts              []operatorCounts
	gate                gate
	has                 []bool      // which figures have a value, in their order
	draws               *stat.Draws // kept of a cell of another domain, which is compared with the medical ones
	tally
}

// gather reads the records into their cells, in the order in which the cells first appear, and shows each that counts to
// also.
func gather(l layout, records iter.Seq[percuss.Record], also func(Record)) []*cell {
	type key struct{ variant, model, set string }
	var out []*cell
	var row []float64
	index := map[key]*cell{}
	for record := range records {
		r, ok := record.(Record)
		if !ok {
			continue
		}
		k := key{r.Subject.Variant, r.Subject.Model, r.Subject.Set}
		c := index[k]
		if c == nil {
			c = &cell{variant: k.variant, model: k.model, set: k.set, domain: r.Domain,
				metrics: map[string]packed{}, tables: map[string]packed{}, counts: make([]operatorCounts, len(l.ops)), tally: newTally()}
			index[k] = c
			out = append(out, c)
		}
		if c.add(l, r, &row) {
			also(r)
		}
	}
	for _, c := range out {
		// In the order of the items, for sums of margins depend on their order in the last digit.
		c.metricSum, c.tableSum = make(sums, l.width()), make(sums, l.tableWidth())
		for _, id := range slices.Sorted(maps.Keys(c.metrics)) {
			c.metrics[id].addTo(c.metricSum)
			c.tables[id].addTo(c.tableSum)
		}
	}
	return out
}

// add enters a record, and says whether it counts: an item that is already there is counted apart, not entered again. row is
// room that is used again and again.
func (c *cell) add(l layout, r Record, row *[]float64) bool {
	if _, twice := c.metrics[r.Subject.Item]; twice {
		c.repeated++
		return false
	}
	*row = l.row(r, *row)
	c.metrics[r.Subject.Item] = pack(*row)
	*row = l.tableRow(r, *row)
	c.tables[r.Subject.Item] = pack(*row)
	c.enter(r)
	for _, trial := range r.Operators {
		i, known := l.index[trial.ID]
		if !known {
			c.unknown[trial.ID]++
			continue
		}
		if !trial.Edit.Fired {
			continue
		}
		n := &c.counts[i]
		n.mixed += int(bit(trial.Flip == MixedKept || trial.Flip == MixedFlip))
		n.mixedFlips += int(bit(trial.Flip == MixedFlip))
		n.marker += int(bit(trial.Edit.Marker))
		n.quoted += int(bit(trial.Reading.Quoted))
		decoupled := trial.Rule && l.registers(i) && !trial.Token && trial.Flip == Kept
		c.cdrCut += int(bit(decoupled && trial.Reading.Outcome == percuss.Truncated))
	}
	return true
}

// plus adds a row to column sums.
func plus(to sums, row []float64) sums {
	if to == nil {
		to = make(sums, len(row))
	}
	for i, v := range row {
		to[i] += v
	}
	return to
}

// itemLists are the items of every data set, over all its cells, sorted: cells of one data set share their resamples,
// so that models and prompts are compared on the same items.
func itemLists(cells []*cell) map[string][]string {
	seen := map[string]map[string]bool{}
	for _, c := range cells {
		if seen[c.set] == nil {
			seen[c.set] = map[string]bool{}
		}
		for id := range c.metrics {
			seen[c.set][id] = true
		}
	}
	out := map[string][]string{}
	for set, ids := range seen {
		for id := range ids {
			out[set] = append(out[set], id)
		}
		slices.Sort(out[set])
	}
	return out
}

// units groups cells by prompt and model, in the order of the cells.
func units(cells []*cell) [][]*cell {
	type key struct{ variant, model string }
	var out [][]*cell
	index := map[key]int{}
	for _, c := range cells {
		k := key{c.variant, c.model}
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}
