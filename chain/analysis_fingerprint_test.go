package chain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// surfaced gives every record a surface of its own, and every fired edit of the question the surface that edited makes
// of it.
func surfaced(n int, edited func(op string, i int, s Surface)) []Record {
	return reasoner{n: n, change: func(r *Record, i int) {
		r.Surface = make(Surface, surfaceFeatures)
		r.Surface[wordCount], r.Surface[sentenceCount] = float64(60+(i*37)%90), float64(4+(i*13)%7)
		r.Surface[wordLength] = 5 + float64((i*29)%50)/50
		for j := range r.Operators {
			t := &r.Operators[j]
			if strings.HasPrefix(t.ID, "M") {
				t.Surface = append(Surface(nil), r.Surface...)
				edited(t.ID, i, t.Surface)
			}
		}
	}}.records()
}

func TestFingerprint(t *testing.T) {
	records := surfaced(120, func(op string, i int, s Surface) {
		switch op {
		case "M2-age-a": // the article is wrong on most items
			s[wrongArticle] += bit(i%10 != 0)
		case "M1-a", "M5-a": // a length that no original has: nothing but the edit itself where a sentence is taken out
			s[wordCount] -= 120
			s[sentenceCount] -= 10
		case "M3-a": // longer too, and the first sentence of most names no patient
			s[wordCount] += 120
			s[noPatient] = bit(i%10 != 0)
		}
	})
	b := familiesBattery()
	for i, op := range b.Operators {
		b.Operators[i].Locus = map[string]battery.Locus{"M1": battery.Structural, "M3": battery.Structural}[op.Family]
	}
	f := summarised(t, Options{Battery: b}, records...)
	table := tableOf(t, f, "fingerprint")
	cell := func(column, op string) percuss.Cell { return cellAt(t, table, column, op) }
	if got := cell("reading", "M2-age-a").Text; !strings.HasPrefix(got, "strong") || !strings.HasPrefix(cell("feature", "M2-age-a").Text, "a or an") {
		t.Errorf("M2-age-a: %q by %q", got, cell("feature", "M2-age-a").Text)
	}
	// Nine of ten edits have the trait and no original: (0.9 + 0.1/2).
	near(t, "the article alone", cell("alone", "M2-age-a").Estimate.Value, .95)
	for _, op := range []string{"M4-a", "M1-a"} {
		e := cell("auc", op).Estimate
		if got := cell("reading", op).Text; !strings.HasPrefix(got, "weak") || e.N != 120 {
			t.Errorf("%s leaves no trace: %q, %+v", op, got, e)
		}
	}
	for op, feature := range map[string]string{"M3-a": "first sentence", "M5-a": "words"} {
		if got := cell("reading", op).Text; !strings.HasPrefix(got, "strong") || !strings.HasPrefix(cell("feature", op).Text, feature) {
			t.Errorf("%s: %q by %q, want %q", op, got, cell("feature", op).Text, feature)
		}
	}
	if len(table.Notes) != 2 || !strings.Contains(table.Notes[0], "not trained anew") || !strings.HasPrefix(table.Notes[1], "M1-a, M3-a: told without words and sentences") {
		t.Errorf("notes: %q", table.Notes)
	}
	if e := cell("auc", "M4-a").Estimate; !strings.HasSuffix(e.Method, "; given the classifiers of the folds") {
		t.Errorf("the method does not say what the interval leaves out: %+v", e)
	}
	claims := claimsOf(f, "fingerprint")
	for op, want := range map[string]percuss.Holds{"M2-age-a": percuss.ClaimFails, "M4-a": percuss.ClaimHolds, "M1-a": percuss.ClaimHolds, "M3-a": percuss.ClaimFails} {
		if c := claims[op]; c.Verdict != want || !strings.Contains(c.Shown, "AUC") || strings.Contains(c.Says, "length apart") != (op == "M1-a" || op == "M3-a") {
			t.Errorf("%s: %+v, want %s", op, c, want)
		}
	}
}

// The same edit of the same item counts once, whoever was asked.
func TestFingerprintCountsAnEditOnce(t *testing.T) {
	records := surfaced(30, func(_ string, i int, s Surface) { s[doubleSpace] += bit(i%3 == 0) })
	one := summarised(t, Options{Battery: familiesBattery()}, records...)
	two := summarised(t, Options{Battery: familiesBattery()}, append(append([]Record(nil), records...), as("other", "strict", records)...)...)
	for _, op := range []string{"M1-a", "M6-a"} {
		a, b := cellAt(t, tableOf(t, one, "fingerprint"), "auc", op).Estimate, cellAt(t, tableOf(t, two, "fingerprint"), "auc", op).Estimate
		if fmt.Sprint(a) != fmt.Sprint(b) || a.N != 30 {
			t.Errorf("%s of one model %+v, of two %+v", op, a, b)
		}
	}
}

func TestFingerprintOfLittle(t *testing.T) {
	f := summarised(t, Options{Battery: familiesBattery()}, surfaced(10, func(string, int, Surface) {})...)
	if got := cellAt(t, tableOf(t, f, "fingerprint"), "auc", "M1-a").Estimate; got.Value.OK() || got.N != 10 || !strings.Contains(got.Why, "10 items") {
		t.Errorf("%+v", got)
	}
	if c := claimsOf(f, "fingerprint")["M1-a"]; c.Verdict != percuss.CannotTell {
		t.Errorf("%+v", c)
	}
	// Records of an earlier version have no surface; a battery of chain edits has no question to tell.
	old := summarised(t, Options{Battery: familiesBattery()}, reasoner{n: 30}.records()...)
	if got := cellAt(t, tableOf(t, old, "fingerprint"), "auc", "M1-a").Estimate; got.Value.OK() || got.N != 0 {
		t.Errorf("without surfaces: %+v", got)
	}
	var b battery.Battery
	for _, op := range familiesBattery().Operators {
		if op.Block == battery.F {
			b.Operators = append(b.Operators, op)
		}
	}
	for _, a := range summarised(t, Options{Battery: b}, reasoner{n: 5, battery: b}.records()...).Analyses {
		if a.ID == "fingerprint" && a.Absent == "" {
			t.Errorf("%+v", a)
		}
	}
}
