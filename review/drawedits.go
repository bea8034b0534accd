package review

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/review/blind"
)

// withPassages is the set whose questions are not shown to clinicians (chain audit, section 7): they ask what an abstract
// found, not what is right for a patient.
const withPassages = "pubmedqa"

// edit is an edit of a question that may be drawn, the same for all models.
type edit struct {
	candidate
	look  string            // what it replaces by what; empty: not known
	by    percuss.SubjectID // a subject that was asked with it
	flips []flip
}

// flip is a model whose answer an edit moved.
type flip struct {
	of            percuss.SubjectID
	tier          string
	rank          uint64
	before, after string
}

// DrawEdits takes a sample of the edits of questions: each family's number in turns over the sets, from a question that has given the fewest so
// far, and what two operators make alike once; PubMedQA is left out. Of the drawn ones of M3, M4 and M5, the number "flips" show one
// model's flip as well: in turns over the families, each time of the tier that has been shown the least, and of its models the one
// shown the least. Whether an edit is drawn does not hang on its flips, so that the shares of sound edits are those of all edits. Nothing
// is drawn in the place of what a family lacks. (Chain audit, section 7.)
func DrawEdits(c Chains, o Options) (Sample, error) {
	o.Design, o.Run = Edits, c.Run
	if o.Quotas == nil {
		o.Quotas = o.Design.quotas()
	}
	edits := o.edits(c)
	if len(edits) == 0 {
		return Sample{}, errors.New("no edit of a question of the families M2 to M5 fired: there is nothing to review; the run's report says what became of its trials")
	}
	s := Sample{Task: blind.Perturbation, Options: o}
	of := map[string]*edit{}
	pools := map[string][]*candidate{}
	for _, e := range edits {
		of[e.ID] = e
		pools[e.Bucket] = append(pools[e.Bucket], &e.candidate)
	}
	var drawn []*edit
	for _, q := range o.Quotas {
		if q.Bucket == flips {
			continue
		}
		got := o.draw(q, pools[q.Bucket])
		s.Strata = append(s.Strata, stratum(q, len(pools[q.Bucket]), got))
		for _, f := range got {
			drawn = append(drawn, of[f.ID])
		}
	}
	shown := o.showFlips(drawn, &s)
	for _, e := range drawn {
		if f, ok := shown[e.ID]; ok {
			e.by, e.Key.Variant, e.Key.Model, e.Key.Tier = f.of, f.of.Variant, f.of.Model, f.tier
		}
		s.Keys = append(s.Keys, e.Key)
	}
	changes, err := c.changes(drawn)
	if err != nil {
		return s, err
	}
	return s, s.items(func(k Key) (blind.Item, error) {
		x := changes[k.ID]
		if f, ok := shown[k.ID]; ok {
			return blind.Edited(k.ID, x.question, x.Change, &blind.Change{Before: f.before, After: f.after}), nil
		}
		return blind.Edited(k.ID, x.question, x.Change, nil), nil
	})
}

// edits are the fired edits of questions, each once, with the flips of all models; their ids are salted with the flips.
func (o *Options) edits(c Chains) []*edit {
	operators := c.operators()
	var wanted []string
	for _, q := range o.Quotas {
		wanted = append(wanted, q.Bucket)
	}
	seen := map[string]*edit{}
	var out []*edit
	for a := range c.Subjects(nil) {
		if a.Record.Subject.Set == withPassages || a.Subject.Question.Kind != "" {
			continue
		}
		for _, t := range a.Record.Operators {
			op := operators[t.ID]
			if op.Block != battery.M || op.Needs != "" || !t.Edit.Fired || !slices.Contains(wanted, op.Family) {
				continue
			}
			k := Key{Run: o.Run, Bucket: op.Family, Set: a.Record.Subject.Set, Item: a.Record.Subject.Item, Operator: op.ID, Family: op.Family}
			e := seen[k.name()]
			if e == nil {
				e = &edit{candidate: candidate{Key: k, rank: o.rank(k.name())}, by: a.Record.Subject}
				if t.Edit.Old+t.Edit.New != "" {
					e.look = strings.Join([]string{k.Set, k.Item, t.Edit.Old, t.Edit.New}, "\x00")
				}
				seen[k.name()] = e
				out = append(out, e)
			}
			if t.Flip == chain.Flipped {
				e.flips = append(e.flips, flip{a.Record.Subject, c.Tiers[a.Record.Subject.Model], o.rank(k.name() + a.Record.Subject.String()),
					a.Record.Base.Answer, t.Reading.Answer})
			}
		}
	}
	for _, e := range out {
		for _, f := range e.flips {
			o.stir(e.name()+f.of.String(), f.before+f.after)
		}
	}
	for _, e := range out {
		e.ID = o.id(e.Key)
	}
	return different(out)
}

