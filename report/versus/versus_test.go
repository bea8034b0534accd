package versus

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/stat/lattice"
)

// one item of a made-up run: the answer and, by operator, what moved.
type line struct {
	item, model, prompt, answer string // answer "": none was read
	ops                         map[string]string
}

// runOf makes a run of a chain audit. An operator's word is "moves", "stays", "dropped" or "absent", with the chain's
// registering as "+".
func runOf(name string, lines ...line) Run {
	r := Run{Name: name}
	var records []percuss.Record
	for _, l := range lines {
		id := percuss.SubjectID{Set: "set", Item: l.item, Model: l.model, Variant: l.prompt}
		if id.Model == "" {
			id.Model = "m"
		}
		if id.Variant == "" {
			id.Variant = "neutral"
		}
		q := percuss.Question{ID: l.item, Set: "set", Stem: "stem of " + l.item, Gold: "A", Options: []percuss.Option{{Label: "A", Text: "one"}, {Label: "B", Text: "two"}}}
		r.Subjects = append(r.Subjects, percuss.Subject{SubjectID: id, Question: q})
		rec := chain.Record{Subject: id, Gold: "A", Options: 2, Base: chain.Reading{State: chain.Unparseable}}
		if l.answer != "" {
			rec.Base = chain.Reading{State: chain.Read, Answer: l.answer, Correct: l.answer == "A"}
		}
		for _, op := range slices.Sorted(mapKeys(l.ops)) {
			word, registers := strings.CutSuffix(l.ops[op], "+")
			flip := map[string]chain.Flip{"moves": chain.Flipped, "stays": chain.Kept}[word]
			if op == "sham" {
				rec.Controls = append(rec.Controls, chain.ControlTrial{ID: chain.Sham, Fired: true, Flip: flip})
				continue
			}
			rec.Operators = append(rec.Operators, chain.OperatorTrial{ID: op, Edit: battery.Edit{Fired: word != "absent"}, Flip: flip, Rule: strings.HasPrefix(op, "M"), Token: registers})
		}
		records = append(records, rec)
	}
	r.Records = of(records)
	return r
}

