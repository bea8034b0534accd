package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store/memory"
)

// numbered are so many subjects.
func numbered(n int) []percuss.Subject {
	out := make([]percuss.Subject, n)
	for i := range out {
		out[i].Item = fmt.Sprint(i)
	}
	return out
}

// TestAheadKeepsTheOrder: the first subject is ready last of those that are worked on, and all come in their order; not many
// more are worked on than were taken.
func TestAheadKeepsTheOrder(t *testing.T) {
	const n = 100
	var at sync.WaitGroup
	var done, taken atomic.Int64
	most := int64(6*runtime.GOMAXPROCS(0) + 2)
	work := func(s percuss.Subject) result {
		for s.Item == "0" && done.Load() < int64(2*runtime.GOMAXPROCS(0)-1) {
			runtime.Gosched()
		}
		if over := done.Add(1) - taken.Load() - most; over > 0 {
			t.Errorf("subject %s: %d too many in advance", s.Item, over)
		}
		return result{view: View{Subject: s}}
	}
	i := 0
	for p := range ahead(t.Context(), &at, numbered(n), work) {
		if r := <-p.done; r.view.Subject.Item != fmt.Sprint(i) {
			t.Fatalf("subject %s in place %d", r.view.Subject.Item, i)
		}
		taken.Add(1)
		i++
	}
	at.Wait()
	if i != n {
		t.Errorf("%d subjects of %d", i, n)
	}
}

// slow is an audit that tells when a subject is reduced.
type slow struct {
	percuss.Audit
	reduced func(percuss.Subject)
}

func (slow) Trials(percuss.Subject, percuss.Answers) []percuss.Trial { return nil }
func (a slow) Reduce(s percuss.Subject, _ []percuss.Trial, _ percuss.Answers) percuss.Record {
	a.reduced(s)
	return nil
}

// TestViewsEnd: a walk that is left, or whose context ends, begins nothing more and leaves nobody at work; what came before is
// whole.
func TestViewsEnd(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		var working, begun atomic.Int64
		audit := slow{reduced: func(percuss.Subject) {
			working.Add(1)
			begun.Add(1)
			runtime.Gosched()
			working.Add(-1)
		}}
		var failure error
		n := 0
		for v, err := range Views(ctx, audit, memory.New(), numbered(10_000), false) {
			if failure = err; err != nil {
				continue
			}
			if v.Subject.Item != fmt.Sprint(n) {
				t.Fatalf("subject %s in place %d", v.Subject.Item, n)
			}
			if n++; n < 5 {
				continue
			}
			if !cancelled {
				break
			}
			cancel()
		}
		cancel()
		if now := working.Load(); now != 0 || begun.Load() > 9000 {
			t.Errorf("cancelled %v: %d at work, %d begun", cancelled, now, begun.Load())
		}
		if errors.Is(failure, context.Canceled) != cancelled {
			t.Errorf("cancelled %v: error %v", cancelled, failure)
		}
	}
}
