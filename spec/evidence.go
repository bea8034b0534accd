package spec

import (
	"cmp"
	"slices"
	"strings"
)

// Evidence is the evidence audit's part.
type Evidence struct {
	Order         int     `json:"order"`       // highest order of an interaction under the base setting; 0: all
	CheckOrder    int     `json:"check_order"` // the same under the settings of checks
	Units         int     `json:"units"`       // audited units of a structured case
	Sentences     int     `json:"sentences"`   // of a narrative
	Selector      string  `json:"selector"`    // of a structured case
	Narrative     string  `json:"narrative"`   // of a narrative: spaced or random
	Wording       string  `json:"wording"`     // of the base setting
	Hide          string  `json:"hide"`        // drop or neutralize
	EvidenceFirst bool    `json:"evidence_first"`
	FileOrder     bool    `json:"file_order"` // the base order of the candidates is the file's
	Debias        string  `json:"debias"`     // none, cyclic or prior
	Samples       int     `json:"samples"`    // drawn letters a prompt where there are no log-probabilities; 0: refuse
	Low           float64 `json:"low"`        // share of the candidates from which a unit has low specificity
	Specific      float64 `json:"specific"`   // largest share of the other candidates that a target-specific unit supports
	Families      int     `json:"families"`   // families changed for each stratum of a case
	Checks        Checks  `json:"checks"`
	// PromptFile and LabelFile are given files that replace the embedded ones, AppropriateFile names findings that are
	// appropriate for a gold; their hashes are in the run's fingerprints.
	PromptFile      string `json:"prompt_file,omitempty"`
	LabelFile       string `json:"label_file,omitempty"`
	AppropriateFile string `json:"appropriate_file,omitempty"`
}

// Checks says on how many cases of each set, from the first, a check is made; -1: on the paper's share.
type Checks struct {
	Stability       int `json:"stability"`
	Neutralize      int `json:"neutralize"`
	Selectors       int `json:"selectors"`
	Counterfactuals int `json:"counterfactuals"`
	Floor           int `json:"floor"`
}

// PaperShare stands for the paper's share of the cases.
const PaperShare = -1

// DefaultEvidence is what an evidence audit is without a word more (spec/evidence-audit.md).
func DefaultEvidence() Evidence {
	return Evidence{Order: 3, CheckOrder: 3, Units: 8, Sentences: 6, Selector: "balanced", Narrative: "spaced", Wording: "clinical-summary",
		Hide: "drop", Debias: "none", Low: 0.5, Specific: 0.25, Families: 3,
		Checks: Checks{PaperShare, PaperShare, PaperShare, PaperShare, PaperShare}}
}

// mostUnits is how many units can be audited: each more doubles the prompts of all orders.
const mostUnits = 14

// problems lists what is wrong with the evidence audit's part.
func (e Evidence) problems(add func(path, format string, args ...any)) {
	const at = "$.audits.evidence."
	for _, c := range []struct {
		field, flag, value string
		of                 []string
	}{
		{"selector", "--selector", e.Selector, []string{"balanced", "target-salient", "random-balanced"}},
		{"narrative", "--narrative", e.Narrative, []string{"spaced", "random"}},
		{"hide", "--hide", e.Hide, []string{"drop", "neutralize"}},
		{"debias", "--debias", e.Debias, []string{"none", "cyclic", "prior"}},
	} {
		if !slices.Contains(c.of, c.value) {
			add(at+c.field, "%s %q: there are %s", c.flag, c.value, strings.Join(c.of, ", "))
		}
	}
	for _, c := range []struct {
		field, flag        string
		value, least, most int
	}{
		{"order", "--order", e.Order, 0, mostUnits}, {"check_order", "--check-order", e.CheckOrder, 1, mostUnits},
		{"units", "--units", e.Units, 1, mostUnits}, {"sentences", "--sentences", e.Sentences, 1, mostUnits},
		{"samples", "--samples", e.Samples, 0, 1000}, {"families", "--families", e.Families, 1, 100},
		{"checks.stability", "--stability", e.Checks.Stability, PaperShare, many}, {"checks.neutralize", "--neutralize", e.Checks.Neutralize, PaperShare, many},
		{"checks.selectors", "--selectors", e.Checks.Selectors, PaperShare, many}, {"checks.counterfactuals", "--counterfactuals", e.Checks.Counterfactuals, PaperShare, many},
		{"checks.floor", "--floor", e.Checks.Floor, PaperShare, many},
	} {
		switch {
		case c.value < c.least && c.least == PaperShare:
			add(at+c.field, "%s %d: a number of cases, 0 for none, or -1 for the paper's share", c.flag, c.value)
		case c.value < c.least || c.value > c.most:
			add(at+c.field, "%s %d: from %d to %d", c.flag, c.value, c.least, c.most)
		}
	}
	for _, c := range []struct {
		field, flag string
		value       float64
	}{{"low", "--low-specificity", e.Low}, {"specific", "--target-specific", e.Specific}} {
		if !(c.value > 0 && c.value <= 1) {
			add(at+c.field, "%s %g: a share above 0 and at most 1", c.flag, c.value)
		}
	}
}

