package chain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// noted adds what a reader must know of a figure: of a mean, where each note comes from and which cells have no value.
func noted(i int, f figure, e percuss.Estimate, cells []*cell) percuss.Estimate {
	if len(cells) == 1 && f.detail != nil && e.Value.OK() {
		e.Method = f.detail(cells[0].metricSum) + "; " + e.Method
	}
	var heads, without, low []string
	from := map[string][]string{}
	for _, c := range cells {
		if !c.has[i] && f.id == inMeans {
			continue // its parts say so
		}
		if !c.has[i] && f.id == headlineGap && c.gate.aside {
			low = append(low, place(c, cells))
			continue
		}
		if !c.has[i] {
			without = append(without, place(c, cells))
			continue
		}
		if f.notes == nil {
			continue
		}
		for _, note := range f.notes(c.metricSum) {
			head, detail, _ := strings.Cut(note, ": ")
			if _, seen := from[head]; !seen {
				heads = append(heads, head)
			}
			if len(cells) > 1 && detail != "" {
				detail = place(c, cells) + " (" + detail + ")"
			}
			if detail != "" || from[head] == nil {
				from[head] = append(from[head], detail)
			}
		}
	}
	if !e.Value.OK() {
		return e
	}
	for _, head := range heads {
		if from[head][0] != "" {
			head += ": " + listed(from[head])
		}
		e.Warnings = append(e.Warnings, head)
	}
	if len(low) > 0 {
		e.Warnings = append(e.Warnings, "in the mean of all data sets only, for M2 fired on less than half of the items: "+listed(low))
	}
	if len(without) > 0 {
		e.Warnings = append(e.Warnings, "without a value, in no mean: "+listed(without))
	}
	return e
}

// place names a cell among others.
func place(c *cell, among []*cell) string {
	for _, o := range among {
		if o.model != c.model {
			return c.model + " on " + c.set
		}
	}
	return c.set
}

// mostListed is the number of names that a warning lists.
const mostListed = 6

// listed joins some names, and counts them where they are many.
func listed(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), len(names)-mostListed)
}

// fewItems is the number of items below which a group carries a remark.
const fewItems = 30

// remarks are what a reader must know of a group as a whole.
func (l layout) remarks(cells []*cell, t tally) []string {
	var out []string
	say := func(n int, format string, args ...any) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	var mixed, marker, quoted int
	pooled := make(sums, l.tableWidth())
	for _, c := range cells {
		pooled = plus(pooled, c.tableSum)
		for _, n := range c.counts {
			mixed, marker, quoted = mixed+n.mixed, marker+n.marker, quoted+n.quoted
		}
	}
	distinct, items := itemsOf(cells), plural(t.items, "item")
	if distinct < t.items {
		items += ", each counted for every model and prompt"
	}
	if distinct < fewItems {
		out = append(out, fmt.Sprintf("Only %s: the intervals are wide and themselves uncertain.", plural(distinct, "item")))
	}
	say(t.refusedBases, "The model refused to answer the unedited question, in words: %d of %s.", t.refusedBases, items)
	say(t.items-t.bases, "Without a baseline answer, in no flip rate: %d of %s.", t.items-t.bases, items)
	say(t.given, "From a foreign log, which holds the answer to the question as it stands and cannot be asked on: %d of %s.", t.given, items)
	if standing := l.standing(); standing != "" {
		out = append(out, strings.ToUpper(standing[:1])+standing[1:]+".")
	}
	idle, unanswered := l.leftOut(pooled)
	say(len(idle), "Fired on no item, in no mean: %s.", strings.Join(idle, ", "))
	say(len(unanswered), "Fired, but never with two answers to compare, in no mean: %s.", strings.Join(unanswered, ", "))
	say(marker, "F3 changed the number of a step marker, not of the content: %s.", plural(marker, "edit"))
	say(mixed, "Read in another way than the baseline, in columns of their own and in no rate: %s.", plural(mixed, "trial"))
	say(quoted, "Edited chain quoted in a user turn, for the back-end cannot continue one: %s.", plural(quoted, "trial"))
	say(t.waiting, "Waiting for a baseline that is missing, not counted as tried: %s.", plural(t.waiting, "trial"))
	say(t.repeated, "Passed over, for their item was already there: %s.", plural(t.repeated, "record"))
	for _, id := range slices.Sorted(maps.Keys(t.unknown)) {
		say(1, "In no table, for the battery has no %s: %s.", id, plural(t.unknown[id], "trial"))
	}
	return out
}

// itemsOf is the number of different items of some cells: models and prompts share them.
func itemsOf(cells []*cell) int {
	n := 0
	for _, ids := range itemLists(cells) {
		n += len(ids)
	}
	return n
}

// plural writes a count and its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// leftOut names the operators that fired nowhere, and those that fired without two answers to compare.
func (l layout) leftOut(pooled sums) (idle, unanswered []string) {
	for i, op := range l.ops {
		switch {
		case pooled[tableColumn(i, tabFired)] == 0:
			idle = append(idle, op.ID)
		case pooled[tableColumn(i, tabParsed)] == 0:
			unanswered = append(unanswered, op.ID)
		}
	}
	return idle, unanswered
}

// lowFiringRemark says that the fairness gap is no headline.
func lowFiringRemark(g Group) []string {
	if m, ok := g.Metric("dfg", ""); ok && m.LowFiring() {
		return []string{"DFG stands on few items (M2 fired on less than half of the items of every data set): no headline, for the spread of small samples is biased upwards."}
	}
	return nil
}

// smallDelta is the band, in points, within which the paper counts a change of accuracy as none.
const smallDelta = 1.6

// deltas counts the models whose accuracy changes little under chain edits, those that gain, and those whose interval
// excludes zero.
func deltas(changes []percuss.Estimate) (small, gaining, clear int) {
	for _, e := range changes {
		v, ok := e.Value.Get()
		if !ok {
			continue
		}
		lo, hasLo := e.Lo.Get()
		hi, hasHi := e.Hi.Get()
		small += int(bit(-smallDelta <= v && v <= smallDelta))
		gaining += int(bit(v < 0))
		clear += int(bit(hasLo && hasHi && cmp.Compare(lo, 0)*cmp.Compare(hi, 0) > 0))
	}
	return small, gaining, clear
}

// agreeing is the form of a verb for so many.
func agreeing(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// deltaRemarks count models as the paper's Table 4 does, for both forms of the change.
func deltaRemarks(models []*model) []string {
	var out []string
	for _, form := range [...]struct{ id, name string }{{"fdelta", "compared on the same items"}, {"fdelta_paper", "in the paper's form"}} {
		var changes []percuss.Estimate
		for _, m := range models {
			if d, ok := m.group.Metric(form.id, ""); ok && d.Value.OK() {
				changes = append(changes, d.Estimate)
			}
		}
		if len(changes) == 0 {
			continue
		}
		small, gaining, clear := deltas(changes)
		out = append(out, fmt.Sprintf("Accuracy under chain edits, %s: of %s, %d %s by at most %.1f points, %d %s accuracy (Δ below 0), %d %s an interval of Δ that excludes 0.",
			form.name, plural(len(changes), "model"), small, agreeing(small, "changes", "change"), smallDelta, gaining, agreeing(gaining, "gains", "gain"), clear, agreeing(clear, "has", "have")))
	}
	return out
}

// hasFamily reports whether the battery has a family.
func (l layout) hasFamily(names ...string) bool {
	return len(l.where(func(op battery.Operator) bool { return slices.Contains(names, op.Family) })) > 0
}
