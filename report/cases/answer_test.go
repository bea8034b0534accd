package cases

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// said is the answer to one question.
func said(c evidence.Cell, question string) string {
	for _, s := range answer(c) {
		if strings.HasPrefix(s.Question, question) {
			return s.Text
		}
	}
	return ""
}

// both sets the comparison with a coin by count and by strength.
func both(e percuss.Estimate) func(*evidence.Cell) {
	return func(c *evidence.Cell) { c.Gold.SameSets.ByCount, c.Gold.SameSets.ByStrength = e, e }
}

func TestSuspicionIsHeldAgainstRandomSigns(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*evidence.Cell)
		want   string
	}{
		{"equal", func(*evidence.Cell) {}, "shows no difference from it"},
		{"expected", func(*evidence.Cell) {}, "the rules would call 26 % of the strength and 25 % of the count suspicious"},
		{"more", both(amount(0.6, 0.05, 40)), "more often than a coin would"},
		{"fewer", both(amount(0.4, 0.05, 40)), "less often than a coin would"},
		{"by count only", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = amount(0.4, 0.05, 40) }, "no different from a coin by strength and below a coin by count"},
		{"one mechanism", func(c *evidence.Cell) {
			c.Gold.Mechanisms[0].Suspicious, c.Gold.Mechanisms[0].SameSets.ByCount = true, amount(0.9, 0.05, 40)
		}, "More often than a coin, taken by itself: " + cell("m", "s").Gold.Mechanisms[0].Name},
		{"few cases", both(amount(0.9, 0.05, 4)), "too few cases to compare"},
		{"no interval", both(percuss.Estimate{Value: percuss.Num(0.9)}), "shows no difference"},
		{"far from the other null", func(c *evidence.Cell) { c.Gold.Mechanisms[0].Null = percuss.Num(0.9) }, "shows no difference"},
		{"sign is idle", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = percuss.Absent("no sign decides") }, "The sign of none of these combinations decides"},
		{"no null", func(c *evidence.Cell) { c.Gold.SameSets = evidence.Coin{} }, "speaks for a rival."},
		{"mixed", func(c *evidence.Cell) { c.Prose = 3 }, "the strength in cases that are no narratives"},
		{"none salient", func(c *evidence.Cell) { c.Gold.Suspicious = percuss.Absent("no interaction is salient") }, "Not known: no interaction is salient."},
		{"narrative", func(c *evidence.Cell) { c.Narrative = true }, "It cannot be said"},
	} {
		cell := cell("m", "s")
		c.change(&cell)
		got := said(cell, "How much")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q lacks %q", c.name, got, c.want)
		}
		if !strings.Contains(c.want, "no difference") && c.name != "expected" && c.name != "mixed" && c.name != "one mechanism" && strings.Contains(got, "no difference") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, question string
		change         func(*evidence.Cell)
		want, not      string
	}{
		{"right", "How often", func(*evidence.Cell) {}, "Always answering A would be right in 14.3 %", "rather say"},
		{"not known", "How often", func(c *evidence.Cell) { c.Accuracy = percuss.Absent("nothing is answered.") }, "Not known: nothing is answered.", ".."},
		{"weighted", "How often", func(c *evidence.Cell) { c.Accuracy = est(0.5, 40) }, "in 50 % of the cases", " of 40 "},
		{"little mass", "How often", func(c *evidence.Cell) { c.Mass = est(0.2, 40) }, "Only 20 % of the probability", ""},
		{"drawn letters", "How often", func(c *evidence.Cell) { c.Sampled = 20 }, "shares of 20 drawn letters", ""},
		{"moves", "What moves", func(*evidence.Cell) {}, "pairs 30 %, triples 20 %", "No combination"},
		{"odds", "What moves", func(c *evidence.Cell) { c.Gold.Threshold = 1 }, "by 1 nat or more (its odds against the strongest rival by a factor of 2.7)", ""},
		{"nothing moves", "What moves", func(c *evidence.Cell) { c.Gold.Salient = 0 }, "No combination of findings", "strongest mechanism"},
		{"mostly noise", "What moves", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Floor: percuss.Num(0.1), Under: 1, Of: 95}, {Source: "order", Floor: percuss.Num(2), Under: 60, Of: 95}}
		}, "But 60 of 95 are weaker than noise alone", "strongest mechanism"},
		{"mostly more", "What moves", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "order", Floor: percuss.Num(2), Under: 40, Of: 95}}
		}, "The strongest mechanism", "weaker than noise"},
		{"not checked", "What survives", func(c *evidence.Cell) { c.Cascade, c.Stability = nil, nil }, "no combination was checked", ""},
		{"none to check", "What survives", func(c *evidence.Cell) { c.Cascade = nil }, "No suspicious combination was among those that could be checked", "Not known"},
		{"checked", "What survives", func(*evidence.Cell) {}, "12 of 20 of those when hidden findings are marked", "raw automatic"},
		{"control apart", "What survives", func(c *evidence.Cell) { c.Cascade = c.Cascade[5:] },
			"Of salient combinations that no suspicious rule picked, 12 of 20", "Of the suspicious"},
		{"not repeated", "What would", func(c *evidence.Cell) { c.Floor = nil }, "nothing was repeated", ""},
		{"rotated", "What would", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Why: "one rotation was repeated"}}
		},
			"Not known: one rotation was repeated.", "nothing"},
		{"exact", "What would", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Floor: percuss.Num(0)}}
		}, "Repeating the same prompts changes nothing.", "0.00"},
		{"noisy", "What would", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Floor: percuss.Num(0.3)}}
		}, "Repeating the same prompts: a measured margin lies within 0.30 nats of its mean nineteen times in twenty.", "moves a margin"},
		{"changes", "What happens", func(*evidence.Cell) {}, "for families in a suspicious combination in 60 % of the changes", "called appropriate"},
		{"no changes", "What happens", func(c *evidence.Cell) { c.Strata = nil }, "", ""},
		{"no review", "What did", func(c *evidence.Cell) { c.Review = nil }, "", ""},
	} {
		cell := cell("m", "s")
		c.change(&cell)
		got := said(cell, c.question)
		if !strings.Contains(got, c.want) || c.want == "" && got != "" || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: %q, want %q and not %q", c.name, got, c.want, c.not)
		}
	}
}