func mapKeys(m map[string]string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func of(records []percuss.Record) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func compared(t *testing.T, a, b Run, as map[string]string) Comparison {
	t.Helper()
	c, err := Pair(a, b, as)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// cell is a cell of a table's row by its column.
func cellOfTable(t *testing.T, c Comparison, table, column string, row int) percuss.Cell {
	t.Helper()
	for _, of := range c.Tables {
		if of.ID != table {
			continue
		}
		i := slices.IndexFunc(of.Columns, func(c percuss.Column) bool { return c.ID == column })
		if i < 0 || row >= len(of.Rows) {
			t.Fatalf("table %s: column %s at %d, %d rows", table, column, i, len(of.Rows))
		}
		return of.Rows[row].Cells[i]
	}
	t.Fatalf("no table %s", table)
	return percuss.Cell{}
}

// Answers, edits, dropped trials and partners of two small runs, each number counted by hand.
func TestPair(t *testing.T) {
	a := runOf("old",
		line{item: "1", answer: "A", ops: map[string]string{"M1": "stays+", "F1": "moves", "sham": "stays"}},
		line{item: "2", answer: "B", ops: map[string]string{"M1": "moves+", "F1": "dropped", "sham": "stays"}},
		line{item: "3", answer: "A", ops: map[string]string{"M1": "stays", "F1": "absent", "sham": "moves"}},
		line{item: "4", answer: "", ops: map[string]string{"M1": "dropped", "F1": "dropped", "sham": "dropped"}},
		line{item: "5", answer: "B", ops: map[string]string{"M1": "stays", "F9": "moves"}},
		line{item: "gone", answer: "A"},
		line{item: "other", answer: "A"})
	b := runOf("new",
		line{item: "3", answer: "B", ops: map[string]string{"M1": "moves", "F1": "absent", "sham": "stays"}},
		line{item: "1", answer: "A", ops: map[string]string{"M1": "stays", "F1": "moves", "sham": "stays"}},
		line{item: "2", answer: "A", ops: map[string]string{"M1": "moves+", "F1": "stays", "sham": "stays"}},
		line{item: "4", answer: "A", ops: map[string]string{"M1": "stays", "F1": "stays", "sham": "stays"}},
		line{item: "5", answer: "", ops: map[string]string{"M1": "dropped"}},
		line{item: "more", answer: "A"},
		line{item: "other", answer: "A"})
	b.Subjects[6].Question.Options = []percuss.Option{{Label: "A", Text: "one"}, {Label: "B", Text: "three"}}
	c := compared(t, a, b, nil)
	if c.Both != 5 || c.OnlyA != 1 || c.OnlyB != 1 || c.Differ != 1 {
		t.Errorf("both %d, only before %d, only after %d, differ %d", c.Both, c.OnlyA, c.OnlyB, c.Differ)
	}
	var kinds []string
	for _, m := range c.Items {
		kinds = append(kinds, m.Before.Item+" "+string(m.Kind)+" "+m.Was+">"+m.Is)
	}
	if d := cmp.Diff([]string{"3 broke A>B", "2 fixed B>A", "5 lost B>", "4 gained >A", "1 stays-right A>A"}, kinds); d != "" {
		t.Error(d)
	}
	type numbers = map[string]float64
	for table, rows := range map[string][]numbers{
		"compared": {{"both": 5, "only_before": 1, "only_after": 1, "other": 1}},
		"right":    {{"before": 2. / 3, "after": 2. / 3, "difference": 0, "fixed": 1, "broke": 1, "other_answer": 2, "lost": 1, "gained": 1, "unread": 0, "p": 1}},
		// M1 of items 1 to 3 in both; F1 of item 1 in both.
		"joint": {{"registers_before": 2. / 3, "registers_after": 1. / 3, "registers_difference": -1. / 3, "c_before": 1. / 3, "c_after": 1. / 3}},
		"moves": {
			{"before": 2. / 4, "after": 3. / 4, "difference": 1. / 4, "only_before": 0, "only_after": 1, "both": 2, "dropped_before": 3, "dropped_after": 1},
			{"before": 1, "after": 1, "both": 1, "dropped_before": 2, "dropped_after": 0},
			{"before": 1. / 3, "after": 2. / 3, "only_after": 1, "both": 1, "p_holm": 1, "dropped_before": 1, "dropped_after": 1},
			{"before": 1. / 3, "after": 0, "only_before": 1, "dropped_before": 1, "dropped_after": 0}},
	} {
		for i, row := range rows {
			for column, want := range row {
				got := cellOfTable(t, c, table, column, i).Estimate.Value.Or(math.NaN())
				if math.Abs(got-want) > 1e-12 || math.IsNaN(got) {
					t.Errorf("%s, row %d, %s: %v, want %v", table, i, column, got, want)
				}
			}
		}
	}
	want := []MovedTrial{{ID: "M1", Operator: "M1", Was: Stays, Is: Moves, Cell: "c", CellIs: "d"}, {ID: "sham", Operator: "sham", Was: Moves, Is: Stays}}
	if d := cmp.Diff(want, c.Items[0].Trials, cmp.Comparer(func(x, y percuss.Number) bool { return x == y })); d != "" {
		t.Error(d)
	}
	for _, word := range []string{"66.7 %", "no more than chance", "Came right: 1; went wrong: 1; another answer in all: 2 of 3.", "Answers lost: 1; gained: 1.", "Edits move 50.0 %", "Asked again without an edit, 33.3 % of the answers move before and 0.0 % after (3 items).", "75.0 %"} {
		if lead := strings.Join(c.Lead, "\n"); !strings.Contains(lead, word) {
			t.Errorf("no %q in\n%s", word, lead)
		}
	}
}

// Models and prompts find their partners by id, by being alone, or by what the caller says.
func TestPartners(t *testing.T) {
	one := func(name string, models ...string) Run {
		var lines []line
		for _, m := range models {
			model, prompt, _ := strings.Cut(m, "/")
			lines = append(lines, line{item: "1", model: model, prompt: prompt, answer: "A"})
		}
		return runOf(name, lines...)
	}
	for _, c := range []struct {
		name string
		a, b Run
		as   map[string]string
		want string // the groups, or in the error
	}{
		{"equal ids", one("x", "m", "n"), one("y", "n", "m"), nil, "m=m neutral=neutral; n=n neutral=neutral"},
		{"one each", one("x", "old/neutral"), one("y", "new/strict"), nil, "old=new neutral=strict"},
		{"told", one("x", "old", "m"), one("y", "new", "m"), map[string]string{"old": "new"}, "old=new neutral=neutral; m=m neutral=neutral"},
		{"told across", one("x", "m", "n"), one("y", "m", "n"), map[string]string{"m": "n"}, "m=n neutral=neutral"},
		{"some are alone", one("x", "m", "only"), one("y", "m"), nil, "m=m neutral=neutral"},
		{"none in common", one("x", "p", "q"), one("y", "r", "s"), nil, "say which is which, with --as p=r"},
		{"no such model", one("x", "m"), one("y", "m"), map[string]string{"z": "m"}, `x has no model "z": it has m`},
		{"no such partner", one("x", "m"), one("y", "m"), map[string]string{"m": "z"}, `y has no model "z"`},
		{"one partner for two", one("x", "m", "n"), one("y", "m"), map[string]string{"m": "m", "n": "m"}, "a model has one partner"},
		{"other prompts", one("x", "m/a", "m/b"), one("y", "m/c", "m/d"), nil, "no prompt of x (a, b) is one of y (c, d)"},
		{"nothing", Run{Name: "x"}, one("y", "m"), nil, "nothing to compare"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.a.Records == nil {
				c.a.Records = of(nil)
			}
			got, err := Pair(c.a, c.b, c.as)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q in it", err, c.want)
				}
				return
			}
			var groups []string
			for _, g := range got.Groups {
				groups = append(groups, fmt.Sprintf("%s=%s %s=%s", g.BeforeModel, g.AfterModel, g.BeforePrompt, g.AfterPrompt))
			}
			if s := strings.Join(groups, "; "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}

// A run of cases: margins, combinations by the findings they are of, and changes.
func TestPairOfCases(t *testing.T) {
	makes := func(name string, margin float64, prediction string, units []string, interactions []evidence.Interaction, rank int) Run {
		id := percuss.SubjectID{Set: "set", Item: "c", Model: "m", Variant: "neutral"}
		r := evidence.Record{Subject: id, Gold: "flu", Order: 2, Base: evidence.Measured{State: evidence.Scored, Answered: true, Prediction: prediction,
			Correct: prediction == "flu", Margin: percuss.Num(margin), Interactions: interactions},
			Changes: []evidence.Change{{Family: "E", Edit: evidence.Remove, State: evidence.Scored, RankBefore: 1, RankAfter: rank}}}
		for _, u := range units {
			r.Units = append(r.Units, evidence.UnitRecord{ID: u})
		}
		return Run{Name: name, Subjects: []percuss.Subject{{SubjectID: id, Case: &percuss.Case{ID: "c", Gold: "flu", Candidates: []string{"flu", "cold"}}}}, Records: of([]percuss.Record{r})}
	}
	strong := func(set lattice.Set, value float64, suspicious bool) evidence.Interaction {
		return evidence.Interaction{Set: set, Value: value, Suspicious: suspicious}
	}
	a := makes("x", 1, "flu", []string{"u", "v"}, []evidence.Interaction{strong(3, 2, true), strong(1, 0.7, false), strong(2, 0.2, false)}, 1)
	b := makes("y", 3, "cold", []string{"u", "v"}, []evidence.Interaction{strong(2, -0.9, false), strong(1, 0.8, false), strong(3, 0.1, false)}, 2)
	c := compared(t, a, b, nil)
	if got := cellOfTable(t, c, "margins", "margin_difference", 0).Estimate.Value; got != percuss.Num(2) {
		t.Errorf("margin %v", got)
	}
	if got := cellOfTable(t, c, "margins", "suspicious_difference", 0).Estimate.Value; got != percuss.Num(-1) {
		t.Errorf("suspicious %v", got)
	}
	var turns []string
	for _, m := range c.Items[0].Trials {
		turns = append(turns, fmt.Sprintf("%s %s>%s", m.ID, m.Was, m.Is))
	}
	if d := cmp.Diff([]string{"set-3 suspicious>weak", "remove:E stays>moves", "set-2 weak>salient"}, turns); d != "" {
		t.Error(d)
	}
	if k := c.Items[0].Kind; k != Broke {
		t.Errorf("kind %s", k)
	}
	if got := cellOfTable(t, c, "changes", "only_after", 0).Estimate.Value; got != percuss.Num(1) {
		t.Errorf("changes %v", got)
	}
	// Other findings: a set's bits then mean something else.
	b = makes("y", 3, "cold", []string{"u", "w"}, []evidence.Interaction{strong(3, 2, false)}, 1)
	for _, m := range compared(t, a, b, nil).Items[0].Trials {
		if strings.HasPrefix(m.ID, "set-") {
			t.Errorf("combinations of other findings are compared: %v", m)
		}
	}
	// Another audit.
	if _, err := Pair(a, Run{Name: "z", Subjects: a.Subjects, Records: of([]percuss.Record{chain.Record{Subject: a.Subjects[0].SubjectID}})}, nil); err == nil || !strings.Contains(err.Error(), "runs of one audit") {
		t.Errorf("a chain audit: %v", err)
	}
}

// A record that cannot be read ends the comparison with its run's name.
func TestReadingFails(t *testing.T) {
	broken := errors.New("the file is gone")
	fails := runOf("bad", line{item: "1", answer: "A"})
	fails.Records = func(yield func(percuss.Record, error) bool) { yield(nil, broken) }
	good := runOf("good", line{item: "1", answer: "A"})
	for _, pair := range [][2]Run{{fails, good}, {good, fails}} {
		if _, err := Pair(pair[0], pair[1], nil); !errors.Is(err, broken) || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%v", err)
		}
	}
}
