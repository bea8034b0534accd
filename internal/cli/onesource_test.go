package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// The recorded answers of a model beside the model itself as a judge: the export has no verdicts, and a request does not say
// from which of the two its answer is to come.
func TestRecordedBesideTheSameModel(t *testing.T) {
	dir := t.TempDir()
	first, file := filepath.Join(dir, "first"), filepath.Join(dir, "answers.jsonl")
	must(t, "steps", "-m", "sim:stepwise", "-d", "demo", "-n", "2", "-k", "2", "-o", first)
	must(t, "store", "export", first, "-o", file)
	frozen := []string{"steps", "-m", "recorded:" + file, "-d", "demo", "-n", "2", "-k", "2"}
	status, _, errs := command(t, append(frozen, "--judge", "sim:stepwise", "-o", filepath.Join(dir, "same"))...)
	if status != exitUsage || !strings.Contains(errs, "are the same model") || !strings.Contains(errs, "give both as sim:stepwise, or another model as judge") {
		t.Errorf("status %d: %s", status, errs)
	}
	must(t, append(frozen, "--judge", "sim:step-judge", "-o", filepath.Join(dir, "other"))...)
}
