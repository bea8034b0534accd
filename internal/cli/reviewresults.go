package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/agreement"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/stat"
)

// reviewResults is what the flags of review results say.
type reviewResults struct {
	asJSON         bool
	csv, html, tex string
	seed           uint64
	replicates     int
	level          float64
	only           map[string]string
	whileOpen      bool
}

func (a *app) reviewResultsCommand() *cobra.Command {
	var s reviewResults
	c := &cobra.Command{
		Use:   "results PACKAGE",
		Short: "What the raters said, and how far they agree",
		Long: `Tables of a review: who has done how much, how often each rater gives each label and all do together, agreement (percent,
Cohen's kappa without and with weights, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2) with bootstrap intervals over
items and a warning where prevalence makes a kappa misleading, who is stricter, and what an adjudication settled.

While the review is open and raters have answers left it tells who has done how much, and no answer: what is known of one
can reach a rater who has yet to answer. Close it on the coordinator's page, or say --while-open.

None of it needs the key. Once percuss review unseal has opened it there is more: every figure by stratum, outcomes by bucket,
agreement of a rater with themselves on items shown twice, and attention items; and, from the run's report that was made since,
how the keyword list of CHS, or the token rule and each judge, stand against the raters. Before that, repeats and attention
items count like any other.

The same answers and seed give the same output to the byte.

` + exitHelp,
		Example: "  percuss review results runs/b/review/interactions-buckets\n  percuss review results runs/a/review/perturbation --html results.html --tex paper\n  percuss review results runs/a/review/perturbation --csv=shares_gold_shift\n  percuss review results runs/a/review/perturbation --stratum family=M2",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.check(); err != nil {
				return err
			}
			found, err := s.tabulate(c.Context(), args[0])
			if err != nil {
				return err
			}
			return s.write(a.out, found)
		},
	}
	f := c.Flags()
	f.BoolVar(&s.asJSON, "json", false, "print everything as JSON")
	f.StringVar(&s.csv, "csv", "", "print the coefficients of agreement as CSV; --csv=NAME: a table by its name, e.g. progress")
	f.Lookup("csv").NoOptDefVal = agreementTable
	f.StringVar(&s.html, "html", "", "write a page with all tables to this file")
	f.StringVar(&s.tex, "tex", "", "write all tables as LaTeX into the folder tex of this one")
	f.Uint64Var(&s.seed, "seed", spec.DefaultSeed, "seed of the bootstrap")
	f.IntVar(&s.replicates, "replicates", stat.DefaultReplicates, fmt.Sprintf("bootstrap replicates behind every interval, %d to %d", leastReplicates, mostReplicates))
	f.Float64Var(&s.level, "level", stat.DefaultLevel, "level of intervals, between 0 and 1")
	f.StringToStringVar(&s.only, "stratum", nil, "only the items of a stratum, NAME=VALUE, once the key is open; may be repeated")
	f.BoolVar(&s.whileOpen, "while-open", false, "tell the answers although the review is open and raters have some left")
	return c
}

// agreementTable is the table that --csv prints by itself.
const agreementTable = "agreement"

// check refuses what makes no sense.
func (s reviewResults) check() error {
	switch {
	case s.replicates < leastReplicates || s.replicates > mostReplicates:
		return usage(fmt.Errorf("--replicates %d: a number from %d to %d, e.g. %d", s.replicates, leastReplicates, mostReplicates, stat.DefaultReplicates))
	case !(s.level > 0 && s.level < 1):
		return usage(fmt.Errorf("--level %v: give a share between 0 and 1, e.g. 0.95", s.level))
	case s.asJSON && s.csv != "":
		return usage(errors.New("--json and --csv: choose one"))
	}
	return nil
}

// tabulate reads a review and makes its tables.
func (s reviewResults) tabulate(ctx context.Context, path string) (agreement.Results, error) {
	var none agreement.Results
	first, err := openAnswered(ctx, path)
	if err != nil {
		return none, err
	}
	if first.p.Round == 2 {
		return none, usage(fmt.Errorf("%s is a second round: give the folder of the first one, which it stands in", path))
	}
	r := agreement.Review{Package: first.p, Names: first.names, Said: first.said, Only: s.only}
	if second, ok, err := first.secondRound(ctx); err != nil {
		return none, err
	} else if ok {
		r.Second = &agreement.Round{Package: second.p, Said: second.said}
	}
	if r.Key, r.Strata, err = first.known(path); err != nil {
		return none, err
	}
	r.Asked = !s.whileOpen && r.Key == nil && first.asked()
	if err := checkStrata(r, path); err != nil {
		return none, usage(err)
	}
	return first.withAutomatic(agreement.Tabulate(r, stat.Options{Seed: s.seed, Replicates: s.replicates, Level: s.level}))
}

