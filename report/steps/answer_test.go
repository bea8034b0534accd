package steps

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/step"
)

// est is an estimate with an interval at the usual level.
func est(v, lo, hi float64) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi), Level: 0.95, N: 200}
}

// judged are findings with one judge.
func judged(quality map[string]step.Quality) step.Findings {
	return step.Findings{Settings: step.Settings{K: 8, Views: []string{"markers", "raw"}, Judges: []string{"X"}, Quality: quality}}
}

func TestComparisonInWords(t *testing.T) {
	absent := percuss.Absent("the two models have no item in common")
	for _, c := range []struct {
		name  string
		pair  step.Pair
		known bool
		want  []string
	}{
		{"told", step.Pair{Before: "a", After: "b", Judge: "X", View: "markers", Items: 200, Accuracy: est(0.123, 0.05, 0.19), Errors: est(0.081, 0.02, 0.14), Corrected: percuss.Absent("unknown"), Verdict: step.UpDown}, false,
			[]string{"Answers up, trace down: accuracy of one chain +12.3 points (95 % interval +5.0 to +19.0), error rate of steps +8.1 points (95 % interval +2.0 to +14.0), 200 items, judge X.", "The rates are what the judge says; its quality is not known."}},
		{"corrected", step.Pair{Before: "a", After: "b", Judge: "X", View: "markers", Items: 200, Accuracy: est(0.1, 0.05, 0.2), Errors: est(-0.08, -0.14, -0.02), Corrected: est(-0.1, -0.2, -0.01), Verdict: step.UpUp}, true,
			[]string{"Answers up, trace up:", "error rate of steps −8.0 points (95 % interval −14.0 to −2.0)", "Corrected for what is known of the judge: error rate −10.0 points (95 % interval −20.0 to −1.0)."}},
		{"open", step.Pair{Before: "a", After: "b", Judge: "X", View: "markers", Items: 1, Accuracy: est(0, -0.1, 0.1), Errors: absent, Verdict: step.Untold, Why: absent.Why}, true,
			[]string{"Cannot be told: accuracy of one chain 0.0 points (95 % interval −10.0 to +10.0), error rate of steps is not known (the two models have no item in common), 1 item, judge X.", "Why not: the two models have no item in common."}},
		{"no judge", step.Pair{Before: "a", After: "b", Items: 2, Accuracy: est(0.1, 0, 0.2), Errors: percuss.Absent("no step was judged"), Verdict: step.Untold, Why: "no step was judged"}, true, []string{"2 items. Why not: no step was judged."}},
	} {
		f := judged(nil)
		if c.known {
			f.Settings.Quality = map[string]step.Quality{"X": {Sensitivity: 0.9, Specificity: 0.9}}
		}
		f.Pairs = []step.Pair{c.pair}
		all := comparisons(f)
		if len(all) != 1 || all[0].Title != "a → b" {
			t.Fatalf("%s: comparisons %+v", c.name, all)
		}
		for _, want := range c.want {
			if got := all[0].sentences(f)[0].Text; !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", c.name, got, want)
			}
		}
	}
}

// Other views are told judge by judge, with what they make of the verdict.
func TestOtherViewsInWords(t *testing.T) {
	f := judged(nil)
	for view, verdict := range map[string]step.Direction{"markers": step.UpDown, "sentence": step.UpDown, "raw": step.Untold} {
		f.Pairs = append(f.Pairs, step.Pair{Before: "a", After: "b", Judge: "X", View: view, Errors: est(0.05, 0.01, 0.1), Verdict: verdict})
	}
	got := comparisons(f)[0].otherwise()
	if !strings.Contains(got, "By judge X the verdict is the same under sentence (+5.0); it is another under raw (+5.0: cannot be told).") {
		t.Error(got)
	}
	f.Pairs = f.Pairs[:0]
	f.Pairs = append(f.Pairs, step.Pair{Before: "a", After: "b", Judge: "X", View: "markers"})
	if got := comparisons(f)[0].otherwise(); got != "" {
		t.Errorf("one view says %q", got)
	}
}

func TestHowFarAJudgeIsTrusted(t *testing.T) {
	for _, c := range []struct {
		q    *step.Quality
		want string
	}{
		{nil, "A judge of unknown quality: raw rates are what a judge says, not how often steps are wrong."},
		{&step.Quality{Sensitivity: 0.9, Specificity: 0.95, From: "given"}, "It finds 90 % of the errors and passes 95 % of the correct steps (given; known exactly). Of steps that are all correct it would call 5 % an error"},
		{&step.Quality{Sensitivity: 0.6, Specificity: 0.6, Positives: 20, Negatives: 1, From: "labels"}, "measured on 20 erroneous steps and 1 correct step). That is little better than a coin"},
		{&step.Quality{Sensitivity: 0.4, Specificity: 0.6}, "That is no better than a coin: nothing it says of errors can be used."},
	} {
		f := judged(nil)
		if c.q != nil {
			f.Settings.Quality = map[string]step.Quality{"X": *c.q}
		}
		if got := trust(f); len(got) != 1 || !strings.Contains(got[0].Text, c.want) {
			t.Errorf("%+v, want %q", got, c.want)
		}
	}
}

