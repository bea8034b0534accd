package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss/store"
)

// walks reads as a report does, from several goroutines, each about in the order in which the answers came, while more are
// written: an answer is found from the moment on that its Put returns, and never before, and it is the one that was put.
func walks(t *testing.T, s store.Store) {
	const first, all, walkers = 100, 260, 3
	for i := range first {
		Put(t, s, Entry(i))
	}
	check := func(i int, want bool) error {
		a, ok, err := s.Get(context.Background(), Entry(i).Key)
		if err != nil || ok != want {
			return fmt.Errorf("entry %d: found %v, error %v", i, ok, err)
		}
		if d := cmp.Diff(Entry(i).Answer, a, same); want && d != "" {
			return fmt.Errorf("entry %d: %s", i, d)
		}
		return nil
	}
	var wg sync.WaitGroup
	errs := make(chan error, walkers+1)
	for w := range walkers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for from := 0; from < first; from += 20 {
				for _, i := range rng.Perm(20) {
					if err := check(from+i, true); err != nil {
						errs <- err
						return
					}
				}
			}
		})
	}
	wg.Go(func() {
		for i := first; i < all; i++ {
			before := check(i, false)
			if err := s.Put(context.Background(), Entry(i)); err != nil || before != nil {
				errs <- fmt.Errorf("entry %d: before it was put: %w; put: %w", i, before, err)
				return
			}
			if err := check(i, true); err != nil {
				errs <- err
				return
			}
		}
	})
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	for i := range all {
		if err := check(i, true); err != nil {
			t.Error(err)
		}
	}
}
