package battery

import "testing"

func TestRegisters(t *testing.T) {
	age, woman := Edit{Tokens: []string{"75"}}, Edit{Tokens: []string{"woman"}}
	mild, low := Edit{Tokens: []string{"mild"}}, Edit{Tokens: []string{"low-grade"}}
	for _, c := range []struct {
		id               string
		e                Edit
		chain            string
		token, inflected bool
	}{
		{"M2-age-a", age, "A 75-year-old man", true, true},
		{"M2-age-b", age, "At 175 or 750", false, false},
		{"M2-age-a", age, "At seventy-five he", false, true},
		{"M2-age-a", Edit{Tokens: []string{"5"}}, "five criteria", false, false},
		{"M2-age-a", Edit{Tokens: []string{"5"}}, "a five-year-old", false, true},
		{"M2-sex", woman, "The WOMAN is ill", true, true},
		{"M2-sex", woman, "Her pain; the man", false, true},
		{"M2-sex", woman, "There, the human", false, false},
		{"M2-sex", Edit{Tokens: []string{"male"}}, "this female", false, false},
		{"M4-a", Edit{}, "He does not have", true, true}, {"M4-b", Edit{}, "Never ill", true, true},
		{"M4-a", Edit{}, "no  longer", true, true}, {"M4-a", Edit{}, "She DENIES it", true, true},
		{"M4-a", Edit{}, "She doesn’t report", false, true}, {"M4-a", Edit{}, "denied pain", false, true},
		{"M4-a", Edit{}, "did not report", false, true}, {"M4-a", Edit{}, "does nothing, nevertheless", false, false},
		{"M5-a", mild, "a mild case", true, true}, {"M5-a", mild, "mildly ill", false, true},
		{"M5-b", mild, "mildew", false, false}, {"M5-b", mild, "xmild mildé", false, false},
		{"M5-a", low, "Low-grade fever", true, true}, {"M5-a", low, "low grade fever", false, true},
	} {
		o, _ := mustParse(t, "paper").Operator(c.id)
		token, inflected, ok := o.Registers(c.e, c.chain)
		if token != c.token || inflected != c.inflected || !ok {
			t.Errorf("%s %q in %q: %t, %t, %t; want %t, %t", c.id, c.e.Tokens, c.chain, token, inflected, ok, c.token, c.inflected)
		}
	}
}

func TestRegistersOnlyWhereTheRuleIsDefined(t *testing.T) {
	defined := map[string]bool{"M2": true, "M4": true, "M5": true}
	for _, o := range mustParse(t, "paper").Operators {
		text := "A 40-year-old man presents with mild pain for the past 2 days. He coughs. What is it? Pick one.\n\nSo 2 and 3."
		_, _, ok := o.Registers(o.Apply(text, 1, "item"), "any chain")
		if ok != defined[o.Family] {
			t.Errorf("%s: rule defined %t, want %t", o.ID, ok, defined[o.Family])
		}
	}
	if _, _, ok := (Operator{ID: "M4-a"}).Registers(Edit{}, "does not"); ok {
		t.Error("an operator without its tables has no rule")
	}
	if o, _ := mustParse(t, "paper").Operator("M5-a"); true {
		if _, _, ok := o.Registers(Edit{}, "mild"); ok {
			t.Error("an edit without a token cannot be looked for")
		}
	}
}

// Every token that an edit of the paper's battery can bring has inflected forms.
func TestEveryTokenHasInflectedForms(t *testing.T) {
	for _, o := range mustParse(t, "M2+M5").Operators {
		for _, word := range []string{"3", "40", "70"} {
			for seed := range uint64(50) {
				e := o.Apply("A "+word+"-year-old man with moderate, girl", seed, "item")
				if e.Fired && len(o.rule.inflected[e.Tokens[0]].patterns) == 0 {
					t.Fatalf("%s: no inflected forms of %q", o.ID, e.Tokens[0])
				}
			}
		}
	}
}
