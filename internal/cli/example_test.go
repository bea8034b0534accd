package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/stat/lattice"
)

// The numbers of the worked example in docs/evidence.md are those that the command gives.
func TestWorkedExample(t *testing.T) {
	raw, err := os.ReadFile("../../docs/evidence.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	says := func(format string, args ...any) {
		t.Helper()
		line := strings.ReplaceAll(fmt.Sprintf(format, args...), "-", "−")
		if !strings.Contains(strings.ReplaceAll(page, "-", "−"), line) {
			t.Errorf("docs/evidence.md does not say %q", line)
		}
	}

	r := exampleOf(t, "sim:and")
	for i, u := range r.Units {
		says("| %s |", u.Text)
		if !strings.Contains(page, "| "+string(u.Role)+" |") {
			t.Errorf("unit %d: role %s is not told", i, u.Role)
		}
	}
	calf, blood := unitOf(t, r, "calf"), unitOf(t, r, "blood")
	values := make([]float64, 1<<len(r.Units))
	values[0] = r.Base.Empty.Or(math.NaN())
	strong := 0
	for _, x := range r.Base.Interactions {
		values[x.Set] = x.Value
		if math.Abs(x.Value) > 1e-9 {
			strong++
			if x.Set != calf|blood || x.Label != "faithful target evidence" {
				t.Errorf("set %b: %s", x.Set, x.Label)
			}
		}
	}
	if strong != 1 {
		t.Errorf("%d interactions that are not 0, the page says one", strong)
	}
	pair := values[calf|blood]
	if err := lattice.Zeta(values); err != nil { // from interactions to margins
		t.Fatal(err)
	}
	says("| neither | %.2f |", values[0])
	says("| the swollen calf | %.2f |", values[calf])
	says("| the blood | %.2f |", values[blood])
	says("| both | %.2f |", values[calf|blood])
	says("=\n%.2f. Every other", pair)

	r = exampleOf(t, "sim:shortcut")
	total, suspicious := 0.0, 0.0
	for _, x := range r.Base.Interactions {
		if math.Abs(x.Value) < evidence.Salient {
			continue
		}
		for i, u := range r.Units {
			if x.Set == 1<<i {
				says("| %s | %.2f | %s |", u.Text, x.Value, x.Label)
			}
		}
		if x.Set.Size() != 1 {
			t.Errorf("set %b is salient, the page knows single findings only", x.Set)
		}
		total += math.Abs(x.Value)
		if x.Suspicious {
			suspicious += math.Abs(x.Value)
		}
	}
	says("%.0f %% is *suspicious*", 100*suspicious/total)
	for _, rule := range evidence.DefaultLabels().Rules {
		says("| %s |", rule.Label)
	}
}

// exampleOf is the first demo case under a reasoner.
func exampleOf(t *testing.T, model string) evidence.Record {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "evidence", "-m", model, "-d", "demo", "-n", "6", "--order", "all", "--stability", "0", "--neutralize", "0",
		"--selectors", "0", "--counterfactuals", "0", "--floor", "0", "-o", dir); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	status, out, errs := command(t, "show", dir, "demo-case-01", "--json")
	var r evidence.Record
	if status != exitDone || json.Unmarshal([]byte(out), &r) != nil {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	return r
}

func unitOf(t *testing.T, r evidence.Record, id string) lattice.Set {
	t.Helper()
	for i, u := range r.Units {
		if u.ID == id {
			return 1 << i
		}
	}
	t.Fatalf("%s is not audited", id)
	return 0
}
