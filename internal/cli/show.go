package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

func (a *app) showCommand() *cobra.Command {
	var keys bool
	var as form
	var only shown
	c := &cobra.Command{
		Use:   "show DIR [ITEM]",
		Short: "One item: what was asked, and what moved; without ITEM the list of items",
		Long: `Prints one item of a run; without ITEM the list of items. --model, --prompt and --operator print a part. Without them, of
an item that was asked of many models and prompt conditions the first is printed and the others are named.

ITEM is its number in the list, its id or the beginning of its id, or SET:LINE, the line of its file.`,
		Example: "  percuss show runs/demo\n  percuss show runs/demo 1\n  percuss show runs/demo 1 --key\n  percuss show runs/demo 1 --model faithful --prompt neutral --operator M2-sex",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			item := ""
			if len(args) > 1 {
				item = args[1]
			}
			if as.csv && item != "" {
				return usage(errors.New("--csv prints the list of items: leave ITEM out, or print one with --json"))
			}
			if err := as.check(); err != nil {
				return err
			}
			return a.show(c.Context(), args[0], item, only, keys, as)
		},
	}
	c.Flags().StringVar(&only.model, "model", "", "print this model alone, by its id in the run")
	c.Flags().StringVar(&only.prompt, "prompt", "", "print this prompt condition alone")
	c.Flags().StringVar(&only.operator, "operator", "", "chain audit: print the trials of this operator or family alone, e.g. M2-sex or M2, beside the baseline")
	c.Flags().BoolVar(&keys, "key", false, "print the key of every request, field by field")
	c.Flags().BoolVar(&as.json, "json", false, "print the records as JSON lines")
	c.Flags().BoolVar(&as.csv, "csv", false, "print the list of items as CSV")
	return c
}

// mostShown is how many models and prompt conditions of one item are printed one after the other.
const mostShown = 4

func (a *app) show(ctx context.Context, dir, item string, only shown, keys bool, as form) error {
	o, err := openRun(ctx, dir, reading{})
	if err != nil {
		return err
	}
	defer o.answers.Close()
	numbers, items := numbered(o.subjects)
	if item != "" {
		id, err := named(items, item)
		if err != nil {
			return usage(fmt.Errorf("%s: %w: `percuss show %s` lists them", dir, err, dir))
		}
		o.subjects = slices.DeleteFunc(o.subjects, func(s percuss.Subject) bool { return s.Item != id })
	}
	if o.subjects, err = only.of(o.subjects); err != nil {
		return err
	}
	if item == "" && !as.json {
		return a.list(ctx, dir, o, numbers, only, as)
	}
	var others []percuss.Subject
	if !as.json && !only.any() && len(o.subjects) > mostShown {
		o.subjects, others = o.subjects[:1], o.subjects[1:]
	}
	for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
		if err != nil {
			return err
		}
		if v, err = only.trials(v); err != nil {
			return err
		}
		if as.json {
			err = json.NewEncoder(a.out).Encode(v.Record)
		} else {
			err = a.showItem(o, v)
		}
		if err != nil {
			return err
		}
		if keys && !as.json {
			printKeys(a.out, v.Trials)
		}
	}
	a.nameOthers(others)
	return nil
}

// list prints the list of items.
func (a *app) list(ctx context.Context, dir string, o *opened, numbers map[string]int, only shown, as form) error {
	rows := [][]string{}
	for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
		if err != nil {
			return err
		}
		if v, err = only.trials(v); err != nil {
			return err
		}
		l := listedOf(v, numbers[v.Subject.Item])
		if !as.csv {
			if err := l.write(a.out); err != nil {
				return err
			}
			continue
		}
		if len(rows) == 0 {
			rows = append(rows, l.head())
		}
		rows = append(rows, l.cells())
	}
	if as.csv {
		return report.WriteRows(a.out, rows)
	}
	a.tellShow(dir)
	return nil
}

// nameOthers names the models and prompt conditions of an item that were not printed.
func (a *app) nameOthers(others []percuss.Subject) {
	if len(others) == 0 {
		return
	}
	fmt.Fprintf(a.out, "\nThe same item under %d other models and prompt conditions;\n--model ID --prompt NAME prints one:\n", len(others))
	for _, s := range others {
		fmt.Fprintf(a.out, "  --model %s --prompt %s\n", report.Visible(s.Model), report.Visible(s.Variant))
	}
}

// showItem prints one item whole.
func (a *app) showItem(o *opened, v run.View) error {
	switch r := v.Record.(type) {
	case chain.Record:
		if audit, ok := o.audit.(*chain.Audit); ok {
			return report.WriteItemText(a.out, o.item(v, r), audit.Battery(), screen.Of(a.out, a.env).Colour)
		}
	case evidence.Record:
		if r.Why != "" {
			fmt.Fprintf(a.out, "Refused, nothing of it was asked: %s\n", report.Visible(r.Why))
		}
		return cases.WriteCaseText(a.out, caseOf(v, r), screen.Of(a.out, a.env).Colour)
	case step.Record:
		return steps.WriteItemText(a.out, o.stepItem(v, r), screen.Of(a.out, a.env).Colour)
	}
	return nil
}

// itemName is a question or a case by what a user may call it.
type itemName struct {
	ID, Set string
	Source  percuss.Source
}

// numbered gives every item its number, from 1, in the order in which they were drawn.
func numbered(subjects []percuss.Subject) (map[string]int, []itemName) {
	numbers := map[string]int{}
	var items []itemName
	for _, s := range subjects {
		if _, ok := numbers[s.Item]; !ok {
			source := s.Question.Source
			if s.Case != nil {
				source = s.Case.Source
			}
			items = append(items, itemName{s.Item, s.Set, source})
			numbers[s.Item] = len(items)
		}
	}
	return numbers, items
}

// named finds the item that a user means.
func named(items []itemName, name string) (string, error) {
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(items) {
		return items[n-1].ID, nil
	}
	var found []string
	for _, q := range items {
		_, own, _ := strings.Cut(q.ID, ":")
		switch {
		case q.ID == name, own == name, q.Source.Line > 0 && (fmt.Sprintf("%s:%d", q.Set, q.Source.Line) == name || fmt.Sprintf("%s:%d", q.Source.File, q.Source.Line) == name):
			return q.ID, nil
		case strings.HasPrefix(q.ID, name), own != "" && strings.HasPrefix(own, name):
			found = append(found, q.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("it holds no item %q", name)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%q fits %d items, %s and %s among them", name, len(found), found[0], found[1])
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// printKeys prints the key of every request, field by field.
func printKeys(w io.Writer, trials []percuss.Trial) {
	for _, t := range trials {
		if t.Request == nil {
			continue
		}
		fmt.Fprintf(w, "\n%s  %s\n", t.ID, t.Request.Key())
		for _, f := range t.Request.Fields() {
			fmt.Fprintf(w, "  %-12s %q\n", f.Name, f.Value)
		}
	}
}
