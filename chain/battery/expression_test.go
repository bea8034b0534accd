package battery

import (
	"strings"
	"testing"
)

// No two operators of the built-in batteries share an id, and none has the name of a family or battery.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, f := range files() {
		c, err := readCatalogue(f.name+".yaml", f.data)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range c.operators {
			if had, ok := seen[o.ID]; ok && had != o.data+o.Version {
				t.Errorf("%s is described twice", o.ID)
			}
			seen[o.ID] = o.data + o.Version
		}
	}
	c, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for name := range c.batteries {
		named[name] = true
	}
	for _, o := range c.operators {
		if named[o.ID] || named[o.Family] || seen[o.Family] != "" || o.ID == o.Family {
			t.Errorf("%s of %s: its name belongs to something else as well", o.ID, o.Family)
		}
	}
	clash := catalogue{operators: []Operator{{ID: "F1-50", Version: "other"}}}
	if _, err := c.with(clash); err == nil || !strings.Contains(err.Error(), "belongs to two") {
		t.Errorf("a clash of ids: %v", err)
	}
	if _, err := c.with(catalogue{batteries: map[string][]string{"paper": {"F1"}}}); err == nil {
		t.Error("a clash of batteries went unseen")
	}
}

func TestCombinedExpressions(t *testing.T) {
	count := func(expression string) int { return len(mustParse(t, expression).Operators) }
	paper, extended, families, api := count("paper"), count("extended"), count("families"), count("api")
	if paper != 30 || families != 13 || api != 13 {
		t.Errorf("paper %d, families %d, api %d", paper, families, api)
	}
	for expression, want := range map[string]int{
		"paper+extended": paper + extended, "families+extended": families + extended, "extended+M2": extended + 3, "extended+paper": paper + extended,
		"api+paper": paper + 3, "families+api": families + 3, "extended+M-sex": extended, "M-sex+API-M4": 2, "api+extended+paper": paper + 3 + extended,
	} {
		if got := count(expression); got != want {
			t.Errorf("%s: %d operators, want %d", expression, got, want)
		}
	}
	if got := ids(mustParse(t, "api")); got != "F1-50 F2-a F3-a F4-a F5-a F6-a F7-a M1-a M2-age-a M6-a API-M3-a API-M4-a API-M5-a" {
		t.Errorf("api: %s", got)
	}
	if a, b := mustParse(t, "paper+extended"), mustParse(t, "extended+paper"); a.Fingerprint != b.Fingerprint {
		t.Error("the order of an expression changes the fingerprint")
	}
}

// Which operators belong to the joint table.
func TestRegistering(t *testing.T) {
	want := map[string]bool{"M2": true, "M4": true, "M5": true, "API-M4": true, "API-M5": true, "M-sex": true, "M-age": true, "M-lab": true,
		"M-negation": true, "M-severity": true, "M-course": true, "M-side": true, "M-dose": true}
	for _, o := range mustParse(t, "paper+api+extended").Operators {
		if got := o.Registering(); got != (want[o.Family] || o.ID == "M-race-change") {
			t.Errorf("%s: registering %t", o.ID, got)
		}
		if o.Registering() && (o.Block != M || o.Intent != Destructive) {
			t.Errorf("%s registers, but is %s %s", o.ID, o.Block, o.Intent)
		}
	}
}

// The edits of the API runtime (chain paper, Appendix L).
func TestAPIBattery(t *testing.T) {
	b := mustParse(t, "api")
	for _, c := range []struct{ id, text, want string }{
		{"API-M4-a", "He denies pain and has no history of gout.", "He reports pain and has no history of gout."},
		{"API-M4-a", "There is No history of gout.", "There is A history of gout."},
		{"API-M5-a", "mild, then acute", "severe, then acute"}, {"API-M5-a", "moderate and chronic", "moderate and acute"},
		{"API-M5-a", "moderate", "severe"}, {"API-M5-a", "low-grade fever", ""}, {"API-M4-a", "He reports pain.", ""},
	} {
		o, ok := b.Operator(c.id)
		if e := o.Apply(c.text, 1, "item"); !ok || e.Text != c.want {
			t.Errorf("%s on %q: %q (%s), want %q", c.id, c.text, e.Text, e.Why, c.want)
		}
	}
	o, _ := b.Operator("API-M3-a")
	seen := map[string]bool{}
	for seed := range uint64(40) {
		seen[o.Apply("Stem.", seed, "i").New] = true
	}
	if len(seen) != 2 {
		t.Errorf("the pool of notices has %d", len(seen))
	}
	denied, _ := b.Operator("API-M4-a")
	e := denied.Apply("He denies pain.", 1, "i")
	if token, inflected, ok := denied.Registers(e, "as he reported"); token || !inflected || !ok {
		t.Errorf("%t, %t, %t", token, inflected, ok)
	}
}
