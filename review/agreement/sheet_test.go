package agreement

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// The values of these sheets were printed by testdata/oracle/agreement.py with scikit-learn 1.9.1, statsmodels 0.15.0, krippendorff
// 0.9.0 and irrCAC 0.4.4. In "holes" nobody uses the fourth label, one item has a single label, and one has none.
func TestAgreementAgainstOthers(t *testing.T) {
	full := "000 001 112 222 223 333 332 110 011 121 222 000 313 233"
	holes := "0.01. 00000 1.122 ..22. 44.44 2.1.2 ..4.. ..... 11211 0..10 42424 22.2. .44.2 0010."
	for _, c := range []struct {
		labels, text string
		want         map[string]float64
	}{
		{"a b c d", full, map[string]float64{"percent agreement": 0.571428571429, "Cohen": 0.428571428571, "Cohen, linear": 0.612306711302, "Cohen, quadratic": 0.762155972682,
			"Fleiss": 0.427272727273, "alpha, nominal": 0.440909090909, "alpha, ordinal": 0.765410281760, "AC1": 0.429003021148, "AC2, linear": 0.620253164557,
			"AC2, quadratic": 0.772768259693}},
		{"a b c d e", holes, map[string]float64{"percent agreement": 0.597222222222, "Cohen": 0.477719990182, "Cohen, linear": 0.659563189738, "Cohen, quadratic": 0.801235666390,
			"Fleiss": 0.457654802427, "alpha, nominal": 0.473185390661, "alpha, ordinal": 0.836863161986, "AC1": 0.505390646524, "AC2, linear": 0.713133685435,
			"AC2, quadratic": 0.851969467921}},
	} {
		got := table(t, Tabulate(reviewOf(blind.Own, asked("q", c.labels, true), c.text), quick), "agreement_q")
		found := 0
		for _, row := range got.Rows {
			want, ok := c.want[row.Cells[1].Text]
			if row.Cells[0].Text != allLabels || !ok {
				continue
			}
			found++
			e := row.Cells[3].Estimate
			if math.Abs(e.Value.Or(9)-want) > 1e-9 {
				t.Errorf("%s of %s: %v, want %v", row.Cells[1].Text, c.text, e.Value.Or(9), want)
			}
			if lo, hi := e.Lo.Or(9), e.Hi.Or(-9); lo > want || hi < want || lo == hi {
				t.Errorf("%s: interval %v to %v", row.Cells[1].Text, lo, hi)
			}
		}
		if found != len(c.want) {
			t.Errorf("%d of %d coefficients are told", found, len(c.want))
		}
	}
}

// Two raters, two labels: the table in which 45 of 50 items agree and kappa is low. By hand: p(o) = 45/50, p(e) =
// (46·47 + 4·3)/50², kappa = .0304/.1304; 93 of 100 labels are one.
func TestPrevalenceIsWarnedOf(t *testing.T) {
	text := strings.Repeat("00 ", 44) + strings.Repeat("01 ", 2) + strings.Repeat("10 ", 3) + "11"
	r := Tabulate(reviewOf(blind.Own, asked("q", "no yes", false), text), quick)
	agree := table(t, r, "agreement_q")
	var cohen percuss.Estimate
	for _, row := range agree.Rows {
		if row.Cells[1].Text == "Cohen" {
			cohen = row.Cells[3].Estimate
		}
	}
	po, pe := .9, (47.*46+3*4)/2500
	if want := (po - pe) / (1 - pe); math.Abs(cohen.Value.Or(9)-want) > 1e-12 || !strings.Contains(strings.Join(cohen.Warnings, ""), `labels are "no"`) {
		t.Errorf("%v, want %v; %q", cohen.Value.Or(9), want, cohen.Warnings)
	}
	p := table(t, r, "prevalence_q")
	same(t, says(p), "all labels | 0.900 | 0.233 | 0.800 | 0.860 | 0.020 | no | 0.930 | yes\n")
	if word := agree.Rows[2].Cells[2].Text; word != "fair" {
		t.Error(word)
	}
}

