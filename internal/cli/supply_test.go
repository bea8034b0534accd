package cli

import (
	"strings"
	"testing"
)

// The engine's commands, as far as they fetch nothing.
func TestEngineCommands(t *testing.T) {
	t.Setenv("PERCUSS_CACHE", t.TempDir())
	status, out, errs := command(t, "engine", "list")
	if status != exitDone && !strings.Contains(errs, "--lib") { // a platform without a ready-made library
		t.Fatalf("list: status %d, %s", status, errs)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, " ") {
			continue // the rest of the line before, which says what the machine lacks
		}
		if !strings.Contains(line, "absent") || strings.Contains(line, " used") {
			t.Errorf("an empty cache has %s", line)
		}
	}
	status, _, errs = command(t, "engine", "install", "--device", "abacus")
	if status != exitUsage || !strings.Contains(errs, "abacus") {
		t.Errorf("no such device: status %d, %s", status, errs)
	}
}
