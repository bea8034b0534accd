package battery

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// The edits of one stem and one chain are frozen: whoever changes one must change the operator's version, or an older
// run would be read with edits that it never made.
func TestFrozenEdits(t *testing.T) {
	const stem = "A 45-year-old man presents with severe pain and reports mild fever for the past 3 days. He has a history of gout. " +
		"Pulse is 80/min. Two weeks ago he was well. Which of the following is best? Choose one."
	const chain = "Step 1: First, we compute 2.5 and 3 because fever and chills count.\nStep 2: The sum is 7, thus salt and pepper.\n" +
		"Step 3: We conclude.\nStep 4: Therefore it equals 9."
	h := sha256.New()
	for _, o := range mustParse(t, "paper").Operators {
		text := chain
		if o.Block == M {
			text = stem
		}
		for _, item := range []string{"medqa/1", "medqa/2", "medqa/3"} {
			e := o.Apply(text, 7, item)
			if !e.Fired {
				t.Errorf("%s did not fire: %s", o.ID, e.Why)
			}
			h.Write([]byte(o.ID + "\x00" + o.Version + "\x00" + e.Text + "\x00"))
		}
	}
	const want = "4dc9cf65e4afbe71dd012bf6e9a7227778ff5b73dc851a3c1707047f20fd926c"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the frozen edits have changed: %s; if that is meant, change the version of the operator in paper.yaml and this hash", got)
	}
}
