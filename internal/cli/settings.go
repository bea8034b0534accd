package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/chain"
)

// settings are what the report and the claims of a chain audit may be told at any time. What is zero has the default.
type settings struct {
	modes    thresholdFlag
	margin   shareFlag
	chs, mfc weightFlag
}

func (s *settings) bind(f *pflag.FlagSet) {
	usual := chain.DefaultSettings()
	f.Var(&s.modes, "modes", "chain audit: thresholds of the failure modes; those that are not named stay ("+usual.Modes.String()+")")
	f.Var(&s.margin, "margin", fmt.Sprintf("chain audit: difference of flip rates within which edits count as equivalent and claims as not borne out (%g)", usual.Margin))
	f.Var(&s.chs, "chs", fmt.Sprintf("chain audit: weights of CHS: a miss, a false alarm, a flip within a class (%s)", weightFlag(usual.CHS).text()))
	f.Var(&s.mfc, "mfc", fmt.Sprintf("chain audit: weights of MFC: FCS, 1 − CHS, 1 − DFG; their sum counts as 1 (%s)", weightFlag(usual.MFC).text()))
}

// check refuses settings that the audit does not have.
func (s settings) check(chainAudit bool) error {
	if s != (settings{}) && !chainAudit {
		return usage(errors.New("--modes, --margin, --chs and --mfc are for chain audits: leave them out, other audits have none of them"))
	}
	return nil
}

// apply puts the settings where the audit takes them.
func (s settings) apply(o *chain.Options) {
	o.Modes, o.Margin, o.CHS, o.MFC = chain.Thresholds(s.modes), float64(s.margin), s.chs, s.mfc
}

// finite reads a number, and refuses what is none.
func finite(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return v, nil
}

// thresholdFlag are thresholds as a user writes them: words=40,ecr=0.9.
type thresholdFlag chain.Thresholds

// thresholdNames are the names of the thresholds; those after the first two are shares.
var thresholdNames = [...]string{"words", "verbose", "ecr", "inert", "coupled"}

// fields are the thresholds in the order of their names.
func (t *thresholdFlag) fields() [len(thresholdNames)]*float64 {
	return [...]*float64{&t.Words, &t.Verbose, &t.ECR, &t.Inert, &t.Coupled}
}

// Set implements pflag.Value.
func (t *thresholdFlag) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		at := -1
		for i, n := range thresholdNames {
			if n == strings.TrimSpace(name) {
				at = i
			}
		}
		if !ok || at < 0 {
			return fmt.Errorf("%q is no threshold: write NAME=NUMBER with the names %s, e.g. inert=0.6,words=40", part, strings.Join(thresholdNames[:], ", "))
		}
		v, err := finite(value)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", thresholdNames[at], err)
		case v <= 0 || at >= 2 && v > 1:
			return fmt.Errorf("%s=%s: words and verbose are numbers of words above 0; ecr, inert and coupled are shares above 0, at most 1", thresholdNames[at], value)
		}
		*t.fields()[at] = v
	}
	return nil
}

// String implements pflag.Value; what is not set is not named.
func (t *thresholdFlag) String() string {
	var parts []string
	for i, v := range t.fields() {
		if *v != 0 {
			parts = append(parts, fmt.Sprintf("%s=%g", thresholdNames[i], *v))
		}
	}
	return strings.Join(parts, ",")
}

// Type implements pflag.Value.
func (*thresholdFlag) Type() string { return "name=number,..." }

// shareFlag is a share above 0 and below 1.
type shareFlag float64

// Set implements pflag.Value.
func (s *shareFlag) Set(text string) error {
	v, err := finite(text)
	if err == nil && (v <= 0 || v >= 1) {
		err = fmt.Errorf("%s: a difference of rates above 0 and below 1, e.g. %g", text, chain.DefaultMargin)
	}
	if err == nil {
		*s = shareFlag(v)
	}
	return err
}

// String implements pflag.Value.
func (s *shareFlag) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*s), 'g', -1, 64)
}

// Type implements pflag.Value.
func (*shareFlag) Type() string { return "number" }

// weightFlag are three weights, joined by commas.
type weightFlag [3]float64

// Set implements pflag.Value.
func (w *weightFlag) Set(text string) error {
	parts := strings.Split(text, ",")
	if len(parts) != len(w) {
		return fmt.Errorf("%q: three weights joined by commas, e.g. 1,0.3,0.5", text)
	}
	var out weightFlag
	for i, p := range parts {
		v, err := finite(p)
		if err != nil {
			return err
		}
		if v < 0 {
			return fmt.Errorf("%q: a weight below 0", text)
		}
		out[i] = v
	}
	if out == (weightFlag{}) {
		return fmt.Errorf("%q: at least one weight is above 0", text)
	}
	*w = out
	return nil
}

func (w weightFlag) text() string { return fmt.Sprintf("%g,%g,%g", w[0], w[1], w[2]) }

// String implements pflag.Value.
func (w *weightFlag) String() string {
	if *w == (weightFlag{}) {
		return ""
	}
	return w.text()
}

// Type implements pflag.Value.
func (*weightFlag) Type() string { return "w,w,w" }
