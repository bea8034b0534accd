package report

import (
	"bytes"
	"fmt"
	"html/template"
	"runtime"
	"sync"

	"github.com/percuss/percuss/internal/web"
)

// pageWriters draw and write the pages of items, several at once: they do not depend on one another, and to create a file
// takes as long as to draw its page.
type pageWriters struct {
	beside func(name string, page []byte) error
	queue  chan *itemView
	failed chan struct{} // closed at the first error
	at     sync.WaitGroup
	once   sync.Once
	err    error
}

func newPageWriters(h HTML) *pageWriters {
	w := &pageWriters{beside: h.Beside, queue: make(chan *itemView), failed: make(chan struct{})}
	for range runtime.GOMAXPROCS(0) {
		w.at.Go(w.work)
	}
	return w
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
	page.Reset()
	v.Frame = v.besideReport()
	if err := v.draw(page); err != nil {
		return err
	}
	if err := w.beside(ItemFolder+"/"+v.File, page.Bytes()); err != nil {
		return fmt.Errorf("write the page of item %s: %w", v.Subject.Item, err)
	}
	return nil
}

// besideReport is the frame of a page in the folder beside the main page.
func (v *itemView) besideReport() web.Frame {
	f := web.Frame{Title: fmt.Sprintf("%s, item %d", v.Subject.Item, v.Number), Style: template.CSS(itemStyle), Script: "keys.js", Label: "Items",
		Nav: []web.Link{{Rel: "up", Href: "../report.html#items", Text: "Report"}}}
	if v.Prev != "" {
		f.Nav = append(f.Nav, web.Link{Rel: "prev", Href: v.Prev, Text: "Previous item"})
	}
	if v.Next != "" {
		f.Nav = append(f.Nav, web.Link{Rel: "next", Href: v.Next, Text: "Next item"})
	}
	return f
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
