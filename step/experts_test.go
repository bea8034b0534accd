package step_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// labelled are labels of a rater who sees what judge one sees: of every n-th step that judge two calls an error, and of every
// m-th of the others, weighted by that.
func labelled(records []percuss.Record, n, m int) []step.Label {
	var out []step.Label
	count := map[bool]int{}
	for _, record := range records {
		r := record.(step.Record)
		for c, chain := range r.Chains {
			for i, s := range chain.Views[0].Steps {
				if len(s.Says) == 0 || !s.Says[0].Says.Judges() {
					continue
				}
				bad, every := s.Says[1].Says.IsError(), m
				if bad {
					every = n
				}
				if count[bad]++; count[bad]%every == 0 {
					out = append(out, step.Label{Rater: "Ann", Model: r.Subject.Model, Variant: r.Subject.Variant, Set: r.Subject.Set, Item: r.Subject.Item, Chain: c + 1, View: "markers", Step: i + 1,
						Says: s.Says[0].Says, Weight: float64(every)})
				}
			}
		}
	}
	return out
}

// tableIn is a table of the findings.
func tableIn(t *testing.T, f step.Findings, id string) percuss.Table {
	t.Helper()
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			if table.ID == id {
				return table
			}
		}
	}
	t.Fatalf("there is no table %s", id)
	return percuss.Table{}
}

// cellIn is the cell of a table's row under a column.
func cellIn(t *testing.T, table percuss.Table, row int, id string) percuss.Cell {
	t.Helper()
	at := slices.IndexFunc(table.Columns, func(c percuss.Column) bool { return c.ID == id })
	if at < 0 || row >= len(table.Rows) {
		t.Fatalf("table %s has no row %d or no column %s", table.ID, row, id)
	}
	return table.Rows[row].Cells[at]
}

// From a sample with ten times as many of the steps that a judge calls an error, experts' labels give the judge's quality, and the
// rates of the models that are corrected with it, as they were planted.
func TestExpertsMeasureAJudge(t *testing.T) {
	o := compared()
	o.Quality = nil
	before, after := planted("old", 80, 0.5, 0.1, 1), planted("new", 80, 0.8, 0.3, 2)
	o.Experts = slices.Concat(labelled(before, 1, 10), labelled(after, 1, 10))
	f := summarised(t, o, before, after)
	q := f.Settings.Quality["two"]
	if math.Abs(q.Sensitivity-0.8) > 0.12 || math.Abs(q.Specificity-0.9) > 0.03 || !strings.HasSuffix(q.From, " expert labels") {
		t.Errorf("judge two is measured as %+v", q)
	}
	if q.Positives < 20 || q.Positives+q.Negatives >= len(o.Experts) {
		t.Errorf("of %d weighted labels count %d and %d: weights make them fewer", len(o.Experts), q.Positives, q.Negatives)
	}
	if one := f.Settings.Quality["one"]; one.Sensitivity != 1 || one.Specificity != 1 {
		t.Errorf("the judge who is the expert is measured as %+v", one)
	}
	rates := tableIn(t, f, "experts_rates")
	for i, truth := range []float64{0.1, 0.3} {
		if two := f.Cells[i].Traces[1]; !holds(two.Corrected, truth) {
			t.Errorf("corrected %+v, want %.1f in it", two.Corrected, truth)
		}
		if e := cellIn(t, rates, 2*i, "experts").Estimate; !holds(e, truth) {
			t.Errorf("experts' rate %+v, want %.1f in it", e, truth)
		}
	}
	if got := cellIn(t, tableIn(t, f, "experts_pairs"), 1, "same").Text; got != "yes" {
		t.Errorf("experts see the change as the judge does: %q", got)
	}
	order := tableIn(t, f, "experts_order")
	if got := cellIn(t, order, 0, "by_experts").Text; !strings.HasPrefix(got, "old ") || cellIn(t, order, 0, "pairs").Estimate.Value.Or(0) != 1 {
		t.Errorf("the order by experts is %q", got)
	}
	o.Quality = map[string]step.Quality{"two": {Sensitivity: 0.7, Specificity: 0.95, From: "given"}}
	if got := summarised(t, o, before, after).Settings.Quality["two"]; got.From != "given" {
		t.Errorf("what the report is told gives way to labels: %+v", got)
	}
}

// few is one item with six judged steps, as one judge sees them.
func few(item string, says ...step.Says) step.Record {
	v := step.Viewed{View: "markers"}
	for _, s := range says {
		v.Steps = append(v.Steps, step.Step{Words: 5, Says: []step.Verdict{{Judge: "one", Says: s, Asked: 1}}})
	}
	return step.Record{Subject: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "mine", Item: item}, Gold: "A",
		Chains: []step.Chain{{State: step.Read, Answer: "A", Correct: true, Outcome: percuss.OK, Views: []step.Viewed{v}}}}
}

func label(rater, item string, n int, says step.Says, weight float64) step.Label {
	return step.Label{Rater: rater, Model: "m", Item: item, Chain: 1, View: "markers", Step: n, Says: says, Weight: weight}
}

