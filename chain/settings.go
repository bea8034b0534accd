package chain

import (
	"fmt"
	"strings"
)

// Settings are what a report may be told at any time, for it steers no request. Those of a report are the ones in force.
type Settings struct {
	CHS    [3]float64 `json:"chs"`    // weights of a miss, a false alarm and a flip within a class
	MFC    [3]float64 `json:"mfc"`    // weights of FCS, 1 − CHS and 1 − DFG
	Modes  Thresholds `json:"modes"`  // of the failure modes
	Margin float64    `json:"margin"` // of the tests of equivalence and of the claims, a difference of flip rates
}

// SettingsDecision is the id of the decision that names the settings which are not the defaults.
const SettingsDecision = "settings"

// DefaultSettings are those of a report that is told nothing: the chain paper's where it names them.
func DefaultSettings() Settings { return Options{}.settings() }

// settings are those in force.
func (o Options) settings() Settings {
	w := o.weights()
	return Settings{CHS: w.chs, MFC: w.mfc, Modes: o.Modes.orDefault(), Margin: o.margin()}
}

// String names the thresholds with their values, as they are given.
func (t Thresholds) String() string {
	return fmt.Sprintf("words=%g,verbose=%g,ecr=%g,inert=%g,coupled=%g", t.Words, t.Verbose, t.ECR, t.Inert, t.Coupled)
}

// differences says which settings are not the defaults, and what those are; empty: none.
func (s Settings) differences() string {
	var parts []string
	add := func(what, is, usually string) {
		if is != usually {
			parts = append(parts, fmt.Sprintf("%s %s in place of %s", what, is, usually))
		}
	}
	usual := DefaultSettings()
	add("the thresholds of the failure modes", s.Modes.String(), usual.Modes.String())
	add("the margin of equivalence and of the claims", fmt.Sprint(s.Margin), fmt.Sprint(usual.Margin))
	add("the weights of CHS (miss, false alarm, within a class)", triple(s.CHS), triple(usual.CHS))
	add("the weights of MFC (FCS, 1 − CHS, 1 − DFG)", triple(s.MFC), triple(usual.MFC))
	return strings.Join(parts, "; ")
}

// triple writes three weights as they are given.
func triple(w [3]float64) string { return fmt.Sprintf("%g,%g,%g", w[0], w[1], w[2]) }
