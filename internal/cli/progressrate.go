package cli

import (
	"runtime"
	"time"

	"github.com/percuss/percuss/spec"
)

// What a starved engine is known by: after half a minute of asking, hardly an answer and hardly a token. Its threads wait for
// one another at every layer, so that one core that another program holds stops them all.
const (
	starvedAfter   = 30 * time.Second
	starvedTokens  = 1.0 // a second
	starvedAnswers = 0.1 // a second
)

// starved says whether the embedded engine, with a thread for every core, comes to hardly anything.
func (p *progress) starved() bool {
	if !p.local[p.known.Model] || p.asked.IsZero() {
		return false
	}
	since := p.now().Sub(p.asked)
	seconds := since.Seconds()
	return since >= starvedAfter && float64(p.known.Tokens) < starvedTokens*seconds && float64(p.known.Answered) < starvedAnswers*seconds
}

// everyCore are the models of the run that the embedded engine computes with a thread for every core of several.
func (r *running) everyCore() map[string]bool {
	out := map[string]bool{}
	if r.on.threads > 0 || runtime.NumCPU() == 1 {
		return out
	}
	for _, m := range r.manifest.Spec.Models {
		if arg, err := spec.ParseModel(m.Model); err == nil && arg.Backend == "llama" {
			out[m.ID] = true
		}
	}
	return out
}
