package simulated_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

var evidenceKinds = []string{"additive", "and", "shortcut", "absent-as-present", "letter-bias"}

var caseWordings = prompt.DefaultCases()

var diagnoses = []string{"Pneumonia", "Asthma", "Gout", "Anemia", "Panic attack", "GERD", "Croup", "Influenza"}

// yes and no make a finding that is there or not, as DDXPlus words it.
func yes(id, text, asked string, u percuss.Unit) percuss.Unit {
	u.ID, u.Family, u.Text, u.Asked, u.Value = id, id, text+": yes", asked, "yes"
	return u
}

func no(id, text, asked string, u percuss.Unit) percuss.Unit {
	u = yes(id, text, asked, u)
	u.Text, u.Value, u.Absent = text+": no", "no", true
	return u
}

// valued makes one of several findings under one question.
func valued(id, asked, value string, u percuss.Unit) percuss.Unit {
	u.ID, u.Family, u.Text, u.Asked, u.Value = id, "pain", asked+" "+value, asked, value
	return u
}

// patient has units of all sorts: 0 and 1 specific symptoms, the text of one within the other's; 2 an antecedent; 3 and
// 4 two values of one question, 4 low in specificity; 5 a competitor's, of low specificity; 6 and 7 linked to nothing,
// 7 absent; 8 and 9 absent, a symptom and a competitor's; the complaint;
// and a fact that holds a unit's text.
func patient() percuss.Case {
	sym := func(names ...string) percuss.Unit { return percuss.Unit{SymptomOf: names} }
	c := percuss.Case{ID: "test/patient", Candidates: diagnoses, Gold: "Gout", Facts: []string{"Age: 41 years", "Sex: female", "Her mother had Fever: yes", "Initial complaint: Cough"}}
	complaint := yes("E_0", "Cough", "Do you have a cough?", sym("Gout", "Asthma"))
	c.Complaint = &complaint
	c.Units = []percuss.Unit{
		yes("E_1", "Fever", "Do you have a fever?", sym("Gout")),
		yes("E_2", "Chills. Fever", "Do you have chills? Do you have a fever?", sym("Gout", "Croup")),
		yes("E_3", "Smoke cigarettes", "Do you smoke cigarettes?", percuss.Unit{Antecedent: true, AntecedentOf: []string{"Gout", "Asthma"}}),
		valued("E_4=1", "Where is the pain?", "side of the chest(R)", sym("Gout")),
		valued("E_4=2", "Where is the pain?", "chest", sym("Gout", "Asthma", "Anemia", "GERD", "Croup")),
		yes("E_5", "Pallor", "Are you pale?", sym("Anemia", "GERD", "Croup", "Influenza")),
		yes("E_6", "Left-handed", "Are you left-handed?", percuss.Unit{}),
		no("E_7", "Owns a cat", "Do you own a cat?", percuss.Unit{}),
		no("E_8", "Swollen toe", "Is a toe swollen?", sym("Gout")),
		no("E_9", "Wheezing", "Do you wheeze?", sym("Asthma")),
		{ID: "E_10", Family: "E_10", Text: "How strong is it? 10 of 10.", Asked: "How strong is it?", Value: "10 of 10", SymptomOf: []string{"Gout"}},
	}
	return c
}

// twin is another patient with the same candidates.
func twin() percuss.Case {
	c := patient()
	c.ID, c.Gold, c.Facts, c.Complaint = "test/twin", "Asthma", []string{"Age: 4 years", "Sex: male"}, nil
	c.Units = slices.Clone(c.Units[:4])
	return c
}

// story is a narrative.
func story() percuss.Case {
	c := percuss.Case{ID: "test/story", Candidates: diagnoses[:4], Gold: "Anemia", Narrative: true}
	for i, s := range []string{"She felt weak for a week.", "The spleen was large.", "There was no fever.",
		"Iron was low; ferritin was 4 ng/mL.", "A. colonoscopy was planned.", "Her brother is well.", "There was no fever at night.", "She went home."} {
		c.Units = append(c.Units, percuss.Unit{ID: fmt.Sprint("s", i), Text: s})
	}
	return c
}

func testCases() []percuss.Case { return []percuss.Case{twin(), patient(), story()} }