// asked says whether the review is open and a rater, also one who has not begun, has answers left.
func (a reviewed) asked() bool {
	if a.shut {
		return false
	}
	for id := range a.names {
		if len(a.said[id]) == 0 {
			return true
		}
	}
	return a.open() > 0
}

// secondRound reads the adjudication of a review, where there is one with answers.
func (a reviewed) secondRound(ctx context.Context) (second reviewed, ok bool, err error) {
	folder := filepath.Join(a.folder, review.SecondRound)
	if _, err := os.Stat(filepath.Join(folder, review.BookFile)); errors.Is(err, fs.ErrNotExist) {
		return second, false, nil
	}
	if second, err = openAnswered(ctx, folder); err != nil {
		return second, false, err
	}
	if second.p.Of != a.p.ID {
		return second, false, usage(fmt.Errorf("%s adjudicates package %s, this one is %s: move it away", folder, second.p.Of, a.p.ID))
	}
	return second, true, nil
}

// known is what the key says of the items, where percuss review unseal has opened it for this package; nil: it has not.
func (a reviewed) known(path string) (map[string]agreement.Known, []string, error) {
	raw, err := os.ReadFile(filepath.Join(a.folder, review.UnsealedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	var u review.Unsealed
	if err := json.Unmarshal(raw, &u); err != nil || u.Package != a.p.ID || u.Seal != a.p.Seal {
		return nil, nil, usage(fmt.Errorf("%s is not of this package: unseal it again with percuss review unseal", filepath.Join(a.folder, review.UnsealedFile)))
	}
	keys, err := review.OpenKeys(path, a.p)
	if err != nil {
		return nil, nil, usage(err)
	}
	out := map[string]agreement.Known{}
	for _, k := range keys {
		one := agreement.Known{Repeats: k.Repeats, Expected: k.Expected, Strata: map[string]string{}}
		for _, s := range strataOf(k) {
			one.Strata[s.name] = s.value
		}
		out[k.ID] = one
	}
	var names []string
	for _, s := range strataOf(review.Key{}) {
		names = append(names, s.name)
	}
	return out, names, nil
}

// stratum is one value by which items are told apart.
type stratum struct{ name, value string }

// strataOf are those of an item, in the order in which tables tell them; without a value the item is in none of the name.
func strataOf(k review.Key) []stratum {
	outcome := ""
	if k.Registered != nil {
		if outcome = "no trace"; *k.Registered {
			outcome = "registered"
		}
	}
	suspicious := ""
	if k.Label != "" {
		if suspicious = "no"; k.Suspicious {
			suspicious = "yes"
		}
	}
	return []stratum{{"bucket", k.Bucket}, {"family", k.Family}, {"set", k.Set}, {"rule outcome", outcome}, {"label", k.Label}, {"suspicious", suspicious},
		{"intent", k.Intent}, {"locus", k.Locus}, {"tier", k.Tier}, {"model", k.Model}}
}

// checkStrata refuses a stratum that no item is in.
func checkStrata(r agreement.Review, path string) error {
	for name, value := range r.Only {
		if r.Key == nil {
			return fmt.Errorf("--stratum %s=%s: the key is not open: percuss review unseal %s", name, value, path)
		}
		if !slices.Contains(r.Strata, name) {
			return fmt.Errorf("--stratum %s=%s: the names are %s", name, value, strings.Join(r.Strata, ", "))
		}
		values := map[string]bool{}
		for _, k := range r.Key {
			values[k.Strata[name]] = true
		}
		delete(values, "")
		if !values[value] {
			return fmt.Errorf("--stratum %s=%s: no item is in it; there are %s", name, value, strings.Join(slices.Sorted(maps.Keys(values)), ", "))
		}
	}
	return nil
}
