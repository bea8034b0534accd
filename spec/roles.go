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
	Subject = "subject" // it is audited; the same as no role
	Judge   = "judge"   // it judges the chains of those that are
)

// errNoJudgeHere is what is said of a judge that is named apart from the models.
var errNoJudgeHere = errors.New("judge: a judge is one of the models: name it under models with role: judge")

// IsJudge reports whether the model judges and is not audited.
func (m Model) IsJudge() bool { return m.Role == Judge }

// Subjects are the models that are audited, in their order.
func (s Specification) Subjects() []Model { return s.withRole(false) }

// Judges are the models that judge, in their order.
func (s Specification) Judges() []Model { return s.withRole(true) }

func (s Specification) withRole(judges bool) []Model {
	return slices.DeleteFunc(slices.Clone(s.Models), func(m Model) bool { return m.IsJudge() != judges })
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
