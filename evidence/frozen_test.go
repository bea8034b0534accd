package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/percuss/percuss"
)

// A run that was begun must find its answers again. Whoever changes what is asked raises Version, or changes the name of
// the wordings; then this test holds the new requests.
func TestFrozenRequests(t *testing.T) {
	narrative := percuss.Case{ID: "n", Set: "set", Narrative: true, Candidates: []string{"d0", "d1", "d2"}, Gold: "d0"}
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		narrative.Units = append(narrative.Units, percuss.Unit{ID: id, Text: "Sentence " + id + "."})
	}
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") + has(text, "Sentence 1.") })
	for name, c := range map[string]struct {
		of     percuss.Case
		change func(*Options)
		want   string
	}{
		"patient":   {patient(), everyCheck, "de3ea984b4379406"},
		"ten":       {ten(), func(o *Options) { everyCheck(o); o.Debias = Prior }, "9e360e106c746727"},
		"narrative": {narrative, func(o *Options) { everyCheck(o); o.Debias = Cyclic }, "b923ea1b5a489c20"},
		"drawn": {patient(), func(o *Options) {
			everyCheck(o)
			o.Samples, o.Can["m"] = 2, percuss.Capabilities{Text: true, Seeded: true}
		}, "a1b8e4a64bb7dbec"},
	} {
		trials, _ := asked(t, audit(c.change), subject(c.of), func(q percuss.Request) percuss.Answer {
			if q.Want.Letters == nil {
				return says(q, "d0")
			}
			return mind.answer(q, nil)
		}, nil)
		h := sha256.New()
		for _, trial := range trials {
			h.Write([]byte(trial.ID + "\n"))
			if trial.Request != nil {
				h.Write([]byte(trial.Request.Key()))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != c.want {
			t.Errorf("%s: %d trials hash to %s, not %s", name, len(trials), got, c.want)
		}
	}
}
