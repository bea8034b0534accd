package evidence

import "github.com/percuss/percuss"

// Panel sets models and sets side by side. Means of models are over the same cases, means of sets over unlike ones: each
// set counts the same, however many cases it has.
type Panel struct {
	Models   []PanelModel     `json:"models"`   // in the order of the cells
	Accuracy percuss.Estimate `json:"accuracy"` // mean of the models, each the mean of its sets; missing where one of them has no such mean
	Sets     []PanelSet       `json:"sets"`
	Pairs    []PanelPair      `json:"pairs"` // of models on a set; empty where there is one model
}

// PanelModel is a model over all sets (the last line of Table 2).
type PanelModel struct {
	Model    string           `json:"model"`
	Sets     int              `json:"sets"`
	Accuracy percuss.Estimate `json:"accuracy"` // mean over the sets; missing where it was not asked on each of them
}

// PanelSet is the mean of the models on a set (Table 15).
type PanelSet struct {
	Set        string           `json:"set"`
	Of         int              `json:"models"`
	Accuracy   percuss.Estimate `json:"accuracy"`
	Suspicious percuss.Estimate `json:"suspicious"` // strict suspicious share of strength
	Shares     []PanelShare     `json:"shares"`     // of strength, by coarse class
}

// PanelShare is a coarse class's share of strength.
type PanelShare struct {
	Name  string           `json:"name"`
	Share percuss.Estimate `json:"share"`
}

// PanelPair is the difference of two models on the same cases, A minus B.
type PanelPair struct {
	Set        string           `json:"set"`
	A          string           `json:"a"`
	B          string           `json:"b"`
	Cases      int              `json:"cases"`  // answered under both
	OnlyA      int              `json:"only_a"` // right under A alone
	OnlyB      int              `json:"only_b"`
	Accuracy   percuss.Estimate `json:"accuracy"`
	P          percuss.Number   `json:"p"`          // McNemar's exact test of the accuracies
	Adjusted   percuss.Number   `json:"p_adjusted"` // by Holm, over all pairs on all sets
	Scored     int              `json:"scored"`     // cases with interaction statistics under both
	Suspicious percuss.Estimate `json:"suspicious"` // strict suspicious share of strength
}
