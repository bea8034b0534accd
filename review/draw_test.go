package review

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/review/blind"
)

func TestQuotas(t *testing.T) {
	for _, c := range []struct {
		design Design
		asked  string
		want   []Quota
		fault  string
	}{
		{Queue, "", []Quota{{"suspicious", 300}, {"random", 100}}, ""},
		{Buckets, "", []Quota{{"faithful", 30}, {"conflict", 40}, {"background", 20}, {"negated", 20}, {"control", 20}}, ""},
		{Queue, "40", []Quota{{"suspicious", 30}, {"random", 10}}, ""},
		{Queue, "1", []Quota{{"suspicious", 1}, {"random", 0}}, ""},
		{Buckets, "65", []Quota{{"faithful", 15}, {"conflict", 20}, {"background", 10}, {"negated", 10}, {"control", 10}}, ""},
		{Buckets, "control=0, faithful=5", []Quota{{"faithful", 5}, {"conflict", 40}, {"background", 20}, {"negated", 20}, {"control", 0}}, ""},
		{Queue, "0", nil, "from 1 to"},
		{Queue, "99999999999", nil, "from 1 to"},
		{Queue, "faithful=3", nil, "the buckets of queue are suspicious, random"},
		{Queue, "random=-3", nil, "N from 0"},
		{Queue, "random", nil, "N from 0"},
		{"quene", "", nil, "there are [queue buckets]"},
	} {
		got, err := Quotas(c.design, c.asked)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s %q: %v, want %q", c.design, c.asked, err, c.fault)
			}
		} else if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %q: %v, %v", c.design, c.asked, got, err)
		}
	}
}

func TestQuotasAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.SampledFrom(Designs()).Draw(t, "design"), rapid.IntRange(1, 3000).Draw(t, "n")
		sum := 0
		for _, q := range scaled(d.quotas(), n) {
			if q.N < 0 {
				t.Fatal(q)
			}
			sum += q.N
		}
		if sum != n {
			t.Fatalf("%d of %d", sum, n)
		}
	})
}

func TestBuckets(t *testing.T) {
	l := evidence.DefaultLabels()
	want := map[string]string{"1": negated, "2": "", "3": "", "4a": conflict, "4b": conflict, "5": conflict, "6": faithful, "7": background, "8": control, "none": ""}
	for rule, bucket := range want {
		if got := Buckets.bucketOf(evidence.Interaction{Rule: rule}, false, l); got != bucket {
			t.Errorf("rule %s is in %q, want %q", rule, got, bucket)
		}
	}
	for rule, bucket := range map[string]string{"n1": faithful, "n2": conflict} {
		if got := Buckets.bucketOf(evidence.Interaction{Rule: rule}, true, l); got != bucket {
			t.Errorf("rule %s is in %q, want %q", rule, got, bucket)
		}
	}
}

