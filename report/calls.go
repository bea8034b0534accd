package report

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// Calls says how the calls to one model ended. A request that several trials share is one call.
type Calls struct {
	Model    string        `json:"model"`            // the id in the specification
	Requests int           `json:"requests"`         // different requests
	Outcomes []chain.Count `json:"outcomes"`         // every final outcome, then "failed": no answer stored
	Letters  int           `json:"letters"`          // log-probabilities of letters that were asked for and answered
	Censored int           `json:"letters_censored"` // of these, letters that the back-end did not list: only a bound is known
	Begun    int           `json:"begun"`            // answers that continue a given beginning
	Quoted   int           `json:"quoted"`           // of these, beginnings that were quoted in a user turn
	Chains   int           `json:"chains"`           // replies with a chain or the rest of one; those without a chain are not among them
	Cut      int           `json:"chains_cut"`       // of these, replies that were cut at the token limit
	Limit    int           `json:"max_tokens"`       // that limit, the largest where there are several
	Waiting  int           `json:"waiting"`          // edits of chains that wait for a chain, not asked yet
	Reported []chain.Count `json:"reported"`         // what the back-end called the model, most often first
	Warnings []string      `json:"warnings,omitempty"`
}

// Tally counts calls while the subjects of a run are walked. Use NewTally.
type Tally struct {
	order  []string // models as they came
	judges []string // and those that judge
	models map[string]*modelTally
}

// modelTally counts the calls to one model.
type modelTally struct {
	calls    Calls
	seen     map[half]struct{} // the keys that were counted, as many as there are answers
	outcomes map[percuss.Outcome]int
	reported map[string]int
}

// half is the first half of a key as bytes, a quarter of the key's size: among a million keys two have the same one with a
// probability of 10^-27.
type half [16]byte

func firstHalf(k percuss.Key) (h half) {
	_, _ = hex.Decode(h[:], []byte(k[:2*len(h)])) // a request's key is 64 hex digits
	return h
}

// NewTally returns an empty tally.
func NewTally() *Tally { return &Tally{models: map[string]*modelTally{}} }

// of returns the tally of a model; list is where one that is new is entered.
func (t *Tally) of(id string, list *[]string) *modelTally {
	m, ok := t.models[id]
	if !ok {
		m = &modelTally{seen: map[half]struct{}{}, outcomes: map[percuss.Outcome]int{}, reported: map[string]int{}}
		m.calls.Model = id
		t.models[id] = m
		*list = append(*list, id)
	}
	return m
}

// Add counts the requests of one subject's trials, each for the model or judge that it goes to, those that were counted
// before left out. A trial that fired without a request is one that a ledger holds and that was never answered; it counts
// as failed, unless it could not be asked at all.
func (t *Tally) Add(it Item) {
	m := t.of(it.Subject.Model, &t.order)
	for _, o := range it.Record.Operators {
		if o.Reading.State == chain.Waiting {
			m.calls.Waiting++
		}
	}
	asks := it.Asks
	if asks == nil {
		asks = chain.JudgeOf
	}
	for _, trial := range it.Trials {
		asked := m
		other, isOther := asks(trial.ID)
		if isOther {
			asked = t.of(other, &t.judges)
		}
		if trial.Request == nil {
			if trial.Fired && trial.Why != chain.GivenOnly {
				asked.calls.Requests++
				asked.outcomes[percuss.Failed]++
			}
			continue
		}
		key := firstHalf(trial.Key())
		if _, ok := asked.seen[key]; ok {
			continue
		}
		asked.seen[key] = struct{}{}
		asked.add(trial, !isOther, it.Answers)
	}
}

// quoted says whether the audit itself quoted the chain in a user turn.
func quoted(t percuss.Trial) bool {
	var l struct {
		Quoted bool `json:"quoted"`
	}
	// Most labels do not hold the word, and reading them all takes a tenth of the time of a report's walk.
	return bytes.Contains(t.Labels, []byte(`"quoted"`)) && json.Unmarshal(t.Labels, &l) == nil && l.Quoted
}

// add counts one call, of the first trial that asks it. own: it asks the subject's model.
func (m *modelTally) add(t percuss.Trial, own bool, answers percuss.Answers) {
	m.calls.Requests++
	var a percuss.Answer
	ok := false
	if answers != nil {
		a, ok = answers.Answer(t.Key())
	}
	if !ok {
		m.outcomes[percuss.Failed]++
		return
	}
	m.outcomes[a.Outcome]++
	for _, l := range a.Letters {
		m.calls.Letters++
		if l.Censored {
			m.calls.Censored++
		}
	}
	if own && t.ID != chain.DirectTrial && len(t.Request.Want.Letters) == 0 {
		m.ended(a, t.Request.Sampling.MaxTokens)
	}
	quoted := quoted(t)
	if quoted || a.Continued != "" {
		m.calls.Begun++
	}
	if quoted || a.Continued == percuss.Quotes {
		m.calls.Quoted++
	}
	if a.Reported != "" {
		m.reported[a.Reported]++
	}
}

// ended counts a reply that holds a chain, and whether it was cut at the limit.
func (m *modelTally) ended(a percuss.Answer, limit int) {
	m.calls.Chains++
	m.calls.Limit = max(m.calls.Limit, limit)
	if a.Outcome == percuss.Truncated {
		m.calls.Cut++
	}
}

// Calls returns the counts so far, the models in the order in which they came and the judges behind them.
func (t *Tally) Calls() []Calls {
	out := make([]Calls, 0, len(t.models))
	for _, id := range slices.Concat(t.order, t.judges) {
		out = append(out, t.models[id].finish())
	}
	return out
}

func (m *modelTally) finish() Calls {
	c := m.calls
	known := percuss.Outcomes()
	for o := range maps.Keys(m.outcomes) {
		if !slices.Contains(known, o) {
			known = append(known, o) // of a newer version: counted rather than lost
		}
	}
	slices.Sort(known[len(percuss.Outcomes()):])
	for _, o := range known {
		c.Outcomes = append(c.Outcomes, chain.Count{Name: string(o), N: m.outcomes[o]})
	}
	c.Reported = []chain.Count{}
	for name, n := range m.reported {
		c.Reported = append(c.Reported, chain.Count{Name: name, N: n})
	}
	slices.SortFunc(c.Reported, func(a, b chain.Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	if len(c.Reported) > 1 {
		names := make([]string, len(c.Reported))
		for i, r := range c.Reported {
			names[i] = fmt.Sprintf("%s (%d)", r.Name, r.N)
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("the back-end reported %d different models or engines: %s; the answers may not all come from the same one",
			len(names), strings.Join(names, ", ")))
	}
	return c
}

// outcome is the count of one outcome.
func (c Calls) outcome(name string) int {
	for _, o := range c.Outcomes {
		if o.Name == name {
			return o.N
		}
	}
	return 0
}

// outcomeNames lists the outcomes of all models, each once.
func outcomeNames(all []Calls) []string {
	var out []string
	for _, c := range all {
		for _, o := range c.Outcomes {
			if !slices.Contains(out, o.Name) {
				out = append(out, o.Name)
			}
		}
	}
	return out
}
