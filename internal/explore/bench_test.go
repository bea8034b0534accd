package explore

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/run"
)

// largeRun is a panel of 16 models with 20 edits an item, whose records are made up as they are read.
type largeRun struct{ *fakeRun }

func (l largeRun) Records(context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		for i, s := range l.subjects {
			r := chain.Record{Subject: s.SubjectID, Base: chain.Reading{State: chain.Read, Answer: "A", Correct: i%3 == 0, Margin: percuss.Num(1)}, Direct: chain.Reading{State: chain.NotFired}}
			for op := range 20 {
				h := uint64(i*20+op) * 0x9E3779B97F4A7C15 >> 40
				r.Operators = append(r.Operators, chain.OperatorTrial{ID: fmt.Sprintf("M%d-%d", op/4, op), Edit: battery.Edit{Fired: h%9 > 0},
					Flip: []chain.Flip{chain.Kept, chain.Kept, chain.Flipped, chain.NoFlip}[h%4], Rule: h%2 == 0, Token: h%3 == 0,
					Reading: chain.Reading{State: chain.Read, Outcome: percuss.OK, Margin: percuss.Num(float64(h%5000) / 1000)}})
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// BenchmarkPages builds the index of a million trials and draws pages as a browser asks for them.
func BenchmarkPages(b *testing.B) {
	dir := b.TempDir()
	if err := run.WriteManifest(dir, run.Manifest{}); err != nil {
		b.Fatal(err)
	}
	large := largeRun{newFake(dir, 1_000_000/21)}
	for i := range large.subjects {
		large.subjects[i].Model, large.subjects[i].Item = fmt.Sprintf("m%02d", i*16/len(large.subjects)), fmt.Sprintf("q%06d", i)
	}
	s := &Server{Root: dir, Now: time.Now, Log: io.Discard, NoTexts: true, Open: func(context.Context, string) (Run, error) { return large, nil }}
	h := s.Handler()
	get := func(b *testing.B, address string) {
		for {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", address, nil))
			if w.Code == 200 {
				return
			}
			if w.Code != 202 {
				b.Fatalf("%s: %d %s", address, w.Code, w.Body)
			}
		}
	}
	begun := time.Now()
	get(b, "/run?r=.")
	fmt.Fprintf(os.Stderr, "a million trials: the first page with its index after %.1f s\n", time.Since(begun).Seconds())
	for _, address := range []string{"/", "/run?r=.", "/trials?r=.", "/items?r=.&flip=flip", "/trials?r=.&flip=flip&model=m07&op=M2-9", "/trials?r=.&model=none",
		"/trials?r=.&size=4&by=size", "/trials?r=.&candidate=" + url.QueryEscape("sepsis"), "/trials?r=.&after=999000"} {
		b.Run(address, func(b *testing.B) {
			for b.Loop() {
				get(b, address)
			}
		})
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}
