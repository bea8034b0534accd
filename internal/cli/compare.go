package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/versus"
)

const compareHelp = `Holds two runs of one audit against each other, item by item: which answers came right, which went wrong, and which edits
move an answer in one run alone. The first run is called before, the second one after. Only what was measured in both runs
on the same question enters a figure; differences are paired, so that what the items share cancels. An edit whose version is
another one in each run is named and left out.

A model is compared with the one of the same id, or where each run has one model, with that; so are prompt conditions. Of
other models say which is which: --as OLD=NEW.

Two runs of the same model differ by chance too, the more so at a temperature or with quantised weights: a run with
--controls sham shows by how much. percuss store diff counts how far answers to the very same requests differ.`

// mostCompared is how many items of a kind are named.
const mostCompared = 12

func (a *app) compareCommand() *cobra.Command {
	var as map[string]string
	var asJSON, full bool
	var table string
	c := &cobra.Command{
		Use:     "compare BEFORE AFTER",
		Short:   "Two runs item by item: what got fixed, what broke",
		Long:    compareHelp,
		Example: "  percuss compare runs/old runs/new\n  percuss compare runs/old runs/new --as small=large\n  percuss compare runs/old runs/new --csv > items.csv\n  percuss compare runs/old runs/new --csv=moves",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && table != "" {
				return usage(errors.New("--json and --csv: choose one"))
			}
			found, err := compareRuns(c.Context(), args[0], args[1], as)
			if err != nil {
				return err
			}
			switch {
			case asJSON:
				return report.WriteIndented(a.out, found)
			case table != "":
				return compareCSV(a.out, found, table)
			}
			return compareText(a.out, found, full)
		},
	}
	c.Flags().StringToStringVar(&as, "as", nil, "a model of the first run and the one of the second that it is compared with, OLD=NEW; may be repeated")
	c.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON, every item with the trials that differ")
	c.Flags().BoolVar(&full, "full", false, "print the edits on which the runs do not differ as well")
	c.Flags().StringVar(&table, "csv", "", "print the items as CSV; --csv=NAME: a table by its name, e.g. right or moves")
	c.Flags().Lookup("csv").NoOptDefVal = "items"
	return c
}

// compareRuns opens two runs and compares them.
func compareRuns(ctx context.Context, before, after string, as map[string]string) (found versus.Comparison, err error) {
	var sides [2]versus.Run
	for i, dir := range []string{before, after} {
		r, err := openViewed(ctx, dir)
		if err != nil {
			return found, err
		}
		if r.Manifest().Spec.Steps != nil {
			return found, errors.Join(usage(fmt.Errorf("%s is a step audit, which compares models within one run: name them with --before and --after in percuss steps; percuss store diff counts how far two runs' answers differ", dir)), r.Close())
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		versions, err := r.Versions(ctx)
		if err != nil {
			return found, err
		}
		sides[i] = versus.Run{Name: dir, Subjects: r.Subjects(), Records: r.Records(ctx), Versions: versions}
	}
	found, err = versus.Pair(sides[0], sides[1], as)
	if ctx.Err() == nil {
		err = usage(err)
	}
	return found, err
}

// compareCSV prints one table, or the items.
func compareCSV(w io.Writer, c versus.Comparison, table string) error {
	if table == "items" {
		return report.WriteRows(w, itemRows(c.Items))
	}
	names := []string{"items"}
	for _, t := range c.Tables {
		if t.ID == table {
			return report.WriteRows(w, report.TableCSV(t))
		}
		names = append(names, t.ID)
	}
	return usage(fmt.Errorf("--csv=%s: these runs have %s", table, strings.Join(names, ", ")))
}

// itemRows are the items under a head, a row each.
func itemRows(items []versus.Moved) [][]string {
	rows := [][]string{{"set", "item", "kind", "before_model", "after_model", "before_prompt", "after_prompt", "before_answer", "after_answer", "trials_that_differ"}}
	for _, m := range items {
		var trials []string
		for _, t := range m.Trials {
			trials = append(trials, fmt.Sprintf("%s: %s, then %s", t.ID, inCell(t.Was, t.Cell), inCell(t.Is, t.CellIs)))
		}
		rows = append(rows, []string{m.Before.Set, m.Before.Item, string(m.Kind), m.Before.Model, m.After.Model, m.Before.Variant, m.After.Variant, m.Was, m.Is, strings.Join(trials, "; ")})
	}
	return rows
}

// inCell is how a trial came out, with its cell of the joint table.
func inCell(t versus.Turn, cell string) string {
	if cell == "" {
		return string(t)
	}
	return string(t) + " (" + cell + ")"
}

// kindWords says what a kind is, of several items.
var kindWords = map[versus.Kind]string{versus.Broke: "Right before, wrong after", versus.Fixed: "Wrong before, right after", versus.Lost: "No answer any more", versus.Gained: "An answer where there was none"}

// compareText prints the answer in words, the tables and the items that changed.
func compareText(w io.Writer, c versus.Comparison, full bool) error {
	var b bytes.Buffer
	report.Wrap(&b, "", fmt.Sprintf("Before: %s. After: %s. Compared: %s%s; only before %d, only after %d; another question under the same id: %d.",
		c.Before, c.After, report.Plural(c.Both, "item"), ofGroups(c.Groups), c.OnlyA, c.OnlyB, c.Differ))
	b.WriteByte('\n')
	for _, s := range c.Lead {
		report.Wrap(&b, "", s)
	}
	for _, t := range c.Shown() {
		same := 0
		if !full {
			t, same = versus.Differing(t)
		}
		if same > 0 {
			told := report.Plural(same, "row") + " on which no answer differs, left out here: --full"
			if t.Notes = append(slices.Clone(t.Notes), told); len(t.Rows) == 0 {
				t.Absent = told
			}
		}
		report.TableText(&b, t, 0)
	}
	changedItems(&b, c.Items)
	fmt.Fprintf(&b, "\none of them  percuss show %s ITEM\n", c.Before)
	if c.After != c.Before {
		fmt.Fprintf(&b, "             percuss show %s ITEM\n", c.After)
	}
	b.WriteString("all          --json, --csv\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// ofGroups says which items a comparison is of, where that is short.
func ofGroups(all []versus.Group) string {
	if len(all) == 1 {
		return " of " + all[0].Name()
	}
	return fmt.Sprintf(" in %d groups", len(all))
}

// changedItems names the items whose answer came right, went wrong, was lost or gained.
func changedItems(b *bytes.Buffer, items []versus.Moved) {
	byKind := map[versus.Kind][]string{}
	for _, m := range items {
		byKind[m.Kind] = append(byKind[m.Kind], fmt.Sprintf("%s (%s → %s)", m.Before.Item, dash(m.Was), dash(m.Is)))
	}
	for _, k := range versus.Kinds() {
		names, told := byKind[k], kindWords[k]
		if told == "" || len(names) == 0 {
			continue
		}
		more := ""
		if n := len(names) - mostCompared; n > 0 {
			names, more = names[:mostCompared], fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(b, "\n%s (%d):\n", told, len(byKind[k]))
		report.Wrap(b, "  ", strings.Join(names, ", ")+more)
	}
}
