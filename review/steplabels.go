package review

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/percuss/percuss/step"
)

// The columns of a file of steps' labels.
var (
	stepColumns  = []string{"rater", "model", "item", "chain", "step", "label"}
	stepOptional = []string{"variant", "set", "view", "weight", "at"}
)

// ReadStepLabels reads what people said of the steps of a step audit: files of CSV or JSON lines with the columns rater, model,
// item, chain and step (numbers from 1) and label, and, where more than one is in the run, variant, set and view; weight is how
// many steps of the run one stands for. A label is correct, abstain, error, or the kind of an error: factual,
// contradicts_case, unsupported, arithmetic. Capitals do not matter, nor do blanks and hyphens for underscores. The rater
// "adjudicated" settles what others disagree on. Rows without a label are open and left out.
//
// What is not as it should be is an error with file and line: a missing column, an unknown label, a chain or step that is no
// number, two labels of one rater for the same step, and a file in which nothing is labelled. In two files of which both say
// when (at, RFC 3339), as those of two unsealed reviews of one run, the later label holds.
func ReadStepLabels(files []string) ([]step.Label, error) {
	var out []step.Label
	seen := map[step.Label]place{} // without the label and the weight -> where it stands
	for _, path := range files {
		labelled := false
		for r, err := range readRows(path, stepColumns, stepOptional) {
			if err != nil {
				return nil, err
			}
			if r.fields["label"] == "" {
				continue
			}
			l, err := stepLabel(r)
			if err != nil {
				return nil, err
			}
			labelled = true
			of := l
			of.Says, of.Weight = "", 0
			old, twice := seen[of]
			later, ok := r.replaces(old.row)
			switch {
			case twice && !ok:
				return nil, r.fault("rater %s has labelled step %d of chain %d of %s already (%s): leave one of the two, or give each rater a name", l.Rater, l.Step, l.Chain, l.Item, old.at())
			case twice && later:
				out[old.index], seen[of] = l, place{r, old.index}
			case !twice:
				seen[of] = place{r, len(out)}
				out = append(out, l)
			}
		}
		if !labelled {
			return nil, fmt.Errorf("%s holds no label: give the file that the raters filled in, a row for each label", path)
		}
	}
	return out, nil
}

// stepLabel is the label of a row.
func stepLabel(r row) (step.Label, error) {
	l := step.Label{Rater: r.fields["rater"], Model: r.fields["model"], Variant: r.fields["variant"], Set: r.fields["set"], Item: r.fields["item"], View: r.fields["view"],
		Says: step.Says(labelWord(r.fields["label"]))}
	if !l.Says.Judges() && l.Says != step.Abstain {
		return l, r.fault("label %q: write correct, abstain, error, or the kind of an error: factual, contradicts_case, unsupported or arithmetic", r.fields["label"])
	}
	for _, n := range []struct {
		column string
		into   *int
	}{{"chain", &l.Chain}, {"step", &l.Step}} {
		v, err := strconv.Atoi(r.fields[n.column])
		if err != nil || v < 1 {
			return l, r.fault("%s %q: a number from 1", n.column, r.fields[n.column])
		}
		*n.into = v
	}
	v, err := strconv.ParseFloat(cmp.Or(r.fields["weight"], "1"), 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return l, r.fault("weight %q: a number above 0, how many steps of the run this one stands for", r.fields["weight"])
	}
	l.Weight = v
	for _, name := range []string{"rater", "model", "item"} {
		if r.fields[name] == "" {
			return l, r.fault("%s is empty: a label says whose it is, and of which model's step", name)
		}
	}
	return l, nil
}
