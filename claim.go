package percuss

import (
	"bytes"
	"encoding/json"
)

// Claim is something that the tables of a report seem to say, and whether the run bears it out.
type Claim struct {
	ID      string   `json:"id"`      // e.g. "noise-floor"
	Subject string   `json:"subject"` // the model, cell or operator it is about; empty: the run
	Says    string   `json:"says"`    // the claim in one sentence
	Verdict Holds    `json:"verdict"`
	Measure Estimate `json:"measure"` // what was measured
	Shown   string   `json:"shown"`   // the measurement in words
	Against string   `json:"against"` // what would contradict the claim
}

// Holds says whether a claim is borne out.
type Holds string

// The three verdicts of a check.
const (
	ClaimHolds Holds = "holds"
	ClaimFails Holds = "fails"
	CannotTell Holds = "cannot tell"
)

// Above asks whether a difference is above 0: it is where its interval lies above. It is not where its interval ends below
// the margin, too: an effect that is surely smaller than what counts as one is none, however many items there are.
func (e Estimate) Above(margin float64) Holds {
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	switch {
	case !hasLo || !hasHi:
		return CannotTell
	case lo > 0:
		return ClaimHolds
	case hi < margin:
		return ClaimFails
	}
	return CannotTell
}

// Below asks whether a quantity is below a threshold: it is where its interval lies below, and is not where it lies above.
func (e Estimate) Below(threshold float64) Holds {
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	switch {
	case !hasLo || !hasHi:
		return CannotTell
	case hi < threshold:
		return ClaimHolds
	case lo > threshold:
		return ClaimFails
	}
	return CannotTell
}

// AtMost judges a share of the run itself, which is counted and not estimated: what was dropped was dropped.
func (e Estimate) AtMost(threshold float64) Holds {
	v, ok := e.Value.Get()
	switch {
	case !ok:
		return CannotTell
	case v <= threshold:
		return ClaimHolds
	}
	return ClaimFails
}

// Decision is a choice that the source of an audit leaves open, and how it was settled.
type Decision struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Analysis is one part of a report: tables with what they are for.
type Analysis struct {
	ID     string  `json:"id"`               // e.g. "shuffle"
	Number int     `json:"number,omitempty"` // in the specification's list of analyses; 0: none of them
	Title  string  `json:"title"`
	About  string  `json:"about"` // one or two sentences for a reader
	Tables []Table `json:"tables"`
	Absent string  `json:"absent,omitempty"` // why there is nothing to show, e.g. that no labels were given
}

// MarshalJSON writes the tables of an analysis without any as [] and never as null.
func (a Analysis) MarshalJSON() ([]byte, error) {
	type plain Analysis // without this method
	if a.Tables == nil {
		a.Tables = []Table{}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // the encoder around it escapes where it is told to
	err := e.Encode(plain(a))
	return out.Bytes(), err
}
