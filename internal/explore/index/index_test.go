package index

import (
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// world is a made-up run with its rows.
type world struct {
	subjects []percuss.Subject
	rows     []Row
	noted    map[int]bool
}

func (w world) all() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range w.rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// full is a row as the index knows it.
func (w world) full(r Row) Row {
	s := w.subjects[r.Subject]
	r.Of[Model], r.Of[Set], r.Of[Prompt] = s.Model, s.Set, s.Variant
	return r
}

func (w world) built(t testing.TB) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "derived", "index.db")
	if _, err := Build(t.Context(), path, "these", w.subjects, w.all()); err != nil {
		t.Fatal(err)
	}
	x, err := Open(path, "these")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// some draws one of a few values of a field, the empty one among them.
func some(t *rapid.T, label string, values ...string) string {
	return rapid.SampledFrom(append([]string{""}, values...)).Draw(t, label)
}

func drawWorld(t *rapid.T) world {
	w := world{noted: map[int]bool{}}
	for i := range rapid.IntRange(0, 6).Draw(t, "subjects") {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Model: rapid.SampledFrom([]string{"m1", "m2"}).Draw(t, "model"),
			Set: rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, "set"), Variant: "p", Item: "i" + string(rune('0'+i))}}
		s.Question.Options = []percuss.Option{{Label: "A", Text: "Sepsis"}, {Label: "B", Text: "Asthma"}}
		s.Question.Gold = rapid.SampledFrom([]string{"A", "B", ""}).Draw(t, "gold")
		w.subjects = append(w.subjects, s)
		w.noted[i] = rapid.Bool().Draw(t, "noted")
		for j := range rapid.IntRange(0, 8).Draw(t, "rows") {
			r := Row{Subject: i, Bits: uint32(j)}
			if j == 0 {
				r.Answer = some(t, "answer", "A", "B")
			}
			r.Of[Operator], r.Of[Flip] = some(t, "op", "base", "M2", "F1"), some(t, "flip", "flip", "keep")
			r.Of[Role] = joined(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"absent", "low", "other"}), 0, 3, rapid.ID[string]).Draw(t, "roles"))
			r.Of[Right], r.Of[Joint] = some(t, "right", "yes", "no"), some(t, "joint", "a", "d", Dropped)
			if rapid.Bool().Draw(t, "measured") {
				r.Change = percuss.Num(rapid.SampledFrom([]float64{0, 0.5, -0.49, 1.5, -2, 4, 17}).Draw(t, "change"))
			}
			r.Of[Size] = sizeOf(r.Change)
			w.rows = append(w.rows, r)
		}
	}
	return w
}

func drawFilter(t *rapid.T) Filter {
	list := func(name string, values ...string) []string {
		out := rapid.SliceOfNDistinct(rapid.SampledFrom(values), 0, 2, rapid.ID[string]).Draw(t, name)
		slices.Sort(out)
		return out
	}
	return Filter{Model: list("models", "m1", "m2", "m3"), Set: list("sets", "s1"), Operator: list("ops", "M2", "F1", "base"),
		Flip: list("flips", "flip", "keep"), Role: list("roles", "absent", "low"), Joint: list("joints", "a", "d", Dropped),
		Right: some(t, "right?", "yes", "no"), Noted: some(t, "noted?", "yes", "no"), Size: some(t, "size", Sizes[:]...),
		Candidate: some(t, "candidate", "SEPS", "ast")}
}

// lets says whether a filter lets a row through, from what the filter means and not from how the index works.
func (w world) lets(f Filter, r Row) bool {
	in := func(want []string, value string) bool { return len(want) == 0 || slices.Contains(want, value) }
	one := func(want, value string) bool { return want == "" || want == value }
	s := w.subjects[r.Subject]
	least := map[string]float64{"": -1, "0.5": 0.5, "1": 1, "2": 2, "4": 4}[f.Size]
	answer := ""
	for _, b := range w.rows {
		if b.Subject == r.Subject {
			answer = b.Answer
			break
		}
	}
	text := func(label string) string { o, _ := s.Question.Option(label); return strings.ToLower(o.Text) }
	word := strings.ToLower(f.Candidate)
	role := len(f.Role) == 0
	for _, have := range parts(r.Of[Role]) {
		role = role || slices.Contains(f.Role, have)
	}
	return in(f.Model, s.Model) && in(f.Set, s.Set) && in(f.Operator, r.Of[Operator]) && in(f.Flip, r.Of[Flip]) && in(f.Joint, r.Of[Joint]) &&
		role && one(f.Right, r.Of[Right]) && (f.Noted == "" || (f.Noted == "yes") == w.noted[r.Subject]) &&
		(f.Size == "" || r.Change.OK() && math.Abs(r.Change.Or(0)) >= least) &&
		(word == "" || strings.Contains(text(s.Question.Gold), word) || strings.Contains(text(answer), word))
}

