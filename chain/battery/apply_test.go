package battery

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everyEdit applies an operator under many seeds and returns the edited texts that come out, each once, sorted.
func everyEdit(t *testing.T, id, text string) []string {
	t.Helper()
	o, ok := mustParse(t, "paper").Operator(id)
	if !ok {
		t.Fatal("no operator", id)
	}
	seen := map[string]bool{}
	for seed := range uint64(200) {
		e := o.Apply(text, seed, "item")
		if !e.Fired {
			t.Fatalf("%s did not fire on %q: %s", id, text, e.Why)
		}
		seen[e.Text] = true
	}
	return sortedKeys(seen)
}

func one(t *testing.T, id, text string) Edit {
	t.Helper()
	o, ok := mustParse(t, "paper").Operator(id)
	if !ok {
		t.Fatal("no operator", id)
	}
	return o.Apply(text, 1, "item")
}

const marked = "Step 1: a\nStep 2: b\nStep 3: c\nStep 4: d"

// All the texts that an operator may come to, by hand.
func TestEveryOutcome(t *testing.T) {
	for _, c := range []struct {
		id, text string
		want     []string
	}{
		{"F1-25", marked, []string{"Step 1: a"}},
		{"F1-50", marked, []string{"Step 1: a\nStep 2: b"}},
		{"F1-75", marked, []string{"Step 1: a\nStep 2: b\nStep 3: c"}},
		{"F1-25", "One.\n\nTwo.", []string{"One."}}, // max(1, floor(2·0.25))
		{"F1-75", "One.\n\nTwo.\n\nThree.", []string{"One.\n\nTwo."}},
		{"F2-a", "One.\n\nTwo.\n\nThree.", []string{"One.\n\nThree.", "One.\n\nTwo.", "Two.\n\nThree."}},
		{"F2-b", "<think>\nOne.\n\nTwo.\n</think>\n\nThree.", []string{
			"<think>\n\nTwo.\n</think>\n\nThree.", "<think>\nOne.\n\n</think>\n\nThree.", "<think>\nOne.\n\nTwo.\n</think>"}},
		{"F3-a", "Give 2.50 mg.", []string{"Give -0.50 mg.", "Give 1.50 mg.", "Give 3.50 mg.", "Give 4.50 mg.", "Give 9.50 mg."}},
		{"F3-b", "It is 1", []string{"It is -2", "It is 0", "It is 2", "It is 3", "It is 8"}},
		{"F5-a", "One.\n\nTwo. \n\n\nThree.\n", []string{"One.\n\nThree. \n\n\nTwo.\n", "Two.\n\nOne. \n\n\nThree.\n"}},
		{"F6-a", "Because we compute, it EQUALS 3. Thus We win; therefore", []string{
			"Since I calculate, it IS EQUAL TO 3. So I win; hence"}},
		{"F6-a", "We're sure: WE know.", []string{"I're sure: I know."}}, // an apostrophe is a border, as for \b
		{"F6-b", "First, calculate the sum; firstly, conclude.", []string{"Initially, work out the total; firstly, deduce."}},
		{"F6-a", "Owe, weé, we_are, we", []string{"Owe, weé, we_are, I"}},
		{"M1-a", "A one. B two. C three. What now?", []string{"A one. C three. What now?", "B two. C three. What now?"}},
		{"M1-b", "A one.\n\nB two.\n\nC three. What now?", []string{"A one.\n\nC three. What now?", "B two.\n\nC three. What now?"}},
		{"M1-a", "He is ill.  He has pain.\n\nHe drinks. He smokes. What now?", []string{
			"He has pain.\n\nHe drinks. He smokes. What now?", "He is ill.  He has pain.\n\nHe smokes. What now?",
			"He is ill.\n\nHe drinks. He smokes. What now?"}},
		{"M1-a", "What is it? He is 5. He has pain. He coughs.", []string{"What is it? He has pain. He coughs."}},
		{"M2-age-a", "A 17-year-old girl", []string{"A 55-year-old girl", "A 65-year-old girl", "A 72-year-old girl"}},
		{"M2-age-a", "A 18 Year Old and a 5-year-old", []string{
			"A 12 Year Old and a 5-year-old", "A 5 Year Old and a 5-year-old", "A 75 Year Old and a 5-year-old", "A 85 Year Old and a 5-year-old"}},
		{"M2-age-b", "a 60-year-old", []string{"a 12-year-old", "a 5-year-old", "a 75-year-old", "a 85-year-old"}},
		{"M2-age-b", "a 61yearold", []string{"a 14yearold", "a 17yearold", "a 8yearold"}},
		{"M2-sex", "A man and a woman", []string{"A woman and a woman"}},
		{"M2-sex", "Female, 5. The boy", []string{"Male, 5. The boy"}},
		{"M2-sex", "MALE human", []string{"FEMALE human"}},
		{"M4-a", "He reports pain and presents with fever.", []string{"He reports pain and does not present with fever."}},
		{"M4-b", "He reports pain and presents with fever.", []string{"He does not report pain and presents with fever."}},
		{"M4-a", "She has a  history\nof gout.", []string{"She does not have a history of gout."}},
		{"M4-b", "Complains of pain", []string{"Does not complain of pain"}},
		{"M5-a", "Acute, then mild, then mild pain", []string{"Acute, then severe, then mild pain"}},
		{"M5-b", "Acute, then mild, then mild pain", []string{"Chronic, then mild, then mild pain"}},
		{"M5-a", "moderate", []string{"severe"}}, {"M5-b", "moderate", []string{"mild"}},
		{"M5-a", "Low-grade fever", []string{"High-grade fever"}}, {"M5-b", "HIGH-GRADE glioma", []string{"LOW-GRADE glioma"}},
		{"M6-a", "Ill for the past three days.", []string{"Ill for the past three weeks."}},
		{"M6-b", "Ill for the past 10 days, last month", []string{"Ill for the past several months, last month"}},
		{"M6-a", "Two weeks ago, and yesterday", []string{"Two weeks ago, and last year"}},
		{"M6-b", "Two weeks ago, and yesterday", []string{"Two years ago, and yesterday"}},
		{"M6-b", "This morning he fell", []string{"Last spring he fell"}},
	} {
		want := slices.Sorted(slices.Values(c.want))
		if diff := cmp.Diff(want, everyEdit(t, c.id, c.text)); diff != "" {
			t.Errorf("%s on %q (-want +got):\n%s", c.id, c.text, diff)
		}
	}
}

