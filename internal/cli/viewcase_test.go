package cli

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/percuss/percuss/evidence"
)

// The first page of a case does not wait for the floors of a large run, later ones have them, and they are worked out once.
func TestNoiseThatTakesLong(t *testing.T) {
	var n noiseOfRun
	defer n.stop()
	finish, times := make(chan struct{}), 0
	work := func(context.Context) ([]evidence.Cell, error) {
		times++
		<-finish
		return []evidence.Cell{{Model: "m"}}, nil
	}
	begin := time.Now()
	cells, ready, err := n.of(t.Context(), work, false)
	if cells != nil || ready || err != nil || time.Since(begin) < noisePatience/2 {
		t.Fatalf("%v, ready %v, %v: before the work was done", cells, ready, err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, ready, err := n.of(gone, work, true); ready || !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who went away is kept: %v, %v", ready, err)
	}
	close(finish)
	for range 2 {
		if cells, ready, err := n.of(t.Context(), work, true); len(cells) != 1 || !ready || err != nil {
			t.Errorf("%v, ready %v, %v", cells, ready, err)
		}
	}
	if times != 1 {
		t.Errorf("worked out %d times", times)
	}
}

// What fails is tried again, and a run that is closed ends the work.
func TestNoiseThatFails(t *testing.T) {
	var n noiseOfRun
	broken := errors.New("broken")
	if _, ready, err := n.of(t.Context(), func(context.Context) ([]evidence.Cell, error) { return nil, broken }, true); ready || !errors.Is(err, broken) {
		t.Fatalf("ready %v, %v", ready, err)
	}
	if _, ready, err := n.of(t.Context(), func(context.Context) ([]evidence.Cell, error) { return nil, nil }, true); !ready || err != nil {
		t.Fatalf("not tried again: ready %v, %v", ready, err)
	}
	var closed noiseOfRun
	ended := make(chan struct{})
	if _, ready, _ := closed.of(t.Context(), func(ctx context.Context) ([]evidence.Cell, error) {
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}, false); ready {
		t.Error("ready before its end")
	}
	closed.stop()
	select {
	case <-ended:
	default:
		t.Error("the work goes on in a closed run")
	}
}