// The counts of the cube, the pages and the neighbours are those of a plain walk over all rows.
func TestIndexEqualsPlainWalk(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, f := drawWorld(r), drawFilter(r)
		x, ask := w.built(t), Ask{Filter: f, Noted: func(s int) bool { return w.noted[s] }}
		defer x.Close()
		var want []int // rows
		var items []int
		for i, row := range w.rows {
			if w.lets(f, row) {
				want = append(want, i)
				if !slices.Contains(items, row.Subject) {
					items = append(items, row.Subject)
				}
			}
		}
		facets, err := x.Facets(t.Context(), ask)
		if err != nil || facets.All != len(w.rows) || facets.Rows != len(want) || facets.Items != len(items) {
			r.Fatalf("%+v, %v; want %d of %d rows, %d items", facets, err, len(want), len(w.rows), len(items))
		}
		checkChoices(r, w, f, facets)
		checkPages(r, t, w, x, ask, want)
		checkItems(r, t, w, x, ask, want)
		for s := range w.subjects {
			prev, next, err := x.Beside(t.Context(), ask, s)
			wantPrev, wantNext := -1, -1
			for _, i := range items {
				if i < s {
					wantPrev = i
				}
				if i > s && wantNext < 0 {
					wantNext = i
				}
			}
			if err != nil || prev != wantPrev || next != wantNext {
				r.Fatalf("beside %d: %d, %d, %v; want %d, %d", s, prev, next, err, wantPrev, wantNext)
			}
		}
	})
}

// checkChoices asks of each choice how many rows it would leave, beside what the other fields say.
func checkChoices(r *rapid.T, w world, f Filter, facets Facets) {
	for name, list := range facets.Choices {
		for _, c := range list {
			alone := f
			if at, ok := alone.lists()[name]; ok {
				*at = []string{c.Value}
			} else {
				*alone.words()[name].at = c.Value
			}
			n := 0
			for _, row := range w.rows {
				if w.lets(alone, row) {
					n++
				}
			}
			if c.N != n {
				r.Fatalf("%s=%s counts %d rows, a walk %d", name, c.Value, c.N, n)
			}
		}
	}
}

// checkPages reads all pages, in both orders.
func checkPages(r *rapid.T, t *testing.T, w world, x *Index, ask Ask, want []int) {
	size := rapid.IntRange(1, 5).Draw(r, "page")
	for _, bySize := range []bool{false, true} {
		order := slices.Clone(want)
		if bySize {
			slices.SortStableFunc(order, func(a, b int) int {
				of := func(i int) float64 {
					if v, ok := w.rows[i].Change.Get(); ok {
						return math.Abs(v)
					}
					return -1
				}
				if of(a) != of(b) && of(a) > of(b) {
					return -1
				}
				return map[bool]int{true: 1, false: 0}[of(a) < of(b)]
			})
		}
		var got []int
		for after, more := Begin(bySize), true; more; {
			var hits []Hit
			var err error
			if hits, after, more, err = x.Page(t.Context(), ask, after, size); err != nil {
				r.Fatal(err)
			}
			if after, err = ParseCursor(after.String(), bySize); err != nil {
				r.Fatal(err)
			}
			for _, h := range hits {
				row := w.full(w.rows[h.Row])
				if h.Subject != row.Subject || h.Of != row.Of || h.Change != row.Change || h.Bits != row.Bits {
					r.Fatalf("row %d came as %+v, is %+v", h.Row, h, row)
				}
				got = append(got, h.Row)
			}
		}
		if !slices.Equal(got, order) {
			r.Fatalf("pages by size=%t: %v, want %v", bySize, got, order)
		}
	}
}

// checkItems reads all pages of items.
func checkItems(r *rapid.T, t *testing.T, w world, x *Index, ask Ask, want []int) {
	var all, got []ItemHit
	for _, i := range want {
		if s := w.rows[i].Subject; len(all) == 0 || all[len(all)-1].Subject != s {
			all = append(all, ItemHit{Subject: s})
		}
		all[len(all)-1].Rows++
	}
	size := rapid.IntRange(1, 3).Draw(r, "items a page")
	for from := 0; from >= 0; {
		hits, next, err := x.Items(t.Context(), ask, from, size)
		if err != nil || len(hits) > size || next >= 0 && next <= from {
			r.Fatalf("%d items, next %d after %d, %v", len(hits), next, from, err)
		}
		got, from = append(got, hits...), next
	}
	if !slices.Equal(got, all) {
		r.Fatalf("items %v, want %v", got, all)
	}
}

func TestRowsFillSeveralBlocks(t *testing.T) {
	w := world{}
	for i := range 3 {
		w.subjects = append(w.subjects, percuss.Subject{SubjectID: percuss.SubjectID{Model: "m", Item: string(rune('a' + i))}})
		for j := range blockRows {
			r := Row{Subject: i, Change: percuss.Num(float64(i*blockRows+j) / 1e6)}
			if j == 7 {
				r.Of[Flip] = "flip"
			}
			w.rows = append(w.rows, r)
		}
	}
	x := w.built(t)
	f, err := x.Facets(t.Context(), Ask{Filter: Filter{Flip: []string{"flip"}}})
	if err != nil || f.Rows != 3 || f.Items != 3 || f.All != 3*blockRows {
		t.Errorf("%+v, %v", f, err)
	}
	hits, next, more, err := x.Page(t.Context(), Ask{}, Cursor{row: 2*blockRows - 1}, 2)
	if err != nil || len(hits) != 2 || hits[0].Row != 2*blockRows-1 || hits[1].Row != 2*blockRows || !more || next.row != 2*blockRows+1 {
		t.Errorf("%+v %v %t %v", hits, next, more, err)
	}
	hits, _, _, err = x.Page(t.Context(), Ask{}, Begin(true), 1)
	if err != nil || len(hits) != 1 || hits[0].Row != 3*blockRows-1 {
		t.Errorf("the largest change: %+v %v", hits, err)
	}
}
