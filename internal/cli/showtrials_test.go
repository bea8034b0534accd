package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestShowOfCompanions: controls, judges and another item's chain are shown with the edits, and --key prints the keys of
// their requests too.
func TestShowOfCompanions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "3", "--battery", "M5+F-donor", "--judge", "sim:judge", "--answer", "text+letters", "-o", dir)
	status, out, errs := command(t, "show", dir, "3", "--key")
	if status != exitDone {
		t.Fatal(status, errs)
	}
	for _, want := range []string{"controls, which effects are held against:", "sham-chain (the model's own chain given back unedited): ", "The gold option stood under ",
		"The chain is another item's, whose question begins: ", "\nsham  ", "\nshuffle  ", "\nF-donor-a/donor  ", "\nF-donor-a  ",
		"judge judge: updated", "\nM5-a/judge:judge  ", "margin of the baseline's answer, nats: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
}