// different leaves out all but one of edits that replace the same by the same in a question: two operators of a family make one edit where it
// offers one place only, and raters would see it twice. Which operator's is left is random.
func different(edits []*edit) []*edit {
	first := map[string]*edit{}
	for _, e := range edits {
		if old := first[e.look]; old == nil || e.rank < old.rank {
			first[e.look] = e
		}
	}
	return slices.DeleteFunc(edits, func(e *edit) bool { return e.look != "" && first[e.look] != e })
}

// showFlips chooses the edits that show a flip, and whose, and adds the stratum of flips.
func (o Options) showFlips(drawn []*edit, s *Sample) map[string]flip {
	at := slices.IndexFunc(o.Quotas, func(q Quota) bool { return q.Bucket == flips })
	if at < 0 {
		return nil
	}
	families := map[string][]*edit{}
	var order []string
	for _, e := range drawn {
		if e.Family == "M2" || len(e.flips) == 0 { // an age or a sex that changes is no question of harm
			continue
		}
		if families[e.Family] == nil {
			order = append(order, e.Family)
		}
		families[e.Family] = append(families[e.Family], e)
	}
	there := 0
	for _, list := range families {
		there += len(list)
		slices.SortFunc(list, func(a, b *edit) int { return cmp.Compare(a.rank, b.rank) })
	}
	shown := map[string]flip{}
	tiers, models := map[string]int{}, map[string]int{}
	var chosen []*candidate
	for len(shown) < min(o.Quotas[at].N, there) {
		for _, family := range order {
			if len(families[family]) == 0 || len(shown) == o.Quotas[at].N {
				continue
			}
			e := families[family][0]
			families[family] = families[family][1:]
			f := slices.MinFunc(e.flips, func(a, b flip) int {
				return cmp.Or(cmp.Compare(tiers[a.tier], tiers[b.tier]), cmp.Compare(models[a.of.Model], models[b.of.Model]), cmp.Compare(a.rank, b.rank))
			})
			tiers[f.tier]++
			models[f.of.Model]++
			shown[e.ID] = f
			chosen = append(chosen, &e.candidate)
		}
	}
	s.Strata = append(s.Strata, stratum(o.Quotas[at], there, chosen))
	return shown
}

// changed is an edit's text before and after, with its question.
type changed struct {
	question percuss.Question
	blind.Change
}

// changes finds the texts of the drawn edits.
func (c Chains) changes(drawn []*edit) (map[string]changed, error) {
	of := map[percuss.SubjectID][]*edit{}
	for _, e := range drawn {
		of[e.by] = append(of[e.by], e)
	}
	out := map[string]changed{}
	for a := range c.Subjects(func(id percuss.SubjectID) bool { return of[id] != nil }) {
		for _, e := range of[a.Record.Subject] {
			x, err := a.question(e.Operator)
			if err != nil {
				return nil, err
			}
			out[e.ID] = changed{a.Subject.Question, x}
		}
	}
	if len(out) != len(drawn) {
		return nil, fmt.Errorf("%d of %d drawn edits were not found again: the run was changed while it was read; try again", len(drawn)-len(out), len(drawn))
	}
	return out, nil
}