// What a simulated judge says of chains that no simulated model wrote is made up, and told before any figure.
func TestSimulatedJudgesOfRealChains(t *testing.T) {
	f := judged(nil)
	f.Settings.Judges = []string{"X", "Y"}
	f.Cells = []step.Cell{{Model: "a"}, {Model: "sim"}, {Model: "b"}, {Model: "b", Set: "other"}}
	if got := alerts(Report{Findings: f}); len(got) != 0 {
		t.Errorf("nothing is simulated: %q", got)
	}
	f.Settings.Simulated = []string{"X", "sim"}
	if got := alerts(Report{Findings: f}); len(got) != 1 || !strings.Contains(got[0], "Judge X is simulated") || !strings.Contains(got[0], "What it says of a and b is drawn at random") {
		t.Errorf("one judge is simulated, two models are not: %q", got)
	}
	f.Settings.Simulated = []string{"X", "Y", "sim", "a", "b"}
	if got := alerts(Report{Findings: f}); len(got) != 0 {
		t.Errorf("all models are simulated: %q", got)
	}
}

// Several judges of which nothing is known are told of together.
func TestTrustOfSeveralJudges(t *testing.T) {
	f := judged(map[string]step.Quality{"Y": {Sensitivity: 0.9, Specificity: 0.9}})
	f.Settings.Judges = []string{"X", "Y", "Z"}
	got := trust(f)
	if len(got) != 2 || got[0].Question != "How far can judge Y be trusted?" || got[1].Question != "How far can judges X and Z be trusted?" || !strings.HasPrefix(got[1].Text, "Judges of unknown quality:") {
		t.Errorf("%+v", got)
	}
}

