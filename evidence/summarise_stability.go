package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// stability is what cases showed under other settings.
type stability struct {
	rows      map[string]*checkRow
	selectors map[Selector]int // cases by selector
}

func newStability() stability {
	return stability{map[string]*checkRow{}, map[Selector]int{}}
}

// checkRow is a row of Tables 8 and 9 while it is gathered. A reference is what the row after it is held against, on
// the same cases.
type checkRow struct {
	name, prefix string
	kind         Kind // of the comparisons
	reference    bool
	base         bool // under the base setting's wording
	settings     map[string]bool
	cases        int
}

// row finds or makes the row of a setting in a comparison.
func (c *cell) row(x Comparison, reference bool) *checkRow {
	base := x.With.Wording == c.o.Wording
	s, name := x.Of, ""
	if reference {
		s = x.With
	}
	switch x.Kind {
	case ByWording:
		name = s.Wording
	case ByHiding:
		name = string(s.Hide)
	default:
		if name = "candidate orders"; reference {
			name = "base order"
		}
		if !base {
			name += ", " + s.Wording
		}
	}
	key := string(x.Kind) + "/" + name
	if reference {
		key += " (reference)"
	}
	out := c.stable.rows[key]
	if out == nil {
		out = &checkRow{name: name, prefix: key, kind: x.Kind, reference: reference, base: base, settings: map[string]bool{}}
		c.stable.rows[key] = out
	}
	return out
}

// check enters what the case was asked under other settings.
func (c *cell) check(r Record) {
	base := r.Reference()
	at := map[Setting]Measured{base.Setting: base}
	for _, v := range r.Variants {
		if v.Setting.Selector == "" {
			at[v.Setting] = v.Measured
		}
	}
	seen := map[string]bool{}
	means := map[string][]float64{}
	enter := func(row *checkRow, s Setting) {
		m, ok := at[s]
		if !ok || seen[row.prefix+s.String()] {
			return
		}
		seen[row.prefix+s.String()] = true
		if !seen[row.prefix] {
			seen[row.prefix] = true
			row.cases++
		}
		c.setting(row, r, m)
	}
	for _, x := range r.Compared {
		if x.Kind == BySelector {
			continue
		}
		row, reference := c.row(x, false), c.row(x, true)
		enter(row, x.Of)
		enter(reference, x.With)
		collect(means, row.prefix, x)
		of, with := at[x.Of], at[x.With]
		if of.Answered && with.Answered {
			key := row.prefix + "/difference"
			means[key] = append(means[key], bit(of.Correct)-bit(with.Correct))
		}
	}
	for key, values := range means {
		c.checks.mean(r.Subject.Item, key, meanOf(values))
	}
	c.selected(r)
}

// collect adds what a comparison found to a case's values.
func collect(means map[string][]float64, prefix string, x Comparison) {
	for name, v := range map[string]percuss.Number{"/agree": x.Agree, "/correlation": x.Correlation, "/centred": x.Centred,
		"/overlap": x.Overlap, "/chance": x.Chance} {
		if value, ok := v.Get(); ok {
			means[prefix+name] = append(means[prefix+name], value)
		}
	}
}

func meanOf(values []float64) percuss.Number {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return percuss.Num(sum / float64(len(values)))
}

// setting enters one case under one setting. Interactions above the order of the checks are left out of the base
// setting too, or the rows would not be comparable.
func (c *cell) setting(row *checkRow, r Record, m Measured) {
	item, at := r.Subject.Item, row.prefix+"/"+m.Setting.String()
	row.settings[at] = true
	if m.Answered {
		c.checks.add(item, at+"/answered", 1)
		c.checks.add(item, at+"/correct", bit(m.Correct))
	}
	if m.State != Scored || r.Narrative { // what follows is for the suspicious figures
		return
	}
	c.checks.add(item, at+"/scored", 1)
	for _, x := range salientUpTo(m, r.CheckOrder, c.o.Salient) {
		c.checks.add(item, at+"/strength", math.Abs(x.Value))
		if x.Suspicious {
			c.checks.add(item, at+"/suspicious", 1)
			c.checks.add(item, at+"/suspicious strength", math.Abs(x.Value))
		}
	}
}

// salientUpTo are the salient interactions up to an order; 0: of all orders.
func salientUpTo(m Measured, order int, salient float64) []Interaction {
	return slices.DeleteFunc(slices.Clone(m.Interactions), func(x Interaction) bool {
		return math.Abs(x.Value) < salient || order > 0 && x.Set.Size() > order
	})
}

// stabilityRows lay out Tables 8 and 9: wordings, candidate orders, ways of hiding, each after its reference. A row of
// several orders is their mean.
func (c *cell) stabilityRows(out *Cell) []figure {
	rank := map[Kind]int{ByWording: 1, ByOrdering: 2, ByHiding: 3}
	rows := []*checkRow{}
	for _, r := range c.stable.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *checkRow) int {
		return cmp.Or(cmp.Compare(rank[a.kind], rank[b.kind]), cmp.Compare(bit(b.base), bit(a.base)),
			cmp.Compare(bit(b.reference), bit(a.reference)), cmp.Compare(a.name, b.name))
	})
	var figures []figure
	out.Stability = make([]StabilityRow, len(rows))
	for i, r := range rows {
		s := &out.Stability[i]
		s.Name, s.Cases = r.name, r.cases
		figures = append(figures, c.levels(s, r)...)
		if r.reference {
			why := "it is the reference"
			for _, into := range []*percuss.Estimate{&s.Difference, &s.Agreement, &s.Correlation, &s.Centred, &s.Overlap, &s.Chance} {
				*into = percuss.Absent(why)
			}
			continue
		}
		s.Kind = r.kind
		compared := func(into *percuss.Estimate, name string, k kind, why string) {
			of := c.checks.over(r.prefix+name, r.prefix+name+"/n")
			figures = append(figures, figure{into, []ratio{of}, k, why})
		}
		compared(&s.Difference, "/difference", difference, "no case is answered under both")
		compared(&s.Agreement, "/agree", rate, "no case has a prediction under both")
		compared(&s.Correlation, "/correlation", amount, "no case has margins that vary under both")
		compared(&s.Centred, "/centred", amount, "no case has margins that the evidence moves under both")
		compared(&s.Overlap, "/overlap", rate, "no case has interactions under both")
		compared(&s.Chance, "/chance", rate, "no case has interactions under both")
	}
	return figures
}

// levels lay out what a row says of its settings by themselves.
func (c *cell) levels(s *StabilityRow, r *checkRow) []figure {
	accuracy := figure{into: &s.Accuracy, absent: "no case is answered"}
	suspicious := figure{into: &s.Suspicious, absent: c.withRoles(noSalient)}
	perCase := figure{into: &s.PerCase, kind: amount, absent: c.withRoles(noScored)}
	var settings []string
	for at := range r.settings {
		settings = append(settings, at)
	}
	slices.Sort(settings)
	for _, at := range settings {
		accuracy.of = append(accuracy.of, c.checks.over(at+"/correct", at+"/answered"))
		suspicious.of = append(suspicious.of, c.checks.over(at+"/suspicious strength", at+"/strength"))
		perCase.of = append(perCase.of, c.checks.over(at+"/suspicious", at+"/scored"))
	}
	return []figure{accuracy, suspicious, perCase}
}
