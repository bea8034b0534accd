package evidence

import (
	"regexp"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// reasoner is a model whose mind is known: the score of a candidate, given the text of the prompt. It sees what a model
// sees: letters and names are read from the prompt.
type reasoner func(text, candidate string) float64

// has is 1 where all the texts stand in a prompt, else 0.
func has(text string, all ...string) float64 {
	for _, a := range all {
		if !strings.Contains(text, a) {
			return 0
		}
	}
	return 1
}

var optionLine = regexp.MustCompile(`(?m)^([A-Z]+)\. (.+)$`)

// answer is the reasoner's reply to a request for letters. letterBias is added to each letter's score.
func (r reasoner) answer(q percuss.Request, letterBias map[string]float64) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK}
	text := q.Messages[1].Content
	for _, line := range optionLine.FindAllStringSubmatch(text, -1) {
		v := r(text, line[2]) + letterBias[line[1]]
		a.Letters = append(a.Letters, percuss.LetterScore{Letter: line[1], LogProb: percuss.Num(v)})
	}
	return a
}

// spoiler changes the answer to a request, or drops it by returning false.
type spoiler func(t percuss.Trial, a *percuss.Answer) bool

// asked puts all rounds of a case to a reasoner.
func asked(t testing.TB, a *Audit, s percuss.Subject, answer func(percuss.Request) percuss.Answer, spoil spoiler) ([]percuss.Trial, percuss.AnswerMap) {
	t.Helper()
	answers := percuss.AnswerMap{}
	dropped := map[percuss.Key]bool{}
	for range 5 {
		trials := a.Trials(s, answers)
		fresh := false
		for _, trial := range trials {
			if trial.Request == nil {
				continue
			}
			k := trial.Request.Key()
			if _, ok := answers[k]; ok || dropped[k] {
				continue
			}
			fresh = true
			got := answer(*trial.Request)
			if spoil != nil && !spoil(trial, &got) {
				dropped[k] = true
				continue
			}
			answers[k] = got
		}
		if !fresh {
			return trials, answers
		}
	}
	t.Fatal("after five rounds there are still new requests")
	return nil, nil
}

// record reduces a case that a reasoner answered.
func record(t testing.TB, a *Audit, s percuss.Subject, r reasoner) Record {
	t.Helper()
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return r.answer(q, nil) }, nil)
	return a.Reduce(s, trials, answers).(Record)
}

// audit makes every check on every case, with the given changes.
func audit(change func(*Options)) *Audit {
	o := Options{Seed: 1, MaxOrder: 3, Can: map[string]percuss.Capabilities{"m": {Letters: true, Text: true, Seeded: true}}}
	if change != nil {
		change(&o)
	}
	return New(o)
}

// everyCheck is a change of options: every check on the cases c and p.
func everyCheck(o *Options) {
	o.Rank, o.Drawn, o.Checks = map[string]int{"c": 0, "p": 0, "n": 0}, map[string]int{"set": 1}, PaperChecks()
}

func subject(c percuss.Case) percuss.Subject {
	return percuss.Subject{SubjectID: percuss.SubjectID{Model: "m", Set: "set", Item: c.ID}, Identity: "id", Case: &c}
}

// ten is a case of ten units, so that two are not audited.
func ten() percuss.Case {
	c := percuss.Case{ID: "c", Set: "set", Candidates: eight, Gold: "d0", Facts: []string{"Age: 40"}}
	for i := range 10 {
		letter := string(rune('a' + i))
		c.Units = append(c.Units, percuss.Unit{ID: letter, Family: "F" + letter, Text: "Finding " + letter + ": yes", Asked: "Is there " + letter + "?",
			Value: "yes", SymptomOf: []string{eight[i%8]}})
	}
	return c
}

// patient has units of every kind: a to c are symptoms of the gold, d an antecedent, e a competitor's, f absent, g and h
// linked to nothing. a and b are one family.
func patient() percuss.Case {
	c := percuss.Case{ID: "p", Set: "set", Candidates: eight, Gold: "d0", Facts: []string{"Age: 40", "Initial complaint: Ache"},
		Complaint: &percuss.Unit{ID: "x", Family: "Fx", Text: "Ache: yes", Asked: "Is there an ache?", Value: "yes"}}
	for i, u := range []percuss.Unit{{SymptomOf: []string{"d0"}}, {SymptomOf: []string{"d0"}}, {SymptomOf: []string{"d0"}}, {AntecedentOf: []string{"d0"}},
		{SymptomOf: []string{"d5"}}, {Absent: true, SymptomOf: []string{"d0"}}, {}, {}} {
		letter := string(rune('a' + i))
		u.ID, u.Family, u.Asked, u.Value = letter, "F"+letter, "Is there "+letter+"?", "yes"
		if u.Absent {
			u.Value = "no"
		}
		if letter == "b" {
			u.Family = "Fa"
		}
		u.Text = "Finding " + letter + ": " + u.Value
		c.Units = append(c.Units, u)
	}
	return c
}

// shown is 1 where all the units of the patient with these letters stand in a prompt with their values, in either
// wording, as a finding or as a fact. "not specified" is no value.
func shown(text string, letters ...string) float64 {
	text += "\n"
	for _, l := range letters {
		value := "yes"
		if l == "f" {
			value = "no"
		}
		if has(text, "Finding "+l+": "+value+"\n")+has(text, "Finding "+l+": "+value+".")+has(text, "Is there "+l+"?\nAnswer: "+value+"\n") == 0 {
			return 0
		}
	}
	return 1
}
