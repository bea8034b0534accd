package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

func (a *app) showCommand() *cobra.Command {
	var keys, asJSON bool
	c := &cobra.Command{
		Use:   "show DIR [ITEM]",
		Short: "One item: question, chain, each edit and what moved; without ITEM the list of items",
		Long: `Prints one item of a run, under every model and prompt condition; without ITEM the list of items.

ITEM is its number in the list, its id or the beginning of its id, or SET:LINE, the line of its file.`,
		Example: "  percuss show runs/demo\n  percuss show runs/demo 1\n  percuss show runs/demo 1 --key",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			item := ""
			if len(args) > 1 {
				item = args[1]
			}
			return a.show(c.Context(), args[0], item, keys, asJSON)
		},
	}
	c.Flags().BoolVar(&keys, "key", false, "print the key of every request, field by field")
	c.Flags().BoolVar(&asJSON, "json", false, "print the records as JSON lines")
	return c
}

func (a *app) show(ctx context.Context, dir, item string, keys, asJSON bool) error {
	o, err := openRun(ctx, dir)
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
	for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
		if err != nil {
			return err
		}
		record, ok := v.Record.(chain.Record)
		switch {
		case !ok:
		case asJSON:
			if err := json.NewEncoder(a.out).Encode(record); err != nil {
				return err
			}
		case item == "":
			q := v.Subject.Question
			fmt.Fprintf(a.out, "%4d  %-24s %-10s %-16s gold %s  answer %-2s  %-38s %s:%d\n", numbers[q.ID], q.ID, v.Subject.Variant, v.Subject.Model,
				record.Gold, dash(record.Base.Answer), flips(record), q.Source.File, q.Source.Line)
		default:
			if err := report.WriteItemText(a.out, o.item(v, record), o.audit.Battery(), terminal(a.out)); err != nil {
				return err
			}
			if keys {
				printKeys(a.out, v.Trials)
			}
		}
	}
	return nil
}

// numbered gives every item its number, from 1, in the order in which they were drawn.
func numbered(subjects []percuss.Subject) (map[string]int, []percuss.Question) {
	numbers := map[string]int{}
	var items []percuss.Question
	for _, s := range subjects {
		if _, ok := numbers[s.Item]; !ok {
			items = append(items, s.Question)
			numbers[s.Item] = len(items)
		}
	}
	return numbers, items
}

// named finds the item that a user means.
func named(items []percuss.Question, name string) (string, error) {
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

// flips says how many edits moved the answer.
func flips(r chain.Record) string {
	flipped, compared := 0, 0
	for _, o := range r.Operators {
		switch o.Flip {
		case chain.Flipped:
			flipped++
			compared++
		case chain.Kept:
			compared++
		}
	}
	return fmt.Sprintf("%d of %d edits moved the answer", flipped, compared)
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
