package chain

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// fourItems are worked out by hand. Keys A, B, B, C; A is the one high-acuity option, the longest options are A, B, C, D.
// The age edits fire on the first two, the sex edit on the third.
func fourItems() []Record {
	b := paperBattery()
	return []Record{
		longest("A", record("s", "i1", "A", "A", "", b, edit{id: "F1-50", answer: "A"}, edit{id: "F4-a", answer: "B"}, edit{id: "M2-age-a", answer: "A"}, edit{id: "M2-age-b", answer: "A"}, edit{id: "M3-a", answer: "B"})),
		longest("B", record("s", "i2", "B", "A", "", b, edit{id: "F1-50", answer: "B"}, edit{id: "M2-age-a", answer: "A"}, edit{id: "M2-age-b", answer: "B"})),
		longest("C", record("s", "i3", "B", "B", "", b, edit{id: "M2-sex", answer: "B"})),
		longest("D", record("s", "i4", "C", unparsed, "", b, edit{id: "M3-a", answer: "C"})),
	}
}

func longest(label string, r Record) Record {
	r.Longest, r.Acute = label, "A"
	return r
}

func TestPoliciesByHand(t *testing.T) {
	table := tableOf(t, summarised(t, Options{}, fourItems()...), "policies")
	for _, c := range []struct {
		policy, column string
		want           float64
	}{
		{"m, neutral", "acc", 2.0 / 3}, // the model itself: i1 and i3 of three
		{"always A", "acc", .25}, {"commonest letter of the keys", "acc", .5}, {"random letter, in expectation", "acc", .25},
		{"longest option", "acc", .5}, {"repeat the baseline of m, neutral", "acc", 2.0 / 3},
		// Nothing ever moves, so edits of the chain keep and FCS is one half.
		{"always A", "afr_d_f", 0}, {"always A", "afr_p_f", 0}, {"always A", "fcs_f", .5}, {"always A", "cdr", 1}, {"always A", "chs", 0},
		// F1-50 fired on two of the four items; of the baseline's three.
		{"always A", "ecr", .5}, {"repeat the baseline of m, neutral", "ecr", 2.0 / 3},
		// Keys on the items of the age edits: A and B; of the sex edit: B. Always A: 1/3 at the baseline, 1/2 under age, 0
		// under sex. Always B: 2/3, 1/2, 1.
		{"always A", "dfg", .5}, {"commonest letter of the keys", "dfg", .5},
		{"always A", "mfc", .5*.5 + .3 + .2*.5},
		// A letter drawn anew differs with probability 3/4.
		{"random letter, in expectation", "afr_d_f", .75}, {"random letter, in expectation", "afr_p_m", .75}, {"random letter, in expectation", "fcs_f", .5},
		{"random letter, in expectation", "cdr", .25}, {"random letter, in expectation", "ecr", .125}, {"random letter, in expectation", "dfg", 0},
		// M3 on two items: from A to another 3/16 at weight 1, to A 3/16 at 0.3, between B, C and D 6/16 at 0.5.
		{"random letter, in expectation", "chs", 3.0/16 + .3*3/16 + .5*6/16},
	} {
		near(t, c.policy+" "+c.column, cellAt(t, table, c.column, c.policy).Estimate.Value, c.want)
	}
	if e := cellAt(t, table, "mfc", "random letter, in expectation").Estimate; e.Value.OK() {
		t.Errorf("MFC of a policy with an ECR of 0.125: %+v", e)
	}
}

// What the expected row holds is the mean over everything that a random policy can answer.
func TestRandomPolicyIsTheMeanOverItsAnswers(t *testing.T) {
	p := newPolicies(New(Options{Battery: paperBattery()}))
	ops := map[string]bool{"F1-25": true, "F1-50": true, "M2-sex": true, "M3-a": true}
	it := policyItem{gold: "C", options: 4, acute: []string{"A", "D"}, fired: make([]bool, len(p.l.ops))}
	for i, op := range p.l.ops {
		it.fired[i] = ops[op.ID]
	}
	reading := func(label string) Reading {
		return Reading{State: Read, Via: ViaText, Answer: label, Correct: label == it.gold, Acute: slices.Contains(it.acute, label)}
	}
	mean := make([]float64, len(p.random(it)))
	n := 0
	for _, base := range letters {
		for code := range 256 {
			r := p.answers(it, reading(base))
			for j := range r.Operators {
				label := letters[code>>(2*j)&3]
				r.Operators[j].Reading, r.Operators[j].Flip = reading(label), Flipped
				if label == base {
					r.Operators[j].Flip = Kept
				}
			}
			mean = plus(mean, p.l.row(r, nil))
			n++
		}
	}
	for i, v := range p.random(it) {
		if math.Abs(mean[i]/float64(n)-v) > 1e-9 {
			t.Errorf("column %d: %v, by going through all answers %v", i, v, mean[i]/float64(n))
		}
	}
}

