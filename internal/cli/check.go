package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
)

const checkHelp = `Says of each claim that the tables of a run seem to make whether the run bears it out, a line a claim: the verdict, the
claim's name, what it is about, the claim, what was measured, and what would contradict it.

  holds        the measurement lies on the claim's side
  fails        it lies on the other side
  cannot tell  it lies across, or there is too little; this is no failure, for more items may settle it

Exit status 3 where a claim fails, else 0; --except leaves claims out by name, e.g. fingerprint for a battery that is known
to leave traces. No model is needed. The claims rest on the controls: a run that was begun with --controls none cannot tell
an effect from noise.`

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	var except []string
	var with reading
	c := &cobra.Command{
		Use:     "check RUN",
		Short:   "Does a run support what its tables seem to say? Exit status 3 when a claim fails",
		Long:    checkHelp,
		Example: "  percuss check runs/demo\n  percuss check runs/demo --except fingerprint\n  percuss check runs/demo --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, r, err := compute(c.Context(), args[0], with)
			if err != nil {
				return err
			}
			defer o.answers.Close()
			claims, err := without(claimsOf(r), except)
			if err != nil {
				return err
			}
			return a.tell(args[0], claims, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the claims as JSON")
	with.settings.bind(c.Flags())
	c.Flags().StringSliceVar(&except, "except", nil, "claims to leave out, by name")
	return c
}

// without leaves claims out by name. A name that no claim has is a mistake: a gate that leaves out nothing should not seem
// to.
func without(claims []chain.Claim, names []string) ([]chain.Claim, error) {
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
	return slices.DeleteFunc(slices.Clone(claims), func(c chain.Claim) bool { return slices.Contains(names, c.ID) }), nil
}

// claimsOf are the claims of a run's report.
func claimsOf(r rendering) []chain.Claim {
	switch r := r.(type) {
	case *chainReport:
		return r.r.Findings.Claims
	case *caseReport:
		return append(caseClaims(r.r.Findings), callClaims(r.r.Calls)...)
	}
	return nil
}

// checkedClaims is what `check --json` prints.
type checkedClaims struct {
	Schema     string        `json:"schema"`
	Claims     []chain.Claim `json:"claims"`
	Holds      int           `json:"holds"`
	Fails      int           `json:"fails"`
	CannotTell int           `json:"cannot_tell"`
}

// tell prints the claims and fails where one of them does.
func (a *app) tell(dir string, claims []chain.Claim, asJSON bool) error {
	if len(claims) == 0 {
		return usage(fmt.Errorf("%s has nothing to claim anything of: no item was answered yet", dir))
	}
	c := checkedClaims{Schema: "percuss.check/1", Claims: claims}
	for _, claim := range claims {
		switch claim.Verdict {
		case chain.ClaimHolds:
			c.Holds++
		case chain.ClaimFails:
			c.Fails++
		default:
			c.CannotTell++
		}
	}
	if err := c.print(a.out, asJSON); err != nil {
		return err
	}
	if c.Fails > 0 {
		return checkError{fmt.Errorf("%s: %d of %s fail", dir, c.Fails, report.Plural(len(claims), "claim"))}
	}
	return nil
}

func (c checkedClaims) print(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(c)
	}
	var errs error
	line := func(format string, args ...any) {
		// Names of models and sets come from files: they may hold anything.
		_, err := fmt.Fprintln(w, strings.ReplaceAll(report.Visible(fmt.Sprintf(format, args...)), "\n", " "))
		errs = errors.Join(errs, err)
	}
	for _, claim := range c.Claims {
		line("%-11s  %-16s  %s: %s  Measured: %s.  Against it: %s.", claim.Verdict, claim.ID, cmp.Or(claim.Subject, "the run"), claim.Says, claim.Shown, claim.Against)
	}
	line("%s: %d hold, %d fail, %d cannot be told", report.Plural(len(c.Claims), "claim"), c.Holds, c.Fails, c.CannotTell)
	return errs
}
