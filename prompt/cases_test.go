package prompt

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func shown() Shown {
	return Shown{Facts: []string{"Age: 40", "Sex: female"},
		Options: []percuss.Option{{Label: "A", Text: "Pneumonia"}, {Label: "B", Text: "Asthma"}},
		Units: []percuss.Unit{{Asked: "Do you have a fever?", Value: "yes", Text: "Fever: yes"},
			{Asked: "Do you smoke?", Value: "no", Text: "Smoking: no"}, {Text: "She came by bus."}}}
}

func userTurn(t testing.TB, wording string, s Shown) string {
	t.Helper()
	m, err := DefaultCases().Chat(wording, s)
	if err != nil || len(m) != 2 || m[0].Role != percuss.System || m[1].Role != percuss.User {
		t.Fatalf("%+v, %v", m, err)
	}
	return m[1].Content
}

func TestCaseWordings(t *testing.T) {
	if got := strings.Join(DefaultCases().Wordings(), " "); got != "clinical-summary questionnaire" {
		t.Errorf("wordings: %s", got)
	}
	s := shown()
	note := userTurn(t, "clinical-summary", s)
	for _, want := range []string{"A. Pneumonia\nB. Asthma\n", "Age: 40. Sex: female.", "- Fever: yes\n- Smoking: no\n- She came by bus."} {
		if !strings.Contains(note, want) {
			t.Errorf("%q is not in\n%s", want, note)
		}
	}
	if !strings.HasSuffix(note, "- She came by bus.") {
		t.Errorf("something follows the last finding:\n%s", note)
	}
	// No line of a finding looks like one of a candidate, or hiding findings would hide hints to a letter.
	want := "Which diagnosis is most likely? Reply with one letter.\nA. Pneumonia\nB. Asthma\n\nInterview. Age: 40. Sex: female.\n" +
		"Question: Do you have a fever?\nAnswer: yes\nQuestion: Do you smoke?\nAnswer: no\nReported: She came by bus."
	if got := userTurn(t, "questionnaire", s); got != want {
		t.Errorf("questionnaire:\n%s", got)
	}
	s.Hidden = 0b011
	if got := userTurn(t, "clinical-summary", s); strings.Contains(got, "Fever") || strings.Contains(got, "Smoking") || !strings.Contains(got, "bus") {
		t.Errorf("two dropped:\n%s", got)
	}
	s.Hidden = 0b111
	if got := userTurn(t, "clinical-summary", s); !strings.HasSuffix(got, "- none recorded") {
		t.Errorf("all dropped:\n%s", got)
	}
	s.Neutralize = true
	got := userTurn(t, "clinical-summary", s)
	if !strings.HasSuffix(got, "- Do you have a fever? not specified\n- Do you smoke? not specified\n- not specified") || strings.Contains(got, "yes") {
		t.Errorf("all neutralized:\n%s", got)
	}
	s.EvidenceFirst = true
	want = "Interview. Age: 40. Sex: female.\nQuestion: Do you have a fever?\nAnswer: not specified\nQuestion: Do you smoke?\nAnswer: not specified\n" +
		"Reported: not specified\n\nWhich diagnosis is most likely? Reply with one letter.\nA. Pneumonia\nB. Asthma"
	if got := userTurn(t, "questionnaire", s); got != want {
		t.Errorf("evidence first:\n%s", got)
	}
	want = "Intake note. Age: 40. Sex: female.\nFindings:\n- She came by bus.\n\nWhich diagnosis is most likely? Reply with one letter.\nA. Pneumonia\nB. Asthma"
	s.Hidden, s.Neutralize = 0b011, false
	if got := userTurn(t, "clinical-summary", s); got != want {
		t.Errorf("evidence first, a note:\n%s", got)
	}
	if _, err := DefaultCases().Chat("poem", s); err == nil || !strings.Contains(err.Error(), "questionnaire") {
		t.Errorf("an unknown wording: %v", err)
	}
}

// The sentences that replace findings are none, and the placeholder names nobody's diagnosis.
func TestWordingsWithoutEvidence(t *testing.T) {
	c := DefaultCases()
	if c.Placeholder != "a diagnosis" || len(c.Administrative) < 3 {
		t.Errorf("placeholder %q, administrative %q", c.Placeholder, c.Administrative)
	}
	s := Shown{Options: []percuss.Option{{Label: "A", Text: c.Placeholder}, {Label: "B", Text: c.Placeholder}}}
	got := userTurn(t, "clinical-summary", s)
	if want := "Which diagnosis is most likely? Reply with one letter.\nA. a diagnosis\nB. a diagnosis\n\nIntake note.\nFindings:\n- none recorded"; got != want {
		t.Errorf("without content: %q, want %q", got, want)
	}
}

// Two subsets share everything up to the first unit that differs.
func TestSubsetsShareTheirBeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := shown(), shown()
		a.Neutralize = rapid.Bool().Draw(t, "neutralize")
		b.Neutralize = a.Neutralize
		a.Hidden, b.Hidden = rapid.Uint64Range(0, 7).Draw(t, "a"), rapid.Uint64Range(0, 7).Draw(t, "b")
		wording := rapid.SampledFrom(DefaultCases().Wordings()).Draw(t, "wording")
		x, err := DefaultCases().Chat(wording, a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := DefaultCases().Chat(wording, b)
		if err != nil {
			t.Fatal(err)
		}
		all := shown()
		all.Units = nil
		head, err := DefaultCases().Chat(wording, all)
		if err != nil {
			t.Fatal(err)
		}
		fixed := head[1].Content[:strings.LastIndex(head[1].Content, "\n")+1]
		if !strings.HasPrefix(x[1].Content, fixed) || !strings.HasPrefix(y[1].Content, fixed) {
			t.Fatalf("what stays the same does not come first:\n%s\n%s", x[1].Content, y[1].Content)
		}
		if same := x[1].Content == y[1].Content; same != (a.Hidden == b.Hidden) {
			t.Fatalf("%03b and %03b: the same prompt: %v", a.Hidden, b.Hidden, same)
		}
	})
}

func TestCaseWordingsThatAreBroken(t *testing.T) {
	good := string(casesYAML)
	for want, text := range map[string]string{
		"unknown field":  strings.Replace(good, "system:", "sistem:", 1),
		"missing":        strings.Replace(good, "none: \"- none recorded\"", "none: \"\"", 1),
		"unit":           strings.Replace(good, "{{.Text}}\"", "{{.Txt}}\"", 1),
		"at least one":   "name: x\nsystem: y\n",
		"placeholder":    strings.Replace(good, "placeholder: a diagnosis\n", "", 1),
		"administrative": strings.Replace(good, "  - The registration form was filled in completely.\n", "  - \"\"\n", 1),
	} {
		if text == good {
			t.Fatalf("%s: nothing was changed", want)
		}
		if _, err := LoadCases(strings.NewReader(text), "w.yaml"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "w.yaml") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
