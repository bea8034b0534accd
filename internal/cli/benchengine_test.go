package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// tinyFile writes a random model of a few kilobytes.
func tinyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	return path
}

func value(t *testing.T, name string, n percuss.Number) float64 {
	t.Helper()
	v, ok := n.Get()
	if !ok || v <= 0 || math.IsInf(v, 0) {
		t.Errorf("%s is %v, %v", name, v, ok)
	}
	return v
}

func spread(t *testing.T, name string, r rate) {
	t.Helper()
	if least, median, most := value(t, name, r.Least), value(t, name, r.Median), value(t, name, r.Most); least > median || median > most {
		t.Errorf("%s: median %v of %v to %v", name, median, least, most)
	}
}

func TestBenchEngine(t *testing.T) {
	lib, path := modeltest.EngineLib(t), tinyFile(t)
	status, out, errs := command(t, "bench", "engine", "-m", "llama:"+path, "-m", path, "--lib", lib, "--threads", "1", "--widths", "1,3", "--tokens", "4", "--repeat", "2", "--json")
	if status != exitDone {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{path + ": letters", "2 of 2", "weights "} {
		if !strings.Contains(errs, want) {
			t.Errorf("progress lacks %q:\n%s", want, errs)
		}
	}
	var r benchReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != benchSchema || !strings.HasPrefix(r.Engine, "llama.cpp "+llamacpp.LibraryVersion) || len(r.Devices) == 0 || len(r.Models) != 2 {
		t.Fatalf("report %+v", r)
	}
	plan, err := llamacpp.PlanMemory(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Models {
		spread(t, "prefill", m.Prefill)
		spread(t, "letters", m.Letters)
		spread(t, "prompts", m.Prompts)
		if len(m.Generate) != 2 || m.Generate[0].Width != 1 || m.Generate[1].Width != 3 {
			t.Fatalf("generation %+v", m.Generate)
		}
		for _, g := range m.Generate {
			spread(t, "generation", g.rate)
		}
		// Both rates of the tree are of the same seconds.
		if got, want := value(t, "letters", m.Letters.Most)/value(t, "prompts", m.Prompts.Most), float64(m.Tree.Computed)/float64(m.Tree.Prompts); math.Abs(got-want) > 1e-9*want {
			t.Errorf("a prompt has %v tokens by the rates, %v by the counts", got, want)
		}
		if m.Tree.Prompts != 1<<len(benchUnits) || m.Tree.Computed <= 0 || m.Tree.Asked < 2*m.Tree.Computed {
			t.Errorf("the tree shares too little: %+v", m.Tree)
		}
		if m.Planned != plan || m.Threads != 1 || m.Weights != "F32" {
			t.Errorf("figures %+v, planned %+v", m, plan)
		}
		if runtime.GOOS == "linux" && (!m.Resident.OK() || !m.Share.OK()) {
			t.Errorf("Linux says what is in memory and how long it took: %v, %v", m.Resident, m.Share)
		}
	}
}

func TestBenchEngineTable(t *testing.T) {
	lib, path := modeltest.EngineLib(t), tinyFile(t)
	status, out, errs := command(t, "bench", "engine", "-m", path, "--lib", lib, "--threads", "1", "--widths", "2", "--tokens", "2", "--repeat", "1")
	if status != exitDone {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{"llama.cpp " + llamacpp.LibraryVersion, " tiny.gguf\n", "weights", "F32, ", "prefill 512", "generate, 2 at once", "letters", "64 prompts", "memory planned"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
}

func TestBenchEngineRefuses(t *testing.T) {
	gguf, lib, empty := tinyFile(t), modeltest.EngineLib(t), t.TempDir()
	t.Setenv("PERCUSS_LIB", lib)
	t.Setenv("PERCUSS_CACHE", empty) // from here on there are no models
	for name, tc := range map[string]struct {
		args []string
		says string
	}{
		"width":         {[]string{"--widths", "0"}, "--widths"},
		"too wide":      {[]string{"--widths", "1,200"}, "128"},
		"tokens":        {[]string{"--tokens", "0"}, "--tokens 0"},
		"repeat":        {[]string{"--repeat", "-1"}, "--repeat -1"},
		"memory":        {[]string{"--memory", "much"}, "800MB or 6GB"},
		"a server":      {[]string{"-m", "openai:m@http://localhost/v1"}, "llama:NAME"},
		"a parameter":   {[]string{"-m", "llama:" + gguf + "?layout=exact"}, "without parameters"},
		"no model":      {nil, "percuss model pull"},
		"no such file":  {[]string{"-m", filepath.Join(empty, "nowhere.gguf")}, "neither a file"},
		"no room":       {[]string{"-m", gguf, "--memory", "1KB"}, "smaller model"},
		"no such verb":  {[]string{"fast"}, "fast"},
		"no such width": {[]string{"--widths", "one"}, "one"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := command(t, append([]string{"bench", "engine"}, tc.args...)...)
			if status != exitUsage || out != "" || !strings.Contains(errs, tc.says) {
				t.Errorf("status %d, %q, %q; want it to say %q", status, out, errs, tc.says)
			}
		})
	}
}

// stopping ends a context when a text is written.
type stopping struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopping) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.at) {
		s.stop()
	}
	return s.Buffer.Write(p)
}

