package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCardIsBesideTheReport: the card names the report.json that lies beside it by its hash, and the page leads to the card.
func TestCardIsBesideTheReport(t *testing.T) {
	folder := simulatedRun(t)
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	sum := sha256.Sum256([]byte(read("report.json")))
	if card := read("card.html"); !strings.Contains(card, hex.EncodeToString(sum[:])) || !strings.Contains(card, "inert on 3 items of demo") {
		t.Errorf("the card does not name its report:\n%s", card)
	}
	if !strings.Contains(read("report.html"), `href="card.html"`) {
		t.Error("the page does not lead to the card")
	}
}
