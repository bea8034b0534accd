package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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
		Use:     "show DIR [ITEM]",
		Short:   "One item: question, chain, each edit and what moved; without ITEM the list of items",
		Example: "  percuss show runs/demo\n  percuss show runs/demo demo-03\n  percuss show runs/demo demo-03 --key",
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
	found := false
	for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
		if err != nil {
			return err
		}
		id := v.Subject.Item
		if item != "" && id != item && !strings.HasSuffix(id, ":"+item) {
			continue
		}
		found = true
		record, ok := v.Record.(chain.Record)
		switch {
		case !ok:
		case asJSON:
			if err := json.NewEncoder(a.out).Encode(record); err != nil {
				return err
			}
		case item == "":
			fmt.Fprintf(a.out, "%-24s %-12s %-16s gold %s  answer %-2s  %s\n", id, v.Subject.Variant, v.Subject.Model,
				record.Gold, dash(record.Base.Answer), flips(record))
		default:
			it := report.Item{Subject: v.Subject, Trials: v.Trials, Record: record, Answers: v.Answers}
			if err := report.WriteItemText(a.out, it, o.audit.Battery(), terminal(a.out)); err != nil {
				return err
			}
			if keys {
				printKeys(a.out, v.Trials)
			}
		}
	}
	if !found {
		return usage(fmt.Errorf("%s holds no item %q: `percuss show %s` lists them", dir, item, dir))
	}
	return nil
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
