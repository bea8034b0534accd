package versus

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A run beside itself differs in nothing; exchanging the runs exchanges what got fixed and what broke, and the sign.
func TestPairIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Run {
			var lines []line
			for i := range rapid.IntRange(1, 8).Draw(t, "items") {
				l := line{item: fmt.Sprint(i), answer: rapid.SampledFrom([]string{"A", "B", ""}).Draw(t, "answer"), ops: map[string]string{}}
				for _, op := range []string{"M1", "M2", "F1", "sham"} {
					l.ops[op] = rapid.SampledFrom([]string{"moves", "stays", "moves+", "stays+", "dropped", "absent"}).Draw(t, op)
				}
				lines = append(lines, l)
			}
			return runOf(name, lines...)
		}
		a, b := draw("a"), draw("b")
		same, err := Pair(a, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range same.Items {
			if len(m.Trials) > 0 || m.Kind == Fixed || m.Kind == Broke || m.Kind == Lost || m.Kind == Gained {
				t.Fatalf("beside itself: %+v", m)
			}
		}
		there, err := Pair(a, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Pair(b, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		count := func(c Comparison, k Kind) (n int) {
			for _, m := range c.Items {
				if m.Kind == k {
					n++
				}
			}
			return n
		}
		for _, k := range [][2]Kind{{Fixed, Broke}, {Lost, Gained}, {StaysRight, StaysRight}, {StaysWrong, StaysWrong}, {Unread, Unread}} {
			if x, y := count(there, k[0]), count(back, k[1]); x != y {
				t.Fatalf("%s %d, exchanged %s %d", k[0], x, k[1], y)
			}
		}
		if there.OnlyA != back.OnlyB || there.Both != back.Both || there.Both+there.OnlyA != len(a.Subjects) || there.Both+there.OnlyB != len(b.Subjects) {
			t.Fatalf("partners %+v and %+v", there.Groups, back.Groups)
		}
		x, y := there.Tables[1].Rows[0].Cells[5].Estimate, back.Tables[1].Rows[0].Cells[5].Estimate
		if v, ok := x.Value.Get(); ok != y.Value.OK() || ok && math.Abs(v+y.Value.Or(0)) > 1e-12 {
			t.Fatalf("difference %v, exchanged %v", x.Value, y.Value)
		}
	})
}
