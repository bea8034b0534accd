package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/spec"
)

const (
	benchPrompt  = 512 // tokens of the prompt whose rate is measured, as llama.cpp's own benchmark has it
	benchSchema  = "percuss.bench-engine/1"
	mostSteps    = 4096
	mostRepeats  = 100
	widestEngine = 128
)

// benchFlags are what the benchmark of the engine can be told.
type benchFlags struct {
	models  []string
	widths  []int
	steps   int
	repeats int
	asJSON  bool
	on      machine
}

func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "How fast this machine is"}
	var f benchFlags
	engine := &cobra.Command{
		Use: "engine [-m llama:NAME|PATH]...", Short: "Measure the embedded engine with models of yours", Args: cobra.NoArgs,
		Long: `Measures how fast the embedded engine is on this machine, and how much memory it takes, for each GGUF file that is
named, or for all models of the catalogue that are here: prompt tokens a second, tokens generated a second for several
answers at once, and tokens of a small tree of prompts whose letters are scored, as an evidence audit asks for them.
The first two are plain decodes; the third goes through all that a run does. Everything is measured several times: the
median is printed, with the least and the most. Other programs at work make all of it slower.

docs/engine.md says which types of weights are quick, and how to use a library of your own or a graphics card.

` + exitHelp,
		Example: `  percuss bench engine
  percuss bench engine -m llama:smollm2-135m -m llama:smollm2-f16.gguf --widths 1,8,32
  percuss bench engine -m model.gguf --lib ~/llama.cpp/build/bin --json`,
		RunE: func(c *cobra.Command, _ []string) error { return a.benchEngine(c.Context(), f) },
	}
	set := engine.Flags()
	set.StringArrayVarP(&f.models, "model", "m", nil, "model to measure: llama:NAME, llama:PATH or PATH; may be repeated (default: the catalogue's that are here)")
	set.IntSliceVar(&f.widths, "widths", []int{1, 2, 4, 8, 16, 32}, "numbers of answers that are generated at once")
	set.IntVar(&f.steps, "tokens", 32, "tokens generated for each of them")
	set.IntVar(&f.repeats, "repeat", 3, "how often everything is measured")
	set.BoolVar(&f.asJSON, "json", false, "print as JSON")
	set.StringVar(&f.on.lib, "lib", "", "folder of the llama.cpp library (default: the installed one)")
	set.IntVar(&f.on.threads, "threads", 0, "threads (default: one a core)")
	set.Var(&f.on.memory, "memory", "most memory for weights and cache, such as 6GB (default: what is free)")
	c.AddCommand(engine)
	return c
}

// check refuses what cannot be measured.
func (f benchFlags) check() error {
	if len(f.widths) == 0 || slices.Min(f.widths) < 1 || slices.Max(f.widths) > widestEngine {
		return usage(fmt.Errorf("--widths %v: numbers from 1 to %d with commas between", f.widths, widestEngine))
	}
	if f.steps < 1 || f.steps > mostSteps {
		return usage(fmt.Errorf("--tokens %d: 1 to %d", f.steps, mostSteps))
	}
	if f.repeats < 1 || f.repeats > mostRepeats {
		return usage(fmt.Errorf("--repeat %d: 1 to %d", f.repeats, mostRepeats))
	}
	return f.on.check()
}

// rate is a number of tokens a second, measured several times.
type rate struct {
	Median percuss.Number `json:"median"`
	Least  percuss.Number `json:"least"`
	Most   percuss.Number `json:"most"`
}

// rateOf sums up what was measured; it is missing where nothing was.
func rateOf(measured []float64) rate {
	if len(measured) == 0 {
		return rate{}
	}
	s := slices.Sorted(slices.Values(measured))
	return rate{Median: percuss.Num((s[(len(s)-1)/2] + s[len(s)/2]) / 2), Least: percuss.Num(s[0]), Most: percuss.Num(s[len(s)-1])}
}

// generated is the rate of all sequences together.
type generated struct {
	Width int `json:"width"`
	rate
}

// engineFigures are what was measured of one model.
type engineFigures struct {
	Model   string `json:"model"`
	File    string `json:"file"`
	Weights string `json:"weights"` // the type that most of them have
	Layout  string `json:"layout"`  // of trees of prompts
	Threads int    `json:"threads"`
	// Share is the processor time of the plain decodes ÷ their duration times the threads: well below 1 where other
	// programs were at work. It is missing where the system does not say, or something else than the CPU computes.
	Share percuss.Number `json:"processor_share"`

	Prefill  rate        `json:"prefill_tokens_per_second"`
	Generate []generated `json:"generate_tokens_per_second"`
	Letters  rate        `json:"letters_tokens_per_second"`
	Prompts  rate        `json:"letters_prompts_per_second"`
	Tree     tree        `json:"letters_tree"`

	Planned  llamacpp.Memory `json:"memory_planned"`
	Resident percuss.Number  `json:"memory_resident_bytes"` // by which the process grew; missing where the system does not say
}