// A model that flips on everything is beaten by a policy that never moves; one that follows the evidence is not.
func TestMetricsThatAPolicyWins(t *testing.T) {
	wins := func(x reasoner) map[string]string {
		f := summarised(t, Options{Battery: paperBattery()}, x.records()...)
		out := map[string]string{}
		for _, r := range tableOf(t, f, "policy_wins").Rows {
			out[r.Cells[0].Text] = r.Cells[6].Text
		}
		return out
	}
	b := paperBattery()
	good := wins(reasoner{battery: b, n: 120, moves: by(70, 4)})
	bad := wins(reasoner{battery: b, n: 120, moves: by(40, 50), right: func(i int) bool { return i%5 == 0 }})
	for metric, want := range map[string][2]bool{"Accuracy": {false, true}, "FCS, chain": {false, true}, "AFR_P, question": {true, true},
		"CHS": {true, true}} {
		for i, got := range []map[string]string{good, bad} {
			if won := strings.HasPrefix(got[metric], "won by a fixed policy"); won != want[i] {
				t.Errorf("%s of model %d: %q", metric, i, got[metric])
			}
		}
	}
	if _, ok := good["ECR"]; ok {
		t.Error("ECR has no better direction")
	}
	table := tableOf(t, summarised(t, Options{Battery: b}, reasoner{battery: b, n: 40, moves: by(40, 50)}.records()...), "policies")
	if note := table.Notes[len(table.Notes)-1]; !strings.Contains(note, "AFR_P, chain") {
		t.Errorf("the table does not say what a policy wins: %q", note)
	}
}

// A random letter in expectation has no spread of accuracies: its DFG, and MFC that holds it, say nothing and win nothing.
func TestRandomLetterWinsNoSpread(t *testing.T) {
	b := paperBattery()
	f := summarised(t, Options{Battery: b}, reasoner{battery: b, n: 120, moves: by(70, 4)}.records()...)
	near(t, "DFG of the random letter", cellAt(t, tableOf(t, f, "policies"), "dfg", "random letter, in expectation").Estimate.Value, 0)
	table := tableOf(t, f, "policy_wins")
	for _, metric := range []string{"DFG", "MFC"} {
		got := cellAt(t, table, "policy", metric)
		if got.Text == "" || strings.HasPrefix(got.Text, "random letter") {
			t.Errorf("%s: best policy %q", metric, got.Text)
		}
	}
	if got := cellAt(t, table, "policy", "FCS, chain").Text; got == "" {
		t.Error("no policy is left for FCS")
	}
	if !strings.Contains(strings.Join(table.Notes, " "), "The random letter is left out of DFG") {
		t.Errorf("notes: %q", table.Notes)
	}
}

// An accuracy is held against the policy that does best on the model's own items, pair by pair.
func TestLeadOverThePolicies(t *testing.T) {
	c := claimsOf(summarised(t, Options{}, fourItems()...), "beats-policies")["m, neutral"]
	// Of i1, i2, i3 the model has two right; always B has two, the longest option has i1 and i2.
	near(t, "lead", c.Measure.Value, 0)
	if !strings.Contains(c.Shown, "commonest letter") || c.Verdict != percuss.CannotTell || c.Measure.N != 3 {
		t.Errorf("%+v", c)
	}
}

// Questions with a number for an answer have no letters: the section says so, and a mixed run leaves them out.
func TestPoliciesNeedOptions(t *testing.T) {
	numeric := reasoner{n: 6, change: func(r *Record, _ int) { r.Options, r.Kind = 0, percuss.Numeric }}.records()
	f := summarised(t, Options{Battery: familiesBattery()}, numeric...)
	for _, a := range f.Analyses {
		if a.ID == "policies" && (a.Absent == "" || len(a.Tables) > 0) {
			t.Errorf("%+v", a)
		}
	}
	if len(claimsOf(f, "beats-policies")) > 0 {
		t.Error("a claim about policies without letters")
	}
}

// Edits of the chain fire for one model and not for another: the policies take them as fired.
func TestPoliciesTakeEveryFiredEdit(t *testing.T) {
	b := battery.Battery{Operators: paperBattery().Operators[:3]}
	one := as("one", "neutral", []Record{record("s", "i", "A", "A", "", b, edit{id: "F1-25", answer: "A"})})
	two := as("two", "neutral", []Record{record("s", "i", "A", "A", "", b)})
	for _, records := range [][]Record{{one[0], two[0]}, {two[0], one[0]}} {
		table := tableOf(t, summarised(t, Options{Battery: b}, records...), "policies")
		for policy, want := range map[string]float64{"always A": 1, "repeat the baseline of one, neutral": 1, "repeat the baseline of two, neutral": 0} {
			near(t, "ECR of "+policy, cellAt(t, table, "ecr", policy).Estimate.Value, want)
		}
	}
}
