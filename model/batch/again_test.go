package batch

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// What a service refuses, or does not take, it does not have: once that is mended it is handed in again.
func TestBatchesHandInAgainWhatWasRefused(t *testing.T) {
	no := &model.Fault{Kind: "quota", Fatal: true, Err: errors.New("no credit")}
	for name, spoil := range map[string]func(*service){
		"when it is handed in": func(s *service) { s.refuse = no },
		"afterwards":           func(s *service) { s.broken = no },
	} {
		synctest.Test(t, func(t *testing.T) {
			s, j, stored := newService(), &journal{}, percuss.AnswerMap{}
			spoil(s)
			if err := process(t.Context(), t, s, j, 3, stored); !model.IsFatal(err) {
				t.Errorf("%s: %v", name, err)
			}
			if last := j.entries[len(j.entries)-1]; last.Event != Lost {
				t.Errorf("%s: the journal ends with %q", name, last.Event)
			}
			s.refuse, s.broken = nil, nil
			if err := process(t.Context(), t, s, j, 3, stored); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			right(t, s, stored, 3, nil)
		})
	}
}

// Results that come cut however often they are read end in what they hold, and the rest is handed in again.
func TestBatchesThatStayCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, stored := newService(), percuss.AnswerMap{}
		s.cut = oftenCut
		if err := process(t.Context(), t, s, &journal{}, 10, stored); err != nil || len(stored) != 30 {
			t.Errorf("%d answers, %v", len(stored), err)
		}
	})
}

// What an earlier process stored of a batch is not at the service any more.
func TestBatchesKnowWhatIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, requests := newService(), numbered(4)
		var keys []percuss.Key
		for _, r := range requests {
			keys = append(keys, r.Key())
		}
		id, err := s.Submit(t.Context(), "o", requests)
		if err != nil {
			t.Fatal(err)
		}
		past := []Entry{{Event: Submitting, Token: "o", Model: "service", Keys: keys}, {Event: Submitted, Token: "o", Model: "service", ID: id}}
		j := &journal{}
		m := New(s, s, Options{Past: past, Note: j.note, Token: func() string { return "t" },
			Stored: func(k percuss.Key) bool { return slices.Contains(keys[:3], k) }})
		if n := m.Outstanding(); n != 1 {
			t.Errorf("%d requests are at the service, want 1", n)
		}
		session, err := m.Open(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		if err := session.Answer(t.Context(), requests[3:], func(int, percuss.Answer, error) {}); err != nil {
			t.Error(err)
		}
		if err := errors.Join(session.Close(), m.Close()); err != nil || m.Outstanding() != 0 {
			t.Errorf("%d are left, %v", m.Outstanding(), err)
		}
		if n := len(j.entries); n != 1 || j.entries[0].Event != Collected {
			t.Errorf("the journal goes on with %+v", j.entries)
		}
	})
}

// A service that asks for a longer wait than a run is worth ends it, and says when to come back.
func TestBatchesAskedToWait(t *testing.T) {
	for wait, ends := range map[time.Duration]bool{time.Minute: false, time.Hour: true} {
		synctest.Test(t, func(t *testing.T) {
			s, stored := newService(), percuss.AnswerMap{}
			s.refuse = &model.Fault{Kind: model.RateLimit, RetryAfter: wait, Err: errors.New("later")}
			time.AfterFunc(5*time.Second, func() { s.mu.Lock(); defer s.mu.Unlock(); s.refuse = nil })
			err := process(t.Context(), t, s, &journal{}, 3, stored)
			if isAway(err) != ends || !ends && (err != nil || len(stored) != 9) {
				t.Errorf("to wait %s: %d answers, %v", wait, len(stored), err)
			}
		})
	}
}