func TestNotFired(t *testing.T) {
	for _, c := range []struct{ id, text, why string }{
		{"F1-25", "One step.", oneStep}, {"F1-50", "", noStep}, {"F2-a", "Step 1: all", oneStep},
		{"F2-c", "<think>\n\nOne.\n\n</think>\n\n", oneStep}, {"F4-a", " \n ", noStep}, {"F5-b", "One.", oneStep},
		{"F5-a", "Same.\n\nSame.", "all steps are equal"}, {"F3-a", "none at all", "no number"},
		{"F6-a", "thusly", "no word"}, {"F7-a", "fever and fever", "no pair"}, {"F7-b", "salt, and, pepper", "no pair"},
		{"M1-a", "One. What is it?", "fewer than 3"}, {"M1-a", "", "fewer than 3"},
		{"M1-b", "What is the cause? He coughs. He is old.", "asks the question"},
		{"M2-age-a", "An 18-month-old, 45 years old", "no age"}, {"M2-sex", "Manchester, human, women", "no word of sex"},
		{"M4-a", "He presented with", "no phrase"}, {"M5-a", "mildly, subacute, severeé", "no phrase"},
		{"M6-a", "over the last weekend; for the past few days", "no phrase"},
		{"M6-a", "this morning, last month", "no phrase"}, // (b) alone has these
	} {
		e := one(t, c.id, c.text)
		if e.Fired || !strings.Contains(e.Why, c.why) || e.Text != "" {
			t.Errorf("%s on %q: fired %t, why %q, text %q; want not fired: %q", c.id, c.text, e.Fired, e.Why, e.Text, c.why)
		}
	}
	if e := (Operator{ID: "F1-50"}).Apply("a\n\nb", 1, "i"); e.Fired || e.Why == "" {
		t.Errorf("an operator without its edit: %+v", e)
	}
}

// The paper's battery keeps the published edits where a better one is known (see the extended battery).
func TestPublishedBehaviourIsKept(t *testing.T) {
	for _, c := range []struct{ id, text, want string }{
		{"M2-sex", "A man. He denies pain; the patient is male.", "A woman. He denies pain; the patient is male."}, // first marker only
		{"M5-b", "acute-on-chronic kidney injury", "acute-on-acute kidney injury"},                                 // a hyphen is a border
		{"M5-a", "sub-acute stroke", "sub-chronic stroke"},
		{"M5-a", "acute lymphoblastic leukaemia", "chronic lymphoblastic leukaemia"}, // part of a name
		{"M5-a", "no acute distress", "no chronic distress"},                         // negated
		{"M4-a", "His lab reports are old.", "His lab does not report are old."},     // a noun
		{"M4-a", "He reports pain but has fever.", "He does not report pain but has fever."},
		{"M6-b", "over the last month", "over the several years ago"}, // ungrammatical
		// The faults of other programs that the extended battery avoids (extended_test.go), as the published edits have them.
		{"M2-sex", "He denies pain, but he limps. The patient is male", "He denies pain, but he limps. The patient is female"},
		{"M2-sex", "A man from Manchester received human albumin.", "A woman from Manchester received human albumin."},
		{"M2-age-a", "An 18-month-old boy has otitis media.", ""},
		{"M4-a", "He reports fever, chills, and cough but has chest pain.", "He does not report fever, chills, and cough but has chest pain."},
		{"M5-a", "Acute onset of pain; subacute thyroiditis; no acute distress.", "Chronic onset of pain; subacute thyroiditis; no acute distress."},
	} {
		if e := one(t, c.id, c.text); e.Text != c.want {
			t.Errorf("%s on %q: %q, want %q", c.id, c.text, e.Text, c.want)
		}
	}
	for _, text := range everyEdit(t, "M2-age-a", "A 30-year-old") { // the article stays: "A 85-year-old"
		if !strings.HasPrefix(text, "A ") {
			t.Errorf("the article was changed: %q", text)
		}
	}
}

