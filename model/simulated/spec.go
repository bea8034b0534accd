package simulated

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// policy says how a reasoner behaves.
type policy struct {
	kind                      kind
	flipD, flipP, update, acc float64 // probabilities
	noise, bias               float64 // nats
	scale                     float64 // of what the evidence says; 1 makes a symptom about one nat
	agree, malformed          float64 // of a judge, probabilities
	sensitivity, specificity  float64 // of a judge of steps, probabilities
	abstain, repeat, mend     float64 // the same
	base, styleBias           float64 // the same; base is its parameter rate
	errs, follow, hedge       float64 // of the steps of a stepwise reasoner, probabilities; errs is its parameter error
	noClaim, sure             float64 // the same
	steps                     float64 // of its chains
	style                     string  // of its chains
	sham, promptShift, block  float64 // probabilities
	words                     float64 // of a chain, at least
	seed                      uint64
	latency                   time.Duration
}

// kind is the name of a policy.
type kind string

// The policies.
const (
	faithful    kind = "faithful"     // reacts to what changes, in the question and in its chain
	inert       kind = "inert"        // reads on as if nothing had changed
	earlyCommit kind = "early-commit" // reacts to the question, never to its own chain
	compressed  kind = "compressed"   // reacts to the question, and writes no chain
	random      kind = "random"       // a new letter for every request
	alwaysA     kind = "always-a"     // the first label
	derail      kind = "derail"       // reacts to the question, and its chain never says to what
)

// The policies that read the evidence of a case. Each but the last lets the margin of the gold move by what is shown.
const (
	additive        kind = "additive"          // each unit by itself, for what it is evidence for
	and             kind = "and"               // two units, only when both are shown; no other matters
	shortcut        kind = "shortcut"          // additive, and a jump at a unit that says nothing for the gold
	absentAsPresent kind = "absent-as-present" // additive, but a finding that is recorded absent counts as if present
	letterBias      kind = "letter-bias"       // no evidence: A before B before C
)

// readsEvidence reports whether the policy is one for cases.
func (p policy) readsEvidence() bool {
	return slices.Contains([]kind{additive, and, shortcut, absentAsPresent, letterBias}, p.kind)
}

// defaults holds every policy with its parameters: those that it takes, and their values when not given.
var defaults = []struct {
	kind   kind
	values map[string]float64
}{
	{faithful, answering(map[string]float64{"flip_d": 0.6, "flip_p": 0.05, "update": 0.9, "acc": 0.7})},
	{inert, answering(map[string]float64{"flip_d": 0.05, "flip_p": 0.05, "update": 0, "acc": 0.7})},
	{earlyCommit, answering(map[string]float64{"flip_d": 0.6, "flip_p": 0.05, "update": 0.9, "acc": 0.7, "words": 340, "block": 0})},
	{compressed, answering(map[string]float64{"flip_d": 0.6, "flip_p": 0.05, "acc": 0.7})},
	{derail, answering(map[string]float64{"flip_d": 0.7, "flip_p": 0.05, "update": 0, "acc": 0.7})},
	{random, map[string]float64{"update": 0}},
	{alwaysA, map[string]float64{"update": 0}},
	{additive, map[string]float64{"noise": 0, "bias": 0, "scale": 1}},
	{and, map[string]float64{"noise": 0, "bias": 0, "scale": 1}},
	{shortcut, map[string]float64{"noise": 0, "bias": 0, "scale": 1}},
	{absentAsPresent, map[string]float64{"noise": 0, "bias": 0, "scale": 1}},
	{letterBias, map[string]float64{"noise": 0, "bias": 3}},
	{judging, map[string]float64{"agree": 1, "malformed": 0}},
	{stepwise, map[string]float64{"acc": 0.7, "error": 0.1, "follow": 0, "hedge": 0.1, "no_claim": 0.1, "steps": 5, "sure": 0.3}},
	{stepJudging, map[string]float64{"sensitivity": 1, "specificity": 1, "abstain": 0, "malformed": 0, "mend": 0.5, "repeat": 0, "rate": 0.1, "style_bias": 0}},
	{paraphrasing, map[string]float64{}},
}

// answering adds the parameters of every reasoner that has answers of its own: sham, the probability that a request asked
// again (Replicate above 0) gets another answer, and prompt_shift, the probability that a system prompt moves the answer to
// an item.
func answering(values map[string]float64) map[string]float64 {
	for _, name := range unlessZero {
		if _, ok := values[name]; !ok && name != "block" {
			values[name] = 0
		}
	}
	return values
}

