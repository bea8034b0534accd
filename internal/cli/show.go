package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
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
	"github.com/percuss/percuss/run"
)

func (a *app) showCommand() *cobra.Command {
	var keys, asJSON bool
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
			return a.show(c.Context(), args[0], item, only, keys, asJSON)
		},
	}
	c.Flags().StringVar(&only.model, "model", "", "print this model alone, by its id in the run")
	c.Flags().StringVar(&only.prompt, "prompt", "", "print this prompt condition alone")
	c.Flags().StringVar(&only.operator, "operator", "", "chain audit: print the trials of this operator alone, by its id, beside the baseline")
	c.Flags().BoolVar(&keys, "key", false, "print the key of every request, field by field")
	c.Flags().BoolVar(&asJSON, "json", false, "print the records as JSON lines")
	return c
}

// mostShown is how many models and prompt conditions of one item are printed one after the other.
const mostShown = 4

func (a *app) show(ctx context.Context, dir, item string, only shown, keys, asJSON bool) error {
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
	var others []percuss.Subject
	if item != "" && !asJSON && !only.any() && len(o.subjects) > mostShown {
		o.subjects, others = o.subjects[:1], o.subjects[1:]
	}
	for v, err := range run.Views(ctx, o.audit, o.answers, o.subjects, o.frozen) {
		if err != nil {
			return err
		}
		if v, err = only.trials(v); err != nil {
			return err
		}
		switch {
		case asJSON:
			err = json.NewEncoder(a.out).Encode(v.Record)
		case item == "":
			listItem(a.out, v, numbers[v.Subject.Item])
		default:
			err = a.showItem(o, v)
		}
		if err != nil {
			return err
		}
		if item != "" && keys && !asJSON {
			printKeys(a.out, v.Trials)
		}
	}
	if item == "" && !asJSON {
		fmt.Fprintf(a.err, "percuss show %s NUMBER prints one; --model, --prompt and --operator print a part of it.\n", dir)
	}
	a.nameOthers(others)
	return nil
}

// nameOthers names the models and prompt conditions of an item that were not printed.
func (a *app) nameOthers(others []percuss.Subject) {
	if len(others) == 0 {
		return
	}
	fmt.Fprintf(a.out, "\nThe same item under %d other models and prompt conditions; --model ID --prompt NAME prints one:\n", len(others))
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
	}
	return nil
}

// listItem prints one item's line of the list.
func listItem(w io.Writer, v run.View, number int) {
	s := v.Subject
	source := s.Question.Source
	gold, found := "", ""
	switch r := v.Record.(type) {
	case chain.Record:
		gold, found = fmt.Sprintf("gold %s  answer %-2s", r.Gold, dash(r.Base.Answer)), flips(r)
	case evidence.Record:
		source, gold, found = s.Case.Source, fmt.Sprintf("gold %s  answer %s", clip(r.Gold, 24), dash(clip(r.Base.Prediction, 24))), salientOf(r)
	}
	fmt.Fprintf(w, "%4d  %-24s %-10s %-16s %s  %-38s %s:%d\n", number, s.Item, s.Variant, s.Model, gold, found, source.File, source.Line)
}

// salientOf says how many interactions are strong, and how many of them suspicious.
func salientOf(r evidence.Record) string {
	if r.Why != "" {
		return "refused: " + clip(r.Why, 100)
	}
	if r.Base.State != evidence.Scored {
		return strings.TrimSuffix(string(r.Base.State)+": "+clip(r.Base.Why, 100), ": ")
	}
	salient, suspicious := 0, 0
	for _, i := range r.Base.Interactions {
		if math.Abs(i.Value) >= evidence.Salient {
			salient++
			if i.Suspicious {
				suspicious++
			}
		}
	}
	return fmt.Sprintf("%d salient interactions, %d suspicious", salient, suspicious)
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