func TestStepMarkerIsFlagged(t *testing.T) {
	o, _ := mustParse(t, "paper").Operator("F3-a")
	markers, others := 0, 0
	for seed := range uint64(60) {
		e := o.Apply("**Step 1:** dose 40 mg in step 7: now", seed, "item")
		if e.Marker != (e.Old == "1") {
			t.Fatalf("old %q, marker %t", e.Old, e.Marker)
		}
		if e.Marker {
			markers++
		} else {
			others++
		}
	}
	if markers == 0 || others == 0 {
		t.Errorf("%d markers, %d others: both should come up", markers, others)
	}
}

func TestShifted(t *testing.T) {
	for _, c := range []struct {
		literal string
		by      int
		want    string
	}{
		{"1", -3, "-2"}, {"3", -3, "0"}, {"2.50", 7, "9.50"}, {"0.05", -1, "-0.95"}, {"2.5", -3, "-0.5"}, {"0.75", 1, "1.75"},
		{"3.0", -3, "0.0"}, {"99999999999999999999.5", 1, "100000000000000000000.5"}, {"007", 1, "8"}, {"9", 1, "10"},
	} {
		if got := shifted(c.literal, c.by); got != c.want {
			t.Errorf("%s %+d = %s, want %s", c.literal, c.by, got, c.want)
		}
	}
}

func TestInsertedNotesStandAlone(t *testing.T) {
	for _, text := range []string{"One. \n\nTwo.", marked, "Only one.", "<think>\nOne.\n\nTwo.\n\n</think>\n\n"} {
		for seed := range uint64(40) {
			o, _ := mustParse(t, "paper").Operator("F4-b")
			e := o.Apply(text, seed, "item")
			if !strings.Contains(e.Text, "\n"+e.New) || e.Old != "" {
				t.Fatalf("%q is not on a line of its own in %q", e.New, e.Text)
			}
			if rest := strings.Replace(strings.Replace(e.Text, "\n\n"+e.New, "", 1), "\n"+e.New, "", 1); rest != text {
				t.Fatalf("without the note %q is left of %q", rest, text)
			}
			if strings.HasPrefix(text, opens) && !strings.HasPrefix(e.Text, opens) {
				t.Fatalf("the note stands before the reasoning block: %q", e.Text)
			}
		}
	}
}

func TestEditsAreDescribed(t *testing.T) {
	long := strings.Repeat("é ", 400)
	for _, c := range []struct {
		id, text, old, new string
		tokens             []string
	}{
		{"M2-sex", "The Man", "Man", "Woman", []string{"woman"}},
		{"M5-a", "SEVERE pain", "SEVERE", "MILD", []string{"mild"}},
		{"M4-a", "he reports", "reports", "does not report", nil},
		{"M6-a", "yesterday", "yesterday", "last year", nil},
		{"F6-a", "Thus we, thus", "thus, we", "so, I", nil},
		{"F1-50", "One.\n\nTwo.", "Two.", "", nil},
		{"F1-50", "One.\n\n" + long, shorten(long), "", nil},
		{"F5-a", "One.\n\nTwo.", "One.", "Two.", nil},
		{"F7-a", "fever and chills", "fever", "chills", nil},
	} {
		e := one(t, c.id, c.text)
		if e.Old != c.old || e.New != c.new || !slices.Equal(e.Tokens, c.tokens) {
			t.Errorf("%s on %q: %q → %q, tokens %q", c.id, c.text, e.Old, e.New, e.Tokens)
		}
	}
	if s := shorten(long); len(s) > wholePassage || !strings.Contains(s, " … ") {
		t.Errorf("shortened to %d bytes: %q", len(s), s)
	}
	if e := one(t, "M2-age-a", "a 70-year-old"); e.Old != "70" || len(e.Tokens) != 1 || e.Tokens[0] != e.New {
		t.Errorf("age edit: %+v", e)
	}
}
