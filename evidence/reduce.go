package evidence

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Salient is the strength from which an interaction counts, in nats (evidence paper; an option at report time).
const Salient = 0.5

// State says what became of a case under one setting.
type State string

// The states of a case.
const (
	Scored   State = "scored"   // every prompt has scores
	Waiting  State = "waiting"  // answers are missing
	Censored State = "censored" // the gold's letter was not among those that the back-end returned: in no interaction
	Unscored State = "unscored" // some prompt has no usable scores, and why is said
)

// Record is what the tables need of one case under one model.
type Record struct {
	Subject  percuss.SubjectID `json:"subject"`
	Why      string            `json:"why,omitempty"` // why nothing was asked
	Gold     string            `json:"gold"`
	Units    []UnitRecord      `json:"units"` // the audited ones, in the order of their bits
	Settings []Measured        `json:"settings"`
}

// Of implements percuss.Record.
func (r Record) Of() percuss.SubjectID { return r.Subject }

// UnitRecord is an audited unit as seen from the gold.
type UnitRecord struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Flags []Flag `json:"flags,omitempty"`
	Role  Role   `json:"role"`
}

// Measured is a case under one setting.
type Measured struct {
	Setting    Setting                 `json:"setting"`
	State      State                   `json:"state"`
	Why        string                  `json:"why,omitempty"`
	Letter     string                  `json:"letter"`     // under which the gold stood
	Prediction string                  `json:"prediction"` // the best candidate on the full evidence; empty: none or a tie
	Correct    bool                    `json:"correct"`
	Margin     percuss.Number          `json:"margin"`   // of the gold on the full evidence, nats
	Censored   int                     `json:"censored"` // scores that are bounds only
	Salient    []Interaction           `json:"salient"`  // strongest first
	ByOrder    []lattice.OrderStrength `json:"by_order"` // of all interactions, from order 1
}

// Interaction is one salient interaction in the gold's margin.
type Interaction struct {
	Set        lattice.Set `json:"set"` // bits of Record.Units
	Value      float64     `json:"value"`
	Rule       string      `json:"rule"`
	Label      string      `json:"label"`
	Suspicious bool        `json:"suspicious,omitempty"`
}

// Reduce reads the answers to a case's trials. labels name the salient interactions.
func (o Options) Reduce(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers, labels Labels) Record {
	r := Record{Subject: s.SubjectID}
	if s.Case == nil || len(trials) > 0 && !trials[0].Fired {
		if len(trials) > 0 {
			r.Why = trials[0].Why
		}
		return r
	}
	r.Gold = s.Case.Gold
	units, err := o.audited(*s.Case)
	if err != nil {
		r.Why = err.Error()
		return r
	}
	flags := make([][]Flag, len(units))
	for i, u := range units {
		flags[i] = Flags(u, s.Case.Candidates, r.Gold, o.Thresholds)
		r.Units = append(r.Units, UnitRecord{u.ID, u.Text, flags[i], RoleOf(flags[i])})
	}
	for _, setting := range o.Settings {
		options := o.candidates(*s.Case, setting.Order)
		m := measure(setting, options, r.Gold, len(units), trials, answers)
		m.interpret(o, flags, labels, s.Case.Narrative)
		r.Settings = append(r.Settings, m.Measured)
	}
	return r
}

// measurement is a Measured with the margins of all subsets.
type measurement struct {
	Measured
	margins []percuss.Number // by set of shown units
}

// measure reads the scores of one setting.
func measure(setting Setting, options []percuss.Option, gold string, n int, trials []percuss.Trial, answers percuss.Answers) measurement {
	m := measurement{Measured: Measured{Setting: setting, State: Scored}, margins: make([]percuss.Number, 1<<n)}
	names := map[string]string{}
	for _, option := range options {
		names[option.Label] = option.Text
		if option.Text == gold {
			m.Letter = option.Label
		}
	}
	for _, t := range trials {
		var l shownLabel
		if json.Unmarshal(t.Labels, &l) != nil || l.Setting != setting || t.Request == nil || int(l.Shown) >= len(m.margins) {
			continue
		}
		a, ok := answers.Answer(t.Request.Key())
		if !ok {
			m.worsen(Waiting, "an answer is missing")
			continue
		}
		full := l.Shown == lattice.Full(n)
		if full {
			if label, _, ok := a.Best(); ok {
				m.Prediction, m.Correct = names[label], label == m.Letter
			}
		}
		m.margins[l.Shown] = m.margin(a)
		if full {
			m.Margin = m.margins[l.Shown]
		}
	}
	return m
}

// worsen keeps the worst state: what is missing outweighs what cannot be used.
func (m *measurement) worsen(s State, why string) {
	rank := []State{Scored, Censored, Unscored, Waiting}
	if slices.Index(rank, s) > slices.Index(rank, m.State) {
		m.State, m.Why = s, why
	}
}

// margin is the gold's log-probability minus the best other's. A censored competitor counts with its bound; a censored
// gold leaves the case out of the interactions.
func (m *measurement) margin(a percuss.Answer) percuss.Number {
	own, other := math.NaN(), math.Inf(-1)
	for _, l := range a.Letters {
		v, ok := l.LogProb.Get()
		if l.Censored {
			m.Censored++
		}
		switch {
		case l.Letter == m.Letter && l.Censored:
			m.worsen(Censored, "the gold's letter was not among those returned")
			return percuss.Number{}
		case !ok:
			m.worsen(Unscored, "letter "+l.Letter+" has no score")
			return percuss.Number{}
		case l.Letter == m.Letter:
			own = v
		default:
			other = max(other, v)
		}
	}
	if out := percuss.Num(own - other); out.OK() {
		return out
	}
	m.worsen(Unscored, "an answer has no scores ("+string(a.Outcome)+")")
	return percuss.Number{}
}

// interpret turns margins into named interactions.
func (m *measurement) interpret(o Options, flags [][]Flag, labels Labels, narrative bool) {
	if m.State != Scored {
		return
	}
	n := len(flags)
	order := o.MaxOrder
	if order == 0 || order > n {
		order = n
	}
	game, err := lattice.FromValues(m.margins, order)
	if err != nil {
		m.worsen(Unscored, err.Error())
		return
	}
	m.ByOrder = game.ByOrder(0)
	sets, err := lattice.Subsets(n, order)
	if err != nil {
		m.worsen(Unscored, err.Error())
		return
	}
	for _, s := range sets {
		v, ok := game.Interaction(s).Get()
		if !ok || s.Size() == 0 || math.Abs(v) < Salient {
			continue
		}
		var of [][]Flag
		for i := range s.Units() {
			of = append(of, flags[i])
		}
		rule := labels.Of(v > 0, of, narrative)
		m.Salient = append(m.Salient, Interaction{s, v, rule.ID, rule.Label, rule.Suspicious})
	}
	slices.SortStableFunc(m.Salient, func(a, b Interaction) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
}