// The queue holds the strongest suspicious interactions, and random ones of the rest, those of the cascade first.
func TestQueue(t *testing.T) {
	items := world(2, 40, 1)
	s := drawn(t, items, Options{Design: Queue, Seed: 7, Quotas: []Quota{{suspicious, 30}, {random, 20}}})
	var all []float64
	for _, i := range items {
		for _, x := range i.record.Base.Interactions {
			if x.Suspicious && math.Abs(x.Value) >= 0.5 {
				all = append(all, math.Abs(x.Value))
			}
		}
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
	var strong []float64
	for _, k := range s.Keys {
		switch {
		case k.Bucket == suspicious && k.Suspicious:
			strong = append(strong, math.Abs(k.Value))
		case k.Bucket != random || k.Suspicious:
			t.Errorf("%+v", k)
		case k.Item[len(k.Item)-1] != '1' && k.Item[len(k.Item)-1] != '6':
			t.Errorf("%s is random and outside the cascade, which holds enough", k.Item)
		}
	}
	slices.SortFunc(strong, func(a, b float64) int { return cmp.Compare(b, a) })
	if !slices.Equal(strong, all[:30]) {
		t.Errorf("the strongest are %v, want %v", strong, all[:30])
	}
	if x := strata(s)[random]; x.Drawn != 20 || x.There < 100 {
		t.Errorf("%+v", x)
	}
	// More than the cascade has: the others follow.
	if x := strata(drawn(t, items, Options{Design: Queue, Quotas: []Quota{{random, 100}}}))[random]; x.Drawn != 100 || x.Cases < 20 {
		t.Errorf("%+v", x)
	}
}

// A bucket that has fewer gives what it has and says so; no case dominates as long as others have something to give.
func TestBucketsAreSpread(t *testing.T) {
	s := drawn(t, world(2, 30, 2), Options{Design: Buckets, Seed: 7, Quotas: []Quota{{faithful, 12}, {conflict, 1000}, {control, 0}}})
	got := strata(s)
	if x := got[faithful]; x.Drawn != 12 || x.Cases != 12 || x.Most != 1 {
		t.Errorf("faithful %+v: a case gave two while others had given none", x)
	}
	if x := got[conflict]; x.Drawn != x.There || x.There == 0 || x.There >= 1000 || x.Wanted != 1000 {
		t.Errorf("conflict %+v", x)
	}
	if x := got[control]; x.Drawn != 0 || x.There == 0 {
		t.Errorf("control %+v", x)
	}
	models := map[string]int{}
	for _, k := range s.Keys {
		if k.Bucket == faithful {
			models[k.Model]++
		}
	}
	if models["model-m0"] != 6 || models["model-m1"] != 6 {
		t.Errorf("cells give %v", models)
	}
}

func TestKeysSayWhatTasksDoNot(t *testing.T) {
	items := world(1, 10, 3)
	s := drawn(t, items, Options{Design: Buckets, Seed: 1})
	if len(s.Keys) != len(s.Items) || len(s.Keys) < 20 {
		t.Fatalf("%d keys, %d tasks", len(s.Keys), len(s.Items))
	}
	for i, k := range s.Keys {
		at := slices.IndexFunc(items, func(x item) bool { return x.record.Subject.Item == k.Item })
		c, task := items[at].patient, s.Items[i]
		var texts []string
		for _, u := range c.Units {
			if slices.Contains(k.Units, u.ID) {
				texts = append(texts, u.Text)
			}
		}
		var marked []string
		for _, r := range task.Parts[1].Rows {
			if r.Marked {
				marked = append(marked, r.Text)
			}
		}
		what := task.Parts[0].Rows
		if task.ID != k.ID || what[0].Text != k.Target || !slices.Equal(marked, texts) || strings.HasPrefix(what[1].Text, "positive") != (k.Value > 0) ||
			what[2].Text != strconv.FormatFloat(math.Round(math.Abs(k.Value)*100)/100, 'f', -1, 64)+" nats" {
			t.Errorf("item %+v of key %+v", task, k)
		}
		if k.Run != "run-r" || k.Model != "model-m0" || k.Set != "demo" || k.Variant != "variant-v" || !strings.HasPrefix(k.Rule, "rule-") || !strings.HasPrefix(k.Label, "label-") {
			t.Errorf("%+v", k)
		}
		if math.Abs(k.Value) < 0.5 {
			t.Errorf("%v is not salient", k.Value)
		}
	}
}

// The same seed gives the same sample whatever order the records come in, and another seed another.
func TestSampleIsOfItsSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, seed := rapid.SampledFrom(Designs()).Draw(t, "design"), rapid.Uint64().Draw(t, "seed")
		items := world(2, 12, 4)
		quotas := scaled(d.quotas(), rapid.IntRange(1, 40).Draw(t, "n"))
		draw := func(items []item, seed uint64) Sample {
			s, err := DrawInteractions(each(items), Options{Design: d, Seed: seed, Quotas: quotas, Labels: labels()})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		first := draw(items, seed)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "shuffle"), 1))
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		again := draw(items, seed)
		if !reflect.DeepEqual(first.Keys, again.Keys) || !reflect.DeepEqual(first.Items, again.Items) {
			t.Fatal("the order of the records changes the sample")
		}
		if other := draw(items, seed+1); slices.ContainsFunc(ids(other), func(id string) bool { return slices.Contains(ids(first), id) }) {
			t.Fatal("an id is the same under another seed")
		}
	})
}

