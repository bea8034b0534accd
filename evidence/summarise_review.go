package evidence

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/stat/lattice"
)

// What reviewers say.
const (
	valid        = "valid"
	questionable = "questionable"
	invalid      = "invalid"
)

// review are the judgements of one interaction each, by item and model.
type review struct {
	by      map[string][]*opinion
	unknown int // judgements whose verdict is none of the three
}

// opinion is what reviewers say of one interaction.
type opinion struct {
	target     string
	units      []string // sorted
	bucket     string
	verdicts   []string
	confidence []string
	met        bool // some record holds the case
}

// judged is an opinion that met its case.
type judged struct {
	bucket, verdict, confidence string
	set                         lattice.Set
	matched                     bool // the units and the diagnosis are those of an interaction
	gold, salient               bool
}

// newReview puts judgements of one interaction together.
func newReview(all []Judgement) *review {
	out := &review{by: map[string][]*opinion{}}
	for _, j := range all {
		if j.Verdict != valid && j.Verdict != questionable && j.Verdict != invalid {
			out.unknown++
			continue
		}
		units := slices.Sorted(slices.Values(j.Units))
		key := caseOf(j.Item, j.Model)
		at := slices.IndexFunc(out.by[key], func(o *opinion) bool { return o.target == j.Target && slices.Equal(o.units, units) })
		if at < 0 {
			at = len(out.by[key])
			out.by[key] = append(out.by[key], &opinion{target: j.Target, units: units})
		}
		o := out.by[key][at]
		o.bucket = cmp.Or(o.bucket, j.Bucket)
		o.verdicts = append(o.verdicts, j.Verdict)
		o.confidence = append(o.confidence, j.Confidence)
	}
	return out
}

// caseOf keys a case under a model.
func caseOf(item, model string) string { return item + "\x00" + model }

// of are the judgements of a record's interactions.
func (v *review) of(r Record, salient float64) []judged {
	var out []judged
	for _, o := range v.by[caseOf(r.Subject.Item, r.Subject.Model)] {
		o.met = true
		j := judged{bucket: o.bucket, verdict: majority(o.verdicts, questionable), confidence: majority(o.confidence, "low"), gold: o.target == r.Gold}
		if x, ok := o.find(r); ok {
			j.set, j.matched, j.salient = x.Set, true, math.Abs(x.Value) >= salient
			j.bucket = cmp.Or(j.bucket, x.Label)
		}
		j.bucket = cmp.Or(j.bucket, "no such interaction")
		out = append(out, j)
	}
	return out
}

// find is the interaction that an opinion is of.
func (o *opinion) find(r Record) (Interaction, bool) {
	var set lattice.Set
	for _, id := range o.units {
		at := slices.IndexFunc(r.Units, func(u UnitRecord) bool { return u.ID == id })
		if at < 0 || at >= lattice.MaxUnits {
			return Interaction{}, false
		}
		set |= 1 << at
	}
	m := r.Base
	if o.target != r.Gold {
		at := slices.IndexFunc(r.Others, func(c Competitor) bool { return c.Name == o.target })
		if at < 0 {
			return Interaction{}, false
		}
		m = r.Others[at].Measured
	}
	at := slices.IndexFunc(m.Interactions, func(x Interaction) bool { return x.Set == set })
	if at < 0 {
		return Interaction{}, false
	}
	return m.Interactions[at], true
}

// majority is the commonest of some words; where several are, the given one.
func majority(words []string, tied string) string {
	best, most, shared := "", 0, false
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	for _, w := range slices.Sorted(slices.Values(words)) {
		switch n := counts[w]; {
		case w == best:
		case n > most:
			best, most, shared = w, n, false
		case n == most:
			shared = true
		}
	}
	if shared {
		return tied
	}
	return best
}

// unmet are the interactions judged of which no record holds the case.
func (v *review) unmet() int {
	n := 0
	for _, of := range v.by {
		for _, o := range of {
			n += int(bit(!o.met))
		}
	}
	return n
}

// unjudged says why a figure that needs judgements has none; empty: there are some.
func (c *cell) unjudged() string {
	switch {
	case len(c.o.Judgements) == 0:
		return "it needs judgements of reviewers: there are none"
	case len(c.reviewed) == 0:
		return "no judgement is of a case of this model and set"
	}
	return ""
}

// reviewRows are Tables 5 and 19: a row a bucket, by name, and all of them last. The counts are of interactions, each
// once, however many reviewers saw it.
func reviewRows(all []judged, level float64) []ReviewRow {
	rows := []ReviewRow{}
	if len(all) == 0 {
		return rows
	}
	sum := ReviewRow{Bucket: "total"}
	for _, j := range all {
		at := slices.IndexFunc(rows, func(r ReviewRow) bool { return r.Bucket == j.bucket })
		if at < 0 {
			at = len(rows)
			rows = append(rows, ReviewRow{Bucket: j.bucket})
		}
		rows[at].enter(j)
		sum.enter(j)
	}
	slices.SortFunc(rows, func(a, b ReviewRow) int { return strings.Compare(a.Bucket, b.Bucket) })
	rows = append(rows, sum)
	for i, r := range rows {
		rows[i].InvalidRate = stat.Wilson(r.Invalid, r.Judged, level)
	}
	return rows
}

// enter counts a judged interaction.
func (r *ReviewRow) enter(j judged) {
	r.Judged++
	r.Valid += int(bit(j.verdict == valid))
	r.Questionable += int(bit(j.verdict == questionable))
	r.Invalid += int(bit(j.verdict == invalid))
	r.High += int(bit(j.confidence == "high"))
	r.Medium += int(bit(j.confidence == "medium"))
	r.Low += int(bit(j.confidence == "low"))
}