// What all the tables of a question say, of three raters with a missing label; counted by hand.
func TestTablesByHand(t *testing.T) {
	r := Tabulate(reviewOf(blind.Own, asked("q", "low middle high", true), "000 001 012 22. 1.. 222"), quick)
	same(t, says(table(t, r, "shares_q")), `
Rater 00 | 6 | 3/6 | 1/6 | 2/6
Rater 01 | 5 | 2/5 | 1/5 | 2/5
Rater 02 | 4 | 1/4 | 1/4 | 2/4
all raters | 5 | 1/5 | 0/5 | 2/5
more than half | 5 | 2/5 | 0/5 | 2/5
`)
	notes := strings.Join(table(t, r, "shares_q").Notes, " ")
	if !strings.Contains(notes, "1 of the 5 items lack the label of a rater") || !strings.Contains(notes, "1 more have one label only") {
		t.Error(notes)
	}
	same(t, says(table(t, r, "crossed_q")), `
Rater 00 | Rater 01 | low | 2 | 1 | 0
Rater 00 | Rater 01 | middle | 0 | 0 | 0
Rater 00 | Rater 01 | high | 0 | 0 | 2
Rater 00 | Rater 02 | low | 1 | 1 | 1
Rater 00 | Rater 02 | middle | 0 | 0 | 0
Rater 00 | Rater 02 | high | 0 | 0 | 1
Rater 01 | Rater 02 | low | 1 | 1 | 0
Rater 01 | Rater 02 | middle | 0 | 0 | 1
Rater 01 | Rater 02 | high | 0 | 0 | 1
`)
	same(t, says(table(t, r, "direction_q")), `
all labels | Rater 00 | Rater 01 | 4 | 0 | 1 | 1.000 | Rater 01
all labels | Rater 00 | Rater 02 | 2 | 0 | 2 | 0.500 | Rater 02
all labels | Rater 01 | Rater 02 | 2 | 0 | 2 | 0.500 | Rater 02
`)
	same(t, says(table(t, r, "progress")), `
Rater 00 | 6 | 0 | 0 | 0 | 0 | – | – | –
Rater 01 | 5 | 0 | 1 | 0 | 0 | – | – | –
Rater 02 | 4 | 0 | 2 | 0 | 0 | – | – | –
all | 15 | 0 | 3 | 0 | 0 | – | – | –
`)
	pairs := table(t, r, "pairs_q") // kappa of the first pair: p(o) = 4/5, p(e) = (3·2 + 0·1 + 2·2)/25
	if e := pairs.Rows[0].Cells[4].Estimate; math.Abs(e.Value.Or(9)-(.8-.4)/(1-.4)) > 1e-12 || pairs.Rows[0].Cells[2].Estimate.Value.Or(0) != 5 {
		t.Errorf("%+v", pairs.Rows[0])
	}
	if got := strings.Join(r.Lead, " "); !strings.Contains(got, "6 items, 3 raters. Done by all of them: 4; flagged by any: 0; answers left: 3.") || !strings.Contains(got, "key is not open") {
		t.Error(got)
	}
}

// Labels without an order are each held against the rest: who gives the label where the other does not.
func TestDirectionOfLabelsWithoutOrder(t *testing.T) {
	r := Tabulate(reviewOf(blind.Own, asked("q", "a b c", false), "00 01 01 01 21 10 .2"), quick)
	same(t, says(table(t, r, "direction_q")), `
a against the rest | Rater 00 | Rater 01 | 2 | 3 | 1 | 0.625 | Rater 00
b against the rest | Rater 00 | Rater 01 | 1 | 1 | 4 | 0.375 | Rater 01
c against the rest | Rater 00 | Rater 01 | 5 | 1 | 0 | 1.000 | Rater 00
`)
	two := Tabulate(reviewOf(blind.Own, asked("q", "a b", false), "01 01 10"), quick)
	same(t, says(table(t, two, "direction_q")), "a against the rest | Rater 00 | Rater 01 | 0 | 2 | 1 | 1.000 | Rater 00\n")
}

// An answer that an earlier answer leaves unasked counts nowhere, and an item that no rater was asked it of is none of the question.
func TestQuestionAfterAnother(t *testing.T) {
	r := reviewOf(blind.Own, asked("step", "right wrong", false), "00 11 01")
	kind := asked("kind", "factual other", false)
	kind.When = &blind.When{Question: "step", Label: "wrong"}
	r.Package.Questions = append(r.Package.Questions, kind)
	r.say("r0", "item000", map[string]string{"step": "right", "kind": "other"})
	r.say("r0", "item001", map[string]string{"step": "wrong", "kind": "other"})
	r.say("r1", "item001", map[string]string{"step": "wrong", "kind": "factual"})
	same(t, says(table(t, Tabulate(r, quick), "shares_kind")), `
Rater 00 | 1 | 0/1 | 1/1
Rater 01 | 1 | 1/1 | 0/1
all raters | 1 | 0/1 | 0/1
`)
}