// TestBenchEngineInterrupted: what was measured whole is printed, and the error is the interruption.
func TestBenchEngineInterrupted(t *testing.T) {
	lib, path := modeltest.EngineLib(t), tinyFile(t)
	again := filepath.Join(filepath.Dir(path), "again.gguf")
	if err := os.Rename(path, again); err != nil {
		t.Fatal(err)
	}
	path = tinyFile(t)
	for at, models := range map[string]int{path + ": letters": 0, path + ": prompts and texts, 2 of 2": 0, again + ": prompts and texts, 1 of 2": 1} {
		ctx, stop := context.WithCancel(t.Context())
		errs, out := &stopping{at: at, stop: stop}, bytes.Buffer{}
		a := &app{out: &out, err: errs, env: os.Getenv}
		err := a.benchEngine(ctx, benchFlags{models: []string{path, again}, widths: []int{1}, steps: 2, repeats: 2, asJSON: true, on: machine{lib: lib, threads: 1}})
		if status := a.status(true, err); status != exitInterrupted || !strings.HasSuffix(errs.String(), "Interrupted.\n") {
			t.Errorf("stopped at %q: %v, status %d, %s", at, err, status, errs.String())
		}
		var r benchReport
		if models > 0 {
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
		} else if out.Len() > 0 {
			t.Errorf("stopped at %q: printed %s", at, out.String())
		}
		if len(r.Models) != models {
			t.Errorf("stopped at %q: %d models, want %d", at, len(r.Models), models)
		}
		stop()
	}
}

func TestRateOf(t *testing.T) {
	if r := rateOf(nil); r.Median.OK() || r.Least.OK() || r.Most.OK() {
		t.Errorf("of nothing: %+v", r)
	}
	rapid.Check(t, func(t *rapid.T) {
		measured := rapid.SliceOfN(rapid.Float64Range(0.001, 1e6), 1, 9).Draw(t, "measured")
		r := rateOf(measured)
		least, _ := r.Least.Get()
		median, _ := r.Median.Get()
		most, _ := r.Most.Get()
		if least != slices.Min(measured) || most != slices.Max(measured) {
			t.Errorf("%v to %v of %v", least, most, measured)
		}
		below, above := 0, 0
		for _, v := range measured {
			if v < median {
				below++
			}
			if v > median {
				above++
			}
		}
		if 2*below > len(measured) || 2*above > len(measured) {
			t.Errorf("median %v of %v", median, measured)
		}
	})
}
