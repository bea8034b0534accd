package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The roles of a model.
const (
	Subject     = "subject"     // it is audited; the same as no role
	Judge       = "judge"       // it judges the chains of those that are
	Before      = "before"      // it is audited, and is a model before a change
	After       = "after"       // it is audited, and is that model after the change
	Teacher     = "teacher"     // it is audited, and taught the model that changed
	Paraphraser = "paraphraser" // it puts steps in neutral words before they are judged
)

// audited are the roles of models that are audited.
var audited = []string{"", Subject, Before, After, Teacher}

// errNoJudgeHere is what is said of a judge that is named apart from the models.
var errNoJudgeHere = errors.New("judge: a judge is one of the models: name it under models with role: judge")

// IsJudge reports whether the model judges and is not audited.
func (m Model) IsJudge() bool { return m.Role == Judge }

// Helps reports whether the model is not audited and is asked about those that are: a judge or a paraphraser.
func (m Model) Helps() bool { return m.Role == Judge || m.Role == Paraphraser }

// Subjects are the models that are audited, in their order.
func (s Specification) Subjects() []Model {
	return s.having(func(m Model) bool { return !m.Helps() })
}

// Judges are the models that judge, in their order.
func (s Specification) Judges() []Model { return s.having(Model.IsJudge) }

// Helpers are the models that are asked about the audited ones, in the order in which they are asked: who paraphrases steps,
// then those who judge them.
func (s Specification) Helpers() []Model {
	return append(s.having(func(m Model) bool { return m.Role == Paraphraser }), s.Judges()...)
}

// Paraphraser is the model that puts steps in neutral words; nil: there is none.
func (s Specification) Paraphraser() *Model {
	for i, m := range s.Models {
		if m.Role == Paraphraser {
			return &s.Models[i]
		}
	}
	return nil
}

// having are the models for which is holds, in their order.
func (s Specification) having(is func(Model) bool) []Model {
	return slices.DeleteFunc(slices.Clone(s.Models), func(m Model) bool { return !is(m) })
}

// Quality is how good a judge is at finding errors, as it is known from elsewhere. It steers nothing, and may change.
type Quality struct {
	Sensitivity float64 `json:"sensitivity"`         // share of erroneous steps that it calls an error, 0 to 1
	Specificity float64 `json:"specificity"`         // share of correct steps that it calls correct, 0 to 1
	Positives   int     `json:"positives,omitempty"` // erroneous steps that it was measured on; 0: known exactly
	Negatives   int     `json:"negatives,omitempty"` // and correct ones
}

// Check says what is wrong with a quality.
func (q Quality) Check() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"sensitivity", q.Sensitivity}, {"specificity", q.Specificity}} {
		if !(v.value >= 0 && v.value <= 1) {
			return fmt.Errorf("%s %g: a share from 0 to 1", v.name, v.value)
		}
	}
	if q.Positives < 0 || q.Negatives < 0 || (q.Positives == 0) != (q.Negatives == 0) {
		return errors.New("positives and negatives: how many steps the two shares were measured on, both or neither")
	}
	return nil
}

// counted is a parameter count as model cards write it: "135M", "7B", "0.5B", "8x7B".
var counted = regexp.MustCompile(`^(?:([1-9]\d{0,3})[xX×])?(\d{1,6}(?:\.\d+)?)([KMBT])$`)

// ParameterCount reads a number of parameters such as "135M", "7B" or "8x7B", which counts eight times 7B. The unit is
// needed: K, M, B or T, of either case.
func ParameterCount(params string) (float64, error) {
	wrong := fmt.Errorf("params %q: write the number of parameters with its unit, such as 135M, 7B or 8x7B", params)
	parts := counted.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(params)))
	if parts == nil {
		return 0, wrong
	}
	n, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || n <= 0 {
		return 0, wrong
	}
	n *= map[string]float64{"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[parts[3]]
	if parts[1] != "" {
		experts, err := strconv.ParseFloat(parts[1], 64)
		if err != nil {
			return 0, wrong
		}
		n *= experts
	}
	return n, nil
}
