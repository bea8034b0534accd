package llamacpp

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

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

// What is planned is what an open model has.
func TestPlanMemory(t *testing.T) {
	m := tiny(t, Options{})
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	plan, err := PlanMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(path)
	if err != nil {
		t.Fatal(err)
	}
	cell := h.cellBytes(m.engine.cellElement())
	if plan.Texts != cell*int64(m.budget) || plan.Trees != cell*int64(m.room) || plan.Weights != h.Size || cell == 0 {
		t.Errorf("planned %+v; the model has %d and %d cells of %d bytes, the file %d bytes", plan, m.budget, m.room, cell, h.Size)
	}
	if plan.Total() != plan.Weights+plan.Texts+plan.Trees {
		t.Errorf("the total of %+v is %d", plan, plan.Total())
	}
	if _, err := PlanMemory(filepath.Join(t.TempDir(), "nowhere.gguf")); err == nil {
		t.Error("a file that is not there: no error")
	}
}

// A model with large cells gets fewer of them, and never so few that nothing fits.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		cell         int64
		texts, trees int
	}{
		{0, usualCells, streamCells},
		{1 << 10, usualCells, streamCells},
		{1 << 18, usualCells, usualCells},
		{1 << 20, 2048, 2048},
		{1 << 30, leastCells, leastCells},
	} {
		if texts, trees := cellsFor(tc.cell); texts != tc.texts || trees != tc.trees {
			t.Errorf("%d bytes a cell: %d and %d cells, want %d and %d", tc.cell, texts, trees, tc.texts, tc.trees)
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
