package llamacpp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
)

// shownSets are the requests of a small case: every subset of its findings after a part that stays.
func shownSets(findings ...string) (requests []percuss.Request) {
	for shown := range 1 << len(findings) {
		prompt := vignette + "\nA. Angina\nB. Reflux\nC. Panic"
		for i, f := range findings {
			if shown>>i&1 == 1 {
				prompt += "\n" + f
			}
		}
		requests = append(requests, letters(prompt, "", "A", "B", "C"))
	}
	return requests
}

func findings() []string {
	return []string{"Fever: no", "Cough at night: yes", "Smokes: 20 a day", "Fat: no", "Worse when lying down: yes"}
}

// repeated are the same requests once more, as a replicate.
func repeated(requests []percuss.Request, number int) []percuss.Request {
	out := slices.Clone(requests)
	for i := range out {
		out[i].Replicate = number
	}
	return out
}

func TestLayoutsEqualAlone(t *testing.T) {
	requests := shownSets(findings()...)
	for _, c := range []struct {
		layout string
		most   float64 // difference of log-probabilities
	}{{Exact, 0}, {Shared, 1e-4}} {
		m := tiny(t, Options{Layout: c.layout})
		if got := m.Capabilities().Layout; got != c.layout {
			t.Fatalf("layout %q, want %q", got, c.layout)
		}
		together := modeltest.Ask(t, m, requests...)
		n := m.Counts()
		if most, _ := furthest(t, together, alone(t, m, requests)); most > c.most {
			t.Errorf("%s: log-probabilities differ by up to %g", c.layout, most)
		}
		if n.PromptComputed*4 > n.PromptAsked || n.PromptComputed < n.PromptDistinct || n.PromptComputed > n.PromptDistinct*3/2 {
			t.Errorf("%s: %d tokens computed, %d distinct, %d of separate prompts", c.layout, n.PromptComputed, n.PromptDistinct, n.PromptAsked)
		}
		backwards := slices.Clone(requests)
		slices.Reverse(backwards)
		again := modeltest.Ask(t, m, backwards...)
		slices.Reverse(again)
		if most, _ := furthest(t, together, again); most != 0 {
			t.Errorf("%s: the order of the requests moves log-probabilities by %g", c.layout, most)
		}
	}
}

// However little memory there is, a case is answered, and the same way.
func TestExactLayoutWithLittleMemory(t *testing.T) {
	m := tiny(t, Options{Layout: Exact})
	requests := append(shownSets(findings()...), letters(strings.Repeat(vignette, 9), "", "A", "B", "C"))
	want := modeltest.Ask(t, m, requests...)
	for _, room := range []int{256, 1024, 5 * 1024, 1 << 20} {
		m.room = room
		m.apart.closeContext()
		got := modeltest.Ask(t, m, requests...)
		if most, _ := furthest(t, got, want); most != 0 {
			t.Errorf("%d cells, %d streams: log-probabilities differ by %g", room, m.apart.streams, most)
		}
		if held := m.apart.streams * m.apart.cells; m.apart.streams > 1 && held > room || m.apart.streams > mostStreams {
			t.Errorf("%d streams of %d cells where %d are allowed", m.apart.streams, m.apart.cells, room)
		}
		modeltest.Ask(t, m, requests[:len(requests)-1]...)
		if room == 5*1024 && m.apart.streams < 8 {
			t.Errorf("%d streams after the long prompt, which was the reason for few", m.apart.streams)
		}
	}
}

func TestReplicatesAreComputedAgain(t *testing.T) {
	requests := shownSets(findings()[:4]...)
	for _, layout := range []string{Exact, Shared} {
		m := tiny(t, Options{Layout: layout})
		s, err := m.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		first := modeltest.AskIn(t, s, requests...)
		one := m.Counts()
		both := modeltest.AskIn(t, s, append(repeated(requests, 2), repeated(requests, 1)...)...)
		three := m.Counts()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if again := three.PromptComputed - one.PromptComputed; again < 2*one.PromptDistinct {
			t.Errorf("%s: two repetitions computed %d tokens, one pass has %d distinct ones", layout, again, one.PromptDistinct)
		}
		moved := 0.0
		for i := range 2 {
			most, _ := furthest(t, first, both[i*len(requests):][:len(requests)])
			if layout == Exact && most != 0 || most > 1e-4 {
				t.Errorf("%s: a repetition differs by %g", layout, most)
			}
			moved = max(moved, most)
		}
		if layout == Shared && moved == 0 {
			t.Error("shared: two repetitions give the same bits: they were in no other company")
		}
	}
}

