package review

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/review/blind"
)

// DrawUpdates takes a sample of models' trials for which the token rule is defined, by family and by what the rule says: each
// bucket in turns over model and set, from a question that has given the fewest so far. (Chain audit, section 7.)
func DrawUpdates(c Chains, o Options) (Sample, error) {
	o.Design, o.Run = Updates, c.Run
	if o.Quotas == nil {
		o.Quotas = o.Design.quotas()
	}
	operators := c.operators()
	pools := map[string][]*candidate{}
	empty := 0
	for a := range c.Subjects(nil) {
		for _, t := range a.Record.Operators {
			op := operators[t.ID]
			if !t.Rule || op.Block != battery.M {
				continue
			}
			if t.Reading.Words == 0 {
				empty++
				continue
			}
			token := t.Token
			k := Key{Run: o.Run, Bucket: op.Family + silent, Variant: a.Record.Subject.Variant, Model: a.Record.Subject.Model, Tier: c.Tiers[a.Record.Subject.Model],
				Set: a.Record.Subject.Set, Item: a.Record.Subject.Item, Operator: op.ID, Family: op.Family, Registered: &token}
			if t.Token {
				k.Bucket = op.Family + registered
			}
			o.stir(k.name(), k.Bucket)
			pools[k.Bucket] = append(pools[k.Bucket], &candidate{Key: k, rank: o.rank(k.name())})
		}
	}
	o.identify(pools)
	s := Sample{Task: blind.ChainUpdate, Options: o}
	if empty > 0 {
		s.Lacks = fmt.Sprintf("left out, for nobody could say whether they use the edit: %d trials whose chain after it has no word", empty)
	}
	of := map[percuss.SubjectID][]Key{}
	for _, q := range o.Quotas {
		drawn := o.draw(q, pools[q.Bucket])
		s.Strata = append(s.Strata, stratum(q, len(pools[q.Bucket]), drawn))
		for _, f := range drawn {
			s.Keys = append(s.Keys, f.Key)
			id := f.Key.subject()
			of[id] = append(of[id], f.Key)
		}
	}
	if len(s.Keys) == 0 {
		return s, errors.New("no trial with a chain for which the token rule is defined (M2, M4, M5): there is nothing to review; the run's report says what became of its trials")
	}
	items := map[string]blind.Item{}
	for a := range c.Subjects(func(id percuss.SubjectID) bool { return of[id] != nil }) {
		for _, k := range of[a.Record.Subject] {
			text, err := a.question(k.Operator)
			if err != nil {
				return s, err
			}
			items[k.ID] = blind.Reasoning(k.ID, text, blind.Change{Before: a.chain("base"), After: a.chain(k.Operator)})
		}
	}
	return s, s.items(func(k Key) (blind.Item, error) { return items[k.ID], nil })
}

// subject is the subject that a trial's key is of.
func (k Key) subject() percuss.SubjectID {
	return percuss.SubjectID{Variant: k.Variant, Model: k.Model, Set: k.Set, Item: k.Item}
}

// examplesShown is how many examples of an operator a rater sees.
const examplesShown = 2

// DrawOperators makes an item of each operator of the battery that fired, with what it does and seeded examples of different questions. (Chain
// audit, section 7.)
func DrawOperators(c Chains, o Options) (Sample, error) {
	o.Design, o.Run, o.Quotas = "operators", c.Run, nil
	type place struct {
		of   percuss.SubjectID
		rank uint64
	}
	found := map[string][]place{} // by operator, the first of each question
	for a := range c.Subjects(nil) {
		for _, t := range a.Record.Operators {
			p := place{a.Record.Subject, o.rank(t.ID + a.Record.Subject.Item)}
			if t.Edit.Fired {
				o.stir(t.ID+a.Record.Subject.String(), t.Edit.Old+t.Edit.New+string(t.Flip))
			}
			if t.Edit.Fired && !slices.ContainsFunc(found[t.ID], func(q place) bool { return q.of.Item == p.of.Item }) {
				list := append(found[t.ID], p)
				slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
				found[t.ID] = list[:min(len(list), 4*examplesShown)] // some may turn out to have no text
			}
		}
	}
	wanted := map[percuss.SubjectID]bool{}
	for _, list := range found {
		for _, p := range list {
			wanted[p.of] = true
		}
	}
	seen := map[percuss.SubjectID]Audited{}
	for a := range c.Subjects(func(id percuss.SubjectID) bool { return wanted[id] }) {
		seen[a.Record.Subject] = a
	}
	s := Sample{Task: blind.OperatorTags, Options: o}
	items, silent := map[string]blind.Item{}, []string{}
	for _, op := range c.Battery.Operators {
		var examples []blind.Change
		for _, p := range found[op.ID] {
			if x, err := seen[p.of].example(op); err == nil && len(examples) < examplesShown {
				examples = append(examples, x)
			}
		}
		if len(examples) == 0 {
			silent = append(silent, op.ID)
			continue
		}
		k := Key{Run: o.Run, Bucket: string(op.Block), Operator: op.ID, Family: op.Family, Intent: string(op.Intent), Locus: string(op.Locus)}
		k.ID = o.id(k)
		s.Keys = append(s.Keys, k)
		items[k.ID] = blind.Operator(k.ID, sentence(op.Does), examples)
	}
	if len(s.Keys) == 0 {
		return s, errors.New("no operator of the run fired: there is nothing to review")
	}
	s.Strata = []Stratum{{Bucket: "operators", Wanted: len(c.Battery.Operators), There: len(s.Keys), Drawn: len(s.Keys)}}
	if len(silent) > 0 {
		s.Lacks = fmt.Sprintf("without an example in this run: %s", strings.Join(silent, ", "))
	}
	return s, s.items(func(k Key) (blind.Item, error) { return items[k.ID], nil })
}

// sentence makes a sentence of a clause.
func sentence(clause string) string {
	clause = strings.TrimSpace(clause)
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + strings.TrimSuffix(clause[1:], ".") + "."
}
