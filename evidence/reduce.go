package evidence

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Reduce implements percuss.Audit. It reads the trials that it is given and the case, and chooses nothing anew: the
// ledger of a run that another binary made gives the same record.
func (a *Audit) Reduce(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) percuss.Record {
	rec := Record{Subject: s.SubjectID}
	if s.Case == nil {
		rec.Why = "there is no case"
		return rec
	}
	rec.Gold, rec.Narrative = s.Case.Gold, s.Case.Narrative
	r := a.read(s, trials, answers)
	base := r.base()
	if base == nil {
		rec.Why = "nothing was asked"
		if len(r.unasked) > 0 {
			rec.Why = r.unasked[0]
		}
		return rec
	}
	if _, ok := r.columns[rec.Gold]; !ok {
		rec.Why = "the gold is none of the candidates that were asked for"
		return rec
	}
	rec.Candidates, rec.Unasked = r.names, r.unasked
	rec.Order, rec.Sampled = base.Order, base.Sampled
	rec.CheckOrder = min(a.o.CheckOrder, rec.Order)
	rec.Base = r.gold(base)
	if base != r.tables[0] {
		one := r.gold(r.tables[0])
		rec.Unrotated = &one
	}
	rec.Units = r.units(base)
	r.values(base, rec.Units, &rec.Base)
	if null, err := a.o.Labels.NullCounts(r.flags(base, rec.Gold), base.Order, rec.Narrative); err == nil {
		rec.Null = null
	}
	for _, name := range r.names {
		if name != rec.Gold {
			rec.Others = append(rec.Others, Competitor{name, base.measure(r.target(base, name))})
		}
	}
	r.settings(&rec)
	rec.Noise = r.noise()
	r.counterfactuals(&rec)
	return rec
}

// settings measures the settings that are not the base setting and sets them beside the base setting in its one order.
func (r *reading) settings(rec *Record) {
	all := []measuredTable{{r.tables[0], rec.Reference(), nil}}
	for _, t := range r.variants() {
		v := Variant{Measured: r.gold(t)}
		if t.Setting.Selector != "" {
			v.Units = r.units(t)
		}
		rec.Variants = append(rec.Variants, v)
		rec.CheckOrder = t.Order
		all = append(all, measuredTable{t, v.Measured, v.Units})
	}
	for i := range all {
		if all[i].ids == nil {
			all[i].ids = rec.Units
		}
	}
	rec.Compared = compare(all)
	if len(rec.Variants) > 0 {
		rec.Cascade = r.cascade(rec.Reference(), all)
	}
}

// units are the audited units of a setting as seen from the gold.
func (r *reading) units(t *table) []UnitRecord {
	out := make([]UnitRecord, len(t.Units))
	flags := r.flags(t, r.s.Case.Gold)
	for i, u := range r.unitsOf(t) {
		out[i] = UnitRecord{ID: u.ID, Family: familyOf(u, r.narrative), Text: u.Text, Flags: flags[i], Role: RoleOf(flags[i])}
	}
	return out
}

// values gives units their Shapley and Banzhaf values, and pairs their indices, where all orders were asked.
func (r *reading) values(t *table, units []UnitRecord, m *Measured) {
	if m.State != Scored || t.Order < t.units() {
		return
	}
	game, err := lattice.FromValues(t.values(r.columns[r.s.Case.Gold]), t.Order)
	if err != nil {
		return
	}
	shapley, banzhaf := game.Shapley(), game.Banzhaf()
	for i := range units {
		units[i].Shapley, units[i].Banzhaf = shapley[i], banzhaf[i]
	}
	m.Pairs = pairs(game, units)
}

// counterfactuals reads what the changes moved and says which families there are.
func (r *reading) counterfactuals(rec *Record) {
	for _, c := range r.changes {
		rec.Changes = append(rec.Changes, r.moved(c))
	}
	if rec.Base.State != Scored {
		return
	}
	of := families(*r.s.Case, r.unitsOf(r.tables[0]))
	r.a.stratify(r.s.Item, of, rec.Base.Interactions, r.a.o.Salient)
	for _, f := range of {
		rec.Families = append(rec.Families, f.Family)
	}
}
