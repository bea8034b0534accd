package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/run"
)

// TestSettings: what a report or a check is told stands in its findings and changes no record.
func TestSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "3", "--battery", "families", "-o", dir)
	about := filepath.Join(dir, run.DerivedFolder, "records.json")
	before := read(t, about)
	told := []string{"--modes", "words=100000,ecr=0.8", "--margin", "0.3", "--chs", "2,0,1", "--mfc", "1,1,1"}
	must(t, append([]string{"report", dir, "--format", "json"}, told...)...)
	var r struct{ Findings chain.Findings }
	if err := json.Unmarshal(read(t, filepath.Join(dir, run.ReportFolder, "report.json")), &r); err != nil {
		t.Fatal(err)
	}
	want := chain.Settings{CHS: [3]float64{2, 0, 1}, MFC: [3]float64{1, 1, 1}, Modes: chain.DefaultSettings().Modes, Margin: 0.3}
	want.Modes.Words, want.Modes.ECR = 100000, 0.8
	if r.Findings.Settings != want || r.Findings.Modes[0].Mode != "chain compression" {
		t.Errorf("%+v, want %+v; mode %q", r.Findings.Settings, want, r.Findings.Modes[0].Mode)
	}
	if !bytes.Equal(read(t, about), before) {
		t.Error("the records were made again")
	}
	_, usual, _ := command(t, "check", dir)
	_, wide, _ := command(t, append([]string{"check", dir}, told...)...)
	if !strings.Contains(usual, "within 0.05") || strings.Contains(wide, "within 0.05") || !strings.Contains(wide, "within 0.3") {
		t.Errorf("claims:\n%s\nwith another margin:\n%s", usual, wide)
	}
	if _, full, _ := command(t, append([]string{"report", dir, "--full", "--format", "json"}, told...)...); !strings.Contains(full, "This report was told other settings than the defaults") {
		t.Error("the report does not say that its settings are others")
	}
}

func TestSettingsAreChecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "evidence", "-m", "sim:additive", "-d", "demo", "-n", "2", "--order", "2", "-o", dir)
	for _, c := range []struct{ flag, value, says string }{
		{"--modes", "length=3", "words, verbose, ecr, inert, coupled"},
		{"--modes", "inert", "NAME=NUMBER"},
		{"--modes", "inert=high", "is no number"},
		{"--modes", "inert=1.5", "at most 1"},
		{"--modes", "words=0", "above 0"},
		{"--modes", "", "NAME=NUMBER"},
		{"--margin", "0", "above 0"},
		{"--margin", "1", "below 1"},
		{"--margin", "NaN", "is no number"},
		{"--chs", "1,0.3", "three weights"},
		{"--chs", "1,-0.3,0", "below 0"},
		{"--chs", "0,0,0", "at least one"},
		{"--mfc", "1,Inf,0", "is no number"},
		{"--mfc", "1,1,1", "chain audits"}, // of an evidence audit
	} {
		for _, verb := range []string{"report", "check"} {
			if status, _, errs := command(t, verb, dir, c.flag, c.value); status != exitUsage || !strings.Contains(errs, c.says) {
				t.Errorf("%s %s %q: exit status %d\n%s", verb, c.flag, c.value, status, errs)
			}
		}
	}
}

// TestSettingsAreReadAsWritten: what a flag prints, it reads.
func TestSettingsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share, words := rapid.Float64Range(0.001, 1), rapid.Float64Range(1, 1e4)
		a := thresholdFlag{words.Draw(t, "words"), words.Draw(t, "verbose"), share.Draw(t, "ecr"), share.Draw(t, "inert"), share.Draw(t, "coupled")}
		var b thresholdFlag
		if err := b.Set(a.String()); err != nil || a != b {
			t.Fatalf("%q: %+v (%v), want %+v", a.String(), b, err, a)
		}
		w := weightFlag{share.Draw(t, "a"), share.Draw(t, "b"), share.Draw(t, "c")}
		var x weightFlag
		if err := x.Set(w.String()); err != nil || w != x {
			t.Fatalf("%q: %v (%v)", w.String(), x, err)
		}
		var other thresholdFlag
		if err := other.Set(rapid.String().Draw(t, "any")); err == nil && other == (thresholdFlag{}) {
			t.Fatal("nothing was set and nothing said")
		}
	})
}