// Letters after a beginning, and rounds with text, stay in the cache that holds the text; a session may do both.
func TestOnlyPromptsAreTrees(t *testing.T) {
	m := tiny(t, Options{Layout: Exact})
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	trees := shownSets(findings()[:3]...)
	for i, c := range []struct {
		requests []percuss.Request
		apart    bool
	}{
		{trees, true},
		{[]percuss.Request{letters(vignette, "So it is", "A", "B"), letters(vignette, "", "A", "B")}, false},
		{[]percuss.Request{text(vignette, "", 5), letters(vignette, "", "A", "B")}, false},
		{trees[:1], true},
	} {
		modeltest.AskIn(t, s, c.requests...)
		if got := m.apart.ctx != 0; got != c.apart {
			t.Errorf("round %d: streams in use: %v", i, got)
		}
	}
}

func TestTreesBeyondTheContext(t *testing.T) {
	m := tiny(t, Options{Context: 300, Layout: Exact})
	answers := modeltest.Ask(t, m, letters(strings.Repeat(vignette, 4), "", "A", "B"), letters(vignette, "", "A", "B"))
	if answers[0].Outcome != percuss.ContextExceeded || answers[1].Outcome != percuss.OK {
		t.Errorf("outcomes %s and %s", answers[0].Outcome, answers[1].Outcome)
	}
}

func TestTreeCancelled(t *testing.T) {
	m := tiny(t, Options{Layout: Exact})
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	requests := shownSets(findings()...)
	ended := 0
	err = s.Answer(ctx, requests, func(_ int, _ percuss.Answer, err error) {
		ended++
		if err != nil {
			t.Error(err)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || model.IsFatal(err) || ended == 0 || ended == len(requests) {
		t.Errorf("%d of %d answered, then %v", ended, len(requests), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if most, _ := furthest(t, modeltest.Ask(t, m, requests[3]), alone(t, m, requests[3:4])); most != 0 {
		t.Errorf("afterwards an answer differs by %g", most)
	}
}

// A stream's context that breaks is made anew; only when it keeps breaking is the model given up.
func TestTreeOnABrokenContext(t *testing.T) {
	m := tiny(t, Options{Layout: Exact})
	requests := shownSets(findings()[:3]...)
	want := modeltest.Ask(t, m, requests...)
	m.apart.closeContext()
	m.apart.chunk = 0 // a context without room for a batch cannot be made
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	faults := 0
	err = s.Answer(t.Context(), requests, func(_ int, _ percuss.Answer, err error) {
		if f := (*model.Fault)(nil); errors.As(err, &f) {
			faults++
		}
	})
	if faults != len(requests) {
		t.Errorf("%d faults, then %v", faults, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	m.apart.closeContext()
	m.apart.chunk = m.engine.chunk
	if most, _ := furthest(t, want, modeltest.Ask(t, m, requests...)); most != 0 {
		t.Errorf("afterwards answers differ by %g", most)
	}
}

// What the engine cannot decode is tried again, then given up, with a fault for every request that has no answer.
func TestTreeThatCannotBeDecoded(t *testing.T) {
	m := tiny(t, Options{Layout: Exact})
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	requests := shownSets(findings()[:2]...)
	var jobs []*job
	for i := range requests {
		j, _, err := m.newJob(i, &requests[i])
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	jobs[2].tokens = append(jobs[2].tokens, 1<<20) // no token of the vocabulary
	outcomes := map[int]int{}
	err = m.trees(t.Context(), jobs, func(i int, _ percuss.Answer, err error) {
		outcomes[i]++
		if i == 2 && err == nil {
			t.Error("an answer to what cannot be decoded")
		}
	})
	if !model.IsFatal(err) || len(outcomes) != len(jobs) {
		t.Errorf("%d requests ended, then %v", len(outcomes), err)
	}
	for i, n := range outcomes {
		if n != 1 {
			t.Errorf("request %d ended %d times", i, n)
		}
	}
}

// Orders times subsets may be more leaves than the library knows sequences: 512 prompts in one call are answered as each
// alone, of which every seventh is asked.
func TestTreeOfManyLeaves(t *testing.T) {
	requests := shownSets(append(findings(), "Wheeze: yes", "Rash: no", "Pale: no", "Dizzy: yes")...)
	if len(requests) <= 256 {
		t.Fatalf("%d prompts: the test needs more than 256", len(requests))
	}
	for _, c := range []struct {
		layout string
		most   float64
	}{{Exact, 0}, {Shared, 1e-4}} {
		m := tiny(t, Options{Layout: c.layout})
		together := modeltest.Ask(t, m, requests...)
		var some []percuss.Request
		var got []percuss.Answer
		for i := 0; i < len(requests); i += 7 {
			some, got = append(some, requests[i]), append(got, together[i])
		}
		if most, _ := furthest(t, got, alone(t, m, some)); most > c.most {
			t.Errorf("%s: log-probabilities differ by up to %g", c.layout, most)
		}
	}
}
