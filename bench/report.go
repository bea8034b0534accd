package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// report runs the benchmark of a panel's report, which compares it with one scan of the answers in the same process.
func report(ctx context.Context, b *bench) ([]result, error) {
	if err := os.MkdirAll(b.panel, 0o755); err != nil {
		return nil, err
	}
	var first, kept, memory []float64
	var answers percuss.Number
	s := side{"Percuss, all of the benchmark", func(ctx context.Context, folder string) (sample, error) {
		c := command{program: "go", args: []string{"test", "-run", "^$", "-bench", "PanelReport", "-benchtime", "1x", "-count", "1", "-timeout", "3h", "./internal/cli"},
			env: []string{"PERCUSS_PANEL=" + strconv.FormatFloat(b.share, 'g', -1, 64), "PERCUSS_PANEL_DIR=" + b.panel}}
		out, u, err := c.run(ctx, logOf(folder))
		if err != nil {
			return sample{}, err
		}
		m, err := metrics(out, "answers", "first/scan", "kept/scan", "peak/tenth", "scan-s")
		if err != nil {
			return sample{}, err
		}
		answers = percuss.Num(m["answers"])
		first, kept, memory = append(first, m["first/scan"]), append(kept, m["kept/scan"]), append(memory, m["peak/tenth"])
		return sample{usage: u, figure: percuss.Num(m["scan-s"])}, nil
	}}
	samples, err := b.interleave(ctx, "report", []side{s})
	if err != nil {
		return nil, err
	}
	panel := fmt.Sprintf("report with 10,000 replicates of a panel of %s answers ÷ one scan that decodes every answer: ", short(answers))
	return []result{
		{row: "report", what: panel + "first", goal: "≤ 4", ratios: first, unit: "s the scan", sides: sidesOf([]side{s}, samples)},
		{row: "report", what: panel + "from `derived/`", goal: "≤ 1.5", ratios: kept},
		{row: "report", what: "memory of the report: that panel ÷ one of a tenth of its items", goal: "≤ 1.2", ratios: memory},
	}, nil
}

// metrics reads values by unit from the one line of a benchmark.
func metrics(out string, units ...string) (map[string]float64, error) {
	got := map[string]float64{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) == 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("a benchmark's line that is not understood: %q", line)
			}
			got[fields[i+1]] = v
		}
	}
	for _, u := range units {
		if _, ok := got[u]; !ok {
			return nil, fmt.Errorf("the benchmark printed no %s:\n%s", u, out)
		}
	}
	return got, nil
}

// units of the game that moebius transforms, and the least time that it is repeated for here.
const (
	units   = 14
	atLeast = 200 * time.Millisecond
)

// oracle is the script that the tests' reference values come from.
var oracle = filepath.Join("testdata", "oracle", "lattice.py")

// moebius compares the Möbius transform of a table of values with shapiq's exact computer. Both times are of the transform
// alone, after the values are there.
func moebius(ctx context.Context, b *bench) ([]result, error) {
	python := filepath.Join(b.peers, "shapiq", "bin", "python")
	if _, err := os.Stat(python); err != nil {
		return nil, absent{"shapiq", installed}
	}
	sides := []side{
		{"Percuss", func(context.Context, string) (sample, error) { return transformed() }},
		{"shapiq", func(ctx context.Context, folder string) (sample, error) {
			out, u, err := command{program: python, args: []string{oracle, "time"}}.run(ctx, logOf(folder))
			if err != nil {
				return sample{}, err
			}
			seconds, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(out), " s"), 64)
			if err != nil {
				return sample{}, fmt.Errorf("%s printed %q instead of a time: %w", oracle, out, err)
			}
			return sample{usage: u, figure: percuss.Num(seconds)}, nil
		}},
	}
	samples, err := b.interleave(ctx, "moebius", sides)
	if err != nil {
		return nil, err
	}
	return []result{{row: "moebius", what: fmt.Sprintf("Möbius transform of %d units from a table of values: shapiq ÷ Percuss", units), goal: "≥ 1,000",
		ratios: quotients(samples[1], samples[0], figure), unit: "s a transform", sides: sidesOf(sides, samples)}}, nil
}

// transformed transforms the same table again and again and gives the mean time of one.
func transformed() (sample, error) {
	rng := percuss.Rand(1, "", "", "bench")
	table := make([]float64, 1<<units)
	for i := range table {
		table[i] = rng.NormFloat64()
	}
	v := make([]float64, len(table))
	n, began := 0, time.Now()
	for ; time.Since(began) < atLeast; n++ {
		copy(v, table)
		if err := lattice.Moebius(v); err != nil {
			return sample{}, err
		}
	}
	took := time.Since(began)
	return sample{usage: usage{wall: took}, figure: percuss.Num(took.Seconds() / float64(n))}, nil
}
