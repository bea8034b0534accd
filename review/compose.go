package review

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/percuss/percuss/review/blind"
)

// Composing says what stands in a package beside the sample.
type Composing struct {
	Form      blind.Form
	Practice  bool // the form's practice items come first
	Repeats   int  // how many items of the sample are shown a second time, to see how far a rater agrees with themselves
	Attention int  // how many of the form's attention items stand among the others
}

// Compose makes the package of a sample and its key file.
func (s Sample) Compose(c Composing) (blind.Package, []byte, error) {
	switch {
	case c.Repeats < 0 || c.Repeats > len(s.Items):
		return blind.Package{}, nil, fmt.Errorf("%d repeats of %d items: from 0 to all of them", c.Repeats, len(s.Items))
	case c.Practice && len(c.Form.Practice) == 0:
		return blind.Package{}, nil, errors.New("practice: the form has no practice items: add some to it, or leave practice out")
	case c.Attention < 0 || c.Attention > len(c.Form.Attention):
		return blind.Package{}, nil, fmt.Errorf("%d attention items: the form has %d", c.Attention, len(c.Form.Attention))
	}
	s = s.repeated(c.Repeats).attended(c.Form.Attention[:c.Attention])
	key, err := s.key()
	if err != nil {
		return blind.Package{}, nil, err
	}
	p := blind.Package{Task: s.Task, Title: c.Form.Title, Instructions: c.Form.Instructions, Questions: c.Form.Questions, Items: s.Items}
	if c.Practice {
		p.Practice = c.Form.Practice
	}
	p = p.Sealed(key)
	return p, key, p.Check()
}

// repeated adds n of the items once more, chosen by the seed, under ids of their own.
func (s Sample) repeated(n int) Sample {
	order := slices.Clone(s.Keys)
	slices.SortFunc(order, func(a, b Key) int {
		return cmp.Or(cmp.Compare(s.Options.rank("repeat "+a.ID), s.Options.rank("repeat "+b.ID)), cmp.Compare(a.ID, b.ID))
	})
	for _, k := range order[:n] {
		item := s.Items[slices.IndexFunc(s.Items, func(i blind.Item) bool { return i.ID == k.ID })]
		k.Repeats = k.ID
		k.ID = s.Options.id(k)
		item.ID = k.ID
		s = s.with(k, item)
	}
	return s
}

// attended adds attention items, under ids of their own and without what they expect.
func (s Sample) attended(items []blind.Item) Sample {
	for _, item := range items {
		k := Key{Item: item.ID, Expected: item.Expected}
		k.ID = s.Options.id(k)
		item.ID, item.Expected, item.Feedback = k.ID, nil, ""
		s = s.with(k, item)
	}
	return s
}

// with adds an item at the place of its id.
func (s Sample) with(k Key, item blind.Item) Sample {
	at, _ := slices.BinarySearchFunc(s.Keys, k, func(a, b Key) int { return cmp.Compare(a.ID, b.ID) })
	s.Keys = slices.Insert(slices.Clone(s.Keys), at, k)
	s.Items = slices.Insert(slices.Clone(s.Items), at, item)
	return s
}

// Own makes a sample of items that the user wrote: they are shown as they are, under ids that tell nothing. The key says which is which.
func Own(task blind.Kind, items []blind.Item, o Options) (Sample, error) {
	s := Sample{Task: task, Options: o}
	of := map[string]blind.Item{}
	for _, item := range items {
		k := Key{Item: item.ID}
		k.ID = o.id(k)
		s.Keys = append(s.Keys, k)
		item.ID = k.ID
		of[k.ID] = item
	}
	s.Strata = []Stratum{{Bucket: "items", Wanted: len(items), There: len(items), Drawn: len(items), Cases: len(items), Most: 1}}
	return s, s.items(func(k Key) (blind.Item, error) { return of[k.ID], nil })
}
