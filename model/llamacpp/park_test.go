package llamacpp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
)

// Letters after a text cost the tokens of the closing cue, however many texts there were: the texts lie outside the
// cache, which holds three of them at most here.
func TestLettersComputeTheCueAlone(t *testing.T) {
	m := tiny(t, Options{})
	m.budget = 1024
	if err := m.resize(m.budget); err != nil {
		t.Fatal(err)
	}
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const cue = "\n\nAnswer:"
	var texts, closed []percuss.Request
	for i := range 12 {
		texts = append(texts, text(fmt.Sprintf("%d %s", i, vignette), "", 120))
	}
	first := modeltest.AskIn(t, s, texts...)
	for i, a := range first {
		// As the audit does: the chain is the text up to its answer, without the space behind it.
		closed = append(closed, letters(fmt.Sprintf("%d %s", i, vignette), strings.TrimRight(a.Text, " \n\t")+cue, "A", "B", "C"))
	}
	before := m.Counts()
	together := modeltest.AskIn(t, s, append(closed, text(vignette, "", 40))...)[:len(closed)]
	n := since(before, m.Counts())
	if most := int64(len(closed)*(len(cue)+4) + 260); n.PromptComputed > most {
		t.Errorf("%d of %d prompt tokens were computed, want at most %d", n.PromptComputed, n.PromptAsked, most)
	}
	sameBooks(t, m)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(m.cache.parked) > 0 {
		t.Errorf("%d texts outlast their session", len(m.cache.parked))
	}
	if most, _ := furthest(t, together, alone(t, m, closed)); most > 1e-4 {
		t.Errorf("log-probabilities differ by up to %g from a fresh session", most)
	}
}

// Where there is little space outside the cache, or none, the same answers take more work.
func TestAnySpaceAnyWidth(t *testing.T) {
	a := audit{operators: "families", questions: 1, tokens: 24, answer: "text+letters"}
	var want percuss.AnswerMap
	for i, c := range []struct {
		space  int
		narrow bool
	}{{0, false}, {1 << 20, true}, {3000, false}, {3000, true}} {
		m := eager(tiny(t, Options{}))
		m.engine.narrow = c.narrow
		m.room = c.space
		if err := m.resize(4096); err != nil {
			t.Fatal(err)
		}
		m.budget = 4096
		got := a.ask(t, m)
		if i == 0 {
			want = got
			continue
		}
		if d := compare(t, got, want); d.texts > 0 || d.most > 1e-4 || d.requests != len(want) || len(got) != len(want) {
			t.Errorf("space for %d tokens, narrow %v: %+v", c.space, c.narrow, d)
		}
	}
}

func TestPays(t *testing.T) {
	smol := lookRows(576, 30, 135e6, false)
	passing := lookRows(576, 30, 135e6, true)
	for _, c := range []struct {
		n, cells int
		overhead float64
		look     float64
		want     bool
	}{
		{0, 1 << 20, 0.7, smol, true}, // one is always generated
		{3, 200, overheadRows(135e6, 2, false), smol, true}, {4, 200, overheadRows(135e6, 2, false), smol, false},
		{8, 230, overheadRows(135e6, 1, false), passing, true}, {10, 230, overheadRows(135e6, 1, false), passing, false},
		{6, 200, overheadRows(1e5, 2, false), lookRows(64, 2, 1e5, false), true},
		{12, 5, overheadRows(135e6, 2, false), smol, true},
		{10, 500, overheadRows(8e9, 8, false), lookRows(4096, 32, 8e9, false), true}, {20, 500, overheadRows(8e9, 8, false), lookRows(4096, 32, 8e9, false), false},
		{31, 500, chipRows, lookRows(4096, 32, 8e9, false), true},
	} {
		if got := pays(c.n, c.cells, c.overhead, c.look); got != c.want {
			t.Errorf("%d at once, %d cells more: %v", c.n, c.cells, got)
		}
	}
}
