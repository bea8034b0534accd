package chain

import (
	"encoding/json"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPacked: a packed row is the row, in a sum and as floats.
func TestPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 200).Draw(t, "width")
		value := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 2, -1, 0.25, 312}), rapid.Float64Range(-9, 9))
		want, rows := make(sums, width), map[string]packed{}
		for _, id := range []string{"i1", "i2", "i3"} {
			row := rapid.SliceOfN(value, width, width).Draw(t, id)
			rows[id] = pack(row)
			if got := unpacked(rows, width)[id]; !slices.Equal(got, row) {
				t.Fatalf("%v, want %v", got, row)
			}
			want = plus(want, row)
		}
		got := make(sums, width)
		for _, id := range []string{"i1", "i2", "i3"} {
			rows[id].addTo(got)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("sums %v, want %v", got, want)
		}
	})
}

// counting yields the numbers from 0 to n − 1 and says when it has ended.
func counting(n int, ended *bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() { *ended = true }()
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestAhead: the values are those of the sequence in its order, and it has ended when the loop has, also one that is left.
func TestAhead(t *testing.T) {
	for _, n := range []int{0, 1, aheadOf - 1, aheadOf, aheadOf + 1, 3*aheadOf*aheadTimes + 5} {
		for _, leave := range []int{0, 1, aheadOf, n} {
			var got []int
			ended := false
			for v := range ahead(counting(n, &ended)) {
				if v != len(got) {
					t.Errorf("%d values: %d comes after %d of them", n, v, len(got))
				}
				if got = append(got, v); len(got) == leave {
					break
				}
			}
			want := n
			if leave > 0 {
				want = min(n, leave)
			}
			if len(got) != want || !ended {
				t.Errorf("%d values, left after %d: %d of them, ended %v", n, leave, len(got), ended)
			}
		}
	}
}

// TestFindingsDoNotDependOnProcessors: two models under two prompts and a third in another tier, on medical sets and another
// one, give the same findings to the last digit however many processors there are.
func TestFindingsDoNotDependOnProcessors(t *testing.T) {
	b := familiesBattery()
	var records []Record
	for i, m := range []string{"m0", "m1", "m2"} {
		x := reasoner{battery: b, n: 30, moves: by(60-20*i, 4+10*i), control: noise(6)}.records()
		records = slices.Concat(records, as(m, "neutral", x), as(m, "neutral", worked("w", b)), arithmetic("neutral", m))
		if i < 2 {
			records = slices.Concat(records, as(m, "strict", x), arithmetic("strict", m))
		}
	}
	o := Options{Battery: b, Bootstrap: 300, Models: map[string]Described{"m0": {Tier: "general"}, "m1": {Tier: "general"}, "m2": {Tier: "medical"}}}
	found := func() string {
		raw, err := json.Marshal(summarised(t, o, records...))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	want := found()
	if !strings.Contains(want, "panel of 3 models") || !strings.Contains(want, "tier general") {
		t.Error("the findings lack a mean")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(n)
		if found() != want {
			t.Errorf("other findings with %d processors", n)
		}
	}
}