// tree is what is asked in the measurement of letters.
type tree struct {
	Prompts  int   `json:"prompts"`
	Asked    int64 `json:"tokens_asked"`    // of all prompts, each by itself
	Computed int64 `json:"tokens_computed"` // with beginnings shared
}

// benchReport is all that was measured.
type benchReport struct {
	Schema  string            `json:"schema"`
	Engine  string            `json:"engine"`
	Library string            `json:"library"`
	Devices []llamacpp.Device `json:"devices"`
	Free    percuss.Number    `json:"memory_free_bytes"` // before the first model is opened
	Prompt  int               `json:"prefill_tokens"`
	Steps   int               `json:"generate_tokens"`
	Repeats int               `json:"repeats"`
	Models  []engineFigures   `json:"models"`
}

// benchEngine measures and prints. What is measured when Ctrl-C comes is printed before it ends.
func (a *app) benchEngine(ctx context.Context, f benchFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	cache, err := supply.Open(a.env, a.err)
	if err != nil {
		return err
	}
	lib, err := cache.FindEngine(ctx, f.on.lib, a.env("PERCUSS_LIB"))
	if err != nil {
		return usage(err)
	}
	models, err := benchModels(ctx, cache, f.models)
	if err != nil {
		return err
	}
	devices, err := llamacpp.Devices(lib)
	if err != nil {
		return usage(err)
	}
	r := benchReport{Schema: benchSchema, Library: lib, Devices: devices, Prompt: benchPrompt, Steps: f.steps, Repeats: f.repeats}
	if free := memoryOf(devices, systemFiles()); free > 0 {
		r.Free = percuss.Num(float64(free))
	}
	for _, m := range models {
		figures, engine, err := a.benchModel(ctx, cache, lib, devices, m, f)
		if ctx.Err() != nil {
			return unkept{errors.Join(ctx.Err(), err, a.printBench(r, f.asJSON))}
		}
		if err != nil {
			return err
		}
		r.Engine = engine
		r.Models = append(r.Models, figures)
	}
	return a.printBench(r, f.asJSON)
}

// printBench prints what was measured, if anything was.
func (a *app) printBench(r benchReport, asJSON bool) error {
	switch {
	case len(r.Models) == 0:
		return nil
	case asJSON:
		return json.NewEncoder(a.out).Encode(r)
	}
	return writeBench(a.out, r)
}

// benched is a model to measure.
type benched struct{ name, path string }

// benchModels finds the files of the models that are named, or of the catalogue's.
func benchModels(ctx context.Context, cache *supply.Cache, given []string) ([]benched, error) {
	names, err := benchNames(ctx, cache, given)
	if err != nil {
		return nil, err
	}
	var models []benched
	for _, name := range names {
		path, err := cache.FindModel(ctx, name)
		if err != nil {
			return nil, usage(err)
		}
		models = append(models, benched{name, path})
	}
	return models, nil
}

// benchNames are names that FindModel takes.
func benchNames(ctx context.Context, cache *supply.Cache, given []string) ([]string, error) {
	var names []string
	for _, m := range given {
		arg, err := spec.ParseModel(m)
		switch {
		case err == nil && arg.Backend == "llama" && len(arg.Params) == 0:
			names = append(names, arg.Name)
		case err == nil && slices.Contains([]string{"openai", "anthropic", "recorded", "sim", "llama"}, arg.Backend):
			return nil, usage(fmt.Errorf("-m %s: the engine is measured with models of its own: llama:NAME without parameters, or the path of a GGUF file", m))
		default:
			names = append(names, m)
		}
	}
	if len(given) > 0 {
		return names, nil
	}
	listed, err := cache.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range listed {
		if l.State == supply.Present {
			names = append(names, l.Model.Name)
		}
	}
	if len(names) == 0 {
		return nil, usage(errors.New("there is no model to measure: name a GGUF file, -m PATH, or fetch one: `percuss model pull smollm2-135m`"))
	}
	return names, nil
}

// benchTell prints a line of progress.
func (a *app) benchTell(name, format string, args ...any) {
	fmt.Fprintf(a.err, "%s: %s\n", name, strings.TrimSpace(fmt.Sprintf(format, args...)))
}
