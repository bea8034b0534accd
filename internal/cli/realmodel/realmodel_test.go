package realmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/cli"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// percuss runs a command line in this process.
func percuss(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = cli.Main(args, strings.NewReader(""), &o, &e, os.Getenv)
	return status, o.String(), e.String()
}

// engine skips the test where the library is not installed, and returns its folder.
func engine(t *testing.T) *supply.Cache {
	t.Helper()
	cache, err := supply.Open(os.Getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cache.FindEngine(context.Background(), "", os.Getenv("PERCUSS_LIB")); err != nil {
		t.Skip("needs the llama.cpp library (make setup): ", err)
	}
	return cache
}

// One real question, one real model, the whole way to the report.
func TestAuditOfTheRealModel(t *testing.T) {
	cache := engine(t)
	if _, err := cache.FindModel(context.Background(), "smollm2-135m"); err != nil {
		t.Skip("needs the model smollm2-135m (make setup): ", err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", "llama:smollm2-135m", "-d", "demo", "-n", "1", "--battery", "families",
		"--answer", "text+letters", "--max-tokens", "64", "-o", dir}
	if status, out, errs := percuss(t, args...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	var r struct {
		Findings struct {
			Cells []struct {
				Items   int
				Metrics []struct {
					ID    string
					Value *float64
				}
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings.Cells) != 1 || r.Findings.Cells[0].Items != 1 {
		t.Fatalf("cells %+v", r.Findings.Cells)
	}
	for _, m := range r.Findings.Cells[0].Metrics {
		if m.ID == "acc" && m.Value == nil {
			t.Error("with letters every item has an answer, but the accuracy is missing")
		}
	}
	if status, out, errs := percuss(t, args...); status != 0 {
		t.Errorf("going on with a finished run: status %d\n%s\n%s", status, out, errs)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "report", "report.json")); err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the report changed: %v", err)
	}
}

// On float weights an interrupted run ends in the report of one that was left alone. The tiny model is random, so its
// letters carry the audit.
func TestInterruptedFloatRunEndsTheSame(t *testing.T) {
	engine(t)
	dir := t.TempDir()
	gguf := filepath.Join(dir, "tiny.gguf")
	if err := tinygguf.Write(gguf, 1); err != nil {
		t.Fatal(err)
	}
	args := func(folder string, n string) []string {
		return []string{"chain", "-m", "llama:" + gguf, "-d", "demo", "-n", n, "--battery", "families",
			"--answer", "letters", "--max-tokens", "16", "-o", filepath.Join(dir, folder)}
	}
	if status, out, errs := percuss(t, args("whole", "3")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	for _, n := range []string{"1", "2", "3"} {
		if status, out, errs := percuss(t, args("parts", n)...); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errs)
		}
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole", "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadFile(filepath.Join(dir, "parts", "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, parts) {
		t.Error("the reports differ")
	}
}
