package evidence

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/stat/lattice"
)

const (
	caseTrial    = "case"                // the one trial of a case that cannot be asked
	changesTrial = changePrefix + "none" // the one trial of changes where none can be asked
	floorRepeats = 2                     // more askings of each base prompt, to measure the noise
	trialVersion = "evidence/" + Version
	sampleTokens = 16 // limit of a reply from which a drawn letter is read: a letter, or a short sentence
)

var _ percuss.Audit = (*Audit)(nil)

// Trials implements percuss.Audit. The first trial is one of the base setting; a case that cannot be asked gives one
// trial that says why. Counterfactuals come once the base setting is answered, because it says which families are
// changed.
func (a *Audit) Trials(s percuss.Subject, answers percuss.Answers) []percuss.Trial {
	b := builder{a: a, s: s, can: a.o.Can[s.Model]}
	for _, why := range []string{refuseCase(s.Case), a.refuseModel(b.can)} {
		if why != "" {
			return refusal(why)
		}
	}
	if why := refuseLetters(len(s.Case.Candidates), b.can); why != "" {
		return refusal(why)
	}
	if !b.can.Letters {
		b.sampled = a.o.Samples
	}
	units, err := a.audited(*s.Case, a.base())
	if err != nil {
		return refusal(err.Error())
	}
	if why := b.askBase(len(units)); why != "" {
		return refusal(why)
	}
	for _, p := range a.checks(s, len(units)) {
		if p.why == "" {
			p.why = b.setting(p, 0)
		}
		if p.why != "" {
			b.skip(p.setting.String(), p.why)
		}
	}
	if a.checksOf(s).counterfactuals {
		b.counterfactuals(units, answers)
	}
	return b.trials
}

// refusal is the trial of a case that cannot be asked.
func refusal(why string) []percuss.Trial {
	return []percuss.Trial{{ID: caseTrial, Version: trialVersion, Why: why}}
}

// builder gathers the trials of one case.
type builder struct {
	a       *Audit
	s       percuss.Subject
	can     percuss.Capabilities
	sampled int // letters drawn for each prompt; 0: log-probabilities
	trials  []percuss.Trial
	priors  []string // those that were asked
	asked   int      // trials of the base setting, with what takes its letter bias out
}

// askBase asks the base setting, what takes the letter bias out of it, and its repetitions. It says why the case cannot
// be asked, or nothing.
func (b *builder) askBase(units int) (why string) {
	p := planned{setting: b.a.base(), order: b.a.order(units)}
	if why = b.setting(p, 0); why != "" {
		return why
	}
	if b.a.o.Debias == Cyclic {
		for k := 1; k < len(b.s.Case.Candidates); k++ {
			rotated := p
			rotated.setting.Rotation = k
			if why = b.setting(rotated, 0); why != "" {
				return why
			}
		}
	}
	b.asked = len(b.trials)
	if b.a.checksOf(b.s).floor && b.sampled == 0 { // letters are drawn several times as it is
		for k := range floorRepeats {
			if why = b.setting(p, k+1); why != "" {
				return why
			}
		}
	}
	return ""
}

// setting asks all subsets under a setting, and what its scores need besides. It says why it asked none, or nothing.
func (b *builder) setting(p planned, replicate int) (why string) {
	units, err := b.a.audited(*b.s.Case, p.setting)
	if err != nil {
		return err.Error()
	}
	sets, err := shownSets(len(units), p.order)
	if err != nil {
		return err.Error()
	}
	options := b.a.candidates(*b.s.Case, p.setting)
	prepared, err := b.prepare(p.setting, prompt.Shown{Facts: facts(*b.s.Case, units, nil), Options: options, Units: units})
	if err != nil {
		return err.Error()
	}
	full := lattice.Full(len(units))
	prompts := make([][]percuss.Message, len(sets))
	for i, shown := range sets {
		prompts[i] = prepared.Chat(uint64(full &^ shown))
		if why := refuseLength(prompts[i], b.can); why != "" {
			return why
		}
	}
	name := p.setting.String()
	l := labels{Kind: ofSubset, In: name, Replicate: replicate}
	for i, shown := range sets {
		l.Shown, l.Heading = shown, nil
		if i == 0 && replicate == 0 {
			l.Heading = b.heading(p, options, units)
		}
		b.ask(subsetID(name, shown, len(units)), l, prompts[i], options)
	}
	if b.a.o.Debias == Prior {
		return b.prior(p.setting, options)
	}
	return ""
}

