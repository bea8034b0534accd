// Bench measures Percuss beside other programs, on one machine and in one go, and prints two tables in Markdown: ratios
// with their spread, and the times behind them. Nothing is asserted.
//
//	go run ./bench -row items,rate        # some of the rows; make bench-peers runs all
//
// It is run from the repository's root, with bin/percuss built. A row is left out, and that is said, where what it
// compares with is not installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/bench/llama"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status: 0 when all rows were measured or left out, 1 when one failed, 2 for bad flags, 130 after
// Ctrl-C.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, chosen, err := parse(args, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "bench:", err)
		return 2
	}
	if err := b.prepare(); err != nil {
		fmt.Fprintln(errs, "bench:", err)
		return 1
	}
	before := describe(b)
	status := 0
	var results []result
	var left []string
	for _, r := range chosen {
		got, err := r.measure(ctx, b)
		results = append(results, got...)
		if ctx.Err() != nil { // what is measured so far is printed all the same
			left = append(left, fmt.Sprintf("Interrupted in row %s.", r.name))
			status = 130
			break
		}
		if missing := (absent{}); errors.As(err, &missing) {
			left = append(left, fmt.Sprintf("Row %s was left out: %v.", r.name, missing))
		} else if err != nil {
			fmt.Fprintf(errs, "bench: row %s: %v\n", r.name, err)
			left = append(left, fmt.Sprintf("Row %s failed.", r.name))
			status = 1
		}
	}
	fmt.Fprintf(out, "%s Load average %s before, %s after.\n\n", before, before.load, load())
	printResults(out, results)
	for _, s := range left {
		fmt.Fprintf(out, "\n%s\n", s)
	}
	return status
}

// parse reads the command line.
func parse(args []string, errs io.Writer) (*bench, []row, error) {
	b := &bench{progress: errs}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(errs)
	names := f.String("row", "all", "rows to measure, with commas between")
	f.StringVar(&b.percuss, "percuss", filepath.Join("bin", "percuss"), "the program that is measured")
	f.StringVar(&b.peers, "peers", filepath.Join(os.TempDir(), "percuss-peers"), "folder of the other tools")
	f.StringVar(&b.work, "work", filepath.Join(os.TempDir(), "percuss-bench"), "folder of logs and runs; rows that are measured are written anew")
	f.StringVar(&b.panel, "panel", "", "folder that keeps the panel of row report between calls (default: below -work)")
	f.StringVar(&b.model, "model", "", "GGUF file of the rows with a model (default: smollm2-135m, as percuss model pull keeps it)")
	f.StringVar(&b.data, "data", "demo", "set of rows chain and drafts")
	f.IntVar(&b.runs, "runs", 5, "runs of each program")
	f.IntVar(&b.items, "items", 1000, "questions of row items")
	f.IntVar(&b.sending, "sending", 5000, "questions of row rate")
	f.IntVar(&b.flight, "flight", 6000, "questions of row inflight")
	f.IntVar(&b.cases, "cases", 1, "cases of row evidence")
	f.IntVar(&b.questions, "questions", 20, "questions of rows chain and drafts")
	f.IntVar(&b.tokens, "max-tokens", 512, "most new tokens of a chain in rows chain and drafts")
	f.Float64Var(&b.share, "share", 0.1, "share of the paper's 200 items a set in row report, above 0 and at most 1")
	f.Usage = func() {
		fmt.Fprintln(errs, "Measures Percuss beside other programs. Rows:")
		for _, r := range rows() {
			fmt.Fprintf(errs, "  %-9s %s\n", r.name, r.what)
		}
		fmt.Fprintln(errs, "Flags:")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return nil, nil, err
	}
	if f.NArg() > 0 {
		return nil, nil, fmt.Errorf("%q is no flag; rows are named by -row", f.Arg(0))
	}
	if least := min(b.runs, b.items, b.sending, b.flight, b.cases, b.questions, b.tokens); least < 1 {
		return nil, nil, fmt.Errorf("a number of runs or items is %d; it must be at least 1", least)
	}
	if !(b.share > 0 && b.share <= 1) {
		return nil, nil, fmt.Errorf("-share %g: a share above 0 and at most 1", b.share)
	}
	chosen, err := choose(*names)
	return b, chosen, err
}

// choose returns the rows of a list of names, in the order of the table.
func choose(names string) ([]row, error) {
	all := rows()
	if names == "all" {
		return all, nil
	}
	wanted := strings.Split(names, ",")
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(r row) bool { return r.name == name }) {
			return nil, fmt.Errorf("-row %s: there is no row of this name; go run ./bench -h lists them", name)
		}
	}
	return slices.DeleteFunc(all, func(r row) bool { return !slices.Contains(wanted, r.name) }), nil
}

// prepare makes paths absolute, for programs run in folders of their own, and finds what was not named.
func (b *bench) prepare() error {
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	if b.model == "" {
		b.model = filepath.Join(cache, "models", "smollm2-135m", "SmolLM2-135M-Instruct.Q4_1.gguf")
	}
	b.server = llama.Python(cache)
	if b.panel == "" {
		b.panel = filepath.Join(b.work, "panel")
	}
	for _, path := range []*string{&b.percuss, &b.peers, &b.work, &b.panel, &b.model} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if _, err := os.Stat(b.percuss); err != nil {
		return fmt.Errorf("the program to be measured: %w; make build makes it", err)
	}
	return os.MkdirAll(b.work, 0o755)
}

// cacheFolder is where Percuss keeps models and the server.
func cacheFolder() (string, error) {
	dir := os.Getenv("PERCUSS_CACHE")
	if dir == "" {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("%w; set PERCUSS_CACHE to the folder that holds percuss/models", err)
		}
	}
	return filepath.Join(dir, "percuss"), nil
}

// today is for the head of the table.
func today() string { return time.Now().Format(time.DateOnly) }