// whole is everything that results say, to be compared.
func whole(t *testing.T, r Results) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFewAnswers(t *testing.T) {
	q := asked("q", "a b c", true)
	none := Tabulate(reviewOf(blind.Perturbation, q, ". ."), quick)
	for _, id := range []string{"progress", "shares_q", "agreement_q", "crossed_q", "direction_q", "repeats", "attention", "statements"} {
		if one := table(t, none, id); one.Absent == "" || len(one.Rows) > 0 {
			t.Errorf("without answers %s: %q, %d rows", id, one.Absent, len(one.Rows))
		}
	}
	one := Tabulate(reviewOf(blind.Own, q, "0 1 0"), quick)
	same(t, says(table(t, one, "shares_q")), "Rater 00 | 3 | 2/3 | 1/3 | 0/3\n")
	if a := table(t, one, "agreement_q"); !strings.Contains(a.Absent, "one rater only") {
		t.Error(a.Absent)
	}
	flat := table(t, Tabulate(reviewOf(blind.Own, q, "00 00 00"), quick), "agreement_q")
	for _, row := range flat.Rows {
		e := row.Cells[3].Estimate
		switch name := row.Cells[1].Text; {
		case name == "percent agreement" || name == "exact agreement" || strings.HasPrefix(name, "AC"):
			if e.Value.Or(0) != 1 {
				t.Errorf("one label: %s is %v", name, e.Value.Or(0))
			}
		case e.Value.OK() || !strings.Contains(e.Why, "not defined") || row.Cells[2].Text != "":
			t.Errorf("one label: %s is %v, %q, %q", name, e.Value.Or(0), e.Why, row.Cells[2].Text)
		}
	}
}

// Fifty raters: every table is there, in a bounded size, and each rater is held against the others.
func TestFiftyRaters(t *testing.T) {
	var text strings.Builder
	rng := percuss.Rand(1, "", "", "raters")
	for range 40 {
		truth := rng.IntN(3)
		for range 50 {
			if rng.IntN(3) == 0 {
				truth = rng.IntN(3)
			}
			text.WriteString(strconv.Itoa(truth))
		}
		text.WriteString(" ")
	}
	r := Tabulate(reviewOf(blind.Own, asked("q", "a b c", true), text.String()), quick)
	pairs := table(t, r, "pairs_q")
	if e := pairs.Rows[0].Cells[4].Estimate; len(pairs.Rows) != 50*49/2 || !strings.Contains(e.Method, "large-sample") || !strings.Contains(strings.Join(pairs.Notes, ""), "large-sample") {
		t.Errorf("%d pairs, %+v", len(pairs.Rows), e)
	}
	if n := len(table(t, r, "direction_q").Rows); n != 50 {
		t.Errorf("%d raters are held against the others", n)
	}
	if c := table(t, r, "crossed_q"); !strings.Contains(c.Absent, "too many pairs") {
		t.Error(c.Absent)
	}
	if e := table(t, r, "agreement_q").Rows[2].Cells[3].Estimate; !e.Lo.OK() || e.N != 40 {
		t.Errorf("%+v", e)
	}
}

// The order of raters and of items changes nothing.
func TestOrderChangesNothing(t *testing.T) {
	base := reviewOf(blind.Perturbation, asked(blind.AskShift, "no_shift ambiguous shifted", true), "000 001 012 22. 1.. 222 .11 ... 021 110 002")
	base.Key, base.Strata = map[string]Known{}, []string{"family"}
	for i, item := range base.Package.Items {
		base.Key[item.ID] = Known{Strata: map[string]string{"family": fmt.Sprint("M", 2+i%2)}}
	}
	want := whole(t, Tabulate(base, quick))
	rng := percuss.Rand(2, "", "", "order")
	for range 5 {
		other := base
		other.Package.Items = nil
		for _, i := range rng.Perm(len(base.Package.Items)) {
			other.Package.Items = append(other.Package.Items, base.Package.Items[i])
		}
		other.Said, other.Names = ratings.Latest{}, map[string]string{}
		ids := rng.Perm(3)
		for id, entries := range base.Said {
			fresh := fmt.Sprint("z", ids[id[1]-'0'])
			other.Names[fresh] = base.Names[id]
			for _, e := range entries {
				e.Rater = fresh
				other.Said.Add(e)
			}
		}
		if got := whole(t, Tabulate(other, quick)); got != want {
			t.Fatalf("another order gives\n%s\nand not\n%s", got, want)
		}
	}
}
