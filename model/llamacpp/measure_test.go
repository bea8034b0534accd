package llamacpp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

func TestGauge(t *testing.T) {
	m := tiny(t, Options{Parallel: 4})
	g, err := m.Gauge(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	if g.Widest != 4 || g.Threads() != 1 {
		t.Errorf("%d sequences, %d threads; want 4 and 1", g.Widest, g.Threads())
	}
	if took, err := g.Prefill(t.Context(), maxChunk); err != nil || took <= 0 {
		t.Errorf("prefill took %v, %v", took, err)
	}
	for _, width := range []int{1, 4} {
		if took, err := g.Generate(t.Context(), width, 8); err != nil || took <= 0 {
			t.Errorf("width %d took %v, %v", width, took, err)
		}
	}
	for name, call := range map[string]func() error{
		"no prompt":        func() error { _, err := g.Prefill(t.Context(), 0); return err },
		"too long":         func() error { _, err := g.Prefill(t.Context(), 1<<20); return err },
		"too wide":         func() error { _, err := g.Generate(t.Context(), 5, 1); return err },
		"too many steps":   func() error { _, err := g.Generate(t.Context(), 4, 1000); return err },
		"no sequence":      func() error { _, err := g.Generate(t.Context(), 0, 8); return err },
		"gauge of nothing": func() error { _, err := m.Gauge(t.Context(), 0); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := g.Prefill(done, 8); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := m.Gauge(done, 8); !errors.Is(err, context.Canceled) { // and it holds the model
		t.Errorf("a second gauge: %v", err)
	}
	for range 2 {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	// The model answers afterwards as if nothing had been.
	if a := modeltest.Ask(t, m, letters("fever", "The answer is", "A", "B")); len(a[0].Letters) != 2 {
		t.Errorf("afterwards: %+v", a[0])
	}
}

// What is planned is what an open model has, without a limit and with one that leaves little for trees.
func TestPlanMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := PlanMemory(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Total() != whole.Weights+whole.Texts+whole.Trees || whole.Weights != h.Size {
		t.Errorf("a file of %d bytes, planned %+v, in all %d", h.Size, whole, whole.Total())
	}
	for _, most := range []int64{0, whole.Total(), whole.Total() - whole.Trees/2} {
		plan, err := PlanMemory(path, most)
		if err != nil || most > 0 && plan.Total() > most {
			t.Fatalf("within %d: %+v, %v", most, plan, err)
		}
		m := tiny(t, Options{Memory: most})
		cell := h.cellBytes(m.engine.cellElement())
		if plan.Texts != cell*int64(m.budget) || plan.Trees != cell*int64(m.room) || cell == 0 {
			t.Errorf("within %d: planned %+v; the model has %d and %d cells of %d bytes", most, plan, m.budget, m.room, cell)
		}
		if plan.Texts != whole.Texts || (plan.Trees < whole.Trees) != (most > 0 && most < whole.Total()) {
			t.Errorf("within %d: planned %+v, without a limit %+v", most, plan, whole)
		}
	}
}

func TestPlanMemoryRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	whole, err := PlanMemory(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	few := whole.Weights + whole.Texts
	for name, call := range map[string]func() error{
		"planned": func() error { _, err := PlanMemory(path, few); return err },
		"opened":  func() error { _, err := Open(t.Context(), Options{Path: path, Memory: few}); return err },
	} {
		var fault *model.Fault
		if err := call(); !errors.As(err, &fault) || !fault.Fatal || !strings.Contains(err.Error(), "smaller model") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := PlanMemory(filepath.Join(t.TempDir(), "nowhere.gguf"), 0); err == nil {
		t.Error("a file that is not there: no error")
	}
}

// TestFewStreams: a small cache of trees changes no bit of an answer.
func TestFewStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	whole, err := PlanMemory(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	var requests []percuss.Request
	for i := range 24 {
		requests = append(requests, letters(vignette+strings.Repeat(" Fever.", i%7)+strings.Repeat(" Cough.", i/7), "", "A", "B"))
	}
	large := tiny(t, Options{Layout: Exact})
	small := tiny(t, Options{Layout: Exact, Memory: whole.Total() - whole.Trees + 2048*whole.Trees/streamCells})
	want, got := modeltest.Ask(t, large, requests...), modeltest.Ask(t, small, requests...)
	if small.apart.streams >= large.apart.streams {
		t.Fatalf("%d streams with little memory, %d with much", small.apart.streams, large.apart.streams)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(percuss.Number{})); diff != "" {
		t.Errorf("answers (-much +little):\n%s", diff)
	}
}

// A model with large cells gets fewer of them, and never so few that nothing fits.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		weights, cell, most int64
		texts, trees        int
	}{
		{0, 0, 0, usualCells, streamCells},
		{0, 1 << 10, 0, usualCells, streamCells},
		{0, 1 << 18, 0, usualCells, usualCells},
		{0, 1 << 20, 0, 2048, 2048},
		{0, 1 << 30, 0, leastCells, leastCells},
		{1 << 20, 1 << 10, 1<<20 + 10000<<10, usualCells, 10000 - usualCells},
		{1 << 20, 1 << 10, 1 << 40, usualCells, streamCells},
		{1 << 20, 1 << 10, 1 << 10, usualCells, leastCells},
	} {
		if texts, trees := cellsFor(tc.weights, tc.cell, tc.most); texts != tc.texts || trees != tc.trees {
			t.Errorf("%+v: %d and %d cells", tc, texts, trees)
		}
	}
}

func TestDevices(t *testing.T) {
	lib := modeltest.EngineLib(t)
	devices, err := Devices(lib)
	if err != nil || len(devices) == 0 {
		t.Fatalf("devices %v, %v", devices, err)
	}
	for _, d := range devices {
		if d.Name == "" || d.Total == 0 || d.Free > d.Total {
			t.Errorf("device %+v", d)
		}
	}
	if _, err := Devices(t.TempDir()); err == nil {
		t.Error("an empty folder: no error")
	}
}