// A cell of which nothing is scored says what is known and no more.
func TestNothingScored(t *testing.T) {
	if got := answer(evidence.Cell{Model: "m", Accuracy: percuss.Absent("every answer is missing")}); len(got) != 1 || !strings.Contains(got[0].Text, "every answer is missing") {
		t.Errorf("%v", got)
	}
}

func TestAgainstCoin(t *testing.T) {
	for _, c := range []struct {
		e    percuss.Estimate
		want string
	}{{amount(0.7, 0.1, 9), "above"}, {amount(0.3, 0.1, 9), "below"}, {amount(0.5, 0.1, 9), "no difference shown"},
		{percuss.Absent("no sign decides"), ""}, {percuss.Estimate{Value: percuss.Num(0.9)}, ""}} {
		if got := againstCoin(c.e); got != c.want {
			t.Errorf("%v: %q, want %q", c.e.Value, got, c.want)
		}
	}
}

// Both nulls stand in the tables of mechanisms, and the comparison is with that of the same sets.
func TestMechanismTablesShowBothNulls(t *testing.T) {
	for _, m := range []percuss.Table{mechanismTable(small().Findings), floorMechanisms(small().Findings), thresholdTable(small().Findings)} {
		at := map[string]int{}
		for i, c := range m.Columns {
			at[c.ID] = i
		}
		row := m.Rows[0]
		for id, want := range map[string]string{"share": "12 %", "null_same_sets": "13.1 %", "null": "23 %", "strength_null_same_sets": "13.2 %", "against": "above", "strength_against": "below"} {
			c := row.Cells[at[id]]
			got := c.Text
			if m.Columns[at[id]].Scale == percuss.Percent {
				got = report.Percent(c.Estimate.Value)
			}
			if got != want {
				t.Errorf("table %s, %s: %q, want %q", m.ID, id, got, want)
			}
		}
	}
}

// What cannot be known of a narrative is missing with its reason, never 0.
func TestNarrativesSayWhyNothingIsSuspicious(t *testing.T) {
	all := profileTable(small().Findings)
	const why = "in a narrative nothing is known of what a sentence is evidence for"
	seen := 0
	for _, row := range all.Rows {
		if row.Cells[1].Text != "cupcase" {
			continue
		}
		for i, c := range all.Columns {
			switch c.ID {
			case "suspicious", "suspicious_count", "suspicious_per_case_and_diagnosis", "overuse":
				seen++
				if e := row.Cells[i].Estimate; e.Value.OK() || e.Why != why {
					t.Errorf("%s: %+v", c.ID, e)
				}
			}
		}
	}
	if seen != 4*5 {
		t.Errorf("%d figures of narratives, want 20", seen)
	}
}

// TestUnscoredCasesAreToldFirst: that few cases could be scored stands before any figure, with why.
func TestUnscoredCasesAreToldFirst(t *testing.T) {
	for scored, want := range map[int]bool{0: true, 4: true, 5: false, 10: false} {
		r := Report{Audit: "evidence", Findings: evidence.Findings{Cells: []evidence.Cell{{Model: "m", Set: "s", Cases: 10, Scored: scored,
			Reasons: []evidence.Count{{Name: "no letter was scored", N: 6}}, Accuracy: percuss.Absent("no answer")}}}}
		var page, text bytes.Buffer
		if err := WriteHTML(&page, r, HTML{}); err != nil {
			t.Fatal(err)
		}
		if err := WriteText(&text, r, false); err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]string{"page": page.String(), "terminal": strings.Join(strings.Fields(text.String()), " ")} {
			alert, first := strings.Index(s, fmt.Sprintf("m, s: of 10 cases, %d could be scored", scored)), strings.Index(s, "How often is it right?")
			if got := alert >= 0 && alert < first; got != want || want && !strings.Contains(s, "because: no letter was scored (6)") {
				t.Errorf("%s, %d scored: told first is %v", name, scored, got)
			}
		}
	}
}
