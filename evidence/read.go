package evidence

import (
	"maps"
	"slices"

	"github.com/percuss/percuss"
)

// reading is what a case's trials and their answers say. It needs the ledger's trials and the case, nothing else: which
// units were audited and where the candidates stood is in the labels.
type reading struct {
	a         *Audit
	s         percuss.Subject
	names     []string           // of the candidates, in the base order
	columns   map[string]int     // their places
	tables    []*table           // in the order of the trials; the first is the base setting's
	repeats   []*table           // more askings of the base setting's prompts
	halves    []*table           // of the base setting, where letters are drawn: every other draw
	priors    map[string]*table  // prompts without content
	changes   []change           // in the order of the trials
	byName    map[askedAs]*table // tables and repeats
	unasked   []string           // what was planned and not asked, and why
	narrative bool
	findings  map[string]percuss.Unit // by id
}

// askedAs names a table.
type askedAs struct {
	in        string
	replicate int
}

// change is one family changed, with the scores of its one prompt.
type change struct {
	labels
	table *table
}

// read sorts the trials of a case.
func (a *Audit) read(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) *reading {
	r := &reading{a: a, s: s, columns: map[string]int{}, priors: map[string]*table{}, byName: map[askedAs]*table{},
		narrative: s.Case.Narrative, findings: map[string]percuss.Unit{}}
	if answers == nil {
		answers = percuss.AnswerMap(nil)
	}
	for _, u := range s.Case.Units {
		r.findings[u.ID] = u
	}
	for _, t := range trials {
		l, ok := parseLabels(t)
		if !ok {
			if t.Why != "" && !slices.Contains(r.unasked, t.Why) {
				r.unasked = append(r.unasked, t.Why)
			}
			continue
		}
		table := r.tableOf(l)
		if table == nil {
			continue
		}
		var answer percuss.Answer
		answered := false
		if t.Request != nil {
			answer, answered = answers.Answer(t.Key())
		}
		if l.Kind != ofSubset {
			l.Shown = 0
		}
		table.put(l.Shown, answer, answered)
		if table == r.tables[0] && table.Sampled > 1 {
			r.half(l.Replicate).put(l.Shown, answer, answered)
		}
	}
	r.finish()
	return r
}

// tableOf is the table that a trial belongs to, made where there is none; nil for a trial of a setting without heading.
func (r *reading) tableOf(l labels) *table {
	if l.Heading != nil && r.names == nil {
		r.names = l.Heading.Candidates
		for i, name := range r.names {
			r.columns[name] = i
		}
	}
	if r.names == nil {
		return nil
	}
	switch l.Kind {
	case ofPrior:
		if r.priors[l.In] == nil && len(r.tables) > 0 {
			r.priors[l.In] = newTable(heading{Candidates: r.names, Sampled: r.tables[0].Sampled}, r.columns)
		}
		return r.priors[l.In]
	case ofFamily:
		return r.changeTable(l)
	}
	return r.settingTable(l)
}

// settingTable is the table of a subset's setting. Repetitions of the base setting's prompts have tables of their own;
// drawn letters are repetitions too, but belong together.
func (r *reading) settingTable(l labels) *table {
	main := r.byName[askedAs{l.In, 0}]
	if main == nil {
		if l.Heading == nil {
			return nil
		}
		t := newTable(*l.Heading, r.columns)
		if t != nil {
			r.tables = append(r.tables, t)
			r.byName[askedAs{l.In, 0}] = t
		}
		return t
	}
	if l.Replicate == 0 || main.Sampled > 0 {
		return main
	}
	if main != r.tables[0] {
		return nil
	}
	name := askedAs{l.In, l.Replicate}
	if r.byName[name] == nil {
		r.byName[name] = newTable(main.heading, r.columns)
		r.repeats = append(r.repeats, r.byName[name])
	}
	return r.byName[name]
}

// half is the table of every other draw of the base setting's letters.
func (r *reading) half(replicate int) *table {
	for len(r.halves) < 2 {
		r.halves = append(r.halves, newTable(r.tables[0].heading, r.columns))
	}
	return r.halves[replicate&1]
}

// changeTable is the table of one edit of one family; drawn letters of it share the table.
func (r *reading) changeTable(l labels) *table {
	base := r.byName[askedAs{l.In, 0}]
	if base == nil {
		return nil
	}
	if n := len(r.changes); n > 0 && r.changes[n-1].Family == l.Family && r.changes[n-1].Edit == l.Edit {
		return r.changes[n-1].table
	}
	h := base.heading
	h.Units = nil
	t := newTable(h, r.columns)
	r.changes = append(r.changes, change{l, t})
	return t
}

// finish turns what was read into scores: counts into logs, and the letters' own scores out of all.
func (r *reading) finish() {
	all := slices.Concat(r.tables, r.repeats, r.halves, slices.Collect(maps.Values(r.priors)))
	for _, c := range r.changes {
		all = append(all, c.table)
	}
	for _, t := range all {
		t.smooth()
	}
	if len(r.priors) == 0 {
		return
	}
	for _, t := range slices.Concat(r.tables, r.repeats, r.halves) {
		t.subtract(r.priors[priorOf(t.Setting)])
	}
	for _, c := range r.changes {
		c.table.subtract(r.priors[priorOf(c.table.Setting)])
	}
}

// base is the table of the base setting: over the rotations of its candidates, where there are any. It is nil where
// nothing was asked.
func (r *reading) base() *table {
	if len(r.tables) == 0 {
		return nil
	}
	var rotations []*table
	for _, t := range r.tables {
		if s := t.Setting; s.Rotation > 0 {
			s.Rotation = 0
			if s == r.tables[0].Setting {
				rotations = append(rotations, t)
			}
		}
	}
	if len(rotations) == 0 {
		return r.tables[0]
	}
	return overRotations(append([]*table{r.tables[0]}, rotations...))
}

// variants are the tables of the other settings, without rotations.
func (r *reading) variants() []*table {
	var out []*table
	for _, t := range r.tables[1:] {
		if t.Setting.Rotation == 0 {
			out = append(out, t)
		}
	}
	return out
}

// units are the audited units of a setting; one that the case no longer has is known by its id alone.
func (r *reading) unitsOf(t *table) []percuss.Unit {
	out := make([]percuss.Unit, len(t.Units))
	for i, id := range t.Units {
		u, ok := r.findings[id]
		if !ok {
			u = percuss.Unit{ID: id, Text: id}
		}
		out[i] = u
	}
	return out
}
