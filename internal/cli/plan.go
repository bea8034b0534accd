package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/recorded"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store/sqlite"
)

// bytesPerToken turns bytes into tokens where no tokenizer was asked: English prose has about four a token.
const bytesPerToken = 4

func (a *app) planCommand() *cobra.Command {
	var out string
	var as form
	help := `Prints how many requests and tokens an audit would take, and what they would cost where a price is given. Nothing is
sent and no model is opened. What depends on answers that are not there yet is an upper bound. With the folder of a run
that was begun (-o), what is answered already is left out.`
	c := &cobra.Command{
		Use: "plan AUDIT.yaml", Short: "What an audit would ask: requests, tokens, cost; nothing is sent", Long: help,
		Example: "  percuss plan audit.yaml\n  percuss plan chain -m openai:m@http://localhost:8000/v1 -d medqa -n 200 --price-prompt 0.15 --price-output 0.6",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("percuss plan takes a specification, percuss plan AUDIT.yaml, or flags, percuss plan chain -m MODEL -d DATA (or evidence, steps): got %d names; see percuss plan --help", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s, out, err := readRun(args[0], out)
			if err != nil {
				return err
			}
			return a.plan(c.Context(), s, out, as)
		},
	}
	c.PersistentFlags().StringVarP(&out, "out", "o", "", "the run's folder")
	as.bind(c.PersistentFlags(), "the counts of each model")
	var flags chainFlags
	sub := &cobra.Command{
		Use: "chain -m MODEL -d DATA", Short: "Plan a chain audit", Long: help + "\n\n" + argumentHelp,
		Example: "  percuss plan chain -m openai:m@http://localhost:8000/v1 -d medqa -n 200",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := flags.specification()
			if err != nil {
				return err
			}
			return a.plan(c.Context(), s, out, as)
		},
	}
	flags.bind(sub.Flags())
	var cases evidenceFlags
	ev := &cobra.Command{
		Use: "evidence -m MODEL -d DATA", Short: "Plan an evidence audit", Long: help + "\n\n" + evidenceArguments,
		Example: "  percuss plan evidence -m llama:smollm2-135m -d ddxplus -n 20 --order all",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := cases.specification()
			if err != nil {
				return err
			}
			return a.plan(c.Context(), s, out, as)
		},
	}
	cases.bind(ev.Flags())
	var steps stepFlags
	st := &cobra.Command{
		Use: "steps -m MODEL -d DATA", Short: "Plan a step audit", Long: help + "\n\n" + stepsArguments,
		Example: "  percuss plan steps -m llama:smollm2-135m -d medqa -n 20 -k 8 --judge sim:step-judge",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := steps.specification(c.Flags())
			if err != nil {
				return err
			}
			return a.plan(c.Context(), s, out, as)
		},
	}
	steps.bind(st.Flags())
	c.AddCommand(sub, ev, st)
	return c
}

// planned is what one model would be asked. Later counts are upper bounds.
type planned struct {
	Model        string         `json:"model"`
	Role         string         `json:"role,omitempty"` // "judge" or "paraphraser" of one that is not audited
	Subjects     int            `json:"subjects"`       // items times prompt conditions; of a judge, those of the others
	Known        int            `json:"known"`          // requests that are answered already
	Sure         int            `json:"sure"`           // requests that are settled
	Later        int            `json:"later_at_most"`
	PromptTokens int64          `json:"prompt_tokens"`
	OutputTokens int64          `json:"output_tokens_at_most"`
	Cost         percuss.Number `json:"cost_at_most"` // missing without a price
	Currency     string         `json:"currency,omitempty"`

	// Of an evidence audit: the longest prompt, reckoned as the audit does to see whether it fits, the cases that cannot
	// be asked, and why the first of them cannot. Context is 0 where it is not known: no model is opened.
	Longest int64    `json:"longest_prompt_tokens,omitempty"`
	Context int      `json:"context_tokens,omitempty"`
	Refused int      `json:"cannot_be_asked,omitempty"`
	Why     []string `json:"reasons,omitempty"`

	// Memory is what a model of the embedded engine will take; nil of others, and where its file is not on this machine.
	Memory *llamacpp.Memory `json:"memory,omitempty"`
}

// plan prints what would be asked.
func (a *app) plan(ctx context.Context, s spec.Specification, dir string, as form) error {
	if err := as.check(); err != nil {
		return err
	}
	items, infos, err := a.loadItems(s)
	if err != nil {
		return err
	}
	rows, err := a.planOf(ctx, s, items, dir)
	if err != nil {
		return err
	}
	free, err := a.planMemory(ctx, rows, s)
	if err != nil {
		return err
	}
	switch {
	case as.json:
		return json.NewEncoder(a.out).Encode(map[string]any{"models": rows, "bytes_per_token": bytesPerToken})
	case as.csv:
		return report.WriteRows(a.out, planCells(rows))
	}
	return a.tellPlan(s, infos, rows, free)
}

