package index

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

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
	before := peak()
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			if _, err := Build(b.Context(), path, "these", subjects, all); err != nil {
				b.Fatal(err)
			}
		}
		if info, err := os.Stat(path); err == nil {
			b.ReportMetric(float64(info.Size())/(1<<20), "MiB-file")
		}
		b.ReportMetric(float64(peak()-before), "MiB-more-at-most")
	})
	x, err := Open(path, "these")
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
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
}

// BenchmarkTexts looks for words in 200,000 replies of about a hundred words, some of them in all, some in few.
func BenchmarkTexts(b *testing.B) {
	const subjects, each = 10_000, 20
	path := filepath.Join(b.TempDir(), "texts.db")
	all := func(yield func(Text, error) bool) {
		for i := range subjects {
			t := Text{Item: fmt.Sprint(i), Asked: "The patient has a question", First: i * each}
			for j := range each {
				var s strings.Builder
				s.WriteString("the patient has chest pain ")
				for k := range 95 {
					h := uint64((i*each+j)*100+k) * 0x9E3779B97F4A7C15 >> 40
					fmt.Fprintf(&s, "w%d ", h*h>>34) // of 16,384, the first ones are frequent
				}
				t.Replies = append(t.Replies, s.String())
			}
			if !yield(t, nil) {
				return
			}
		}
	}
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			if err := BuildTexts(b.Context(), path, "these", all); err != nil {
				b.Fatal(err)
			}
		}
		if info, err := os.Stat(path); err == nil {
			b.ReportMetric(float64(info.Size())/(1<<20), "MiB-file")
		}
	})
	x, err := OpenTexts(path, "these")
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	for _, text := range []string{"w5", "patient", `"chest pain"`, "the patient has chest pain", "w77 w99 -w3"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				x.last = ""
				if _, err := x.find(b.Context(), text, subjects*each); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
