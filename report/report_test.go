package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/worddiff"
)

const evil = `<script>alert("x")</script>`

func est(v, lo, hi float64, n int) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi), Level: 0.95,
		Num: percuss.Num(v * float64(n)), Den: percuss.Num(float64(n)), N: n}
}

// small is a report made by hand.
func small() Report {
	g := chain.Group{Name: "=cmd|' /C calc'!A0", Variant: "neutral", Model: "m1", Set: "medqa", Items: 40,
		Metrics: []chain.Metric{
			{ID: "acc", Estimate: est(0.6, 0.45, 0.74, 40)}, {ID: "cdr", Estimate: est(0.25, 0.1, 0.4, 20)},
			{ID: "fcs", Scope: "F", Estimate: est(0.7, 0.6, 0.8, 40)}, {ID: "fcs", Scope: "M", Estimate: est(0.5, 0.4, 0.6, 40)},
			{ID: "afr_d", Scope: "F", Estimate: est(0.6, 0.5, 0.7, 40)}, {ID: "afr_p", Scope: "F", Estimate: est(0.2, 0.1, 0.3, 40)},
			{ID: "mfc", Estimate: percuss.Absent("ECR is below 0.30")}, {ID: "cot_gap", Estimate: est(-12.34, -20, 3, 40)},
		},
		Joint:     []chain.Joint{{Rule: "token", Fired: 22, Parsed: 20, Dropped: 2, A: est(0.3, 0.1, 0.5, 20), B: est(0.35, 0.1, 0.5, 20), C: est(0.25, 0.1, 0.4, 20), D: est(0.1, 0, 0.2, 20), Lowest: percuss.Num(0.23), Highest: percuss.Num(0.32)}},
		Operators: []chain.Firing{{ID: "M5-a", Title: "severity reversal", Intent: battery.Destructive, Locus: battery.Surface, Items: 40, Fired: 22, Parsed: 20, AFR: est(0.45, 0.2, 0.6, 20)}},
		Dropped:   []chain.Count{{Name: "unparseable, ok", N: 2}}, Remarks: []string{"few trials " + evil},
	}
	r := Report{Audit: "chain", Spec: json.RawMessage(`{"seed":7}`), Versions: map[string]string{"percuss": "v0", "a": "b"},
		Models: []Model{{ID: "m1", Identity: evil}}, Data: []Data{{Set: "medqa", Rows: 50, Bad: 1, Drawn: 40, BadRows: []string{"line 3: no gold"}}},
		Findings: chain.Findings{Cells: []chain.Group{g}, Models: []chain.Group{g}, Level: 0.95, Bootstrap: 100,
			Battery: battery.Battery{Operators: []battery.Operator{{ID: "M5-a", Block: battery.M}, {ID: "F4", Block: battery.F}}}}}
	tally := NewTally()
	tally.Add(Item{Subject: percuss.Subject{SubjectID: percuss.SubjectID{Model: "=1+1"}}, Trials: items()[0].Trials, Answers: items()[0].Answers})
	r.Calls = tally.Calls()
	r.Complete()
	return r
}

func items() []Item {
	q := percuss.Question{ID: "medqa/1", Set: "medqa", Stem: "Severe pain.", Gold: "A", Options: []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "Surgery"}}}
	ask := func(content, begin string) *percuss.Request {
		return &percuss.Request{Model: "m", Messages: []percuss.Message{{Role: percuss.User, Content: content}}, Begin: begin, Sampling: percuss.Greedy(9)}
	}
	base, m, f := ask("Severe pain.", ""), ask("Mild pain.", ""), ask("Severe pain.", "Step 1: pain is absent.")
	it := Item{Subject: percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m1", Set: "medqa", Item: q.ID}, Question: q},
		Trials: []percuss.Trial{{ID: "base", Fired: true, Request: base}, {ID: "M5-a", Fired: true, Request: m}, {ID: "F4", Fired: true, Request: f}, {ID: "F1-50", Why: "too short"}},
		Record: chain.Record{Base: chain.Reading{State: chain.Read, Answer: "A", Correct: true, Via: chain.ViaText},
			Operators: []chain.OperatorTrial{{ID: "M5-a", Rule: true, Flip: chain.Flipped, Reading: chain.Reading{State: chain.Read, Answer: "B", Via: chain.ViaText}}}},
		Answers: percuss.AnswerMap{base.Key(): {Outcome: percuss.OK, Text: "Step 1: pain is severe.\nAnswer: A"},
			m.Key(): {Outcome: percuss.OK, Text: evil + "\nAnswer: B"}, f.Key(): {Outcome: percuss.OK, Text: " So rest.\nAnswer: A"}}}
	return []Item{it, it, it}
}

