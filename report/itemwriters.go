package report

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"

	"github.com/percuss/percuss/internal/web"
)

// pageWriters draw and write the pages of items, several at once: they do not depend on one another, and to create a file
// takes as long as to draw its page.
type pageWriters struct {
	beside       func(name string, page []byte) error
	begins, ends []byte // what all pages have in common
	queue        chan *itemView
	failed       chan struct{} // closed at the first error
	at           sync.WaitGroup
	once         sync.Once
	err          error
}

func newPageWriters(h HTML) (*pageWriters, error) {
	w := &pageWriters{beside: h.Beside, queue: make(chan *itemView), failed: make(chan struct{})}
	for name, to := range map[string]*[]byte{"itembegins": &w.begins, "itemends": &w.ends} {
		var b bytes.Buffer
		if err := draw(&b, name, nil); err != nil {
			return nil, err
		}
		*to = b.Bytes()
	}
	for range runtime.GOMAXPROCS(0) {
		w.at.Go(w.work)
	}
	return w, nil
}

// work writes pages until there is none left or one cannot be written.
func (w *pageWriters) work() {
	var page bytes.Buffer
	for v := range w.queue {
		if err := w.one(v, &page); err != nil {
			w.once.Do(func() { w.err = err; close(w.failed) })
			return
		}
	}
}

// one draws a page in the memory of the last one, and writes it.
func (w *pageWriters) one(v *itemView, page *bytes.Buffer) error {
	v.Calls, v.Scores = calls(v.of), scores(v.of)
	page.Reset()
	page.Write(w.begins)
	if err := pages.ExecuteTemplate(page, "itempage", v); err != nil {
		return fmt.Errorf("draw the page of item %s: %w", v.Subject.Item, err)
	}
	if own := page.Bytes()[len(w.begins):]; !web.IsVisible(own) {
		shown := Visible(string(own))
		page.Truncate(len(w.begins))
		page.WriteString(shown)
	}
	page.Write(w.ends)
	if err := w.beside(ItemFolder+"/"+v.File, page.Bytes()); err != nil {
		return fmt.Errorf("write the page of item %s: %w", v.Subject.Item, err)
	}
	return nil
}

// write hands a page in; false: one could not be written, and no further one need be made.
func (w *pageWriters) write(v *itemView) bool {
	select {
	case w.queue <- v:
		return true
	case <-w.failed:
		return false
	}
}

// close waits until all is written, and returns the first error.
func (w *pageWriters) close() error {
	close(w.queue)
	w.at.Wait()
	return w.err
}
