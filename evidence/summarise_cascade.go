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

// steps are in order. Each takes what all earlier ones kept; survival of the family stands beside that of the same
// units.
func steps() []step {
	start := func(Survival) bool { return true }
	prompt := func(s Survival) bool { return s.Prompt == Holds }
	order := func(s Survival) bool { return s.Prompt == Holds && s.Order == Holds }
	return []step{
		{"raw automatic", start, func(Survival) Verdict { return Holds }},
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
func stepName(s step, control bool) string {
	switch {
	case !control:
		return s.name
	case s.name == "raw automatic":
		return "random control"
	}
	return "random control: " + s.name
}

// survive enters what became of a case's interactions under the checks.
func (c *cell) survive(r Record, words []judged) {
	verdicts := map[lattice.Set]string{}
	for _, j := range words {
		if j.gold && j.matched {
			verdicts[j.set] = j.verdict
		}
	}
	for _, s := range r.Cascade {
		for _, step := range steps() {
			says := step.says(s)
			if !step.came(s) || says != Holds && says != Fails {
				continue
			}
			name := stepName(step, !s.Suspicious)
			k := c.sieve[name]
			if k == nil {
				k = &kept{}
				c.sieve[name] = k
			}
			k.asked++
			c.cascade.add(r.Subject.Item, name+"/asked", 1)
			c.cascade.add(r.Subject.Item, name+"/kept", bit(says == Holds))
			if says == Holds {
				k.kept++
				k.judge(verdicts[s.Set])
			}
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
	if len(c.sieve) == 0 {
		return nil
	}
	for _, control := range []bool{false, true} {
		for _, s := range steps() {
			out.Cascade = append(out.Cascade, CascadeRow{Step: stepName(s, control), Control: control})
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
		if row.Rate = percuss.Absent("nothing is checked in the first step"); i%len(steps()) > 0 {
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
