package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/sqlite"
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
DATA is ID[:PATH][?option=value], for instance demo, medqa or medqa:/path/to/file.jsonl?options=5.

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
	set.StringSliceVar(&f.chain.Prompts, "prompt", []string{"neutral"}, "prompt conditions: neutral, strict")
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
	defer unlock()
	r, err := a.prepare(ctx, asked, dir, on)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	began := time.Now()
	result, err := r.ask(ctx, a)
	if err := r.writeInfo(dir, began, result, err); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	if err := a.writeReport(ctx, dir, allFormats); err != nil {
		return err
	}
	if result.Trials > 0 && float64(result.Failed) > r.manifest.Spec.Limits.FailShare*float64(result.Trials) {
		return fmt.Errorf("%d of %d requests failed: see %s; the same command asks them again", result.Failed, result.Trials,
			filepath.Join(dir, run.ReportFolder, run.InfoFile))
	}
	return nil
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

// running is a prepared run.
type running struct {
	manifest  run.Manifest
	questions []percuss.Question
	store     store.Store
	open      map[string]model.Model
	on        machine
}

func (r *running) close() error {
	var errs []error
	for _, m := range r.open {
		errs = append(errs, m.Close())
	}
	if r.store != nil {
		errs = append(errs, r.store.Close())
	}
	return errors.Join(errs...)
}

// prepare settles the specification, the items and the capabilities, and writes them down.
func (a *app) prepare(ctx context.Context, asked spec.Specification, dir string, on machine) (r *running, err error) {
	r = &running{open: map[string]model.Model{}, on: on}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	old, err := run.ReadManifest(dir)
	begun := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, usage(err)
	}
	r.manifest = run.Manifest{Spec: asked, Versions: versions(), Capabilities: map[string]percuss.Capabilities{}, Begun: time.Now().UTC()}
	if begun {
		merged, differences := spec.Extend(old.Spec, asked)
		if len(differences) > 0 {
			return r, usage(fmt.Errorf("%s was begun with other settings; give the same ones, or another -o:\n  %s", dir, strings.Join(differences, "\n  ")))
		}
		r.manifest = old
		r.manifest.Spec = merged
	}
	if r.questions, r.manifest.Data, err = a.loadData(r.manifest.Spec); err != nil {
		return r, err
	}
	if begun {
		if err := sameData(old.Data, r.manifest.Data); err != nil {
			return r, usage(err)
		}
	}
	r.manifest.Capabilities = maps.Clone(r.manifest.Capabilities)
	for _, m := range r.manifest.Spec.Models {
		if _, ok := r.manifest.Capabilities[m.ID]; ok {
			continue
		}
		opened, err := a.openModel(ctx, m, r.questions, on)
		if err != nil {
			return r, err
		}
		r.open[m.ID] = opened
		can := opened.Capabilities()
		if err := checkCapabilities(m.ID, can, r.manifest.Spec.Chain); err != nil {
			return r, err
		}
		if remote(m) {
			if can, err = a.confirm(ctx, m.ID, opened, r.questions, r.manifest.Spec.Chain.Answer == "text"); err != nil {
				return r, usageOf(err)
			}
			if err := checkCapabilities(m.ID, can, r.manifest.Spec.Chain); err != nil {
				return r, err
			}
		}
		r.manifest.Capabilities[m.ID] = can
	}
	_, prints, err := buildAudit(r.manifest.Spec, r.manifest.Capabilities)
	if err != nil {
		return r, err
	}
	if begun && !maps.Equal(prints, old.Fingerprints) {
		return r, usage(fmt.Errorf("%s was begun with another battery, other prompts or another version of the splitter: `percuss report %s` still reads it; a new run needs another -o", dir, dir))
	}
	r.manifest.Fingerprints = prints
	return r, r.write(dir, begun, old)
}

// remote reports whether a model's capabilities are a server's promise.
func remote(m spec.Model) bool {
	arg, err := spec.ParseModel(m.Model)
	return err == nil && arg.Backend == "openai"
}

// usageOf marks a fatal fault, such as a refused key, as a user's mistake.
func usageOf(err error) error {
	if model.IsFatal(err) {
		return usage(err)
	}
	return err
}