func caseReasoner(t testing.TB, spec string, cases ...percuss.Case) *simulated.Model {
	t.Helper()
	if cases == nil {
		cases = testCases()
	}
	m, err := simulated.New(questions(), cases, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// layout is one way of putting a case.
type layout struct {
	wording                   string
	neutralize, evidenceFirst bool
	rotate                    int
}

// layouts are all that an audit may use, and an order of the candidates for each.
func layouts() (out []layout) {
	for _, w := range caseWordings.Wordings() {
		for i := range 4 {
			out = append(out, layout{w, i&1 == 1, i&2 == 2, i})
		}
	}
	return out
}

func (l layout) options(c percuss.Case) (out []percuss.Option) {
	for i := range c.Candidates {
		out = append(out, percuss.Option{Label: percuss.Label(i), Text: c.Candidates[(i+l.rotate)%len(c.Candidates)]})
	}
	return out
}

// lettersOf asks for the letters of a prompt.
func lettersOf(t testing.TB, m *simulated.Model, wording string, s prompt.Shown) percuss.Request {
	t.Helper()
	chat, err := caseWordings.Chat(wording, s)
	if err != nil {
		t.Fatal(err)
	}
	r := percuss.Request{Model: m.Capabilities().Identity, Messages: chat, Sampling: percuss.Greedy(1)}
	for _, o := range s.Options {
		r.Want.Letters = append(r.Want.Letters, o.Label)
	}
	return r
}

// shown is a prompt of a case: the audited units in the list, the others among the facts, as the audit does it.
func (l layout) shown(c percuss.Case, audited []percuss.Unit, set lattice.Set) prompt.Shown {
	s := prompt.Shown{Facts: slices.Clone(c.Facts), Options: l.options(c), Units: audited, Neutralize: l.neutralize, EvidenceFirst: l.evidenceFirst,
		Hidden: uint64(lattice.Full(len(audited)) &^ set)}
	for _, u := range c.Units {
		if !c.Narrative && !slices.ContainsFunc(audited, func(a percuss.Unit) bool { return a.ID == u.ID }) {
			s.Facts = append(s.Facts, strings.TrimRight(u.Text, "."))
		}
	}
	return s
}

// requests are the prompts of all subsets.
func (l layout) requests(t testing.TB, m *simulated.Model, c percuss.Case, audited []percuss.Unit) (out []percuss.Request) {
	for set := range lattice.Full(len(audited)) + 1 {
		out = append(out, lettersOf(t, m, l.wording, l.shown(c, audited, set)))
	}
	return out
}

// margins are the gold's margins in the answers to requests.
func margins(t testing.TB, m *simulated.Model, l layout, c percuss.Case, requests []percuss.Request) (out []percuss.Number) {
	t.Helper()
	options := l.options(c)
	for _, a := range modeltest.Ask(t, m, requests...) {
		out = append(out, percuss.Num(marginIn(a, options, c.Gold)))
	}
	return out
}

// marginIn is the gold's score less the best other's.
func marginIn(a percuss.Answer, options []percuss.Option, gold string) float64 {
	own, other := math.NaN(), math.Inf(-1)
	for i, s := range a.Letters {
		switch v := s.LogProb.Or(math.NaN()); options[i].Text {
		case gold:
			own = v
		default:
			other = max(other, v)
		}
	}
	return own - other
}

// interactions are all interactions of a function on subsets, by set; that of the empty set is its value.
func interactions(t testing.TB, values []percuss.Number) []float64 {
	t.Helper()
	g, err := lattice.FromValues(values, 20)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(values))
	for s := range out {
		v, ok := g.Interaction(lattice.Set(s)).Get()
		if !ok {
			t.Fatalf("no interaction of %b", s)
		}
		out[s] = v
	}
	return out
}

// truth are the true interactions.
func truth(t testing.TB, m *simulated.Model, c percuss.Case, audited []percuss.Unit) []float64 {
	t.Helper()
	values, ok := m.CaseTruth(c, audited)
	if !ok || len(values) != 1<<len(audited) {
		t.Fatalf("%s: no truth of %d units (%v)", c.ID, len(audited), ok)
	}
	return interactions(t, values)
}

// agree checks two lists of interactions; from is the first set to be compared.
func agree(t testing.TB, what string, got, want []float64, from int) {
	t.Helper()
	for s := from; s < len(want); s++ {
		if !(math.Abs(got[s]-want[s]) < 1e-9) {
			t.Errorf("%s: interaction of %b is %g, planted %g", what, s, got[s], want[s])
			return
		}
	}
}
