//go:build unix

package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/run"
)

// The panel of the benchmark: the chain paper's fourteen models as simulated ones, its four sets and the two of other
// domains, two models under two prompts, with the controls.
const panelItems = 200 // of each set, in the paper

// panelReplicates is the number of replicates that the goals are stated for.
const panelReplicates = 10_000

// BenchmarkPanelReport measures the report of a whole panel: against one scan that reads and decodes every answer, at first
// and from kept records, and its peak of memory against a panel of a tenth of the items; times as they pass, and those of the
// processors, which say more on a machine that has other work. It prints and asserts nothing.
//
//	PERCUSS_PANEL=1 PERCUSS_PANEL_DIR=/tmp/panel go test -run '^$' -bench PanelReport -benchtime 1x -timeout 3h ./internal/cli
//
// PERCUSS_PANEL is the share of the paper's 200 items a set, 1/40 by default; PERCUSS_PANEL_DIR keeps the runs, which are
// then not made again. Ratios of small panels say little: the replicates cost the same however few items there are.
func BenchmarkPanelReport(b *testing.B) {
	share := 1.0 / 40
	if v := os.Getenv("PERCUSS_PANEL"); v != "" {
		var err error
		if share, err = strconv.ParseFloat(v, 64); err != nil || !(share > 0 && share <= 1) {
			b.Fatalf("PERCUSS_PANEL=%s: a share above 0 and at most 1", v)
		}
	}
	dir := os.Getenv("PERCUSS_PANEL_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	items := max(2, int(share*panelItems))
	whole, tenth := panelRun(b, dir, items), panelRun(b, dir, max(1, items/10))
	for b.Loop() {
		answers, scan := scanned(b, whole)
		forget(b, whole)
		first, high := reported(b, whole)
		kept, peak := reported(b, whole)
		_, _ = reported(b, tenth) // its records
		_, small := reported(b, tenth)
		b.ReportMetric(float64(answers), "answers")
		b.ReportMetric(scan.wall.Seconds(), "scan-s")
		b.ReportMetric(scan.cpu.Seconds(), "scan-cpu-s")
		b.ReportMetric(first.cpu.Seconds(), "first-cpu-s")
		b.ReportMetric(kept.cpu.Seconds(), "kept-cpu-s")
		b.ReportMetric(first.wall.Seconds()/scan.wall.Seconds(), "first/scan")
		b.ReportMetric(kept.wall.Seconds()/scan.wall.Seconds(), "kept/scan")
		b.ReportMetric(float64(high)/(1<<20), "first-peak-MiB")
		b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		b.ReportMetric(float64(peak)/float64(small), "peak/tenth")
	}
}

// panelRun makes a panel of so many items a set, or finds it made.
func panelRun(b *testing.B, dir string, items int) string {
	b.Helper()
	out := filepath.Join(dir, fmt.Sprintf("panel-%d", items))
	if _, err := os.Stat(filepath.Join(out, run.ReportFolder, "report.json")); err == nil {
		return out
	}
	specification := filepath.Join(dir, fmt.Sprintf("panel-%d.yaml", items))
	if err := os.WriteFile(specification, []byte(panelSpecification(b, dir, items)), 0o644); err != nil {
		b.Fatal(err)
	}
	var errs strings.Builder
	if status := Main([]string{"run", specification, "-o", out}, strings.NewReader(""), io.Discard, &errs, os.Getenv); status != 0 {
		b.Fatalf("exit status %d\n%s", status, errs.String())
	}
	return out
}

// panelSpecification is the panel's file. Sets that are not on this machine are replaced by one of made-up questions each.
func panelSpecification(b *testing.B, dir string, items int) string {
	var out strings.Builder
	out.WriteString("version: 1\nseed: 1\nmodels:\n")
	policies := []string{"faithful", "inert", "early-commit", "compressed", "random", "always-a", "faithful", "inert", "faithful",
		"early-commit", "inert", "faithful", "inert", "early-commit"}
	tiers := []string{"general", "general", "general", "general", "general", "medical", "medical", "medical", "medical",
		"reasoning", "reasoning", "closed", "closed", "closed"}
	for i, p := range policies {
		prompts := "neutral"
		if i < 2 {
			prompts = "neutral, strict"
		}
		fmt.Fprintf(&out, "  - {id: m%d, model: \"sim:%s?seed=%d\", tier: %s, prompts: [%s]}\n", i, p, i+1, tiers[i], prompts)
	}
	out.WriteString("data:\n")
	sets := []string{"medqa", "medmcqa", "pubmedqa", "mmlu-medical", "gsm8k", "strategyqa"}
	if _, err := os.Stat(filepath.Join(os.Getenv("PERCUSS_DATA"), "medqa")); os.Getenv("PERCUSS_DATA") == "" || err != nil {
		sets = []string{madeUpQuestions(b, dir, items)}
	}
	for _, set := range sets {
		fmt.Fprintf(&out, "  - {data: %q, n: %d}\n", set, items)
	}
	out.WriteString("audits:\n  chain:\n    battery: paper\n    answer: text\n    margins: false\n    controls: [sham, sham-chain, format, shuffle]\n")
	return out.String()
}

// madeUpQuestions writes four times as many questions as items, and returns the data set of them all.
func madeUpQuestions(b *testing.B, dir string, items int) string {
	path := filepath.Join(dir, "made-up.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	e := json.NewEncoder(f)
	sex, complaint := []string{"man", "woman"}, []string{"chest pain", "a severe headache", "fever and cough", "left flank pain"}
	for i := range 4 * items {
		err := e.Encode(map[string]any{"id": fmt.Sprint("q", i), "answer": string(rune('A' + i%4)),
			"question": fmt.Sprintf("A %d-year-old %s presents with %s for %d days. She denies nausea. Which of the following is the most likely diagnosis?",
				20+i%60, sex[i%2], complaint[i/2%4], 1+i%9),
			"options": map[string]string{"A": "Myocardial infarction", "B": "Meningitis", "C": "Pneumonia", "D": "Nephrolithiasis"}})
		if err != nil {
			b.Fatal(err)
		}
	}
	return "custom:" + path
}

// spent is how long something took: as time passes, and of the processors.
type spent struct{ wall, cpu time.Duration }

// spending measures until the returned function is called.
func spending() func() spent {
	cpu := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	wall, before := time.Now(), cpu()
	return func() spent { return spent{time.Since(wall), cpu() - before} }
}

// scanned reads and decodes every answer of a run.
func scanned(b *testing.B, dir string) (int, spent) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, run.AnswersFile)+"?mode=ro")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	took, n := spending(), 0
	rows, err := db.QueryContext(b.Context(), "SELECT body FROM answers")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		var body []byte
		var a percuss.Answer
		if err := errors.Join(rows.Scan(&body), json.Unmarshal(body, &a)); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return n, took()
}

// forget removes a run's kept records.
func forget(b *testing.B, dir string) {
	if err := os.RemoveAll(filepath.Join(dir, run.DerivedFolder)); err != nil {
		b.Fatal(err)
	}
}

// reported computes a run's report; it returns the time and the largest heap that was seen meanwhile, in bytes.
func reported(b *testing.B, dir string) (spent, uint64) {
	b.Helper()
	runtime.GC()
	watch := watchHeap()
	stop := spending()
	o, _, err := compute(context.Background(), dir, reading{bootstrap: panelReplicates})
	if err != nil {
		b.Fatal(err)
	}
	took := stop()
	if err := o.answers.Close(); err != nil {
		b.Fatal(err)
	}
	return took, watch()
}

// watchHeap looks at the heap's objects every few milliseconds until the returned function is called, which gives the most.
func watchHeap() func() uint64 {
	var most uint64
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(s)
			most = max(most, s[0].Value.Uint64())
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return func() uint64 {
		close(stop)
		wg.Wait()
		return most
	}
}