// write keeps what was settled, when it is new.
func (r *running) write(dir string, begun bool, old run.Manifest) error {
	changed := !begun || fmt.Sprint(old.Data) != fmt.Sprint(r.manifest.Data) || len(old.Spec.Models) != len(r.manifest.Spec.Models)
	if changed {
		if begun {
			r.manifest.Extensions = append(r.manifest.Extensions, run.Extension{At: time.Now().UTC(),
				What: fmt.Sprintf("%d models, %d items", len(r.manifest.Spec.Models), len(r.questions))})
		}
		if err := run.WriteQuestions(dir, r.questions); err != nil {
			return usage(err)
		}
		if err := run.WriteManifest(dir, r.manifest); err != nil {
			return usage(err)
		}
	}
	s, err := sqlite.Open(context.Background(), filepath.Join(dir, run.AnswersFile))
	if err != nil {
		return usage(err)
	}
	r.store = s
	return nil
}

// sameData checks that the files are those that the run was begun with.
func sameData(old, now []run.DataInfo) error {
	for i, d := range now {
		if i < len(old) && (old[i].SHA256 != d.SHA256 || old[i].Rows != d.Rows) {
			return fmt.Errorf("the file of %s has changed since the run was begun (%s): give the old file, or another -o", d.Set, d.File)
		}
	}
	return nil
}

// ask runs the loop.
func (r *running) ask(ctx context.Context, a *app) (run.Result, error) {
	audit, _, err := buildAudit(r.manifest.Spec, r.manifest.Capabilities)
	if err != nil {
		return run.Result{}, err
	}
	prices, currency := r.prices()
	progress := newProgress(a.err, currency)
	defer progress.end()
	loop := run.Loop{Audit: audit, Store: r.store, Attempts: r.manifest.Spec.Limits.Attempts, Now: time.Now, Progress: progress.show, Cost: prices,
		Subjects: run.Subjects(r.manifest, r.questions, r.manifest.Spec.Chain.Prompts),
		Models: func(ctx context.Context, id string) (model.Model, error) {
			if m, ok := r.open[id]; ok {
				return m, nil
			}
			for _, m := range r.manifest.Spec.Models {
				if m.ID != id {
					continue
				}
				opened, err := a.openModel(ctx, m, r.questions, r.on)
				if err != nil {
					return nil, err
				}
				r.open[id] = opened
				if was := r.manifest.Capabilities[id].Identity; opened.Capabilities().Identity != was {
					return nil, usage(fmt.Errorf("model %s is not the one that the run was begun with (%s): give that one, or another -o", id, was))
				}
				return opened, nil
			}
			return nil, fmt.Errorf("model %s is not in the run", id)
		}}
	return loop.Run(ctx)
}

// prices returns what an answer costs, and the currency; empty when no price is known.
func (r *running) prices() (func(string, percuss.Usage) float64, string) {
	known, currency := map[string]*spec.Price{}, ""
	for _, m := range r.manifest.Spec.Models {
		if m.Price != nil {
			known[m.ID], currency = m.Price, cmp.Or(m.Price.Currency, "spent")
		}
	}
	return func(model string, u percuss.Usage) float64 {
		if p := known[model]; p != nil {
			return p.Cost(int64(u.Prompt), int64(u.Output))
		}
		return 0
	}, currency
}

// info is runinfo.json: what differs from one run of the same audit to the next.
type info struct {
	Began    time.Time               `json:"began"`
	Seconds  float64                 `json:"seconds"`
	Result   run.Result              `json:"result"`
	Models   map[string]model.Counts `json:"models"` // of this process
	Attempts map[string]int          `json:"failed_attempts"`
	Error    string                  `json:"error,omitempty"`
}

// writeInfo keeps times, rates and counts of this process.
func (r *running) writeInfo(dir string, began time.Time, result run.Result, failure error) error {
	i := info{Began: began.UTC(), Seconds: time.Since(began).Seconds(), Result: result, Models: map[string]model.Counts{}}
	for id, m := range r.open {
		if c, ok := m.(model.Counter); ok {
			i.Models[id] = c.Counts()
		}
	}
	if failure != nil {
		i.Error = failure.Error()
	}
	var err error
	if i.Attempts, err = r.store.Attempts(context.Background()); err != nil {
		return err
	}
	folder := filepath.Join(dir, run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if result.Answered == 0 && failure == nil {
		if _, err := os.Stat(filepath.Join(folder, run.InfoFile)); err == nil {
			return nil // nothing was asked: what the earlier process wrote says more
		}
	}
	return run.WriteFile(filepath.Join(folder, run.InfoFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(i)
	})
}
