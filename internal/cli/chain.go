package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

func (a *app) chainCommand() *cobra.Command {
	var flags chainFlags
	c := &cobra.Command{
		Use:   "chain -m MODEL -d DATA -o DIR",
		Short: "Does the chain of thought register an edit, and does it drive the answer?",
		Long: `Runs the chain audit, or goes on with it: the same command asks only what is missing.

` + argumentHelp + exitHelp,
		Example: `  percuss chain -m llama:smollm2-135m -d demo -n 8 --battery families+F1+M2 --answer text+letters -o runs/demo
  percuss chain -m llama:/models/mine.gguf -d medqa -n 200 -o runs/mine
  percuss chain -m openai:my-model@http://localhost:8000/v1 -d custom:questions.csv -o runs/server
  percuss chain -m sim:faithful -m sim:inert -d demo -o runs/sim`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := flags.specification()
			if err != nil {
				return err
			}
			return a.runChain(c.Context(), s, flags.out, flags.on)
		},
	}
	flags.bind(c.Flags())
	flags.on.bind(c.Flags())
	c.Flags().StringVarP(&flags.out, "out", "o", "", "the run's folder (default runs/MODEL-SET)")
	return c
}

const argumentHelp = `MODEL is BACKEND:NAME[?option=value][@URL], for instance llama:smollm2-135m, llama:/path/to/model.gguf,
openai:NAME@http://host:8000/v1 or sim:faithful. The key of a server is read from OPENAI_API_KEY, or from the variable
named by ?key_env=NAME.
DATA is ID[:PATH][?option=value]: demo, medqa, medmcqa, pubmedqa, mmlu-medical or custom:FILE, for instance
medqa:/path/to/file.jsonl?options=5; see percuss data list.

`

// chainFlags are the flags that make a specification of a chain audit.
type chainFlags struct {
	s             spec.Specification
	chain         spec.Chain
	models, data  []string
	n             int
	all, noDirect bool
	out           string
	tier, system  string
	price         spec.Price
	on            machine
}

func (f *chainFlags) bind(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.models, "model", "m", nil, "model to audit; may be repeated")
	set.StringArrayVarP(&f.data, "data", "d", nil, "question set; may be repeated")
	set.IntVarP(&f.n, "items", "n", spec.DefaultN, "items drawn from each set")
	set.BoolVar(&f.all, "all", false, "all items")
	set.Uint64Var(&f.s.Seed, "seed", spec.DefaultSeed, "seed of every random choice")
	set.StringVar(&f.chain.Battery, "battery", "paper", "paper, families, or with families and variants added: families+F1+M2")
	set.StringVar(&f.chain.Answer, "answer", "text", "how answers are read: text, letters or text+letters")
	set.StringSliceVar(&f.chain.Prompts, "prompt", nil, "prompt conditions: neutral, strict (default strict for --tier medical, else neutral)")
	set.StringVar(&f.chain.Stem, "stem", "question", "what edits of the question act on: question, or question+contexts (the passages too)")
	set.IntVar(&f.chain.MaxTokens, "max-tokens", 512, "most new tokens of a chain or a continuation")
	set.BoolVar(&f.noDirect, "no-direct", false, "do not ask for the answer without a chain")
	set.StringVar(&f.chain.PromptFile, "prompts", "", "file of wordings instead of the built-in ones")
	set.StringVar(&f.chain.BatteryFile, "operators", "", "file of operators instead of the built-in ones")
	set.StringVar(&f.tier, "tier", "", "group of the models in tables: general, medical, reasoning, closed")
	set.StringVar(&f.system, "system", "", "the model's own released system prompt (strict puts it first)")
	set.IntVar(&f.s.Limits.Attempts, "attempts", 0, "tries of one request before it counts as failed in this run (default 3)")
	set.Float64Var(&f.price.Prompt, "price-prompt", 0, "price of a million prompt tokens, for the cost in plan and progress")
	set.Float64Var(&f.price.Output, "price-output", 0, "price of a million generated tokens")
	set.StringVar(&f.price.Currency, "currency", "", "currency of the prices, as it is to be printed")
}

// specification is what the flags say, with defaults and checked.
func (f *chainFlags) specification() (spec.Specification, error) {
	s := f.s
	for _, m := range f.models {
		model := spec.Model{Model: m, Tier: f.tier, SystemPrompt: f.system}
		if f.price.Prompt != 0 || f.price.Output != 0 {
			model.Price = &f.price
		}
		s.Models = append(s.Models, model)
	}
	if f.n < 1 && !f.all {
		return s, usage(fmt.Errorf("-n %d: at least 1, or --all", f.n))
	}
	for _, d := range f.data {
		s.Data = append(s.Data, spec.Data{Data: d, N: map[bool]int{true: 0, false: f.n}[f.all]})
	}
	c := f.chain
	c.Direct = !f.noDirect
	s.Chain = &c
	s = s.WithDefaults()
	return s, usage(s.Check())
}

// runChain begins or resumes a run and ends with its report.
func (a *app) runChain(ctx context.Context, asked spec.Specification, dir string, on machine) (err error) {
	if dir == "" {
		dir = filepath.Join("runs", slug(asked.Models[0].ID+"-"+asked.Data[0].Data))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage(err)
	}
	unlock, err := run.Lock(dir)
	if err != nil {
		return usage(err)
	}
	defer func() {
		unlock()
		if !fileExists(filepath.Join(dir, run.ManifestFile)) { // it never began: leave nothing behind
			os.Remove(filepath.Join(dir, run.LockFile))
			os.Remove(dir)
		}
	}()
	r, err := a.prepare(ctx, asked, dir, on)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	for _, d := range r.manifest.Data {
		if d.Bad > 0 {
			fmt.Fprintf(a.err, "%s: %d rows can be used, %d cannot; `percuss data check` says why\n", d.Set, d.Rows, d.Bad)
		}
	}
	began := time.Now()
	result, err := r.ask(ctx, a)
	if err := errors.Join(err, r.writeInfo(dir, began, result, err)); err != nil {
		return err
	}
	if err := a.writeReport(ctx, dir, allFormats); err != nil {
		return err
	}
	if result.Trials > 0 && float64(result.Failed) > r.manifest.Spec.Limits.FailShare*float64(result.Trials) {
		return fmt.Errorf("%d of %d requests failed; the same command asks them again%s", result.Failed, result.Trials, reasons(result.Faults))
	}
	return nil
}

// reasons lists the last message of each kind of fault, a line each.
func reasons(faults map[string]string) string {
	out := ""
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		out += "\n  " + kind + ": " + clip(report.Visible(faults[kind]), 160)
	}
	return out
}

// slug makes a folder name of a text.
func slug(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, s), "-.")
}
