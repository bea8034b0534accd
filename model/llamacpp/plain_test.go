package llamacpp

import (
	"strings"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
)

// eager makes a model propose as much as it may, whatever a token costs on this machine.
func eager(m *Model) *Model {
	m.engine.overhead = chipRows
	return m
}

// Drafts change how many decodes a text takes, and nothing else: neither text, outcome, usage nor letters.
func TestDraftsEqualPlain(t *testing.T) {
	requests := mixture()
	for i := range 6 { // stops and limits within a draft
		stopped := text(vignette, "", 20+5*i)
		stopped.Sampling.Stop = []string{strings.Repeat("e", 1+i), "a" + string(rune('a'+i))}
		requests = append(requests, stopped)
	}
	plain := tiny(t, Options{Plain: true})
	want := modeltest.Ask(t, plain, requests...)
	if n := plain.Counts(); n.PromptComputed != n.PromptAsked || n.Drafted != 0 || plain.Capabilities().Layout != Alone {
		t.Errorf("plain shares something: %+v", n)
	}
	for _, parallel := range []int{1, 3, 32} {
		m := eager(tiny(t, Options{Parallel: parallel}))
		s, err := m.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		least := int64(1)
		for round := range 2 { // the second knows the texts of the first
			before := m.Counts()
			got := modeltest.AskIn(t, s, requests...)
			n := m.Counts()
			if most, texts := furthest(t, got, want); most > 1e-4 || texts > 0 {
				t.Errorf("%d at once: log-probabilities differ by up to %g, %d texts differ", parallel, most, texts)
			}
			for i := range got {
				if got[i].Usage != want[i].Usage {
					t.Errorf("request %d: %+v, plain %+v", i, got[i].Usage, want[i].Usage)
				}
			}
			output, drafted, accepted := n.Output-before.Output, n.Drafted-before.Drafted, n.Accepted-before.Accepted
			t.Logf("%d at once, round %d: %d tokens in %d decodes; %d proposed, %d right", parallel, round, output, n.Decodes-before.Decodes, drafted, accepted)
			if accepted < least || drafted <= accepted {
				t.Errorf("%d at once, round %d: %d tokens proposed, %d of them right, want at least %d", parallel, round, drafted, accepted, least)
			}
			least = accepted * 5 / 4
			sameBooks(t, m)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// sameBooks holds what the books say of each sequence against what the engine's memory holds.
func sameBooks(t *testing.T, m *Model) {
	t.Helper()
	for _, s := range m.cache.slots {
		last, err := llama.MemorySeqPosMax(m.engine.mem, llama.SeqId(s.id))
		if err != nil {
			t.Fatal(err)
		}
		if int(last)+1 != len(s.tokens) {
			t.Errorf("sequence %d has %d tokens, the books say %d", s.id, last+1, len(s.tokens))
		}
	}
}

// A cache with room for little more than one text: drafts stay within what is set aside.
func TestDraftsInASmallCache(t *testing.T) {
	m := eager(tiny(t, Options{}))
	m.budget = 256
	if err := m.resize(m.budget); err != nil {
		t.Fatal(err)
	}
	var requests []percuss.Request
	for i := range 6 {
		requests = append(requests, text("Hm", strings.Repeat("a", i), 100), text("Hm", strings.Repeat("a", i), 100))
	}
	got := modeltest.Ask(t, m, requests...)
	want := modeltest.Ask(t, tiny(t, Options{Plain: true}), requests...)
	if most, texts := furthest(t, got, want); most > 1e-4 || texts > 0 {
		t.Errorf("%d texts differ", texts)
	}
	if n := m.Counts(); n.Accepted == 0 || m.engine.cells > 512 {
		t.Errorf("%d cells, %+v", m.engine.cells, n)
	}
}

func TestSampledTextsAreNotDrafted(t *testing.T) {
	m := eager(tiny(t, Options{}))
	r := text(vignette, "", 30)
	r.Sampling.Temperature, r.Sampling.Seed = 1, 7
	modeltest.Ask(t, m, r, r)
	if n := m.Counts(); n.Drafted != 0 || n.Output == 0 {
		t.Errorf("%+v", n)
	}
}

func TestPlainHasNoLayout(t *testing.T) {
	o := Options{Plain: true, Layout: Shared}
	o.Lib = modeltest.EngineLib(t)
	o.Path, _ = tinyFile(t)
	_, err := Open(t.Context(), o)
	mustFail(t, err, "name no layout")
}
