package evidence

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// embedded are the rules that Percuss ships, read once.
var embedded = sync.OnceValue(DefaultLabels)

// inter is an interaction under a rule of the embedded table.
func inter(set lattice.Set, value float64, rule string) Interaction {
	l := embedded()
	for _, r := range slices.Concat(l.Rules, l.Narrative) {
		if r.ID == rule {
			return Interaction{Set: set, Value: value, Rule: rule, Label: r.Label, Suspicious: r.Suspicious}
		}
	}
	return Interaction{Set: set, Value: value, Rule: rule}
}

// baseSetting is that of the defaults.
func baseSetting() Setting { return Setting{Wording: "clinical-summary", Hide: Drop} }

// scoredCase is a case of n units, asked at all orders, that the model gets right, with these interactions of the gold.
func scoredCase(item string, n int, of ...Interaction) Record {
	r := Record{Subject: percuss.SubjectID{Model: "m", Set: "s", Item: item}, Gold: "gold", Candidates: []string{"gold", "other"}, Order: n, CheckOrder: 3,
		Base: Measured{Setting: baseSetting(), State: Scored, Letter: "A", Prediction: "gold", Correct: true, Answered: true, Interactions: of}}
	for i := range n {
		r.Units = append(r.Units, UnitRecord{ID: fmt.Sprint("u", i), Family: fmt.Sprint("f", i), Text: fmt.Sprint("text ", i)})
	}
	return r
}

// summed runs an audit with few resamples.
func summed(t *testing.T, o Options, records ...Record) Findings {
	t.Helper()
	if o.Bootstrap == 0 {
		o.Bootstrap = 100
	}
	f, ok := New(o).Summarise(sequenceOf(records...)).(Findings)
	if !ok {
		t.Fatal("Summarise returns another type than Findings")
	}
	sound(t, reflect.ValueOf(f), "findings")
	return f
}

// onlyCell is the one cell of some records.
func onlyCell(t *testing.T, o Options, records ...Record) Cell {
	t.Helper()
	f := summed(t, o, records...)
	if len(f.Cells) != 1 {
		t.Fatalf("%d cells, want 1", len(f.Cells))
	}
	return f.Cells[0]
}

// sound holds of every estimate in the tables: a value lies within its interval, a missing one says why.
func sound(t *testing.T, v reflect.Value, at string) {
	t.Helper()
	if e, ok := v.Interface().(percuss.Estimate); ok {
		x, has := e.Value.Get()
		lo, hi := e.Lo.Or(math.Inf(-1)), e.Hi.Or(math.Inf(1))
		outside := slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.Contains(w, "lies outside") })
		switch {
		case !has && e.Why == "":
			t.Errorf("%s is missing and does not say why", at)
		case has && (x < lo-1e-9 || x > hi+1e-9) && !outside:
			t.Errorf("%s = %v lies outside %v to %v", at, x, lo, hi)
		case has && e.Method == "":
			t.Errorf("%s has no method", at)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				sound(t, v.Field(i), at+"."+v.Type().Field(i).Name)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			sound(t, v.Index(i), fmt.Sprintf("%s[%d]", at, i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			sound(t, v.Elem(), at)
		}
	}
}

// is compares an estimate's value.
func is(t *testing.T, what string, got percuss.Estimate, want float64) {
	t.Helper()
	isNumber(t, what, got.Value, want)
}

func isNumber(t *testing.T, what string, got percuss.Number, want float64) {
	t.Helper()
	if v, ok := got.Get(); !ok || math.Abs(v-want) > 1e-9 {
		t.Errorf("%s = %s, want %.6f", what, got.Format(6), want)
	}
}

// missing holds of an estimate without value whose reason has these words.
func missing(t *testing.T, what string, got percuss.Estimate, why string) {
	t.Helper()
	if got.Value.OK() || !strings.Contains(got.Why, why) {
		t.Errorf("%s = %s (%s), want none: %s", what, got.Value.Format(3), got.Why, why)
	}
}

func mechanism(t *testing.T, of []Mechanism, name string) Mechanism {
	t.Helper()
	at := slices.IndexFunc(of, func(m Mechanism) bool { return m.Name == name })
	if at < 0 {
		t.Fatalf("no mechanism %q in %v", name, of)
	}
	return of[at]
}

