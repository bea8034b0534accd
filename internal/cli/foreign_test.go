package cli

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/datasettest"
)

// given is what a report says of a model that is a foreign log.
type given struct {
	Models []struct {
		Items   int
		Metrics []struct {
			ID    string         `json:"id"`
			Value percuss.Number `json:"value"`
		}
		Operators []struct {
			ID     string
			Fired  int
			Parsed int
			Rate   struct{ Value percuss.Number }
		}
	}
	Modes []struct {
		Figures []struct {
			ID    string
			Value percuss.Number
		}
	}
}

// auditLog audits the chains of a log on its own questions.
func auditLog(t *testing.T, file, choice, set string) (given, []byte) {
	t.Helper()
	model, data := "recorded:"+file+choice, "log:"+file
	if set != "" {
		data += "?set=" + set
	}
	dir := filepath.Join(t.TempDir(), "run")
	if status, out, errs := command(t, "chain", "-m", model, "-d", data, "-o", dir); status != exitDone {
		t.Fatalf("%s: status %d\n%s\n%s", model, status, out, errs)
	}
	raw := findings(t, dir)
	var g given
	if err := json.Unmarshal(raw, &g); err != nil || len(g.Models) != 1 || len(g.Modes) != 1 {
		t.Fatalf("%s: %v", model, err)
	}
	return g, raw
}

// The chains of strong models, as others published them, go through the edits of the chain: what fires and how long they
// are needs no call. What would need one has no figure.
func TestPublishedChains(t *testing.T) {
	const steps = "Let's think step by step"
	for _, c := range []struct {
		file, choice, set string
		items             int
		words, fires      [2]float64 // mean words of a chain, and share on which F1-50 fires: least and most
		block             bool
	}{
		{"medagents_benchmark/DeepSeek-R1-medqa-test_hard-zero_shot.json", "", "", 100, [2]float64{700, 1300}, [2]float64{0.95, 1}, true},
		{"medagents_benchmark/QwQ-32B-medqa-test_hard-zero_shot.json", "", "", 100, [2]float64{500, 700}, [2]float64{0.8, 1}, true},
		{"medagents_benchmark/gpt-4o-medqa-test_hard-cot.json", "", "", 100, [2]float64{200, 400}, [2]float64{0.95, 1}, false},
		{"lievin_gpt3/usmle_validation_100q_x30prompts.jsonl", "?trigger=" + url.QueryEscape(steps), "", 99, [2]float64{80, 120}, [2]float64{0.4, 0.7}, false},
		{"thoughtsource/gpt-3.5-turbo_and_gpt-4.zhou-01.med_qa+medmc_qa+strategy_qa.json", "?model=gpt-4", "medqa", 100, [2]float64{80, 300}, [2]float64{0.5, 1}, false},
	} {
		t.Run(filepath.Base(c.file), func(t *testing.T) {
			g, _ := auditLog(t, datasettest.File(t, "cot_outputs", c.file), c.choice, c.set)
			m := g.Models[0]
			if m.Items != c.items {
				t.Errorf("%d items, want %d", m.Items, c.items)
			}
			within := func(what string, n percuss.Number, bounds [2]float64) {
				if v, ok := n.Get(); !ok || v < bounds[0] || v > bounds[1] {
					t.Errorf("%s: %s, want %v", what, n.Format(3), bounds)
				}
			}
			for _, f := range g.Modes[0].Figures {
				switch f.ID {
				case "words":
					within("words of a chain", f.Value, c.words)
				case "block":
					within("share of chains with a reasoning block", f.Value, map[bool][2]float64{true: {0.9, 1}, false: {0, 0}}[c.block])
				case "ecr", "cdr":
					if f.Value.OK() {
						t.Errorf("%s is %s without a call", f.ID, f.Value.Format(3))
					}
				}
			}
			for _, o := range m.Operators {
				if o.ID == "F1-50" {
					within("F1-50 fires", o.Rate.Value, c.fires)
				}
				if o.Parsed != 0 {
					t.Errorf("%s: %d answers to an edit, from a log", o.ID, o.Parsed)
				}
			}
			for _, metric := range m.Metrics {
				if slices.Contains([]string{"fcs", "afr_d", "mfc", "chs"}, metric.ID) && metric.Value.OK() {
					t.Errorf("%s is %s without a call", metric.ID, metric.Value.Format(3))
				}
			}
		})
	}
}

// A log of one's own is audited against a set that it was made from; what it lacks is told and counted.
func TestLogAgainstAnotherSet(t *testing.T) {
	file := datasettest.Write(t, "mine.jsonl", `{"question":"A 54-year-old man coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"A","completion":"Step 1: He coughs.\nStep 2: It is flu.\nAnswer: A"}
`)
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, "chain", "-m", "recorded:"+file, "-d", "demo", "-n", "4", "-o", dir)
	if status != exitFailure || !strings.Contains(errs, "requests failed") {
		t.Errorf("status %d: %s", status, errs)
	}
	g, raw := auditLog(t, file, "", "")
	if g.Models[0].Items != 1 || len(raw) == 0 {
		t.Errorf("%+v", g.Models)
	}
	for args, say := range map[string]string{
		"recorded:" + file + "?seed=1":    "only model=, trigger=, requests=",
		"recorded:" + file + "?model=m":   `no model "m"`,
		"recorded:" + file + "?trigger=t": `no trigger "t"`,
	} {
		if status, _, errs := command(t, "chain", "-m", args, "-d", "log:"+file, "-o", filepath.Join(t.TempDir(), "run")); status != exitUsage || !strings.Contains(errs, say) {
			t.Errorf("%s: status %d, %q, want %q", args, status, errs, say)
		}
	}
}
