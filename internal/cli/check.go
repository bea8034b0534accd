package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
)

const checkHelp = `Says of each claim that the tables of a run seem to make whether the run bears it out: the verdict, the claim's name and what it
is about, and below the claim, what was measured, and what would contradict it. Claims that fail come first, then
those that the run cannot tell, then those that hold; the last line counts them.

  holds        the measurement lies on the claim's side
  fails        it lies on the other side
  cannot tell  it lies across, or there is too little; this is no failure, for more items may settle it

Verdicts are not adjusted for the number of claims: each interval has the run's level by itself, so that of many claims that
are true at the border a few fail by chance.

Exit status 3 where a claim fails, else 0; --except leaves claims out by name, e.g. fingerprint for a battery that is known
to leave traces. --verdict prints only some claims; the count and the exit status are of all. No model is needed. The claims
rest on the controls: a run that was begun with --controls none cannot tell an effect from noise.`

func (a *app) checkCommand() *cobra.Command {
	var as form
	var except, verdicts []string
	var with reading
	c := &cobra.Command{
		Use:     "check RUN",
		Short:   "Does a run support what its tables seem to say? Exit status 3 when a claim fails",
		Long:    checkHelp,
		Example: "  percuss check runs/demo\n  percuss check runs/demo --except fingerprint\n  percuss check runs/demo --verdict fails,cannot-tell\n  percuss check runs/demo --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			shown, err := verdictsNamed(verdicts)
			if err := errors.Join(err, as.check()); err != nil {
				return err
			}
			o, r, err := compute(c.Context(), args[0], with)
			if err != nil {
				return err
			}
			defer o.answers.Close()
			claims, err := without(claimsOf(r), except)
			if err != nil {
				return err
			}
			return a.tell(args[0], claims, shown, as)
		},
	}
	as.bind(c.Flags(), "the claims")
	with.settings.bind(c.Flags())
	c.Flags().Var(&with.quality, "judge-quality", qualityHelp)
	c.Flags().StringSliceVar(&with.human, "human", nil, humanHelp)
	c.Flags().StringSliceVar(&except, "except", nil, "claims to leave out, by name")
	c.Flags().StringSliceVar(&verdicts, "verdict", nil, "print only claims with these verdicts: fails, cannot-tell, holds")
	return c
}

// without leaves claims out by name. A name that no claim has is a mistake: a gate that leaves out nothing should not seem
// to.
func without(claims []percuss.Claim, names []string) ([]percuss.Claim, error) {
	known := []string{}
	for _, c := range claims {
		if !slices.Contains(known, c.ID) {
			known = append(known, c.ID)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usage(fmt.Errorf("--except %s: this run has no such claim; it has %s", name, strings.Join(known, ", ")))
		}
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c percuss.Claim) bool { return slices.Contains(names, c.ID) }), nil
}

// claimsOf are the claims of a run's report.
func claimsOf(r rendering) []percuss.Claim {
	switch r := r.(type) {
	case *chainReport:
		return r.r.Findings.Claims
	case *caseReport:
		return r.r.Claims
	case *stepReport:
		return r.r.Claims
	}
	return nil
}

// urgent are the verdicts in the order of a check.
var urgent = [...]percuss.Holds{percuss.ClaimFails, percuss.CannotTell, percuss.ClaimHolds}

// verdictsNamed are the verdicts that --verdict names; all, where it names none.
func verdictsNamed(names []string) ([]percuss.Holds, error) {
	if len(names) == 0 {
		return urgent[:], nil
	}
	var out []percuss.Holds
	for _, name := range names {
		v := percuss.Holds(strings.ReplaceAll(name, "-", " "))
		if !slices.Contains(urgent[:], v) {
			return nil, usage(fmt.Errorf("--verdict %s: there is no such verdict; there are fails, cannot-tell and holds", name))
		}
		out = append(out, v)
	}
	return out, nil
}

// checkedClaims is what `check --json` prints.
type checkedClaims struct {
	Schema     string          `json:"schema"`
	Claims     []percuss.Claim `json:"claims"` // with the verdicts that were asked for
	Holds      int             `json:"holds"`  // these count all
	Fails      int             `json:"fails"`
	CannotTell int             `json:"cannot_tell"`
}

// newCheckedClaims counts the claims and keeps those with some verdicts, fails first.
func newCheckedClaims(claims []percuss.Claim, verdicts []percuss.Holds) checkedClaims {
	c := checkedClaims{Schema: "percuss.check/1", Claims: []percuss.Claim{}}
	counts := map[percuss.Holds]int{}
	for _, v := range urgent {
		for _, claim := range claims {
			if claim.Verdict != v {
				continue
			}
			counts[v]++
			if slices.Contains(verdicts, v) {
				c.Claims = append(c.Claims, claim)
			}
		}
	}
	c.Holds, c.Fails, c.CannotTell = counts[percuss.ClaimHolds], counts[percuss.ClaimFails], counts[percuss.CannotTell]
	return c
}

// failing says how many of the claims fail.
func (c checkedClaims) failing() string {
	all := report.Plural(c.Holds+c.Fails+c.CannotTell, "claim")
	if c.Fails == 1 {
		return "1 of " + all + " fails"
	}
	return fmt.Sprintf("%d of %s fail", c.Fails, all)
}

// tell prints the claims with some verdicts and fails where one of all does.
func (a *app) tell(dir string, claims []percuss.Claim, verdicts []percuss.Holds, as form) error {
	if len(claims) == 0 {
		return usage(fmt.Errorf("%s has nothing to claim anything of: no item was answered yet", dir))
	}
	c := newCheckedClaims(claims, verdicts)
	if err := c.print(a.out, as); err != nil {
		return err
	}
	if c.Fails > 0 {
		return checkError{fmt.Errorf("%s: %s", dir, c.failing())}
	}
	return nil
}

func (c checkedClaims) print(w io.Writer, as form) error {
	switch {
	case as.json:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(c)
	case as.csv:
		return report.WriteRows(w, c.rows())
	}
	var errs error
	for _, claim := range c.Claims {
		errs = errors.Join(errs, folded(w, "  ", "%-11s  %s  %s", claim.Verdict, claim.ID, cmp.Or(claim.Subject, "the run")),
			folded(w, "", "  %s Measured: %s. Against it: %s.", claim.Says, report.Signed(claim.Shown), claim.Against))
	}
	return errors.Join(errs, folded(w, "", "%s; of %d this run cannot tell, %d hold", c.failing(), c.CannotTell, c.Holds))
}

// rows are the claims as CSV.
func (c checkedClaims) rows() [][]string {
	rows := [][]string{{"verdict", "claim", "subject", "says", "measured", "against", "value", "lo", "hi", "n"}}
	for _, x := range c.Claims {
		m := x.Measure
		rows = append(rows, []string{string(x.Verdict), x.ID, x.Subject, x.Says, x.Shown, x.Against, bare(m.Value), bare(m.Lo), bare(m.Hi), strconv.Itoa(m.N)})
	}
	return rows
}

// bare is a number for a program; a missing one is empty.
func bare(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
