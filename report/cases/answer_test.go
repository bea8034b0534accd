package cases

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// said is the answer to one question.
func said(c evidence.Cell, question string) string {
	for _, s := range answer(c) {
		if strings.HasPrefix(s.Question, question) {
			return s.Answer
		}
	}
	return ""
}

func TestSuspicionIsHeldAgainstRandomSigns(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*evidence.Cell)
		want   string
	}{
		{"equal", func(*evidence.Cell) {}, "no difference from random signs"},
		{"more", func(c *evidence.Cell) { c.Gold.SuspCount = amount(0.6, 0.1, 40) }, "more of them than random signs give"},
		{"fewer", func(c *evidence.Cell) { c.Gold.SuspCount = amount(0.1, 0.05, 40) }, "fewer of them than random signs give"},
		{"no null", func(c *evidence.Cell) { c.Gold.Mechanisms[0].Null = percuss.Number{} }, "speaks for a rival."},
		{"none salient", func(c *evidence.Cell) { c.Gold.Suspicious = percuss.Absent("no interaction is salient") }, "Not known: no interaction is salient."},
		{"narrative", func(c *evidence.Cell) { c.Narrative = true }, "It cannot be said"},
	} {
		cell := cell("m", "s")
		c.change(&cell)
		got := said(cell, "How much")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q lacks %q", c.name, got, c.want)
		}
		if c.name != "equal" && strings.Contains(got, "no difference") {
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
		{"odds", "What moves", func(c *evidence.Cell) { c.Gold.Threshold = 1 }, "by 1 nats or more (its odds against the strongest rival by a factor of 2.7)", ""},
		{"nothing moves", "What moves", func(c *evidence.Cell) { c.Gold.Salient = 0 }, "No combination of findings", "strongest mechanism"},
		{"not checked", "What survives", func(c *evidence.Cell) { c.Cascade = nil }, "no combination was checked", ""},
		{"checked", "What survives", func(*evidence.Cell) {}, "12 of 20 of those when hidden findings are marked", "raw automatic"},
		{"control apart", "What survives", func(c *evidence.Cell) { c.Cascade = c.Cascade[4:] },
			"Of salient combinations that no suspicious rule picked, drawn at random, 12 of 20", "Of the suspicious"},
		{"not repeated", "What would", func(c *evidence.Cell) { c.Floor = nil }, "nothing was repeated", ""},
		{"exact", "What would", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Floor: percuss.Num(0)}}
		}, "Repeating the same prompts changes nothing.", "0.00"},
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
	if got := answer(evidence.Cell{Model: "m", Accuracy: percuss.Absent("every answer is missing")}); len(got) != 1 || !strings.Contains(got[0].Answer, "every answer is missing") {
		t.Errorf("%v", got)
	}
}

func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		e    percuss.Estimate
		null percuss.Number
		want string
	}{{amount(0.5, 0.1, 9), percuss.Num(0.3), "above"}, {amount(0.5, 0.1, 9), percuss.Num(0.7), "below"}, {amount(0.5, 0.1, 9),
		percuss.Num(0.45), "no difference shown"},
		{amount(0.5, 0.1, 9), percuss.Number{}, ""}, {percuss.Estimate{Value: percuss.Num(0.5)}, percuss.Num(0.1), ""}} {
		if got := against(c.e, c.null); got != c.want {
			t.Errorf("%v against %v: %q, want %q", c.e.Value, c.null, got, c.want)
		}
	}
}
