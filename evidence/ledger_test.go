package evidence

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// stored are trials as a ledger gives them back: without what was not asked, through JSON.
func stored(t *testing.T, trials []percuss.Trial) []percuss.Trial {
	t.Helper()
	out := make([]percuss.Trial, len(trials))
	for i, trial := range trials {
		raw, err := json.Marshal(trial)
		if err != nil || json.Unmarshal(raw, &out[i]) != nil {
			t.Fatal(err)
		}
		if trial.Request != nil {
			raw, _ = json.Marshal(trial.Request)
			out[i].Request = &percuss.Request{}
			if err := json.Unmarshal(raw, out[i].Request); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// The ledger gives the record, even to a binary that would choose other units, orders and checks.
func TestLedgerAloneGivesTheRecord(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") + shown(text, "a", "b") })
	for name, change := range map[string]func(*Options){
		"log-probabilities": everyCheck,
		"all orders":        func(o *Options) { everyCheck(o); o.MaxOrder = 0 },
		"prior":             func(o *Options) { everyCheck(o); o.Debias = Prior },
		"cyclic":            func(o *Options) { everyCheck(o); o.Debias = Cyclic },
		"drawn": func(o *Options) {
			everyCheck(o)
			o.Samples, o.MaxOrder, o.Can["m"] = 2, 1, percuss.Capabilities{Text: true}
		},
	} {
		a, s := audit(change), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
			if q.Want.Letters == nil {
				return says(q, "d0")
			}
			return mind.answer(q, nil)
		}, nil)
		direct := a.Reduce(s, trials, answers)
		later := New(Options{Seed: 1, Selector: TargetSalient, Units: 3, FileOrder: true, Wording: "gone", MaxOrder: 1, Can: map[string]percuss.Capabilities{}})
		if got := later.Reduce(s, stored(t, trials), answers); !reflect.DeepEqual(got, direct) {
			t.Errorf("%s: from the ledger\n%+v\nat once\n%+v", name, got, direct)
		}
		if len(direct.(Record).Changes) == 0 || direct.(Record).Base.State != Scored {
			t.Errorf("%s: the case is not scored: %+v", name, direct.(Record).Base)
		}
	}
}

// The short way of reading labels reads what decoding reads, and leaves the rest to it.
func TestPlainLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := labels{Kind: rapid.SampledFrom([]trialKind{ofSubset, ofSubset, ofPrior, ofFamily}).Draw(t, "kind"), In: rapid.OneOf(rapid.Just("clinical-summary/o0/drop"), rapid.String()).Draw(t, "in"),
			Shown: lattice.Set(rapid.Uint32().Draw(t, "shown")), Replicate: rapid.SampledFrom([]int{0, 1, 2_000_000_000}).Draw(t, "replicate"),
			Family: rapid.SampledFrom([]string{"", "F"}).Draw(t, "family")}
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		want := labels{}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := plainLabels(raw); ok && !reflect.DeepEqual(got, want) || !ok && l.Kind == ofSubset && l.In == "clinical-summary/o0/drop" && l.Family == "" && l.Shown < 1e9 && l.Replicate < 9 {
			t.Fatalf("%s: %+v, %v", raw, got, ok)
		}
		if got, ok := parseLabels(percuss.Trial{Labels: raw}); !ok || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %+v, %v", raw, got, ok)
		}
	})
	for _, raw := range []string{`{"kind":"subset","in":"x","shown":}`, `{"kind":"subset","in":"x","shown":1`, `{"kind":"subset","in":"x","shown":1,"replicate":}`, `{"kind":"subset","in":"x`} {
		if got, ok := parseLabels(percuss.Trial{Labels: json.RawMessage(raw)}); ok {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}

// Whatever a ledger holds, a record comes out.
func TestBrokenLedgers(t *testing.T) {
	a, s := audit(everyCheck), subject(patient())
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") })
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) }, nil)
	rapid.Check(t, func(t *rapid.T) {
		broken := append([]percuss.Trial(nil), trials...)
		for range rapid.IntRange(1, 5).Draw(t, "faults") {
			at := rapid.IntRange(0, len(broken)-1).Draw(t, "at")
			switch rapid.IntRange(0, 5).Draw(t, "fault") {
			case 0:
				broken = append(broken[:at:at], broken[min(at+rapid.IntRange(1, 200).Draw(t, "gap"), len(broken)-1):]...)
			case 1:
				broken[at].Request = nil
			case 2:
				broken[at].Labels = json.RawMessage(rapid.SampledFrom([]string{"", "{", "[]", `{"kind":"subset"}`, `{"kind":"family","in":"clinical-summary/o0/drop"}`,
					`{"kind":"prior","in":"x"}`, `{"kind":"subset","in":"clinical-summary/o0/drop","shown":4000000000}`,
					`{"kind":"subset","in":"x","heading":{"candidates":["d0"],"order":-3}}`,
					`{"kind":"subset","in":"y","heading":{"candidates":["d0","d0","d0","d0","d0","d0","d0","d0"]}}`}).Draw(t, "labels"))
			case 3:
				broken[0].Labels = json.RawMessage(rapid.SampledFrom([]string{`{"kind":"subset","in":"x","heading":{"setting":{},"candidates":["d1","d2"],"units":["a"],"order":9}}`,
					`{"kind":"subset","in":"clinical-summary/o0/drop","heading":{"candidates":["d0","d1"],"units":["gone","a"],"order":2}}`,
					`{"kind":"subset","in":"x","heading":{"candidates":[],"order":0}}`, `{"kind":"subset","in":"x","shown":1}`,
					`{"kind":"prior","in":"x","heading":{"candidates":["d0","d1","d2","d3","d4","d5","d6","d7"],"units":["a"],"order":1}}`,
					`{"kind":"subset","in":"x","heading":{"candidates":["d0","d0"],"units":["a"],"order":1}}`}).Draw(t, "heading"))
			case 4:
				broken[at], broken[0] = broken[0], broken[at]
			case 5:
				broken = broken[:at+1]
			}
		}
		rec := a.Reduce(s, broken, answers).(Record)
		if rec.Of() != s.SubjectID || rec.Why == "" && rec.Base.State == "" {
			t.Fatalf("%+v", rec)
		}
		if _, err := json.Marshal(rec); err != nil {
			t.Fatal(err)
		}
	})
	for name, trials := range map[string][]percuss.Trial{"no trials": nil, "one without labels": {{ID: "x"}}} {
		if rec := a.Reduce(s, trials, nil).(Record); rec.Why != "nothing was asked" {
			t.Errorf("%s: %+v", name, rec)
		}
	}
	twice := []percuss.Trial{{ID: "y", Labels: json.RawMessage(`{"kind":"subset","in":"y","heading":{"candidates":["d0","d0"]}}`)},
		{ID: "x", Labels: json.RawMessage(`{"kind":"subset","in":"x","heading":{"candidates":["d0"]}}`)}}
	if rec := a.Reduce(s, twice, nil).(Record); rec.Why == "" {
		t.Errorf("a candidate that is there twice: %+v", rec)
	}
	if rec := a.Reduce(percuss.Subject{}, trials, answers).(Record); rec.Why != "there is no case" {
		t.Errorf("no case: %+v", rec)
	}
}