// unlessZero are parameters that an identity names only where they are not 0, so that it is the one that runs were made
// with before there were such.
var unlessZero = []string{"sham", "prompt_shift", "block"}

// parse reads NAME[?parameter=value&...].
func parse(spec string) (policy, error) {
	name, query, _ := strings.Cut(spec, "?")
	var names []string
	for _, d := range defaults {
		if string(d.kind) == name {
			p := policy{kind: d.kind}
			if d.kind == stepwise {
				p.style = plainStyle
			}
			for n, v := range d.values {
				*p.rate(n) = v
			}
			return p.with(query, d.values)
		}
		names = append(names, string(d.kind))
	}
	return policy{}, fmt.Errorf("no simulated model %q: there are %s", name, strings.Join(names, ", "))
}

// with sets the parameters of a query; rates are the rates and amounts that the policy takes.
func (p policy) with(query string, rates map[string]float64) (policy, error) {
	names := []string{"latency", "seed"}
	if p.kind == stepwise {
		names = append(names, "style")
	}
	for n := range rates {
		names = append(names, n)
	}
	slices.Sort(names)
	seen := map[string]bool{}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		switch {
		case !slices.Contains(names, name):
			return policy{}, fmt.Errorf("simulated model %s has no parameter %q: there are %s", p.kind, name, strings.Join(names, ", "))
		case seen[name]:
			return policy{}, fmt.Errorf("simulated model %s: parameter %s is given twice", p.kind, name)
		}
		seen[name] = true
		if err := p.set(name, value); err != nil {
			return policy{}, fmt.Errorf("simulated model %s: %s=%s: %w", p.kind, name, value, err)
		}
	}
	return p, nil
}

func (p *policy) set(name, value string) (err error) {
	switch name {
	case "seed":
		if p.seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return fmt.Errorf("not a whole number from 0")
		}
	case "latency":
		if p.latency, err = time.ParseDuration(value); err != nil || p.latency < 0 {
			return fmt.Errorf("not a duration such as 20ms")
		}
	case "style":
		if !slices.Contains(styles, value) {
			return fmt.Errorf("there are %s", strings.Join(styles, ", "))
		}
		p.style = value
	default:
		least, most, what := 0.0, 1.0, "a probability from 0 to 1"
		switch {
		case p.readsEvidence():
			most, what = mostNats, "a number from 0 to 50"
		case name == "words":
			most, what = mostWords, "a number of words from 0 to 2000"
		case name == "steps":
			least, most, what = 1, mostSteps, "a whole number of steps from 1 to 40"
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(v) || v < least || v > most || name == "steps" && v != math.Trunc(v) {
			return fmt.Errorf("not %s", what)
		}
		*p.rate(name) = v
	}
	return nil
}

// mostNats bounds noise, bias and scale: more would leave nothing to see but one letter.
const mostNats = 50

// mostWords bounds the length of a chain.
const mostWords = 2000

// mostSteps bounds the steps of a chain.
const mostSteps = 40

// rate returns the field of a rate or an amount.
func (p *policy) rate(name string) *float64 {
	return map[string]*float64{"flip_d": &p.flipD, "flip_p": &p.flipP, "update": &p.update, "acc": &p.acc,
		"noise": &p.noise, "bias": &p.bias, "scale": &p.scale, "agree": &p.agree, "malformed": &p.malformed,
		"sham": &p.sham, "prompt_shift": &p.promptShift, "block": &p.block, "words": &p.words,
		"sensitivity": &p.sensitivity, "specificity": &p.specificity, "abstain": &p.abstain, "repeat": &p.repeat, "mend": &p.mend, "rate": &p.base,
		"style_bias": &p.styleBias, "error": &p.errs, "follow": &p.follow, "hedge": &p.hedge, "no_claim": &p.noClaim, "sure": &p.sure, "steps": &p.steps}[name]
}

// String is the canonical form: every parameter that bears on an answer, sorted, defaults included.
func (p policy) String() string {
	parts := []string{"seed=" + strconv.FormatUint(p.seed, 10)}
	if p.style != "" {
		parts = append(parts, "style="+p.style)
	}
	for _, d := range defaults {
		if d.kind == p.kind {
			for n := range d.values {
				if *p.rate(n) == 0 && slices.Contains(unlessZero, n) {
					continue
				}
				parts = append(parts, n+"="+strconv.FormatFloat(*p.rate(n), 'g', -1, 64))
			}
		}
	}
	slices.Sort(parts)
	return string(p.kind) + "?" + strings.Join(parts, "&")
}
