package battery

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// checkCrossing moves one value and looks on which side of the limits it ends.
func checkCrossing(t *testing.T, o Operator, a analyte, u reference, old float64) {
	t.Helper()
	text := "A test: " + a.Names[0] + ": " + strconv.FormatFloat(old, 'f', 2, 64) + " " + u.Unit[0] + " today."
	inside := func(v float64) bool { return u.Low <= v && v <= u.High }
	for seed := range uint64(12) {
		e := o.Apply(text, seed, "item")
		v, err := strconv.ParseFloat(e.New, 64)
		if err != nil || inside(v) == inside(old) {
			t.Fatalf("%q became %q (%s)", text, e.Text, e.Why)
		}
	}
}

// leastFiring are floors of the firing rates on MedQA's stems and on the real chains, a little under what was measured.
// Low ones are the price of refusing: few stems have a lone dose, a guarded qualifier or a sentence on allergies. 0: it
// fires so rarely that a part of the texts may have none.
var leastFiring = map[string]float64{
	"M-sex": 0.45, "M-age": 0.35, "M-race": 0.01, "M-lab": 0.05, "M-negation": 0, "M-severity": 0.05, "M-course": 0, "M-side": 0.07,
	"M-dose": 0, "M-drug": 0.08, "M-allergy": 0, "M-spelling": 0.95, "M-units": 0.3, "M-hint": 1,
	"F-number": 0.4, "F-dose": 0, "F-donor": 0.99, "F-filler": 0.99, "API-M3": 1, "API-M4": 0.1, "API-M5": 0.2,
}

// whole counts on every text; otherwise on every third, which takes a third of the time.
var whole = flag.Bool("whole", false, "apply the careful operators to every published text")

// part returns the texts that are looked at.
func part[T any](texts []T) []T {
	if *whole {
		return texts
	}
	var out []T
	for i := 0; i < len(texts); i += 3 {
		out = append(out, texts[i])
	}
	return out
}

// On the published sets: how often each operator fires, and that no edit doubles a space, leaves its tokens out, or
// breaks an article (those of the API runtime do, like the paper's).
func TestCarefulEditsOfRealTexts(t *testing.T) {
	sets, replies := wholeSets(t), part(chains(t))
	for _, o := range mustParse(t, "api+extended").Operators {
		if _, listed := leastFiring[o.Family]; !listed {
			continue // the paper's
		}
		if o.Block == F {
			asked := o.Knowing(Context{Donor: "Step 1: Another chain."})
			fired := 0
			for _, x := range replies {
				if e := asked.Apply(x.text, 1, x.id); e.Fired {
					fired++
				}
			}
			checkRate(t, o, "chains", fired, len(replies))
			continue
		}
		for _, set := range sortedKeys(sets) {
			questions := part(sets[set])
			checkRate(t, o, set, firedOn(t, o, questions), len(questions))
		}
	}
}

func checkRate(t *testing.T, o Operator, set string, fired, of int) {
	t.Helper()
	rate := float64(fired) / float64(of)
	t.Logf("%-16s %-13s %.4f of %d", o.ID, set, rate, of)
	if (set == "medqa" || set == "chains") && rate < leastFiring[o.Family] {
		t.Errorf("%s fires on %.4f of %s, want at least %.3f", o.ID, rate, set, leastFiring[o.Family])
	}
}

// firedOn applies an operator to every stem of a set.
func firedOn(t *testing.T, o Operator, questions []percuss.Question) int {
	t.Helper()
	fired := 0
	for _, q := range questions {
		e := o.Knowing(Context{Options: q.Options, Answer: q.Options[0].Label}).Apply(q.Stem, 1, q.ID)
		if !e.Fired {
			if e.Why == "" || e.Text != "" {
				t.Errorf("%s on %s: not fired, why %q, text %q", o.ID, q.ID, e.Why, e.Text)
			}
			continue
		}
		fired++
		if e.Text == q.Stem || strings.Count(e.Text, "  ") > strings.Count(q.Stem, "  ") {
			t.Errorf("%s on %s: nothing changed, or a space doubled: %q", o.ID, q.ID, e.Text)
		}
		if !strings.HasPrefix(o.ID, "API-") && len(wrongArticle.FindAllString(e.Text, -1)) > len(wrongArticle.FindAllString(q.Stem, -1)) {
			t.Errorf("%s on %s: a wrong article: %q", o.ID, q.ID, e.Text)
		}
		for _, token := range e.Tokens {
			if !strings.Contains(strings.ToLower(e.Text), token) { // "10.1g/dL" has its value in it, but as no word
				t.Errorf("%s on %s: token %q is not in the text", o.ID, q.ID, token)
			}
		}
	}
	return fired
}

// The battery's head, which the page of operators shows, names the operators that hardly ever fire, with their rates on
// all of MedQA. A rate that has changed is to be written there anew.
func TestRareOperatorsAreNamed(t *testing.T) {
	medqa := wholeSets(t)["medqa"]
	var rare []string
	for _, o := range mustParse(t, "extended").Operators {
		if o.Block == F || leastFiring[o.Family] >= 0.01 && o.Family != "M-race" {
			continue // of those the floor says more than that already
		}
		if rate := 100 * float64(firedOn(t, o, medqa)) / float64(len(medqa)); rate < 1 {
			rare = append(rare, o.ID+" ("+strconv.FormatFloat(rate, 'f', 1, 64)+" %)")
		}
	}
	if want := strings.Join(rare, ", "); !strings.Contains(header(string(extended)), want+".") {
		t.Errorf("extended.yaml should name as rare: %s", want)
	}
}
