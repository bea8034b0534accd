package evidence

import (
	"bytes"
	"encoding/json"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// trialKind says what a trial is.
type trialKind string

const (
	ofSubset trialKind = "subset" // some audited units shown
	ofPrior  trialKind = "prior"  // a prompt without content
	ofFamily trialKind = "family" // full evidence, one family changed
)

// labels is what the ledger keeps of a trial beside its key: with the case, all that Reduce needs.
type labels struct {
	Kind      trialKind   `json:"kind"`
	In        string      `json:"in"`                  // the setting's name; of a prior, what it is the prior of
	Shown     lattice.Set `json:"shown"`               // the audited units that are shown
	Replicate int         `json:"replicate,omitempty"` // number of a repetition or of a drawn letter
	Family    string      `json:"family,omitempty"`
	Edit      Edit        `json:"edit,omitempty"`
	Before    []string    `json:"before,omitempty"`
	After     []string    `json:"after,omitempty"`
	Heading   *heading    `json:"heading,omitempty"` // on the first trial of a setting
}

// heading says once for all trials of a setting what their letters and bits stand for.
type heading struct {
	Setting    Setting  `json:"setting"`
	Candidates []string `json:"candidates"` // in the order of their letters
	Units      []string `json:"units"`      // ids of the audited units, in the order of their bits
	Order      int      `json:"order"`      // highest order of an interaction that was asked for
	Sampled    int      `json:"sampled,omitempty"`
}

// parseLabels reads a trial's labels; false where they are not of this audit. What a newer version added is ignored.
func parseLabels(t percuss.Trial) (labels, bool) {
	if l, ok := plainLabels(t.Labels); ok {
		return l, true
	}
	var l labels
	if len(t.Labels) == 0 || json.Unmarshal(t.Labels, &l) != nil || l.Kind == "" {
		return labels{}, false
	}
	return l, true
}

// plainLabels reads the labels of nearly all trials, a subset without heading, as they are written; false for any other.
// It takes a tenth of the time of decoding JSON, which would be the larger part of reducing a case.
func plainLabels(raw []byte) (l labels, ok bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(`{"kind":"subset","in":"`))
	if !ok {
		return l, false
	}
	name, rest, ok := bytes.Cut(rest, []byte(`","shown":`))
	if !ok || bytes.ContainsAny(name, `\"`) {
		return l, false
	}
	shown, rest, ok := digits(rest)
	if !ok {
		return l, false
	}
	l = labels{Kind: ofSubset, In: string(name), Shown: lattice.Set(shown)}
	if after, more := bytes.CutPrefix(rest, []byte(`,"replicate":`)); more {
		if l.Replicate, rest, ok = digits(after); !ok {
			return l, false
		}
	}
	return l, string(rest) == "}"
}

// digits reads a number of at most nine digits.
func digits(raw []byte) (n int, rest []byte, ok bool) {
	i := 0
	for ; i < len(raw) && i < 9 && raw[i] >= '0' && raw[i] <= '9'; i++ {
		n = 10*n + int(raw[i]-'0')
	}
	return n, raw[i:], i > 0
}
