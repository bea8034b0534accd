package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/bench/server"
	"github.com/percuss/percuss/internal/cli"
)

// asPercuss makes this test's own program behave as percuss does.
const asPercuss = "BENCH_TEST_AS_PERCUSS"

func TestMain(m *testing.M) {
	if os.Getenv(asPercuss) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	os.Exit(m.Run())
}

// small is a bench whose percuss is this program.
func small(t *testing.T) *bench {
	t.Helper()
	t.Setenv(asPercuss, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{percuss: program, peers: t.TempDir(), work: t.TempDir(), runs: 2, items: 40, sending: 40, flight: 40, progress: io.Discard}
}

// The audit that is compared asks each question once: else it would be compared with something smaller.
func TestPercussAsksEachQuestionOnce(t *testing.T) {
	b := small(t)
	s, err := server.Start(server.Options{Marker: marker, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	samples, err := b.interleave(t.Context(), "items", []side{percussSide(b, s, b.items, connections, server.Load.Rate)})
	if err != nil {
		t.Fatal(err)
	}
	if len(samples) != 1 || len(samples[0]) != b.runs {
		t.Fatalf("%+v", samples)
	}
	for _, got := range samples[0] {
		if got.wall <= 0 || got.cpu <= 0 {
			t.Errorf("it took %v, CPU %v", got.wall, got.cpu)
		}
	}
}

func TestInFlightNeedsNoOtherTool(t *testing.T) {
	got, err := inflight(t.Context(), small(t))
	if err != nil || len(got) != 1 || len(got[0].ratios) != 2 {
		t.Fatalf("%v: %+v", err, got)
	}
	for _, share := range got[0].ratios {
		if share <= 0 || share > 1 {
			t.Errorf("a share of %g of all connections", share)
		}
	}
}

func TestRowsWithoutTheirToolsAreLeftOut(t *testing.T) {
	b := small(t)
	b.model, b.server = filepath.Join(b.work, "none.gguf"), filepath.Join(b.work, "python")
	for _, r := range rows() {
		if r.name == "report" || r.name == "inflight" { // these need nothing
			continue
		}
		_, err := r.measure(t.Context(), b)
		if missing := (absent{}); !errors.As(err, &missing) || missing.remedy == "" {
			t.Errorf("row %s: %v", r.name, err)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for args, want := range map[string]string{
		"-row nothing":        "there is no row of this name",
		"-row items,":         "there is no row of this name",
		"-runs 0":             "must be at least 1",
		"-share 0":            "above 0",
		"-share NaN":          "above 0",
		"items":               "is no flag",
		"-percuss none":       "make build",
		"-unknown":            "not defined",
		"-items -1 -row rate": "must be at least 1",
	} {
		var errs bytes.Buffer
		if status := run(strings.Fields(args), io.Discard, &errs); status == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %q; want %q in it", args, status, errs.String(), want)
		}
	}
	chosen, err := choose("rate,items")
	if err != nil || len(chosen) != 2 || chosen[0].name != "items" {
		t.Errorf("%v: %+v", err, chosen)
	}
}

func TestInterleaveTurnsRound(t *testing.T) {
	b := small(t)
	b.runs = 3
	var order []string
	named := func(name string) side {
		return side{name, func(context.Context, string) (sample, error) {
			order = append(order, name)
			return sample{figure: percuss.Num(float64(len(order)))}, nil
		}}
	}
	got, err := b.interleave(t.Context(), "x", []side{named("a"), named("b")})
	if err != nil || !slices.Equal(order, []string{"a", "b", "b", "a", "a", "b"}) {
		t.Fatalf("%v: %v", err, order)
	}
	if first := figures(got[0], figure); !slices.Equal(first, []float64{1, 4, 5}) {
		t.Errorf("the samples of a are %v", first)
	}
	failing := side{"c", func(context.Context, string) (sample, error) { return sample{}, errors.New("no luck") }}
	if _, err := b.interleave(t.Context(), "x", []side{failing}); err == nil || !strings.Contains(err.Error(), "row x, run 1 of c: no luck") {
		t.Error(err)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		x                   []float64
		least, median, most float64
	}{{[]float64{3}, 3, 3, 3}, {[]float64{3, 1, 2}, 1, 2, 3}, {[]float64{4, 1, 2, 3}, 1, 2.5, 4}} {
		before := slices.Clone(c.x)
		s := spreadOf(c.x)
		if s.least.Or(-1) != c.least || s.median.Or(-1) != c.median || s.most.Or(-1) != c.most || !slices.Equal(before, c.x) {
			t.Errorf("%v: %+v", c.x, s)
		}
	}
	if s := spreadOf(nil); s.least.OK() || s.median.OK() || s.most.OK() {
		t.Errorf("of nothing: %+v", s)
	}
	of := func(x ...float64) (out []sample) {
		for _, v := range x {
			s := sample{}
			if !math.IsNaN(v) {
				s.figure = percuss.Num(v)
			}
			out = append(out, s)
		}
		return out
	}
	if got := quotients(of(6, math.NaN(), 8, 1), of(3, 1, 0, 4, 9), figure); !slices.Equal(got, []float64{2, 0.25}) {
		t.Errorf("%v", got)
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	printResults(&b, []result{
		{row: "items", what: "others ÷ Percuss", goal: "≥ 20", ratios: []float64{25, 20.04, 1234.4}, unit: "requests/s", sides: []measured{{"Percuss",
			[]sample{{usage{wall: 1500 * time.Millisecond, cpu: time.Second, memory: 50 << 20}, percuss.Num(2000)}}}, {"other", []sample{{usage: usage{wall: time.Second}}}}}},
		{row: "drafts", what: "nothing came of it", goal: "≤ 0.35"},
		{row: "chain", what: "client ÷ Percuss", bound: percuss.Num(2.1), ratios: []float64{1.5}, unit: "tokens generated", each: true, sides: []measured{
			{"Percuss", []sample{{usage{wall: 3 * time.Second}, percuss.Num(400)}, {usage{wall: 2 * time.Second}, percuss.Num(400)}}},
			{"client", []sample{{usage: usage{wall: time.Second}}}}}},
	})
	for _, want := range []string{
		"| items | others ÷ Percuss | ≥ 20 |  | 20.0 | **25.0** | 1,234 | 3 |\n",
		"| drafts | nothing came of it | ≤ 0.35 |  | – | **–** | – | 0 |\n",
		"| chain | client ÷ Percuss |  | 2.10 | 1.50 | **1.50** | 1.50 | 1 |\n",
		"| chain | Percuss | 2.50 (2.00 to 3.00) | – | – | 400 tokens generated, 6.25 ms each |\n",
		"| chain | client | 1.00 (1.00 to 1.00) | – | – |  |\n",
		"| items | Percuss | 1.50 (1.50 to 1.50) | 1.00 | 50.0 | 2,000 requests/s |\n",
		"| items | other | 1.00 (1.00 to 1.00) | – | – |  |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

func TestMetricsOfABenchmark(t *testing.T) {
	const out = "goos: linux\nBenchmarkPanelReport \t       1\t29000000000 ns/op\t    447347 answers\t         4.113 first/scan\npanel_bench_test.go: says\nPASS\n"
	got, err := metrics(out, "answers", "first/scan")
	if err != nil || got["answers"] != 447347 || got["first/scan"] != 4.113 {
		t.Errorf("%v: %v", err, got)
	}
	for _, bad := range []string{"PASS\n", "BenchmarkPanelReport 1 x answers\n"} {
		if _, err := metrics(bad, "answers"); err == nil {
			t.Errorf("%q was understood", bad)
		}
	}
}
func TestCommandsTellWhyTheyFailed(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.txt")
	_, _, err := command{program: "go", args: []string{"no-such-command"}}.run(t.Context(), log)
	if err == nil || !strings.Contains(err.Error(), "no-such-command") {
		t.Error(err)
	}
	out, used, err := command{program: "go", args: []string{"env", "GOVERSION"}}.run(t.Context(), log)
	if err != nil || !strings.HasPrefix(out, "go1.") || used.wall <= 0 {
		t.Errorf("%v: %q, %+v", err, out, used)
	}
}
