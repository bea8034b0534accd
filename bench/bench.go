package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/percuss/percuss"
)

// bench is what the rows have in common: where things lie, and how much is measured.
type bench struct {
	percuss string // the program that is measured
	peers   string // folder of the other tools, as scripts/bench-peers makes it
	server  string // Python that has llama.cpp's own server, as scripts/setup makes it
	model   string // GGUF file of the rows that need a model
	work    string // folder of files, logs and runs
	panel   string // folder of the report's panel, kept between calls

	data      string // set of the chain audit
	runs      int
	items     int     // questions of the whole command
	sending   int     // questions while the rate of requests is measured
	flight    int     // questions against the slow server
	cases     int     // cases of the evidence audit
	questions int     // questions of the chain audit
	tokens    int     // most new tokens of a chain
	share     float64 // of the paper's 200 items a set, for the report

	progress io.Writer
}

func (b *bench) tell(format string, args ...any) { fmt.Fprintf(b.progress, format+"\n", args...) }

// row is one comparison, which may give several lines of the table.
type row struct {
	name, what string
	measure    func(context.Context, *bench) ([]result, error)
}

// rows are all comparisons, in the order of the table.
func rows() []row {
	return []row{
		{"items", "whole commands on made-up questions against a server without latency: Inspect, promptfoo, lm-eval, Percuss", items},
		{"rate", "requests a second while sending: lm-eval, Percuss", rate},
		{"inflight", "requests in flight against a server of 200 ms", inflight},
		{"evidence", "evidence audit: a sequential client of llama.cpp's server, Percuss", evidence},
		{"chain", "chain audit: a sequential client of llama.cpp's server, Percuss", chain},
		{"drafts", "decodes for each output token where questions are edited", drafts},
		{"report", "the report of a panel, and one scan of its answers", report},
		{"moebius", "Möbius transform of 14 units: shapiq, Percuss", moebius},
	}
}

// result is one line: a ratio of each run, and what stands behind it.
type result struct {
	row    string
	what   string
	goal   string
	bound  percuss.Number // what the ratio can be at most, by counting alone; missing where nothing is counted
	ratios []float64
	unit   string     // of the sides' figures; "": they have none
	each   bool       // the sides' figures are numbers of tokens, and the time of each is told
	sides  []measured // nil: those of an earlier line
}

// measured are the runs of one side.
type measured struct {
	name    string
	samples []sample
}

func sidesOf(sides []side, samples [][]sample) []measured {
	out := make([]measured, len(sides))
	for i, s := range sides {
		out[i] = measured{s.name, samples[i]}
	}
	return out
}

// absent is why a row is left out: something that it compares with is not on this machine.
type absent struct{ what, remedy string }

func (a absent) Error() string { return a.what + " is not here: " + a.remedy }

// logOf is where the output of a side's program is kept.
func logOf(folder string) string { return filepath.Join(folder, "log.txt") }
