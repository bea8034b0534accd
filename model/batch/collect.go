package batch

import (
	"context"
	"errors"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// collect hands the answers of a batch out.
func (d *Model) collect(ctx context.Context, b *batch) error {
	wanted := map[percuss.Key]percuss.Request{}
	d.mu.Lock()
	for _, k := range b.keys {
		if w := d.asked[k]; w != nil && d.out[k] == b {
			wanted[k] = w.request
		}
	}
	d.mu.Unlock()
	answered, total := 0, len(wanted)
	var fatal error
	err := d.batcher.Collect(ctx, b.id, wanted, func(k percuss.Key, a percuss.Answer, err error) {
		if _, ok := wanted[k]; !ok {
			return
		}
		delete(wanted, k)
		if model.IsFatal(err) {
			fatal = err
		}
		if err == nil {
			answered++
		}
		d.deliver(b, k, a, err)
	})
	if err != nil && !d.lastsCut(b, err) {
		return err
	}
	for k := range wanted {
		d.deliver(b, k, percuss.Answer{}, &model.Fault{Kind: model.Server, Err: fmt.Errorf("batch %s ended without an answer to the request", b.id)})
	}
	d.o.Tell(fmt.Sprintf("batch %s has ended: %d of %d requests answered", b.id, answered, total))
	return fatal
}

// lastsCut reports whether the results of a batch come broken however often they are read.
func (d *Model) lastsCut(b *batch, err error) bool {
	var f *model.Fault
	if !errors.As(err, &f) || f.Kind != model.Malformed {
		return false
	}
	b.cut++
	return b.cut >= oftenCut
}

// deliver hands one answer to all who wait for it.
func (d *Model) deliver(b *batch, k percuss.Key, a percuss.Answer, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.asked[k]
	if w == nil { // whoever asked has gone, and finds it here again
		return
	}
	delete(d.asked, k)
	delete(d.out, k)
	if err == nil {
		d.counts.PromptAsked += int64(a.Usage.Prompt)
		d.counts.PromptComputed += int64(a.Usage.Prompt)
		d.counts.Output += int64(a.Usage.Output)
	}
	for i, one := range w.by {
		stored := func() {}
		if i == 0 {
			stored = func() { d.stored(b) }
		}
		one.to <- outcome{one.i, a, err, stored}
	}
}

// stored counts an answer that is kept. A batch all of whose answers are is not asked for again.
func (d *Model) stored(b *batch) {
	d.mu.Lock()
	b.left--
	last := b.left == 0
	d.mu.Unlock()
	if last {
		_ = d.note(Entry{Event: Collected, Token: b.token}) // without it the batch is only looked at once more
	}
}
