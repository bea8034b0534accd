package percuss

import "slices"

// Case is one patient as a diagnostic task: fixed facts, evidence units, candidate diagnoses. A loader yields all units
// that can be used; which of them are audited is the audit's choice. The complaint is a fact, since a note without it
// has no reason to exist; it is kept as a finding too, so that a change of its whole family finds it.
type Case struct {
	ID         string    `json:"id"`                  // Set plus native id, or Set plus a hash of the raw case; unique in a run
	Set        string    `json:"set"`                 // the data set's name, e.g. "ddxplus"
	Facts      []string  `json:"facts,omitempty"`     // always shown and never audited, a line each, e.g. "Age: 41 years"
	Complaint  *Unit     `json:"complaint,omitempty"` // the finding behind the last of Facts, where that is one; none of Units
	Units      []Unit    `json:"units"`               // in the order of the file
	Candidates []string  `json:"candidates"`          // names of diagnoses, each once, in the order of the file; the gold is among them
	Gold       string    `json:"gold"`                // one of Candidates; never enters a Request
	Narrative  bool      `json:"narrative"`           // units are sentences: nothing is known of what they are evidence for
	Source     Source    `json:"source"`
	LeftOut    []LeftOut `json:"left_out,omitempty"` // units that cannot be used, and why
	Note       string    `json:"note,omitempty"`     // why the gold is right, where the set says so; never enters a Request
	Flags      []string  `json:"flags,omitempty"`    // remarks of the loader
}

// Unit is one piece of evidence that can be shown or hidden.
type Unit struct {
	ID     string `json:"id"`               // unique in the case, e.g. "E_53" or "E_55=V_89"
	Family string `json:"family,omitempty"` // the main question it belongs to: where, how and how strong a pain is are one family
	Text   string `json:"text"`             // as a note has it, e.g. "Fever: yes"; a sentence of a narrative
	Asked  string `json:"asked,omitempty"`  // the question in words; empty in narratives
	Value  string `json:"value,omitempty"`  // the answer in words, e.g. "yes", "forehead"; empty in narratives

	Absent       bool     `json:"absent,omitempty"`        // its recorded value says that the finding is not there
	Antecedent   bool     `json:"antecedent,omitempty"`    // history or risk by the set's own word; a condition may still list it as a symptom
	SymptomOf    []string `json:"symptom_of,omitempty"`    // candidates of which it is a symptom
	AntecedentOf []string `json:"antecedent_of,omitempty"` // candidates of which it is an antecedent
	Implicit     bool     `json:"implicit,omitempty"`      // absent only because the file does not list it; nobody recorded it
}

// LeftOut is a unit that a loader left out.
type LeftOut struct {
	Text string `json:"text"`
	Why  string `json:"why"` // e.g. "names the gold"
}

// Candidate reports whether name is one of the case's candidates.
func (c Case) Candidate(name string) bool {
	return slices.Contains(c.Candidates, name)
}