// The word of an adjudication holds, else the majority's; abstentions and steps without a majority count nowhere, nor do labels of
// steps that the run does not have.
func TestWhichLabelHolds(t *testing.T) {
	o := options()
	o.K, o.Views, o.Neutral, o.Judges = 1, o.Views[:1], nil, o.Judges[:1]
	o.Experts = []step.Label{
		label("Ann", "a", 1, step.Factual, 2), label("Bob", "a", 1, step.Unsupported, 2), label("Cem", "a", 1, step.Correct, 2), // an error of whatever kind
		label("Ann", "a", 2, step.Correct, 2), label("Bob", "a", 2, step.Erroneous, 2), label(step.Adjudicated, "a", 2, step.Erroneous, 2),
		label("Ann", "a", 3, step.Correct, 4), label("Ann", "b", 1, step.Correct, 4),
		label("Ann", "b", 2, step.Abstain, 4),                                          // no claim
		label("Ann", "b", 3, step.Correct, 4), label("Bob", "b", 3, step.Erroneous, 4), // no majority
		label("Ann", "b", 9, step.Correct, 4), label("Ann", "c", 1, step.Correct, 4)} // no such steps
	other := label("Ann", "a", 3, step.Erroneous, 1)
	other.View = "sentence"
	o.Experts = append(o.Experts, other)
	f := summarised(t, o, []percuss.Record{few("a", step.Factual, step.Correct, step.Correct), few("b", step.Arithmetic, step.Correct, step.Factual)})
	q := f.Settings.Quality["one"]
	if q.Sensitivity != 0.5 || q.Specificity != 0.5 || q.From != "4 expert labels" {
		t.Errorf("quality %+v: one of two errors is found, one of two correct steps called so", q)
	}
	if q.Positives != 1 || q.Negatives != 1 {
		t.Errorf("effective %d and %d: both errors are of one item, and of the two correct steps each item says the contrary", q.Positives, q.Negatives)
	}
	table := tableIn(t, f, "experts")
	notes := strings.Join(table.Notes, " ")
	if !strings.Contains(notes, "11 labels of 6 steps, of which 5") || !strings.Contains(notes, "Left out: 1 step whose") || !strings.Contains(notes, "Left out: 3 labels of no step") {
		t.Errorf("notes: %s", notes)
	}
	for column, want := range map[string]float64{"steps": 4, "errors": 2, "sensitivity": 0.5, "specificity": 0.5, "precision": 2.0 / 6, "youden": 0, "kappa": 0} {
		if got := cellIn(t, table, 0, column).Estimate.Value.Or(9); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", column, got, want)
		}
	}
	counts := tableIn(t, f, "experts_counts")
	got := ""
	for row := range counts.Rows {
		for _, c := range []string{"error", "correct", "abstain", "unclear"} {
			got += fmt.Sprint(cellIn(t, counts, row, c).Estimate.Value.Or(9), " ")
		}
	}
	if want := "1 1 0 1 1 1 1 0 0 0 0 0 0 0 0 0 "; got != want {
		t.Errorf("counts %s, want %s", got, want)
	}
}

// Weights and items that agree in themselves make labels count for fewer.
func TestEffectiveLabels(t *testing.T) {
	o := options()
	o.K, o.Views, o.Neutral, o.Judges = 1, o.Views[:1], nil, o.Judges[:1]
	var records []percuss.Record
	for i := range 40 {
		item := fmt.Sprint("q", i)
		records = append(records, few(item, []step.Says{step.Factual, step.Correct, step.Correct, step.Factual}[i%4], step.Correct))
		o.Experts = append(o.Experts, label("Ann", item, 1, step.Factual, 1), label("Ann", item, 2, step.Correct, 1))
	}
	q := summarised(t, o, records).Settings.Quality["one"]
	if q.Sensitivity != 0.5 || q.Specificity != 1 || q.Positives != 39 || q.Negatives != 40 {
		t.Errorf("of 40 steps of as many items: %+v", q)
	}
	for i := range o.Experts {
		o.Experts[i].Weight = []float64{1, 1, 1, 1, 5, 5, 5, 5}[i%8]
	}
	if heavy := summarised(t, o, records).Settings.Quality["one"]; heavy.Positives >= 32 || heavy.Negatives != 27 {
		t.Errorf("of weights 1 and 5, 120 × 120 ÷ 520 correct steps: %+v", heavy)
	}
}

// Where experts labelled steps of one model alone, what is missing of the other says why.
func TestExpertsOnOneModel(t *testing.T) {
	o := compared()
	before, after := planted("old", 20, 0.5, 0.1, 1), planted("new", 20, 0.8, 0.3, 2)
	o.Experts = labelled(before, 1, 4)
	f := summarised(t, o, before, after)
	for _, id := range []string{"experts", "experts_counts", "experts_rates", "experts_pairs", "checks_experts"} {
		table := tableIn(t, f, id)
		if len(table.Rows) == 0 {
			t.Errorf("table %s has no rows", id)
		}
		for _, row := range table.Rows {
			for i, c := range row.Cells {
				if table.Columns[i].Scale != percuss.Words && !c.Estimate.Value.OK() && c.Estimate.Why == "" {
					t.Errorf("table %s: column %s is missing and does not say why", id, table.Columns[i].ID)
				}
			}
		}
	}
	if got := cellIn(t, tableIn(t, f, "experts_pairs"), 0, "same").Text; got != "cannot be told" {
		t.Errorf("a change that experts saw one side of: %q", got)
	}
	if got := tableIn(t, f, "experts_order"); len(got.Rows) != 0 || !strings.Contains(got.Absent, "two models") {
		t.Errorf("one model has an order: %d rows, %q", len(got.Rows), got.Absent)
	}
}

func TestNoExperts(t *testing.T) {
	f := summarised(t, compared(), planted("old", 10, 0.5, 0.1, 1))
	for _, id := range []string{"experts", "experts_counts", "experts_rates", "experts_order", "checks_experts"} {
		if table := tableIn(t, f, id); len(table.Rows) > 0 || !strings.Contains(table.Absent, "review create") {
			t.Errorf("table %s: %d rows, %q", id, len(table.Rows), table.Absent)
		}
	}
}