// A larger sample holds the smaller one: what reviewers have done stays of use.
func TestLargerSampleHoldsTheSmaller(t *testing.T) {
	items := world(3, 15, 5)
	rapid.Check(t, func(t *rapid.T) {
		d, n := rapid.SampledFrom(Designs()).Draw(t, "design"), rapid.IntRange(0, 30).Draw(t, "n")
		var small, large []Quota
		for _, q := range d.quotas() {
			small, large = append(small, Quota{q.Bucket, n}), append(large, Quota{q.Bucket, n + rapid.IntRange(0, 30).Draw(t, "more")})
		}
		var got [2][]string
		for i, quotas := range [][]Quota{small, large} {
			s, err := DrawInteractions(each(items), Options{Design: d, Seed: 1, Quotas: quotas, Labels: labels()})
			if err != nil {
				t.Fatal(err)
			}
			got[i] = ids(s)
		}
		for _, id := range got[0] {
			if _, ok := slices.BinarySearch(got[1], id); !ok {
				t.Fatalf("%s is in the sample of %d a bucket and not in the larger one", id, n)
			}
		}
	})
}

// Where a row stands says nothing of its bucket: those of a bucket lie on both sides of the middle.
func TestOrderTellsNothing(t *testing.T) {
	for _, d := range Designs() {
		s := drawn(t, world(2, 60, 6), Options{Design: d, Seed: 3})
		low, all := map[string]int{}, map[string]int{}
		for i, k := range s.Keys {
			all[k.Bucket]++
			if i < len(s.Keys)/2 {
				low[k.Bucket]++
			}
		}
		for bucket, n := range all {
			if share := float64(low[bucket]) / float64(n); n >= 15 && (share < 0.2 || share > 0.8) {
				t.Errorf("%s: %d of %d rows of bucket %s are in the first half", d, low[bucket], n, bucket)
			}
		}
		if !slices.IsSortedFunc(s.Items, func(a, b blind.Item) int { return cmp.Compare(a.ID, b.ID) }) {
			t.Errorf("%s: not in the order of the ids", d)
		}
	}
}

// Which of a bucket are drawn does not go by their ids: else low ids would be those of the drawn ones, next to those of
// the strongest, which have any.
func TestIdsTellNothing(t *testing.T) {
	items := world(2, 60, 6)
	for d, quota := range map[Design]Quota{Queue: {random, 20}, Buckets: {conflict, 20}} {
		s := drawn(t, items, Options{Design: d, Seed: 3, Quotas: []Quota{quota}})
		sum := 0.0
		for _, k := range s.Keys {
			first, err := strconv.ParseUint(k.ID[1:3], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			sum += float64(first) / 255
		}
		if mean := sum / float64(len(s.Keys)); len(s.Keys) != 20 || mean < 0.25 || mean > 0.75 {
			t.Errorf("%s: the ids of %d drawn ones lie at %.2f of the range on average", d, len(s.Keys), mean)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	one := world(1, 1, 1)
	waiting := world(1, 1, 1)
	waiting[0].record.Base.State = evidence.Waiting
	other := world(1, 1, 1)
	other[0].patient.Units = other[0].patient.Units[:1]
	for _, c := range []struct {
		name  string
		items []item
		o     Options
		say   string
	}{
		{"no records", nil, Options{Design: Queue}, "0 scored cases"},
		{"none scored", waiting, Options{Design: Queue}, "0 scored cases"},
		{"none strong enough", one, Options{Design: Queue, Salient: 100}, "at least 100 nats in 1 scored cases"},
		{"no such design", one, Options{Design: "all"}, "there are [queue buckets]"},
		{"a case twice", slices.Concat(one, one), Options{Design: Queue}, "in the run twice"},
		{"other items", other, Options{Design: Queue}, "demo:000"},
	} {
		if _, err := DrawInteractions(each(c.items), c.o); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