// Whatever has been answered, trials that were there stay as they are, in their order, and further ones come after them.
func TestTrialsOnlyAdd(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") + shown(text, "a", "b") })
	rapid.Check(t, func(t *rapid.T) {
		a := audit(func(o *Options) {
			everyCheck(o)
			o.MaxOrder = 2
			o.Debias = rapid.SampledFrom([]Debias{Raw, Prior, Cyclic}).Draw(t, "debias")
			o.Families = rapid.IntRange(1, 3).Draw(t, "families")
		})
		s, answers := subject(patient()), percuss.AnswerMap{}
		last := a.Trials(s, answers)
		for range 4 {
			part := rapid.IntRange(1, 3).Draw(t, "part")
			for i, q := range percuss.Missing(last, answers) {
				if i%part == 0 {
					answers[q.Key()] = mind.answer(q, nil)
				}
			}
			now := a.Trials(s, answers)
			if len(now) < len(last) || !reflect.DeepEqual(now[:len(last)], last) {
				t.Fatalf("%d trials became %d, or others", len(last), len(now))
			}
			last = now
		}
		if again := a.Trials(s, answers); !reflect.DeepEqual(again, last) {
			t.Fatal("another time, other trials")
		}
	})
}

// The key of a case stands nowhere in its requests but among the candidates; no name of a check, label or edit does.
func TestRequestsSayNothingOfTheAudit(t *testing.T) {
	c := patient()
	c.Note = "The note says Zebra."
	other := patient()
	other.Gold = "d5"
	for i := range other.Units { // what a finding is evidence for is no text either
		other.Units[i].SymptomOf, other.Units[i].AntecedentOf = []string{"d1"}, nil
	}
	a := audit(func(o *Options) { everyCheck(o); o.Debias, o.Checks.Selectors, o.Checks.Counterfactuals = Prior, 0, 0 })
	one, two := a.Trials(subject(c), nil), a.Trials(subject(other), nil)
	if len(one) != len(two) {
		t.Fatalf("%d trials, %d with another gold", len(one), len(two))
	}
	for i := range one {
		if one[i].Request.Key() != two[i].Request.Key() {
			t.Fatalf("%s changes with the gold", one[i].ID)
		}
	}
	trials, _ := asked(t, audit(everyCheck), subject(c), func(q percuss.Request) percuss.Answer {
		return goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") }).answer(q, nil)
	}, nil)
	for _, trial := range trials {
		if trial.Request == nil {
			continue
		}
		for _, field := range trial.Request.Fields() {
			for _, word := range []string{"Zebra", "gold", "suspicious", "misuse", "symptom", "neutralize", "drop", "flip", "counterfactual", "administrative"} {
				if strings.Contains(field.Value, word) {
					t.Fatalf("%s: %q stands in %s: %s", trial.ID, word, field.Name, field.Value)
				}
			}
		}
	}
}