func TestCasesAreCountedByWhatBecameOfThem(t *testing.T) {
	right, wrong := scoredCase("1", 2), scoredCase("2", 2)
	wrong.Base.Correct, wrong.Base.Letter = false, "B"
	right.Base.Margin, right.Base.Empty, right.Base.Mass = percuss.Num(2), percuss.Num(-1), percuss.Num(0.5)
	wrong.Base.Margin, wrong.Base.Mass = percuss.Num(1), percuss.Num(0.25)
	wrong.Candidates = []string{"a", "b", "c", "d"}
	waiting, refusal, censored := scoredCase("3", 2), scoredCase("4", 2), scoredCase("5", 2)
	waiting.Base = Measured{State: Waiting, Why: "answers are missing"}
	refusal.Base, refusal.Why = Measured{}, "two units only"
	censored.Base = Measured{State: Censored, Why: "no letter", Answered: true, Correct: true, Letter: "B", Censored: 3}
	censored.Unasked = []string{"selectors: no others"}
	c := onlyCell(t, Options{}, right, wrong, waiting, refusal, censored, right)

	if c.Cases != 5 || c.Scored != 2 || c.Censored != 3 {
		t.Errorf("cases %d, scored %d, censored %d", c.Cases, c.Scored, c.Censored)
	}
	want := []Count{{"scored", 2}, {"waiting", 1}, {"censored", 1}, {"constant", 0}, {"unscored", 0}, {"refused", 1}}
	if !slices.Equal(c.States, want) {
		t.Errorf("states %v, want %v", c.States, want)
	}
	if !slices.Equal(c.Reasons, []Count{{"answers are missing", 1}, {"no letter", 1}, {"two units only", 1}}) {
		t.Errorf("reasons %v", c.Reasons)
	}
	if !slices.Equal(c.Letters, []Count{{"A", 1}, {"B", 2}}) || !slices.Equal(c.Unasked, []Count{{"selectors: no others", 1}}) {
		t.Errorf("letters %v, unasked %v", c.Letters, c.Unasked)
	}
	is(t, "accuracy", c.Accuracy, 2./3)
	is(t, "always A", c.AlwaysA, 1./3)
	is(t, "mass", c.Mass, 0.375)
	is(t, "full", c.Full, 1.5)
	is(t, "empty", c.Empty, -1)
	said := strings.Join(c.Cautions, "\n")
	for _, words := range []string{"missing for 1 of 5 cases", "Only 2 cases are scored", "does not clearly exceed guessing, 41.7 %", "always saying A, 33.3 %",
		"Only 37.5 %", "are bounds only", "In 1 of 5 cases the gold's letter", "already there: 1 records"} {
		if !strings.Contains(said, words) {
			t.Errorf("no caution says %q:\n%s", words, said)
		}
	}
}

// Nothing that is missing is 0: with no case scored every figure says why, and there are no cells without records.
func TestMissingStaysMissing(t *testing.T) {
	r := scoredCase("1", 2)
	r.Base = Measured{State: Waiting, Why: "answers are missing"}
	r.Changes = []Change{{Family: "f0", Edit: Remove, State: Waiting}}
	r.Compared = []Comparison{{Kind: ByHiding, Of: Setting{Hide: Neutralize}, With: r.Base.Setting}}
	c := onlyCell(t, Options{}, r)
	missing(t, "accuracy", c.Accuracy, "no case has a usable answer")
	missing(t, "suspicious", c.Gold.Suspicious, "no interaction is salient")
	missing(t, "per case", c.Gold.PerCase, "no case is scored")
	missing(t, "above", c.Above, "no scored case")
	missing(t, "mass", c.Mass, "no probabilities")
	missing(t, "high", c.Strata[0].Strong, "no case that the model gets right")
	for _, m := range c.Gold.Mechanisms {
		missing(t, m.Name, m.Share, "no interaction is salient")
		if m.Null.OK() {
			t.Errorf("%s has a null share without cases", m.Name)
		}
	}
	if c.Residual.OK() {
		t.Error("a residual without cases")
	}
	if f := summed(t, Options{}); len(f.Cells) != 0 || len(f.Decisions) != 0 || f.Ranks != nil {
		t.Error("cells without records")
	}
}
