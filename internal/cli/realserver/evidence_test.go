package realserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/model/modeltest/dequant"
	"github.com/percuss/percuss/model/modeltest/llamaserver"
)

// The evidence audit of the same weights here and behind llama.cpp's own server gives every interaction the same label,
// where its distance to both thresholds of a label (salience, and the sign) exceeds the noise: what repetitions of the
// server's own prompts differ by, or the two ways of computing a margin. Float weights, where that is little.
func TestEvidenceThroughTheServer(t *testing.T) {
	gguf := dequant.SmolLM2(t)
	base := llamaserver.Start(t, gguf, llamaserver.Options{})
	dir := t.TempDir()
	here := audited(t, filepath.Join(dir, "here"), "llama:"+gguf)
	there := audited(t, filepath.Join(dir, "there"), fmt.Sprintf("openai:%s@%s/v1", nameOf(t, base, gguf), base))
	if len(here) != 2 || len(there) != 2 {
		t.Fatalf("%d and %d cases", len(here), len(there))
	}
	floor := floors(here, there)
	compared, near := 0, 0
	for i, r := range here {
		other := map[string]evidence.Interaction{}
		for _, x := range there[i].Base.Interactions {
			other[fmt.Sprint(x.Set)] = x
		}
		if len(r.Base.Interactions) == 0 || len(r.Base.Interactions) != len(other) {
			t.Fatalf("case %s: %d interactions here (%s), %d there", r.Subject.Item, len(r.Base.Interactions), r.Base.State, len(other))
		}
		for _, x := range r.Base.Interactions {
			y, k := other[fmt.Sprint(x.Set)], x.Set.Size()
			if distance(x.Value) <= floor[k] || distance(y.Value) <= floor[k] {
				near++
				continue
			}
			compared++
			if x.Label != y.Label || (math.Abs(x.Value) >= evidence.Salient) != (math.Abs(y.Value) >= evidence.Salient) {
				t.Errorf("case %s, set %b: %.3f %s here, %.3f %s there; the floor of order %d is %.3f", r.Subject.Item, x.Set, x.Value, x.Label, y.Value, y.Label, k, floor[k])
			}
		}
	}
	t.Logf("%d interactions compared, %d within the floor of a threshold; floors by order %.4v", compared, near, floor)
	if compared < 4*near {
		t.Errorf("only %d interactions could be compared, %d were too near a threshold", compared, near)
	}
}

// distance is how far a value is from changing its label.
func distance(v float64) float64 {
	return min(math.Abs(v), math.Abs(math.Abs(v)-evidence.Salient))
}

// floors are the noise of an interaction by order: what the repetitions in both runs, and the margins on the full and
// on the empty evidence here and there, say of one margin; an interaction of order k sums 2^k of them.
func floors(here, there []evidence.Record) map[int]float64 {
	sum, n := 0.0, 0
	for i, r := range here {
		for _, d := range [][2]evidence.Measured{{r.Base, there[i].Base}} {
			for _, m := range [][2]float64{{d[0].Margin.Or(0), d[1].Margin.Or(0)}, {d[0].Empty.Or(0), d[1].Empty.Or(0)}} {
				sum += (m[0] - m[1]) * (m[0] - m[1]) / 2
				n++
			}
		}
	}
	sd := math.Sqrt(sum / float64(n))
	out := map[int]float64{}
	for k := 0; k <= 3; k++ {
		out[k] = 1.96 * sd * math.Sqrt(2*float64(int(1)<<k))
	}
	for _, records := range [][]evidence.Record{here, there} {
		for _, r := range records {
			for _, noise := range r.Noise {
				if noise.Source == "batch" && noise.DoF > 0 {
					out[noise.Order] = max(out[noise.Order], 1.96*math.Sqrt(noise.Sum/float64(noise.DoF)))
				}
			}
		}
	}
	return out
}

// audited runs an audit of two demo cases and returns its records.
func audited(t *testing.T, dir, model string) []evidence.Record {
	t.Helper()
	if status, out, errs := percussed(t, "evidence", "-m", model, "-d", "demo", "-n", "2", "--stability", "0", "--neutralize", "0", "--selectors", "0",
		"--counterfactuals", "0", "--floor", "1", "-o", dir); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	_, out, _ := percussed(t, "show", dir, "--json")
	var records []evidence.Record
	for d := json.NewDecoder(bytes.NewReader([]byte(out))); d.More(); {
		var r evidence.Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}
