package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/percuss/percuss/spec"
)

func (a *app) stepsCommand() *cobra.Command {
	var flags stepFlags
	c := &cobra.Command{
		Use:   "steps -m MODEL -d DATA -o DIR",
		Short: "Are the steps of a chain true, and does that move with the answers?",
		Long: `Runs the step audit, or goes on with it: the same command asks only what is missing.

Of every item -k chains are sampled. The answer side looks at their votes: accuracy of one chain and of the majority, and
how far the share of the votes is the chance of being right. The trace side looks at single steps: judges (--judge) see the
question and one step with those before it, without the style, the model and the answer. --before and --after name two
models or checkpoints that are compared on the same items, and --teacher a third one beside them. "percuss plan steps" with
the same flags says what that takes.

` + stepsArguments + exitHelp,
		Example: `  percuss steps -m llama:smollm2-135m -d medqa -n 20 -k 8 --judge sim:step-judge \
    -o runs/steps
  percuss steps --before openai:student@http://localhost:8000/v1 \
    --after openai:distilled@http://localhost:8000/v1 \
    --judge openai:judge@http://localhost:8001/v1 -d medqa -n 200 -k 16 -o runs/pair
  percuss steps -m 'recorded:chains.jsonl?trigger=all' -d log:chains.jsonl -k 30 \
    --judge sim:step-judge -o runs/frozen`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := flags.specification(c.Flags())
			if err != nil {
				return err
			}
			return a.runAudit(c.Context(), s, flags.out, flags.on)
		},
	}
	flags.bind(c.Flags())
	flags.on.bind(c.Flags())
	flags.on.batch.bind(c.Flags())
	c.Flags().StringVarP(&flags.out, "out", "o", "", "the run's folder (default runs/steps-MODEL-SET)")
	return c
}

const stepsArguments = `MODEL is BACKEND:NAME[?option=value][@URL], as for percuss chain. recorded:FILE audits chains that another program wrote: a
log with one reply to each question is one chain an item (-k 1); with ?trigger=all every reply is one, of lm-eval's
repeats, of several trigger sentences, of rows or lists of chains ({"question", "options", "answer", "chains": [...]}).
DATA is ID[:PATH][?option=value]: demo, medqa, medmcqa, pubmedqa, mmlu-medical, custom:FILE, log:FILE for the questions of
a log; gsm8k, whose answer constrains its steps, is the boundary check. See percuss data list.

`

// stepFlags are the flags that make a specification of a step audit.
type stepFlags struct {
	commonFlags
	st                     spec.Steps
	before, after, teacher []string
	judges                 []string
	kin                    string
	paraphraser            string
	quality                qualityFlag
	out                    string
	on                     machine
}

func (f *stepFlags) bind(set *pflag.FlagSet) {
	f.commonFlags.bind(set)
	f.st = spec.DefaultSteps()
	st := &f.st
	set.IntVarP(&st.K, "chains", "k", st.K, "chains sampled of each item (1 for a log with one reply to each question)")
	set.Float64Var(&st.Temperature, "temperature", st.Temperature, "temperature of the chains; 0 only with -k 1")
	set.Float64Var(&st.TopP, "top-p", st.TopP, "nucleus of the chains' sampling; 1: no cut")
	set.IntVar(&st.MaxTokens, "max-tokens", st.MaxTokens, "most new tokens of a chain")
	set.StringSliceVar(&st.Prompts, "prompt", nil, "prompt conditions, as for percuss chain (default strict for --tier medical, else neutral)")
	set.StringSliceVar(&st.Views, "views", st.Views, "what judges see; the first cuts a chain and is what figures are told by (markers, sentence, paragraph), the others are controls: other cuts, raw (style kept), gold (the right answer shown), paraphrase")
	set.IntVar(&st.Judged, "judged", st.Judged, "chains of an item whose steps are judged")
	set.IntVar(&st.Control, "control", st.Control, "chains of an item that are judged under each of the other views")
	set.IntVar(&st.Most, "most", st.Most, "most steps of a chain that are judged; later ones are counted only")
	set.Float64Var(&st.Repeats, "repeats", st.Repeats, "share of the judged steps that each judge is asked about once more, to see how far it agrees with itself")
	set.StringArrayVar(&f.before, "before", nil, "MODEL before a change; may be repeated")
	set.StringArrayVar(&f.after, "after", nil, "MODEL after it; of several, the first belongs to the first before, or all to the only one")
	set.StringArrayVar(&f.teacher, "teacher", nil, "MODEL that taught the changed one, shown beside both")
	set.StringArrayVar(&f.judges, "judge", nil, "MODEL that says of single steps whether they are true; may be repeated")
	set.StringVar(&f.kin, "judge-family", "", "family of the judges, e.g. qwen: a judge is warned of where it judges its own family")
	set.Var(&f.quality, "judge-quality", qualityHelp)
	set.StringVar(&f.paraphraser, "paraphraser", "", "neutral MODEL that puts steps in other words, for the view paraphrase")
	set.StringVar(&f.family, "family", "", "family of the models, e.g. llama")
	set.StringVar(&f.params, "params", "", "number of parameters of the models, e.g. 135M or 7B")
	set.StringVar(&st.PromptFile, "prompts", "", "file of wordings instead of the built-in ones")
	set.StringVar(&st.RubricFile, "rubric", "", "file of the judges' rubric instead of the built-in one")
	set.StringVar(&st.StyleFile, "style", "", "file of what the normaliser takes away instead of the built-in one")
	set.StringVar(&f.system, "system", "", "the model's own released system prompt (strict puts it first)")
}

// specification is what the flags say, with defaults and checked.
func (f *stepFlags) specification(set *pflag.FlagSet) (spec.Specification, error) {
	s, err := f.commonFlags.specification()
	if err != nil {
		return s, err
	}
	for _, of := range []struct {
		role string
		args []string
	}{{spec.Before, f.before}, {spec.After, f.after}, {spec.Teacher, f.teacher}} {
		for _, arg := range of.args {
			m := spec.Model{Model: arg, Role: of.role, Tier: f.tier, Family: f.family, Params: f.params, SystemPrompt: f.system}
			if f.price.Prompt != 0 || f.price.Output != 0 {
				m.Price = &f.price
			}
			s.Models = append(s.Models, withID(s, m))
		}
	}
	if f.paraphraser != "" {
		s.Models = append(s.Models, withID(s, spec.Model{Model: f.paraphraser, Role: spec.Paraphraser}))
	}
	for _, arg := range f.judges {
		s.Models = append(s.Models, withID(s, spec.Model{Model: arg, Role: spec.Judge, Family: f.kin}))
	}
	st := f.st
	if !set.Changed("temperature") && st.K == 1 {
		st.Temperature = 0 // one chain is the model's own best
	}
	s.Steps = &st
	s = s.WithDefaults()
	if err := f.quality.put(s.Models); err != nil {
		return s, usage(err)
	}
	return s, usage(s.Check())
}

// withID gives a model whose name another one has an id with its role: two checkpoints may be served under one name, and a
// judge may be audited, too.
func withID(s spec.Specification, m spec.Model) spec.Model {
	p, err := spec.ParseModel(m.Model)
	if err != nil {
		return m // told when the specification is checked
	}
	taken := func(o spec.Model) bool {
		q, err := spec.ParseModel(o.Model)
		return o.ID == p.ShortName() || o.ID == "" && err == nil && q.ShortName() == p.ShortName()
	}
	if slices.ContainsFunc(s.Models, taken) {
		m.ID = fmt.Sprintf("%s-%s", m.Role, p.ShortName())
	}
	return m
}
