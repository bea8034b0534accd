package review

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/review/blind"
)

// Options say what is drawn.
type Options struct {
	Design  Design
	Quotas  []Quota // empty: those of the paper
	Seed    uint64
	Run     string          // name of the run, for the key
	Salient float64         // strength from which an interaction counts, nats; 0: evidence.Salient
	Labels  evidence.Labels // the rules that named the interactions; empty: those that Percuss ships

	salt uint64 // of all that might have been drawn: see stir
}

// Stratum says what a bucket gave.
type Stratum struct {
	Bucket string `json:"bucket"`
	Wanted int    `json:"wanted"`
	There  int    `json:"there"` // things of the run that belong into it; of flips: drawn edits that have one
	Drawn  int    `json:"drawn"`
	Cases  int    `json:"cases"` // cases or questions that the drawn ones are of
	Most   int    `json:"most"`  // drawn ones of the case or question that gives the most
}

// Sample is a drawn sample: items and keys in the order of their ids, which tells nothing of where they come from.
type Sample struct {
	Task    blind.Kind
	Options Options
	Items   []blind.Item
	Keys    []Key
	Strata  []Stratum
	Lacks   string // what the run could not give, in words; empty: nothing
}

// candidate is an interaction that may be drawn.
type candidate struct {
	Key
	rank  uint64 // its place in a random order
	first bool   // drawn before others of its bucket
}

// DrawInteractions takes a sample of the salient interactions in the margins of the golds under the base setting. items are the
// run's cases under each model.
//
// The suspicious ones of a queue are the strongest. Its random ones are a random sample, first of the cascade's controls (matched to suspicious ones of their cases),
// as long as there are any, so that what is judged goes through the cascade. Buckets are filled in turns over the cells
// (model × set); in its turn a cell gives a random interaction of a case that has given the fewest to the bucket so far,
// under whichever model: no case gives a second one to a cell's turns while another of the cell has given none. A larger sample of the same seed
// holds the smaller one, in the same rows. A run without salient interactions is an error.
func DrawInteractions(items iter.Seq2[evidence.Record, *percuss.Case], o Options) (Sample, error) {
	o.Salient = cmp.Or(o.Salient, evidence.Salient)
	if len(o.Labels.Rules) == 0 {
		o.Labels = evidence.DefaultLabels()
	}
	if o.Quotas == nil {
		o.Quotas = o.Design.quotas()
	}
	if len(o.Quotas) == 0 {
		return Sample{}, fmt.Errorf("there is no design %q: there are %v", o.Design, Designs())
	}
	pools, cases := map[string][]*candidate{}, map[string]*percuss.Case{}
	salient, scored := 0, 0
	for r, c := range items {
		if c == nil || r.Base.State != evidence.Scored {
			continue
		}
		scored++
		cases[r.Subject.Item] = c
		for _, f := range o.candidates(r) {
			salient++
			o.stir(f.name(), strconv.FormatFloat(f.Value, 'g', -1, 64))
			pools[f.Bucket] = append(pools[f.Bucket], f)
		}
	}
	o.identify(pools)
	if salient == 0 {
		return Sample{}, fmt.Errorf("no interaction of at least %g nats in %d scored cases: there is nothing to review; the run's report says what became of its cases", o.Salient, scored)
	}
	s := Sample{Task: blind.Interactions, Options: o}
	for _, q := range o.Quotas {
		drawn := o.draw(q, pools[q.Bucket])
		s.Strata = append(s.Strata, stratum(q, len(pools[q.Bucket]), drawn))
		for _, f := range drawn {
			s.Keys = append(s.Keys, f.Key)
		}
	}
	return s, s.items(func(k Key) (blind.Item, error) {
		return blind.Interaction(k.ID, *cases[k.Item], k.Target, k.Units, k.Value)
	})
}

// candidates are the salient interactions of a record.
func (o Options) candidates(r evidence.Record) []*candidate {
	var out []*candidate
	for _, i := range r.Base.Interactions {
		bucket := o.Design.bucketOf(i, r.Narrative, o.Labels)
		if bucket == "" || !(math.Abs(i.Value) >= o.Salient) {
			continue
		}
		k := Key{Run: o.Run, Variant: r.Subject.Variant, Model: r.Subject.Model, Set: r.Subject.Set, Item: r.Subject.Item, Target: r.Gold,
			Units: []string{}, Rule: i.Rule, Label: i.Label, Suspicious: i.Suspicious, Bucket: bucket, Value: i.Value}
		for at := range i.Set.Units() {
			k.Units = append(k.Units, r.Units[at].ID)
		}
		out = append(out, &candidate{Key: k, rank: o.rank(k.name()),
			first: bucket == random && slices.ContainsFunc(r.Cascade, func(s evidence.Survival) bool { return s.Set == i.Set && !s.Suspicious })})
	}
	return out
}

// stir adds something of the run to the salt of the ids, in whatever order, with what came of it. Questions, models' names and the usual seed
// are known: without the salt, whoever has a package could try all names and find the one that gives an id.
func (o *Options) stir(name, outcome string) {
	o.salt += percuss.Rand(o.Seed, name, outcome, "review/salt").Uint64()
}

// identify gives ids to all that may be drawn.
func (o Options) identify(pools map[string][]*candidate) {
	for _, pool := range pools {
		for _, f := range pool {
			f.ID = o.id(f.Key)
		}
	}
}

// id is the id of an item, which tells nothing. A letter first: a spreadsheet would take 123e4567 for a number and round it.
func (o Options) id(k Key) string {
	return fmt.Sprintf("i%016x", percuss.Rand(o.Seed, k.name(), fmt.Sprintf("%s %x", o.Design, o.salt), "review/id").Uint64())
}

// rank is the place of something in a random order.
func (o Options) rank(name string) uint64 {
	return percuss.Rand(o.Seed, name, string(o.Design), "review/draw").Uint64()
}

// draw fills a bucket.
func (o Options) draw(q Quota, pool []*candidate) []*candidate {
	slices.SortFunc(pool, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.ID, b.ID))
	})
	switch q.Bucket {
	case suspicious:
		slices.SortStableFunc(pool, func(a, b *candidate) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	case random:
		slices.SortStableFunc(pool, func(a, b *candidate) int {
			switch {
			case a.first == b.first:
				return 0
			case a.first:
				return -1
			}
			return 1
		})
	default:
		return spread(pool, q.N)
	}
	return pool[:min(q.N, len(pool))]
}

func stratum(q Quota, there int, drawn []*candidate) Stratum {
	s := Stratum{Bucket: q.Bucket, Wanted: q.N, There: there, Drawn: len(drawn)}
	of := map[string]int{}
	for _, f := range drawn {
		of[f.Item]++
		s.Most = max(s.Most, of[f.Item])
	}
	s.Cases = len(of)
	return s
}

// items makes the items of the keys, and puts both in the order of the ids.
func (s *Sample) items(of func(Key) (blind.Item, error)) error {
	slices.SortFunc(s.Keys, func(a, b Key) int { return cmp.Compare(a.ID, b.ID) })
	for i, k := range s.Keys {
		if i > 0 && s.Keys[i-1].ID == k.ID {
			return errors.New("two items have the same id: one is in the run twice, or take another seed")
		}
		item, err := of(k)
		if err != nil {
			return err
		}
		s.Items = append(s.Items, item)
	}
	return nil
}
