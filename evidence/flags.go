// Package evidence is the second audit: which combinations of findings move a model's diagnosis, and is that clinically
// coherent? (Evidence paper; spec/evidence-audit.md.) A case's units are shown and hidden in subsets, every candidate is
// scored, and the interactions of units in the margin of a diagnosis are labelled by what the units are evidence for. It
// builds requests and reduces answers; it never calls a model.
package evidence

import (
	"slices"

	"github.com/percuss/percuss"
)

// Flag is something that holds of a unit as seen from one audited diagnosis d. Several may hold at once.
type Flag string

// The flags of spec/evidence-audit.md, section 3.
const (
	Absent         Flag = "absent"          // its recorded value says that the finding is not there
	Symptom        Flag = "symptom"         // a symptom of d
	Antecedent     Flag = "antecedent"      // an antecedent of d: history or risk
	Other          Flag = "other"           // linked to another candidate, whether to d or not
	OtherOnly      Flag = "other_only"      // linked to another candidate, and not to d
	LowSpecificity Flag = "low_specificity" // linked to at least half of all candidates
	TargetSpecific Flag = "target_specific" // linked to d, and to at most a quarter of the other candidates
)

// Thresholds say when a unit is specific. The zero value stands for the defaults.
type Thresholds struct {
	Low      float64 // share of all candidates from which a unit has low specificity; 0: one half
	Specific float64 // largest share of the other candidates that a target-specific unit supports; 0: one quarter
}

func (t Thresholds) withDefaults() Thresholds {
	if t.Low == 0 {
		t.Low = 0.5
	}
	if t.Specific == 0 {
		t.Specific = 0.25
	}
	return t
}

// Flags returns the flags of a unit for diagnosis d among the case's candidates, in the order of the constants.
func Flags(u percuss.Unit, candidates []string, d string, t Thresholds) []Flag {
	t = t.withDefaults()
	linked, others := 0, 0
	for _, c := range candidates {
		if !slices.Contains(u.SymptomOf, c) && !slices.Contains(u.AntecedentOf, c) {
			continue
		}
		linked++
		if c != d {
			others++
		}
	}
	symptom, antecedent := slices.Contains(u.SymptomOf, d), slices.Contains(u.AntecedentOf, d)
	own := symptom || antecedent
	var out []Flag
	for _, f := range []struct {
		flag Flag
		is   bool
	}{
		{Absent, u.Absent}, {Symptom, symptom}, {Antecedent, antecedent}, {Other, others > 0}, {OtherOnly, others > 0 && !own},
		{LowSpecificity, linked > 0 && float64(linked) >= t.Low*float64(len(candidates))},
		{TargetSpecific, own && float64(others) <= t.Specific*float64(len(candidates)-1)},
	} {
		if f.is {
			out = append(out, f.flag)
		}
	}
	return out
}

// Role is the one word for a unit where one is needed: colours and tables.
type Role string

// The roles, in the order in which they are decided.
const (
	RoleAbsent     Role = "absent"
	RoleBackground Role = "background"            // an antecedent of d
	RoleSupporting Role = "supporting"            // a symptom of d
	RoleCompetitor Role = "competitor-supporting" // linked to another candidate only
	RoleLow        Role = "low-specificity"
	RoleOther      Role = "other"
)

// RoleOf is the role that flags amount to.
func RoleOf(flags []Flag) Role {
	for _, r := range []struct {
		flag Flag
		role Role
	}{
		{Absent, RoleAbsent}, {Antecedent, RoleBackground}, {Symptom, RoleSupporting}, {OtherOnly, RoleCompetitor}, {LowSpecificity, RoleLow},
	} {
		if slices.Contains(flags, r.flag) {
			return r.role
		}
	}
	return RoleOther
}
