package review

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/step"
)

// Stepped is one subject of a step audit, with its steps as judges see them.
type Stepped struct {
	Subject percuss.Subject
	Record  step.Record
	Trials  []percuss.Trial
	Shown   [][]string // by chain and step; empty: nothing but style was there
}

// Steps is a run of the step audit, to be sampled from. It is walked through twice: once to see what there is, and once for
// the texts of what was drawn.
type Steps struct {
	Run   string            // its name, for the key
	View  string            // that judges see the steps under
	Tiers map[string]string // of the models, by id
	// Subjects yields those that are wanted, each time in the same order; nil: all.
	Subjects func(wanted func(percuss.SubjectID) bool) iter.Seq[Stepped]
}

// stepPool is what can be drawn of one bucket from one model on one set under one prompt.
type stepPool struct {
	model string
	units []*stepUnit
	drawn int
}

// stepUnit is a judged step, with those of its pool that nobody could tell from it: the same question, steps before and words.
type stepUnit struct {
	candidate
	alike int
}

// DrawSteps takes a sample of judged steps: each bucket in equal parts from the models, within a model in turns over its sets
// and prompts, and of each of these at random, so that every step has a known weight. What looks alike is drawn once and
// weighs for all. A larger sample of the same seed holds the smaller one. What a model has too few of is told, and nothing is
// drawn in its place. (Step audit, expert check.)
func DrawSteps(c Steps, o Options) (Sample, error) {
	o.Design, o.Run = JudgedSteps, c.Run
	if o.Quotas == nil {
		o.Quotas = o.Design.quotas()
	}
	pools, models := o.stepPools(c)
	if len(models) == 0 {
		return Sample{}, errors.New("no step was judged: there is nothing to review. Name a judge with --judge in the command of the run, which then goes on")
	}
	slices.SortFunc(models, func(a, b string) int { return cmp.Or(cmp.Compare(o.rank(a), o.rank(b)), cmp.Compare(a, b)) })
	s := Sample{Task: blind.Steps, Options: o}
	for _, q := range o.Quotas {
		for i, model := range models {
			share := Quota{q.Bucket, q.N / len(models)}
			if i < q.N%len(models) {
				share.N++
			}
			s.Strata = append(s.Strata, o.drawSteps(pools[q.Bucket], model, share, &s.Keys))
		}
	}
	slices.SortFunc(s.Strata, func(a, b Stratum) int { return cmp.Compare(a.Bucket, b.Bucket) })
	if len(s.Keys) == 0 {
		return s, errors.New("the sample is empty: ask for more with -n")
	}
	items, otherwise, err := c.stepItems(s.Keys)
	if err != nil {
		return s, err
	}
	if otherwise > 0 {
		s.Lacks = fmt.Sprintf("%d of the steps are shown in other words than the judges saw: the run was made by a version of Percuss that takes style away otherwise", otherwise)
	}
	return s, s.items(func(k Key) (blind.Item, error) { return items[k.ID], nil })
}

// stepPools are the judged steps by bucket, then by model, set and prompt, each pool in a random order; and the models.
func (o *Options) stepPools(c Steps) (pools map[string][]*stepPool, models []string) {
	type place struct{ bucket, variant, model, set string }
	at := map[place]*stepPool{}
	pools = map[string][]*stepPool{}
	for a := range c.Subjects(nil) {
		seen := map[string]*stepUnit{}
		for _, k := range c.candidates(a) {
			o.stir(k.name(), fmt.Sprint(k.Judges))
			look := k.Bucket + "\x00" + strings.Join(a.Shown[k.Chain-1][:k.Step], "\x00")
			if u := seen[look]; u != nil {
				u.alike++
				continue
			}
			seen[look] = &stepUnit{candidate{Key: k, rank: o.rank(k.name())}, 1}
			p := place{k.Bucket, k.Variant, k.Model, k.Set}
			if at[p] == nil {
				at[p] = &stepPool{model: k.Model}
				pools[k.Bucket] = append(pools[k.Bucket], at[p])
			}
			at[p].units = append(at[p].units, seen[look])
			if !slices.Contains(models, k.Model) {
				models = append(models, k.Model)
			}
		}
	}
	for _, p := range at {
		for _, u := range p.units {
			u.ID = o.id(u.Key)
		}
		slices.SortFunc(p.units, func(a, b *stepUnit) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.ID, b.ID)) })
	}
	return pools, models
}

