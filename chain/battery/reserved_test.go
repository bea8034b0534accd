package battery_test

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// A user's operator cannot have the id of one of the audit's own trials: the records could not tell them apart.
func TestTrialsOfTheAuditAreReserved(t *testing.T) {
	ids := []string{chain.BaseTrial, chain.DirectTrial, string(chain.Sham), string(chain.ShamChain), string(chain.FormatMarkers),
		string(chain.FormatSpace), string(chain.Shuffle)}
	for _, id := range ids {
		text := "operators:\n  - {family: X, title: t, does: d, block: M, intent: D, locus: Sur, source: s, version: X/1, edit: regexp, find: a, to: b," +
			" variants: [{id: " + id + ", variant: a}]}\n"
		if _, err := battery.Load(strings.NewReader(text), "own.yaml", "X"); err == nil || !strings.Contains(err.Error(), "reserved") {
			t.Errorf("id %q: %v", id, err)
		}
	}
}
