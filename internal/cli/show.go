package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/chain"
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
			printItem(a.out, v, record, keys)
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

// printable keeps control characters of a model's text from reaching the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '\uFFFD'
		}
		return r
	}, s)
}

// printItem prints one item.
func printItem(w io.Writer, v run.View, r chain.Record, keys bool) {
	q := v.Subject.Question
	fmt.Fprintf(w, "%s · %s · %s\n\n%s\n\n", q.ID, v.Subject.Model, v.Subject.Variant, printable(q.Stem))
	for _, o := range q.Options {
		mark := " "
		if o.Label == q.Gold {
			mark = "*"
		}
		fmt.Fprintf(w, "%s %s. %s\n", mark, o.Label, printable(o.Text))
	}
	fmt.Fprintf(w, "\nanswer %s (%s, %s)\n", dash(r.Base.Answer), r.Base.State, dash(string(r.Base.Via)))
	for _, t := range v.Trials {
		if t.ID == chain.BaseTrial && t.Request != nil {
			if answer, ok := v.Answers.Answer(t.Request.Key()); ok {
				fmt.Fprintf(w, "\n%s\n", printable(answer.Text))
			}
		}
	}
	fmt.Fprintf(w, "\n%-10s %-34s %-12s %-8s %s\n", "operator", "edit", "answer", "moved", "chain registers it")
	for _, o := range r.Operators {
		edit, registers := o.Edit.Old+" → "+o.Edit.New, ""
		if !o.Edit.Fired {
			edit = "not fired: " + o.Edit.Why
		}
		if o.Rule {
			registers = map[bool]string{true: "yes", false: "no"}[o.Token]
		}
		fmt.Fprintf(w, "%-10s %-34s %-12s %-8s %s\n", o.ID, clip(printable(edit), 34),
			dash(r.Base.Answer)+" → "+dash(o.Reading.Answer), dash(string(o.Flip)), registers)
	}
	if !keys {
		return
	}
	for _, t := range v.Trials {
		if t.Request == nil {
			continue
		}
		fmt.Fprintf(w, "\n%s  %s\n", t.ID, t.Request.Key())
		for _, f := range t.Request.Fields() {
			fmt.Fprintf(w, "  %-12s %q\n", f.Name, f.Value)
		}
	}
}

// clip shortens a text to n runes on one line.
func clip(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		r = append(r[:n-1], '…')
	}
	return string(r)
}
