package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

const qualityHelp = "step audit: how good a judge is at finding errors, ID=SENSITIVITY,SPECIFICITY as shares (0.9,0.95) or as counts that they were measured on (45/50,95/100); may be repeated"

// qualityFlag is what is known of judges, by their id.
type qualityFlag map[string]spec.Quality

// Set implements pflag.Value.
func (q *qualityFlag) Set(text string) error {
	const form = "write ID=SENSITIVITY,SPECIFICITY, e.g. judge=0.9,0.95 or judge=45/50,95/100"
	at := strings.LastIndexByte(text, '=')
	if at < 1 {
		return fmt.Errorf("%q: %s", text, form)
	}
	id, rates := text[:at], strings.Split(text[at+1:], ",")
	if len(rates) != 2 {
		return fmt.Errorf("%q: %s", text, form)
	}
	var out spec.Quality
	var err error
	if out.Sensitivity, out.Positives, err = shareOf(rates[0]); err == nil {
		out.Specificity, out.Negatives, err = shareOf(rates[1])
	}
	if err == nil {
		err = out.Check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", id, err, form)
	}
	if *q == nil {
		*q = qualityFlag{}
	}
	(*q)[id] = out
	return nil
}

// shareOf reads a share, or a count of a count.
func shareOf(text string) (share float64, of int, err error) {
	k, n, counted := strings.Cut(strings.TrimSpace(text), "/")
	if !counted {
		share, err = finite(k)
		return share, 0, err
	}
	num, bad := strconv.Atoi(strings.TrimSpace(k))
	of, err = strconv.Atoi(strings.TrimSpace(n))
	if bad != nil || err != nil || of < 1 || num < 0 || num > of {
		return 0, 0, fmt.Errorf("%q is no count of a count", text)
	}
	return float64(num) / float64(of), of, nil
}

// String implements pflag.Value.
func (q *qualityFlag) String() string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(*q)) {
		v := (*q)[id]
		out = append(out, fmt.Sprintf("%s=%g,%g", id, v.Sensitivity, v.Specificity))
	}
	return strings.Join(out, " ")
}

// Type implements pflag.Value.
func (*qualityFlag) Type() string { return "id=rate,rate" }

// put notes what is known of judges among the models. A name that no judge has is an error.
func (q qualityFlag) put(models []spec.Model) error {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		id, err := judgeNamed(name, models)
		if err != nil {
			return err
		}
		v := q[name]
		models[slices.IndexFunc(models, func(m spec.Model) bool { return m.ID == id })].Quality = &v
	}
	return nil
}

// judgeNamed is the id of the judge that a name means: its whole id, or what stands before the "?" of it, where that is one
// judge's alone.
func judgeNamed(name string, models []spec.Model) (string, error) {
	var judges, short []string
	for _, m := range models {
		if !m.IsJudge() {
			continue
		}
		if m.ID == name {
			return name, nil
		}
		judges = append(judges, m.ID)
		if before, _, ok := strings.Cut(m.ID, "?"); ok && before == name {
			short = append(short, m.ID)
		}
	}
	switch {
	case len(short) == 1:
		return short[0], nil
	case len(short) > 1:
		return "", fmt.Errorf("--judge-quality %s: this may be any of %s: write the whole name", name, strings.Join(short, ", "))
	case len(judges) == 0:
		return "", fmt.Errorf("--judge-quality %s: the run has no judge", name)
	}
	return "", fmt.Errorf("--judge-quality %s: there is no such judge: there are %s", name, strings.Join(judges, ", "))
}

// over is what the audit is told of judges: what the report was told, and else what the specification says.
func (q qualityFlag) over(s spec.Specification) (map[string]step.Quality, error) {
	out := map[string]step.Quality{}
	of := func(v spec.Quality, from string) step.Quality {
		return step.Quality{Sensitivity: v.Sensitivity, Specificity: v.Specificity, Positives: v.Positives, Negatives: v.Negatives, From: from}
	}
	for _, m := range s.Judges() {
		if m.Quality != nil {
			out[m.ID] = of(*m.Quality, "given with the run")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		id, err := judgeNamed(name, s.Models)
		if err != nil {
			return nil, err
		}
		out[id] = of(q[name], "given with --judge-quality")
	}
	return out, nil
}
