package evidence

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

// String names the setting in a trial's id.
func (s Setting) String() string {
	first := ""
	if s.EvidenceFirst {
		first = "/first"
	}
	return fmt.Sprintf("%s/o%d/%s%s", s.Wording, s.Order, s.Hide, first)
}

// Options are the settings of an evidence audit that steer requests; they are frozen in the run.
type Options struct {
	Seed       uint64
	Units      int // audited units of a structured case; 0: 8
	Sentences  int // of a narrative; 0: 6
	Selector   Selector
	Thresholds Thresholds
	MaxOrder   int       // highest order of an interaction; 0: all
	Settings   []Setting // the first is the base setting
	FileOrder  bool      // the base order of the candidates is that of the file, not a seeded shuffle
	Prompts    prompt.Cases
	Can        map[string]percuss.Capabilities // by model id
}

// shownLabel is what the ledger keeps of a trial beside its key.
type shownLabel struct {
	Setting Setting     `json:"setting"`
	Shown   lattice.Set `json:"shown"` // the audited units that are shown
}

// audited are the units of a case that are shown and hidden of a case: those that support or contradict its gold, or sentences at even spacing.
func (o Options) audited(c percuss.Case) ([]percuss.Unit, error) {
	n, s := o.Units, o.Selector
	if n == 0 {
		n = 8
	}
	if c.Narrative {
		if n = o.Sentences; n == 0 {
			n = 6
		}
		if s == "" || s == Balanced || s == TargetSalient || s == RandomBalanced {
			s = Spaced
		}
	}
	if s == "" {
		s = Balanced
	}
	return Select(c, c.Gold, s, n, o.Seed, o.Thresholds)
}

// candidates are the candidates under their letters in the given order: the base order is a seeded shuffle of the
// file's, because files put the right one first; every further order is a shuffle of its own.
func (o Options) candidates(c percuss.Case, order int) []percuss.Option {
	names := slices.Clone(c.Candidates)
	if order > 0 || !o.FileOrder {
		r := percuss.Rand(o.Seed, c.ID, fmt.Sprint(order), "evidence/order")
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	options := make([]percuss.Option, len(names))
	for i, name := range names {
		options[i] = percuss.Option{Label: percuss.Label(i), Text: name}
	}
	return options
}

// subsets are the sets of shown units that the interactions up to the highest order need, and the full set.
func (o Options) subsets(n int) ([]lattice.Set, error) {
	order := o.MaxOrder
	if order == 0 || order > n {
		order = n
	}
	sets, err := lattice.Subsets(n, order)
	if err != nil {
		return nil, err
	}
	if full := lattice.Full(n); !slices.Contains(sets, full) {
		sets = append(sets, full)
	}
	return sets, nil
}

// Trials are all requests of a case: each setting, each subset. A case that cannot be asked gives one trial that says
// why.
func (o Options) Trials(s percuss.Subject) []percuss.Trial {
	refuse := func(format string, args ...any) []percuss.Trial {
		return []percuss.Trial{{ID: "case", Why: fmt.Sprintf(format, args...)}}
	}
	can := o.Can[s.Model]
	if s.Case == nil {
		return refuse("there is no case")
	}
	if !can.Letters {
		return refuse("the back-end gives no log-probabilities of letters")
	}
	if last := percuss.Label(max(len(s.Case.Candidates)-1, 0)); len(last) > 1 && !can.MultiLetter {
		return refuse("%d candidates: label %s is no single token", len(s.Case.Candidates), last)
	}
	units, err := o.audited(*s.Case)
	if err != nil {
		return refuse("%v", err)
	}
	sets, err := o.subsets(len(units))
	if err != nil {
		return refuse("%v", err)
	}
	var out []percuss.Trial
	for _, setting := range o.Settings {
		options := o.candidates(*s.Case, setting.Order)
		for _, shown := range sets {
			t, err := o.trial(s, setting, options, units, shown)
			if err != nil {
				return refuse("%v", err)
			}
			out = append(out, t)
		}
	}
	return out
}

// trial is one prompt.
func (o Options) trial(s percuss.Subject, setting Setting, options []percuss.Option, units []percuss.Unit, shown lattice.Set) (percuss.Trial, error) {
	messages, err := o.Prompts.Chat(setting.Wording, prompt.Shown{Facts: facts(*s.Case, units), Options: options, Units: units,
		Hidden: uint64(lattice.Full(len(units)) &^ shown), Neutralize: setting.Hide == Neutralize, EvidenceFirst: setting.EvidenceFirst})
	if err != nil {
		return percuss.Trial{}, err
	}
	r := percuss.Request{Model: s.Identity, Messages: messages, Sampling: percuss.Greedy(1)}
	for _, option := range options {
		r.Want.Letters = append(r.Want.Letters, option.Label)
	}
	raw, err := json.Marshal(shownLabel{setting, shown})
	return percuss.Trial{ID: trialID(setting, shown, len(units)), Fired: true, Labels: raw, Request: &r}, err
}

// trialID is the setting and which units are shown, the first unit last: .../0011.
func trialID(s Setting, shown lattice.Set, n int) string {
	return fmt.Sprintf("%s/%0*b", s, max(n, 1), uint32(shown))
}

// facts are what is always shown: the case's own facts and, of a structured case, the findings that are not audited. A
// narrative's other sentences are not in the prompt.
func facts(c percuss.Case, audited []percuss.Unit) []string {
	out := slices.Clone(c.Facts)
	if c.Narrative {
		return out
	}
	for _, u := range c.Units {
		if !slices.ContainsFunc(audited, func(a percuss.Unit) bool { return a.ID == u.ID }) {
			out = append(out, strings.TrimRight(u.Text, "."))
		}
	}
	return out
}