// candidates are the judged steps of a subject that raters can be shown.
func (c Steps) candidates(a Stepped) []Key {
	var out []Key
	id := a.Record.Subject
	for n, chain := range a.Record.Chains {
		if len(chain.Views) == 0 || chain.Views[0].View != c.View {
			continue
		}
		for i, s := range chain.Views[0].Steps {
			if len(s.Says) == 0 || n >= len(a.Shown) || i >= len(a.Shown[n]) || a.Shown[n][i] == "" {
				continue
			}
			k := Key{Run: c.Run, Bucket: others, Variant: id.Variant, Model: id.Model, Tier: c.Tiers[id.Model], Set: id.Set, Item: id.Item, Chain: n + 1, View: c.View, Step: i + 1, Judges: map[string]string{}}
			if s.Says[0].Says.IsError() {
				k.Bucket = erroneous
			}
			for _, v := range s.Says {
				k.Judges[v.Judge] = string(v.Says)
			}
			out = append(out, k)
		}
	}
	return out
}

// drawSteps draws a model's share of a bucket: in turns over its pools, from the one that has given the fewest.
func (o Options) drawSteps(pools []*stepPool, model string, q Quota, keys *[]Key) Stratum {
	var of []*stepPool
	s := Stratum{Bucket: q.Bucket + ", " + model, Wanted: q.N}
	for _, p := range pools {
		if p.model == model {
			of = append(of, p)
			s.There += len(p.units)
		}
	}
	for ; s.Drawn < min(q.N, s.There); s.Drawn++ {
		var next *stepPool
		for _, p := range of {
			if p.drawn < len(p.units) && (next == nil || p.drawn < next.drawn) {
				next = p
			}
		}
		next.drawn++
	}
	items := map[string]int{}
	for _, p := range of {
		for _, u := range p.units[:p.drawn] {
			u.Weight = float64(u.alike) * float64(len(p.units)) / float64(p.drawn)
			*keys = append(*keys, u.Key)
			items[u.Item]++
			s.Most = max(s.Most, items[u.Item])
		}
	}
	s.Cases = len(items)
	return s
}

// stepItems are the items of drawn steps by their ids, and how many of them judges saw in other words.
func (c Steps) stepItems(keys []Key) (out map[string]blind.Item, otherwise int, err error) {
	of := map[percuss.SubjectID][]Key{}
	for _, k := range keys {
		of[k.subject()] = append(of[k.subject()], k)
	}
	out = map[string]blind.Item{}
	for a := range c.Subjects(func(id percuss.SubjectID) bool { return of[id] != nil }) {
		for _, k := range of[a.Record.Subject] {
			if k.Chain > len(a.Shown) || k.Step > len(a.Shown[k.Chain-1]) {
				return nil, 0, fmt.Errorf("%s of %s was not found again: the run was changed while it was read; try again", step.StepID(k.Chain, k.View, k.Step), k.subject())
			}
			steps := a.Shown[k.Chain-1][:k.Step]
			before := slices.DeleteFunc(slices.Clone(steps[:k.Step-1]), func(s string) bool { return s == "" })
			out[k.ID] = blind.Step(k.ID, a.Subject.Question, before, steps[k.Step-1])
			if a.seenOtherwise(k, steps[k.Step-1]) {
				otherwise++
			}
		}
	}
	if len(out) != len(keys) {
		return nil, 0, fmt.Errorf("%d of %d drawn steps were not found again: the run was changed while it was read; try again", len(keys)-len(out), len(keys))
	}
	return out, otherwise, nil
}

// seenOtherwise reports whether a judge was asked about a step in other words.
func (a Stepped) seenOtherwise(k Key, text string) bool {
	asked := step.StepID(k.Chain, k.View, k.Step)
	for _, t := range a.Trials {
		judge, of := strings.CutPrefix(t.ID, step.JudgeTrial(asked, ""))
		if _, asks := k.Judges[judge]; of && asks && t.Request != nil {
			return !strings.Contains(lastUser(t.Request), text)
		}
	}
	return false
}
