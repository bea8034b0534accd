package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/run"
)

// noisePatience is how long the page of a case is kept back for the noise floors, which take about ten milliseconds a case
// of the run.
const noisePatience = 150 * time.Millisecond

// noiseOfRun works the noise floors of a run out once, in the background, from when they are first asked for.
type noiseOfRun struct {
	sync.Mutex
	end   context.CancelFunc
	ready chan struct{} // closed when cells or err are there
	cells []evidence.Cell
	err   error
}

// of is what is known of the noise of a run's cells: without wait after noisePatience at the latest, and nothing then where
// it is not ready. What went wrong is tried again at the next call.
func (n *noiseOfRun) of(ctx context.Context, work func(context.Context) ([]evidence.Cell, error), wait bool) (cells []evidence.Cell, ready bool, err error) {
	done := n.begun(work)
	var late <-chan time.Time
	if !wait {
		timer := time.NewTimer(noisePatience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-done:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	case <-late:
		return nil, false, nil
	}
	n.Lock()
	defer n.Unlock()
	if n.err != nil && n.ready == done {
		n.ready = nil
	}
	return n.cells, n.err == nil, n.err
}

// begun is closed when the floors are worked out, which begins here where it has not.
func (n *noiseOfRun) begun(work func(context.Context) ([]evidence.Cell, error)) <-chan struct{} {
	n.Lock()
	defer n.Unlock()
	if n.ready != nil {
		return n.ready
	}
	ctx, end := context.WithCancel(context.Background()) // it outlives the request that asked first
	ready := make(chan struct{})
	n.end, n.ready = end, ready
	go func() {
		defer close(ready)
		defer end()
		cells, err := work(ctx)
		n.Lock()
		defer n.Unlock()
		n.cells, n.err = cells, err
	}()
	return ready
}

// stop ends the work and waits until it has ended.
func (n *noiseOfRun) stop() {
	n.Lock()
	end, ready := n.end, n.ready
	n.Unlock()
	if ready != nil {
		end()
		<-ready
	}
}

func (v *viewed) Case(ctx context.Context, view run.View, wait bool) (cases.Case, float64, cases.Noise, error) {
	r, _ := view.Record.(evidence.Record)
	c := caseOf(view, r)
	cells, ready, err := v.noise.of(ctx, v.cells, wait)
	if err != nil {
		return c, evidence.Salient, cases.Noise{}, err
	}
	for _, cell := range cells {
		if s := c.Subject; cell.Model == s.Model && cell.Set == s.Set && cell.Variant == s.Variant {
			return c, evidence.Salient, cases.Noise{Floors: cell.Floor}, nil
		}
	}
	return c, evidence.Salient, cases.Noise{Unready: !ready}, nil
}

// cells are the cells of the whole run's findings.
func (v *viewed) cells(ctx context.Context) ([]evidence.Cell, error) {
	o, r, err := compute(ctx, v.o.dir, reading{bootstrap: leastReplicates}) // no interval of it is shown
	if err != nil {
		return nil, err
	}
	defer o.answers.Close()
	c, ok := r.(*caseReport)
	if !ok {
		return nil, errors.New("only an evidence audit has cases")
	}
	return c.r.Findings.Cells, nil
}
