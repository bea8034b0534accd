package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/run"
)

// shown is what of a run is printed; empty fields are all.
type shown struct{ model, prompt, operator string }

// any says whether a part was asked for.
func (s shown) any() bool { return s != shown{} }

// of are the subjects of the part. A name that no subject has is a mistake.
func (s shown) of(all []percuss.Subject) ([]percuss.Subject, error) {
	for flag, choice := range map[string]struct {
		want string
		of   func(percuss.Subject) string
	}{"--model": {s.model, func(x percuss.Subject) string { return x.Model }}, "--prompt": {s.prompt, func(x percuss.Subject) string { return x.Variant }}} {
		if choice.want == "" {
			continue
		}
		var known []string
		for _, x := range all {
			if name := choice.of(x); !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
		if !slices.Contains(known, choice.want) {
			return nil, usage(fmt.Errorf("%s %s: the run has %s", flag, choice.want, strings.Join(known, ", ")))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(x percuss.Subject) bool {
		return s.model != "" && x.Model != s.model || s.prompt != "" && x.Variant != s.prompt
	}), nil
}

// picks reports whether an operator is of the part: by its id, or by the first words of it, which name a family.
func (s shown) picks(id string) bool {
	return id == s.operator || strings.HasPrefix(id, s.operator+"-")
}

// trials leaves the trials of one operator or family, and what they are compared with.
func (s shown) trials(v run.View) (run.View, error) {
	if s.operator == "" {
		return v, nil
	}
	kept := slices.DeleteFunc(slices.Clone(v.Trials), func(t percuss.Trial) bool {
		id, _, _ := strings.Cut(t.ID, "/")
		return !s.picks(id) && id != "base"
	})
	r, ok := v.Record.(chain.Record)
	if !ok {
		return v, usage(errors.New("--operator: only a chain audit has operators"))
	}
	var known []string
	for _, o := range r.Operators {
		known = append(known, o.ID)
	}
	if !slices.ContainsFunc(known, s.picks) {
		return v, usage(fmt.Errorf("--operator %s: the run has %s", s.operator, strings.Join(known, ", ")))
	}
	r.Operators = slices.DeleteFunc(slices.Clone(r.Operators), func(o chain.OperatorTrial) bool { return !s.picks(o.ID) })
	r.Controls = nil
	v.Trials, v.Record = kept, r
	return v, nil
}