// prepare puts what a setting shows of a case into words.
func (b *builder) prepare(s Setting, shown prompt.Shown) (prompt.Prepared, error) {
	shown.Neutralize, shown.EvidenceFirst = s.Hide == Neutralize, s.EvidenceFirst
	return b.a.o.Prompts.Prepare(s.Wording, shown)
}

func (b *builder) heading(p planned, options []percuss.Option, units []percuss.Unit) *heading {
	h := &heading{Setting: p.setting, Order: p.order, Sampled: b.sampled}
	for _, o := range options {
		h.Candidates = append(h.Candidates, o.Text)
	}
	for _, u := range units {
		h.Units = append(h.Units, u.ID)
	}
	return h
}

// prior asks the prompt without content that belongs to a setting, once: under the same letters nothing differs between
// candidates, so that what a letter scores is what the model thinks of the letter.
func (b *builder) prior(s Setting, options []percuss.Option) (why string) {
	name := priorOf(s)
	if slices.Contains(b.priors, name) {
		return ""
	}
	b.priors = append(b.priors, name)
	empty := slices.Clone(options)
	for i := range empty {
		empty[i].Text = b.a.o.Prompts.Placeholder
	}
	prepared, err := b.prepare(s, prompt.Shown{Options: empty})
	if err != nil {
		return err.Error()
	}
	b.ask("prior/"+name, labels{Kind: ofPrior, In: name}, prepared.Chat(0), empty)
	return ""
}

// priorOf names the prompt without content that belongs to a setting: candidates have one name in it and nothing is
// hidden, so that all orders and ways of hiding share it.
func priorOf(s Setting) string {
	if s.EvidenceFirst {
		return s.Wording + "/first"
	}
	return s.Wording
}

// ask appends the trial of a prompt, or one trial for each letter that is drawn.
func (b *builder) ask(id string, l labels, messages []percuss.Message, options []percuss.Option) {
	r := percuss.Request{Model: b.s.Identity, Messages: messages, Sampling: percuss.Greedy(1)}
	if b.sampled == 0 {
		if r.Replicate = l.Replicate; l.Replicate > 0 {
			id += "#" + strconv.Itoa(l.Replicate)
		}
		for _, o := range options {
			r.Want.Letters = append(r.Want.Letters, o.Label)
		}
		b.append(id, l, r)
		return
	}
	r.Sampling = percuss.Sampling{Temperature: 1, TopP: 1, MaxTokens: sampleTokens}
	var seed uint64
	if b.can.Seeded { // 31 bits, which every server takes
		seed = percuss.Rand(b.a.o.Seed, b.s.Item, id, "evidence/sample").Uint64() >> 34
	}
	for k := 1; k <= b.sampled; k++ {
		r.Replicate, l.Replicate = k, k
		if b.can.Seeded {
			r.Sampling.Seed = seed + uint64(k)
		}
		b.append(id+"#"+strconv.Itoa(k), l, r)
		l.Heading = nil
	}
}

func (b *builder) append(id string, l labels, r percuss.Request) {
	t := percuss.Trial{ID: id, Fired: true, Version: trialVersion}
	t.Ask(r)
	raw, err := json.Marshal(l)
	if err != nil { // texts and numbers only: it cannot be
		t.Fired, t.Why, t.Request = false, err.Error(), nil
	}
	t.Labels = raw
	b.trials = append(b.trials, t)
}

// skip appends a trial that is not asked.
func (b *builder) skip(id, why string) {
	b.trials = append(b.trials, percuss.Trial{ID: id, Version: trialVersion, Why: why})
}

// subsetID is the setting and which units are shown, the first unit last: .../0011.
func subsetID(setting string, shown lattice.Set, n int) string {
	return fmt.Sprintf("%s/%0*b", setting, max(n, 1), uint32(shown))
}

// facts are what is always shown: the case's own facts and, of a structured case, the findings that are not audited;
// edited findings as they are changed. A narrative's other sentences are not in the prompt.
func facts(c percuss.Case, audited []percuss.Unit, edited map[string]changed) []string {
	var out []string
	put := func(id, text string) {
		e, ok := edited[id]
		switch {
		case !ok:
			out = append(out, text)
		case !e.gone:
			// Several findings of one question may all be "not specified": once says it.
			if text := strings.TrimRight(e.unit.Text, "."); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	for i, fact := range c.Facts {
		if c.Complaint != nil && i == len(c.Facts)-1 {
			put(c.Complaint.ID, fact)
		} else {
			out = append(out, fact)
		}
	}
	if c.Narrative {
		return out
	}
	for _, u := range c.Units {
		if !slices.ContainsFunc(audited, func(a percuss.Unit) bool { return a.ID == u.ID }) {
			put(u.ID, strings.TrimRight(u.Text, "."))
		}
	}
	return out
}