// many is no limit in practice.
const many = 1 << 30

// samePlaces is the audit with the places of its files taken from asked, where asked names any: files may move, and
// their contents are compared by fingerprint.
func (e Evidence) samePlaces(asked Evidence) Evidence {
	e.PromptFile = cmp.Or(asked.PromptFile, e.PromptFile)
	e.LabelFile = cmp.Or(asked.LabelFile, e.LabelFile)
	e.AppropriateFile = cmp.Or(asked.AppropriateFile, e.AppropriateFile)
	return e
}

// unplaced is the audit without the places of its files.
func (e Evidence) unplaced() Evidence {
	e.PromptFile, e.LabelFile, e.AppropriateFile = "", "", ""
	return e
}

// fileEvidence is the audit as a specification file says it; what is left out has its default.
type fileEvidence struct {
	Order         *Orders  `yaml:"order"`
	CheckOrder    *int     `yaml:"check_order"`
	Units         *int     `yaml:"units"`
	Sentences     *int     `yaml:"sentences"`
	Selector      *string  `yaml:"selector"`
	Narrative     *string  `yaml:"narrative"`
	Wording       *string  `yaml:"wording"`
	Hide          *string  `yaml:"hide"`
	EvidenceFirst bool     `yaml:"evidence_first"`
	FileOrder     bool     `yaml:"file_order"`
	Debias        *string  `yaml:"debias"`
	Samples       *int     `yaml:"samples"`
	Low           *float64 `yaml:"low"`
	Specific      *float64 `yaml:"specific"`
	Families      *int     `yaml:"families"`
	Checks        struct {
		Stability       *int `yaml:"stability"`
		Neutralize      *int `yaml:"neutralize"`
		Selectors       *int `yaml:"selectors"`
		Counterfactuals *int `yaml:"counterfactuals"`
		Floor           *int `yaml:"floor"`
	} `yaml:"checks"`
	PromptFile      string `yaml:"prompt_file"`
	LabelFile       string `yaml:"label_file"`
	AppropriateFile string `yaml:"appropriate_file"`
}

// evidence fills in what the file says.
func (f fileEvidence) evidence() Evidence {
	e := DefaultEvidence()
	if f.Order != nil {
		e.Order = int(*f.Order)
	}
	for _, s := range []struct {
		said *string
		into *string
	}{{f.Selector, &e.Selector}, {f.Narrative, &e.Narrative}, {f.Wording, &e.Wording}, {f.Hide, &e.Hide}, {f.Debias, &e.Debias}} {
		if s.said != nil {
			*s.into = *s.said
		}
	}
	c := &e.Checks
	for _, n := range []struct {
		said *int
		into *int
	}{{f.CheckOrder, &e.CheckOrder}, {f.Units, &e.Units}, {f.Sentences, &e.Sentences}, {f.Samples, &e.Samples}, {f.Families, &e.Families},
		{f.Checks.Stability, &c.Stability}, {f.Checks.Neutralize, &c.Neutralize}, {f.Checks.Selectors, &c.Selectors},
		{f.Checks.Counterfactuals, &c.Counterfactuals}, {f.Checks.Floor, &c.Floor}} {
		if n.said != nil {
			*n.into = *n.said
		}
	}
	if f.Low != nil {
		e.Low = *f.Low
	}
	if f.Specific != nil {
		e.Specific = *f.Specific
	}
	e.EvidenceFirst, e.FileOrder = f.EvidenceFirst, f.FileOrder
	e.PromptFile, e.LabelFile, e.AppropriateFile = f.PromptFile, f.LabelFile, f.AppropriateFile
	return e
}
