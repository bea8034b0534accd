package review

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/chain"
)

// ReadLabels reads what people said of the trials of a chain audit: files of CSV or JSON lines with the columns rater,
// model, item, operator, task and label, and variant where a model was asked under several prompt conditions. The tasks and
// their labels are those of chain.Label; capitals do not matter, nor do blanks and hyphens for underscores ("Not updated").
// A label of an edit rather than of a model's trial has no model. Rows without a label are open and left out.
//
// What is not as it should be is an error with file and line: a missing column, an unknown task or word, two labels of one
// rater for the same thing, and a file in which nothing is labelled. In two files of which both say when (at, RFC 3339), as
// those of two unsealed reviews of one run, the later label holds.
func ReadLabels(files []string) ([]chain.Label, error) {
	var out []chain.Label
	seen := map[chain.Label]place{} // without the word -> where it stands
	for _, path := range files {
		labelled := false
		for r, err := range readRows(path, []string{"rater", "model", "item", "operator", "task", "label"}, []string{"variant", "at"}) {
			if err != nil {
				return nil, err
			}
			l := chain.Label{Rater: r.fields["rater"], Model: r.fields["model"], Variant: r.fields["variant"], Item: r.fields["item"],
				Operator: r.fields["operator"], Task: labelWord(r.fields["task"]), Says: labelWord(r.fields["label"])}
			if l.Says == "" {
				continue
			}
			if err := l.Check(); err != nil {
				return nil, r.fault("%v", err)
			}
			labelled = true
			of := l
			of.Says = ""
			old, twice := seen[of]
			later, ok := r.replaces(old.row)
			switch {
			case twice && !ok:
				return nil, r.fault("rater %s has labelled %s of %s for %s already (%s): leave one of the two, or give each rater a name",
					l.Rater, l.Operator, l.Item, l.Task, old.at())
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

// place is where a label stands: its row, and its index among the labels.
type place struct {
	row
	index int
}

// labelWord is a task or a label as the program writes it.
func labelWord(s string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.Join(strings.Fields(s), " ")))
}
