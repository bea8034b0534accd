package evidence

import (
	"cmp"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// family is a Family with its findings.
type family struct {
	Family
	audited  lattice.Set    // its audited units
	findings []percuss.Unit // all of them, audited or not
}

// familyOf is the family of a finding; one that the set put into none is a family of its own. A family of a narrative
// is one sentence.
func familyOf(u percuss.Unit, narrative bool) string {
	if narrative {
		return u.ID
	}
	return cmp.Or(u.Family, u.ID)
}

// families are the families of a case in the order of its findings, the complaint's first. Sentences of a narrative that
// are not audited are not in its prompts, so that they are no families.
func families(c percuss.Case, audited []percuss.Unit) []family {
	findings := c.Units
	if c.Narrative {
		findings = audited
	} else if c.Complaint != nil {
		findings = append([]percuss.Unit{*c.Complaint}, findings...)
	}
	var out []family
	for _, u := range findings {
		id := familyOf(u, c.Narrative)
		at := slices.IndexFunc(out, func(f family) bool { return f.ID == id })
		if at < 0 {
			at = len(out)
			out = append(out, family{Family: Family{ID: id, Absent: true}})
		}
		f := &out[at]
		f.Texts = append(f.Texts, u.Text)
		f.findings = append(f.findings, u)
		f.Absent = f.Absent && u.Absent
		for i := range audited {
			if audited[i].ID == u.ID {
				f.audited |= 1 << i
			}
		}
	}
	return out
}

// strata are all strata in the order of the tables.
func strata() []Stratum { return []Stratum{High, Clean, Low, Plausible} }

// stratify says in which strata each family is, given the interactions in the gold's margin. A family without an audited
// unit is in no interaction because none was looked for: it is never low.
func (a *Audit) stratify(item string, of []family, interactions []Interaction, salient float64) {
	var suspicious, any lattice.Set
	for _, i := range interactions {
		if i.strength() < salient {
			continue
		}
		any |= i.Set
		if i.Suspicious {
			suspicious |= i.Set
		}
	}
	for k := range of {
		f := &of[k]
		f.Strata = nil
		if f.audited&suspicious != 0 {
			f.Strata = append(f.Strata, High)
		}
		if f.audited&any != 0 && f.audited&suspicious == 0 {
			f.Strata = append(f.Strata, Clean)
		}
		if f.audited != 0 && f.audited&any == 0 && !f.Absent {
			f.Strata = append(f.Strata, Low)
		}
		if a.o.Appropriate[item+"\t"+f.ID] {
			f.Strata = append(f.Strata, Plausible)
		}
	}
}

// choose are the families that are changed, in the order of the case: of each stratum the first of a seeded permutation,
// so that a larger number only adds to them.
func (a *Audit) choose(item string, of []family) []family {
	var chosen []int
	for _, stratum := range strata() {
		var in []int
		for k, f := range of {
			if slices.Contains(f.Strata, stratum) {
				in = append(in, k)
			}
		}
		for n, k := range percuss.Rand(a.o.Seed, item, string(stratum), "evidence/families").Perm(len(in)) {
			if n < a.o.Families && !slices.Contains(chosen, in[k]) {
				chosen = append(chosen, in[k])
			}
		}
	}
	slices.Sort(chosen)
	out := make([]family, len(chosen))
	for i, k := range chosen {
		out[i] = of[k]
	}
	return out
}