// planOf counts what each model would be asked beside what the run in dir, where there is one, has asked.
func (a *app) planOf(ctx context.Context, s spec.Specification, items run.Items, dir string) ([]planned, error) {
	can, known, err := begun(ctx, dir)
	if err != nil {
		return nil, err
	}
	if known != nil {
		defer known.Close()
	}
	for _, m := range s.Models {
		if _, ok := can[m.ID]; ok {
			continue
		}
		if can[m.ID], err = supposedOf(m); err != nil {
			return nil, err
		}
	}
	return a.planRows(ctx, s, items, can, known, ownLabels(s, dir))
}

// tellPlan prints a plan for a reader.
func (a *app) tellPlan(s spec.Specification, infos []run.DataInfo, rows []planned, free int64) error {
	for _, warning := range kinship(s) {
		told(a.err, "  ", "warning: %s", warning)
	}
	for _, d := range infos {
		folded(a.out, "  ", "%s: %d of %s drawn, %s", d.Set, d.Drawn, report.Plural(d.Rows, "row"), report.Plural(d.Bad, "bad row"))
	}
	samples := 0
	if s.Evidence != nil {
		samples = s.Evidence.Samples
	}
	if err := writePlan(a.out, rows, samples); err != nil {
		return err
	}
	writeMemory(a.out, rows, free)
	if s.Evidence != nil {
		writeFit(a.out, rows)
	}
	return nil
}

// supposedOf is what a model is taken to be able to do before it is opened: everything, so that the plan is an upper bound;
// but a foreign log can be asked nothing beyond its baselines, which its file shows, and Anthropic's service gives no
// log-probabilities.
func supposedOf(m spec.Model) (percuss.Capabilities, error) {
	all := percuss.Capabilities{Identity: m.Model, Text: true, Letters: true, Continue: true, SystemRole: true}
	arg, err := spec.ParseModel(m.Model)
	if err != nil {
		return all, usage(err)
	}
	switch arg.Backend {
	case "anthropic":
		all.Letters = false
		return all, nil
	case "recorded":
	default:
		return all, nil
	}
	export, err := recorded.IsExport(arg.Name)
	if err != nil {
		return all, usage(err)
	}
	if !export {
		return percuss.Capabilities{Identity: m.Model, Text: true, SystemRole: true, Given: true}, nil
	}
	return all, nil
}

// planRows counts what each model would be asked.
func (a *app) planRows(ctx context.Context, s spec.Specification, items run.Items, can map[string]percuss.Capabilities, known *sqlite.Reader, with reading) ([]planned, error) {
	audit, _, err := buildAudit(s, items, can, "", with)
	if err != nil {
		return nil, err
	}
	if s.Evidence != nil {
		tellAppropriate(a.err, s.Evidence.AppropriateFile, audit, items.Cases)
	}
	manifest := run.Manifest{Spec: s, Capabilities: can}
	c := newCounting(audit, manifest)
	for _, subject := range run.Subjects(manifest, items) {
		var answers percuss.Answers = percuss.AnswerMap{}
		if known != nil {
			answers = run.Known(ctx, known)
		}
		c.add(subject, answers)
	}
	rows := c.rows
	if s.Evidence != nil {
		if err := fit(rows, s, items, can, with); err != nil {
			return nil, err
		}
	}
	for i, m := range s.Models {
		if m.Price != nil {
			rows[i].Cost, rows[i].Currency = percuss.Num(m.Price.Cost(rows[i].PromptTokens, rows[i].OutputTokens)), m.Price.Currency
		}
	}
	return rows, nil
}

// begun opens what a run's folder holds already; nil when there is none.
func begun(ctx context.Context, dir string) (map[string]percuss.Capabilities, *sqlite.Reader, error) {
	can := map[string]percuss.Capabilities{}
	if dir == "" {
		return can, nil, nil
	}
	m, err := run.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return can, nil, nil
	} else if err != nil {
		return nil, nil, usage(err)
	}
	if !fileExists(filepath.Join(dir, run.AnswersFile)) {
		return m.Capabilities, nil, nil // it ended before the first call
	}
	r, err := sqlite.OpenReader(ctx, filepath.Join(dir, run.AnswersFile))
	if err != nil {
		return nil, nil, usage(err)
	}
	return m.Capabilities, r, nil
}

// promptTokens estimates the length of a prompt.
func promptTokens(r percuss.Request) int64 {
	n := len(r.Begin)
	for _, m := range r.Messages {
		n += len(m.Content)
	}
	return int64(n+bytesPerToken-1) / bytesPerToken
}

// clip shortens a text to n runes on one line.
func clip(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		r = append(r[:n-1], '…')
	}
	return string(r)
}
