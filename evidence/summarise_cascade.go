package evidence

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/stat/lattice"
)

// step is one step of the cascade (Table 7): which interactions come into it, and what it finds.
type step struct {
	name string
	came func(Survival) bool
	says func(Survival) Verdict
}

// The first two rows: all salient interactions of the cell, and those of them that the first step has a word on.
const (
	rawStep     = "raw automatic"
	checkedStep = "could be checked"
)

// steps are those after the first two rows, in order. Each takes what all earlier ones kept; survival of the family
// stands beside that of the same units.
func steps() []step {
	start := func(Survival) bool { return true }
	prompt := func(s Survival) bool { return s.Prompt == Holds }
	order := func(s Survival) bool { return s.Prompt == Holds && s.Order == Holds }
	return []step{
		{"prompt-stable", start, func(s Survival) Verdict { return s.Prompt }},
		{"order-stable", prompt, func(s Survival) Verdict { return s.Order }},
		{"survives neutralization", order, func(s Survival) Verdict { return s.Neutralize }},
		{"family survives neutralization", order, func(s Survival) Verdict { return s.Family }},
	}
}

// sieve counts the judgements of what each step kept, by the step's name.
type sieve map[string]*kept

type kept struct{ asked, kept, judged, valid, questionable, invalid int }

// stepName is a step's name in the table.
func stepName(name string, control bool) string {
	switch {
	case !control:
		return name
	case name == rawStep:
		return "control"
	}
	return "control: " + name
}

// checked says whether the first step has a word on an interaction: other checks may be made on more cases, which do not
// come into them through the cascade.
func (s Survival) checked() bool { return s.Prompt == Holds || s.Prompt == Fails }

// survive enters what became of a case's interactions under the checks.
func (c *cell) survive(r Record, words []judged) {
	verdicts := map[lattice.Set]string{}
	for _, j := range words {
		if j.gold && j.matched {
			verdicts[j.set] = j.verdict
		}
	}
	enter := func(name string, control bool, s lattice.Set, holds bool) {
		name = stepName(name, control)
		k := c.sieve[name]
		if k == nil {
			k = &kept{}
			c.sieve[name] = k
		}
		k.asked++
		c.cascade.add(r.Subject.Item, name+"/asked", 1)
		c.cascade.add(r.Subject.Item, name+"/kept", bit(holds))
		if holds {
			k.kept++
			k.judge(verdicts[s])
		}
	}
	followed := map[lattice.Set]bool{}
	for _, s := range r.Cascade {
		followed[s.Set] = s.checked()
		for _, step := range steps() {
			if says := step.says(s); step.came(s) && (says == Holds || says == Fails) {
				enter(step.name, !s.Suspicious, s.Set, says == Holds)
			}
		}
	}
	c.sifted = c.sifted || len(followed) > 0
	if base := r.Reference(); base.State == Scored {
		for _, i := range salientUpTo(base, 0, c.o.Salient) {
			checked, matched := followed[i.Set]
			if !i.Suspicious && !matched {
				continue // controls are those that were matched to a suspicious one
			}
			enter(rawStep, !i.Suspicious, i.Set, true)
			enter(checkedStep, !i.Suspicious, i.Set, checked)
		}
	}
}

// judge counts a verdict; an empty one is none.
func (k *kept) judge(verdict string) {
	k.judged += int(bit(verdict != ""))
	k.valid += int(bit(verdict == valid))
	k.questionable += int(bit(verdict == questionable))
	k.invalid += int(bit(verdict == invalid))
}

// cascadeRows lay out Table 7; it is empty where no interaction was checked.
func (c *cell) cascadeRows(out *Cell, o stat.Options) []figure {
	out.Cascade = []CascadeRow{}
	if !c.sifted {
		return nil
	}
	for _, control := range []bool{false, true} {
		for _, name := range []string{rawStep, checkedStep} {
			out.Cascade = append(out.Cascade, CascadeRow{Step: stepName(name, control), Control: control})
		}
		for _, s := range steps() {
			out.Cascade = append(out.Cascade, CascadeRow{Step: stepName(s.name, control), Control: control})
		}
	}
	var figures []figure
	for i := range out.Cascade {
		row := &out.Cascade[i]
		k := c.sieve[row.Step]
		if k == nil {
			k = &kept{}
		}
		row.Asked, row.Kept, row.Judged = k.asked, k.kept, k.judged
		if row.Rate = percuss.Absent("nothing is checked in the first row"); i != 0 && i != len(out.Cascade)/2 {
			of := c.cascade.over(row.Step+"/kept", row.Step+"/asked")
			figures = append(figures, figure{&row.Rate, []ratio{of}, rate, "no interaction that came so far was checked"})
		}
		row.Precision = c.judgedRate(k.invalid, k.judged, k.kept, o.Level)
		row.Questionable = c.judgedRate(k.questionable, k.judged, k.kept, o.Level)
		row.False = c.judgedRate(k.valid, k.judged, k.kept, o.Level)
	}
	return figures
}

// judgedRate is a share of what a step kept and reviewers judged.
func (c *cell) judgedRate(n, judged, kept int, level float64) percuss.Estimate {
	if judged == 0 {
		if why := c.unjudged(); why != "" {
			return percuss.Absent(why)
		}
		return percuss.Absent(fmt.Sprintf("none of the %d interactions that are kept was judged", kept))
	}
	return stat.Wilson(n, judged, level)
}
