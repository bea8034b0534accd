package index

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
)

// madeUp yields the rows of a panel: 16 models, 20 edits and a baseline an item.
func madeUp(rows int) ([]percuss.Subject, iter.Seq2[Row, error]) {
	const each = 21
	var subjects []percuss.Subject
	for i := range (rows + each - 1) / each {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Model: fmt.Sprintf("m%02d", i*16*each/rows), Set: "made-up", Variant: "neutral", Item: fmt.Sprintf("q%07d", i)}}
		s.Question.Gold, s.Question.Options = "A", []percuss.Option{{Label: "A", Text: fmt.Sprintf("diagnosis %d", i%997)}}
		subjects = append(subjects, s)
	}
	return subjects, func(yield func(Row, error) bool) {
		for i := range rows {
			h := uint64(i) * 0x9E3779B97F4A7C15 >> 33
			r := Row{Subject: i / each, Answer: "A"}
			r.Of[Operator] = Base
			if op := i % each; op > 0 {
				r.Of[Operator], r.Of[Family] = fmt.Sprintf("M%d-%d", op/4, op), fmt.Sprintf("M%d", op/4)
				r.Of[Flip], r.Of[Joint] = []string{"keep", "flip", "keep", ""}[h%4], []string{"a", "b", "c", "d", Dropped}[h/4%5]
				r.Change = percuss.Num(float64(h%10000)/1000 - 5)
			}
			r.Of[State], r.Of[Outcome], r.Of[Right] = "read", "ok", yesNo(h%3 == 0)
			r.Of[Size] = sizeOf(r.Change)
			if !yield(r, nil) {
				return
			}
		}
	}
}

// peak is the most memory that the process has had, MiB; 0 where the system does not say.
func peak() (mib int) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &mib); err == nil {
			return mib / 1024
		}
	}
	return 0
}

// BenchmarkIndex builds the index of a million made-up rows and asks what a page asks.
func BenchmarkIndex(b *testing.B) {
	const rows = 1_000_000
	subjects, all := madeUp(rows)
	path := filepath.Join(b.TempDir(), "index.db")
	runtime.GC()
	begun := time.Now()
	if _, err := Build(b.Context(), path, "these", subjects, all); err != nil {
		b.Fatal(err)
	}
	b.Logf("built in %.2f s", time.Since(begun).Seconds())
	if info, err := os.Stat(path); err == nil {
		b.Logf("%.1f MiB", float64(info.Size())/(1<<20))
	}
	begun = time.Now()
	x, err := Open(path, "these")
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	b.Logf("opened in %v, %d combinations", time.Since(begun), len(x.cube.keys))
	for name, ask := range map[string]Ask{
		"all":                {},
		"one cell, common":   {Filter: Filter{Model: []string{"m07"}, Flip: []string{"flip"}}},
		"nothing fits":       {Filter: Filter{Model: []string{"none"}}},
		"large changes":      {Filter: Filter{Size: "4"}},
		"candidate":          {Filter: Filter{Candidate: "diagnosis 96"}},
		"noted, one of many": {Filter: Filter{Noted: "yes"}, Noted: func(s int) bool { return s == len(subjects)-1 }},
	} {
		b.Run("counts/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Facets(b.Context(), ask); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, bySize := range []bool{false, true} {
			b.Run(fmt.Sprintf("page/by size %t/%s", bySize, name), func(b *testing.B) {
				for b.Loop() {
					if _, _, _, err := x.Page(b.Context(), ask, Begin(bySize), 50); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run("beside/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := x.Beside(b.Context(), ask, len(subjects)/2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Logf("peak memory %d MiB, rows and subjects of the benchmark included", peak())
}