// Of many comparisons a page folds all, and names in figures tell them apart.
func TestManyComparisons(t *testing.T) {
	f := judged(nil)
	for _, m := range []struct {
		model string
		role  step.Role
	}{{"a", step.Before}, {"b", step.Before}, {"x", step.After}, {"y", step.After}, {"t", step.Teacher}} {
		for _, set := range []string{"one", "two"} {
			f.Cells = append(f.Cells, step.Cell{Model: m.model, Role: m.role, Set: set, Items: 50, Chains: 400, Traces: []step.Trace{{Judge: "X", View: "markers", Steps: 9, Errors: est(0.1, 0.05, 0.2)}}})
		}
	}
	for _, p := range [][2]string{{"a", "x"}, {"b", "y"}} {
		for _, set := range []string{"one", "two"} {
			f.Pairs = append(f.Pairs, step.Pair{Before: p[0], After: p[1], Set: set, Judge: "X", View: "markers", Items: 50, Accuracy: est(0.1, 0.05, 0.2), Errors: est(0.1, 0.05, 0.2), Verdict: step.UpDown})
		}
	}
	page, _ := written(t, Report{Audit: "steps", Findings: f}, nil, 0)
	if n := strings.Count(page, "<details><summary>"); n < 14 || !strings.Contains(page, "<summary>a → x, one: Answers up, trace down") {
		t.Errorf("%d folds", n)
	}
	var short, full bytes.Buffer
	if err := errors.Join(WriteText(&short, Report{Audit: "steps", Findings: f}, false), WriteText(&full, Report{Audit: "steps", Findings: f}, true)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(short.String(), "… and 2 more rows") || strings.Contains(full.String(), "more row") || strings.Contains(short.String(), "What else changed?") {
		t.Errorf("the short text is\n%s", short.String())
	}
	all, err := Figures(f)
	if err != nil || all[0].Data.Rows[3].Cells[1].Text != "to y, two" {
		t.Fatal(err, all)
	}
	var order []string
	for _, r := range all[1].Data.Rows {
		order = append(order, r.Cells[1].Text)
	}
	if got := strings.Join(order, "; "); got != "a (before), one; x (after), one; a (before), two; x (after), two; b (before), one; y (after), one; b (before), two; y (after), two; t (teacher), one; t (teacher), two" {
		t.Error(got)
	}
	if n := strings.Count(string(all[1].Inner()), `class="join"`); n != 4 {
		t.Errorf("%d comparisons are joined", n)
	}
	f.Pairs[2].After, f.Pairs[3].After = "x", "x"
	if got := comparisons(f)[3].named(f); got != "from b to x, two" {
		t.Error(got)
	}
	f.Pairs[3].Name = "second"
	if got := comparisons(f)[3].named(f); got != "second, two" {
		t.Error(got)
	}
}

func TestCalibrationInWords(t *testing.T) {
	for _, c := range []struct {
		ece, over percuss.Estimate
		want      []string
	}{
		{est(0.05, 0.02, 0.1), est(0.01, -0.02, 0.04), []string{"ECE 0.050", "perfect calibration would show 0.060 (0.020 to 0.110): this one is no sign of a fault."}},
		{est(0.3, 0.2, 0.4), est(0.25, 0.2, 0.3), []string{"this one is larger than that.", "above the accuracy by 25.0 points on average: overconfident."}},
		{est(0.3, 0.2, 0.4), est(-0.25, -0.3, -0.2), []string{"below the accuracy by 25.0 points on average: underconfident."}},
	} {
		got := sureWords(judged(nil), step.Cell{ECE: c.ece, Calibration: stat.Calibration{Floor: est(0.06, 0.02, 0.11), Overconfidence: c.over}})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
		if c.over.Lo.Or(0) < 0 && c.over.Hi.Or(0) > 0 && strings.Contains(got, "confident") {
			t.Errorf("an interval that holds zero is a finding: %q", got)
		}
	}
	if got := sureWords(judged(nil), step.Cell{ECE: percuss.Absent("no votes")}); got != "" {
		t.Error(got)
	}
	single := judged(nil)
	single.Settings.K = 1
	if got := sureWords(single, step.Cell{ECE: est(0.9, 0.8, 1)}); !strings.HasPrefix(got, "Not known: with one chain an item") {
		t.Errorf("of one chain: %q", got)
	}
	c := compared{rows: []step.Pair{{Majority: est(0.1, 0, 0.2), ECE: est(0.1, 0, 0.2), Hedged: est(0.1, 0, 0.2)}}}
	if got := c.beside(single); strings.Contains(got, "vote") || strings.Contains(got, "ECE") || !strings.Contains(got, "hedge") {
		t.Errorf("of one chain: %q", got)
	}
}

func TestCautions(t *testing.T) {
	f := judged(nil)
	trace := step.Trace{Judge: "X", View: "markers", Steps: 100}
	clean := step.Cell{Model: "m", Items: 40, Chains: 320, Traces: []step.Trace{trace}}
	if got := cautions(f, clean); len(got) != 0 {
		t.Errorf("a sound cell has %q", got)
	}
	for want, change := range map[string]func(*step.Cell){
		"29 items: a small sample":                               func(c *step.Cell) { c.Items, c.Chains = 29, 232 },
		"80 of 320 chains have no answer that could be read":     func(c *step.Cell) { c.Chains = 240 },
		"3 items without any vote":                               func(c *step.Cell) { c.Unvoted = 3 },
		"2 items with fewer chains than others":                  func(c *step.Cell) { c.Short = 2 },
		"gave no verdict in the form that was asked for on 6 of": func(c *step.Cell) { c.Traces = []step.Trace{trace}; c.Traces[0].Missing = 6 },
		"finds no claim to check in 51 of 100 steps":             func(c *step.Cell) { c.Traces = []step.Trace{trace}; c.Traces[0].Abstained = 51 },
	} {
		c := clean
		change(&c)
		if got := cautions(f, c); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("want %q: %q", want, got)
		}
	}
	few := clean
	few.Traces = []step.Trace{trace}
	few.Traces[0].Errors.N = 19
	few.Traces[0].Errors.Value = percuss.Num(0.2)
	if got := cautions(f, few); len(got) != 1 || !strings.Contains(got[0], "rests on 19 of 40 items") {
		t.Errorf("of few judged items: %q", got)
	}
	f.Cells = []step.Cell{clean}
	f.Cells[0].Chains = 159
	if got := alerts(Report{Findings: f}); len(got) != 1 || !strings.Contains(got[0], "of 320 chains, 159 have an answer that could be read") {
		t.Errorf("alerts %q", got)
	}
}

// A rate that could not be corrected says what it is; one that could has both.
func TestErrorRateInWords(t *testing.T) {
	trace := step.Trace{Judge: "X", View: "markers", Errors: percuss.Estimate{Value: percuss.Num(0.2), Lo: percuss.Num(0.1), Hi: percuss.Num(0.3), Num: percuss.Num(20), Den: percuss.Num(100), Level: 0.95, N: 30},
		Corrected: percuss.Absent("unknown"), Chains: est(0.5, 0.4, 0.6), First: est(0.25, 0.1, 0.4), Kinds: []step.Count{{Name: "factual", N: 15}, {Name: "error", N: 5}}}
	got := traceWords(judged(nil), trace)
	for _, want := range []string{"calls 20 of 100 steps with a claim an error (20 %; 95 % interval 10 to 30 %, n = 30 items).", "is not known: the rate is what it says, not how often steps are wrong.",
		"50 % of the judged chains have an error, the first one at 25 % of the way.", "Kinds: factual 15, kind not named 5."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	trace.Corrected = est(0.17, 0.05, 0.3)
	if got := traceWords(judged(map[string]step.Quality{"X": {}}), trace); !strings.Contains(got, "Corrected for what is known of the judge, 17 % are wrong (95 % interval 5 to 30 %") || strings.Contains(got, "is not known") {
		t.Error(got)
	}
	trace.Errors = percuss.Absent("no step was called correct or an error")
	if got := traceWords(judged(nil), trace); got != "Judge X: not known, no step was called correct or an error." {
		t.Error(got)
	}
}
