package evidence

import (
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
	var l labels
	if len(t.Labels) == 0 || json.Unmarshal(t.Labels, &l) != nil || l.Kind == "" {
		return labels{}, false
	}
	return l, true
}