func TestJSONRoundTrip(t *testing.T) {
	var one, two bytes.Buffer
	r := small()
	if err := WriteJSON(&one, r); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(one.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != "percuss.report/1" || len(back.Definitions) == 0 {
		t.Error("schema or definitions are missing")
	}
	if err := WriteJSON(&two, back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one.String(), two.String()); d != "" {
		t.Error(d)
	}
}

func TestCSVIsInert(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCSV(dir, small()); err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string]int{"metrics.csv": 17, "operators.csv": 3, "joint.csv": 3, "calls.csv": 18} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil || len(all) != rows {
			t.Fatalf("%s: %d rows, %v", name, len(all), err)
		}
		where := map[bool]int{true: 0, false: 1}[name == "calls.csv"]
		if all[1][where][:2] != "'=" {
			t.Errorf("%s: a formula stays alive: %q", name, all[1][where])
		}
		if name != "metrics.csv" {
			continue
		}
		for _, row := range all[1:] {
			if level, lo := row[slices.Index(all[0], "level_of_interval")], row[slices.Index(all[0], "value_lo")]; (level == "") != (lo == "") || level == "0" {
				t.Errorf("%s: level %q of an interval from %q", row[7], level, lo)
			}
		}
	}
	for in, want := range map[string]string{"=1": "'=1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "-1.5": "-1.5", "": "", "ok": "ok"} {
		if got := inert(in); got != want {
			t.Errorf("inert(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextFitsAndShowsMissing(t *testing.T) {
	r := small()
	r.Notes = []string{strings.Repeat("long ", 60) + strings.Repeat("x", 200), "\x1b[31mred"}
	r.Findings.Models[0].Name = strings.Repeat("name", 50)
	var b bytes.Buffer
	if err := WriteText(&b, r, true); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"– ECR is below 0.30", "0.250", "0.100 to 0.400", "unparseable, ok", "M5-a", "−12.3", "0.23 to 0.32", "Calls to =1+1: 3. ok: 3."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a control sequence got through")
	}
}

func TestEmptyReport(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, Report{}, HTML{}); err != nil || !strings.Contains(b.String(), "There are no findings.") {
		t.Error(err, b.Len())
	}
	if err := WriteText(&b, Report{}, false); err != nil {
		t.Error(err)
	}
}

func TestQuotedChainIsComparedWithTheBaseline(t *testing.T) {
	it := items()[0]
	it.Trials[2].Request.Begin = ""
	it.Trials[2].Request.Messages[0].Content += "\n\nStep 1: pain is absent."
	v := newItemView(it, small().Findings.Battery)
	want := []worddiff.Piece{{Kind: worddiff.Same, Text: "Step 1: pain is "}, {Kind: worddiff.Deleted, Text: "severe"}, {Kind: worddiff.Inserted, Text: "absent"}, {Kind: worddiff.Same, Text: "."}}
	if d := cmp.Diff(want, v.Trials[1].Pieces); d != "" || !v.Trials[1].Quoted {
		t.Error(v.Trials[1].Quoted, d)
	}
}

func TestCountKeepsWeights(t *testing.T) {
	for _, c := range []struct {
		in   percuss.Number
		want string
	}{{percuss.Num(5), "5"}, {percuss.Num(2.3), "2.30"}, {percuss.Number{}, "–"}} {
		if got := count(c.in); got != c.want {
			t.Errorf("%v: %s, want %s", c.in, got, c.want)
		}
	}
}
