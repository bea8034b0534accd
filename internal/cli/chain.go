package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
  percuss chain -m sim:faithful -m sim:inert -d demo --judge sim:judge -o runs/sim`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := flags.specification()
			if err != nil {
				return err
			}
			return a.runAudit(c.Context(), s, flags.out, flags.on)
		},
	}
	flags.bind(c.Flags())
	flags.on.bind(c.Flags())
	flags.on.batch.bind(c.Flags())
	c.Flags().StringVarP(&flags.out, "out", "o", "", "the run's folder (default runs/MODEL-SET)")
	return c
}

const argumentHelp = `MODEL is BACKEND:NAME[?option=value][@URL], for instance llama:smollm2-135m, llama:/path/to/model.gguf,
openai:NAME@http://host:8000/v1, anthropic:NAME or sim:faithful. The key of a server is read from OPENAI_API_KEY (of
Anthropic's from ANTHROPIC_API_KEY), or from the variable named by ?key_env=NAME. Where one model answers at several
addresses, they follow after commas: openai:NAME@http://a:8000/v1,http://b:8000/v1; the first one stands for the model, and
the others may change while a run goes on. Of an Anthropic model ?continue=yes or no
says whether it continues a given beginning of its turn; without it, that is found out by one call.

recorded:FILE takes the answers of a file that "percuss store export" wrote, or of another program's log: lm-eval samples,
OpenAI batch output (?requests=FILE names its input), chat completions, published chains of thought; ?model= and ?trigger=
choose among several replies. A log has each question's answer as it stands: chains are edited, and nothing is asked.

DATA is ID[:PATH][?option=value]: demo, medqa, medmcqa, pubmedqa, mmlu-medical, custom:FILE, or gsm8k and strategyqa to
compare with, for instance medqa:/path/to/file.jsonl?options=5; log:FILE are the questions of a log. See percuss data list.

`

// batteryHelp says what a battery may be made of.
const batteryHelp = "paper (all 30), families (one variant of each of the paper's), api, extended, families and single operators of these or of your own file (--operators), joined by +: families+F1+M2, extended+M2-sex"

// chainFlags are the flags that make a specification of a chain audit.
type chainFlags struct {
	commonFlags
	chain     spec.Chain
	noDirect  bool
	noMargins bool
	controls  []string
	judges    []string
	kin       string // the judges' family
	out       string
	on        machine
}

func (f *chainFlags) bind(set *pflag.FlagSet) {
	f.commonFlags.bind(set)
	set.StringVar(&f.chain.Battery, "battery", "paper", "operators: "+batteryHelp)
	set.StringVar(&f.chain.Answer, "answer", "text", "how answers are read: text, letters or text+letters")
	set.StringSliceVar(&f.chain.Prompts, "prompt", nil, "prompt conditions: neutral, strict, each also with addenda behind a plus sign: neutral+self-grounding, strict+anti-distractor (default strict for --tier medical, else neutral)")
	set.StringVar(&f.chain.Stem, "stem", "question", "what edits of the question act on: question, or question+contexts (the passages too)")
	set.IntVar(&f.chain.MaxTokens, "max-tokens", 512, "most new tokens of a chain or a continuation")
	set.BoolVar(&f.noDirect, "no-direct", false, "do not ask for the answer without a chain")
	set.StringVar(&f.chain.PromptFile, "prompts", "", "file of wordings instead of the built-in ones")
	set.StringVar(&f.chain.BatteryFile, "operators", "", "file of operators of your own, beside or in place of the built-in ones; --battery names them, e.g. paper+X-smoking")
	set.StringSliceVar(&f.controls, "controls", []string{"sham", "sham-chain", "format", "shuffle"}, "what effects are held against, asked of every item: sham, sham-chain, format, shuffle; or none")
	set.BoolVar(&f.noMargins, "no-margins", false, "do not read the letters' log-probabilities beside an answer that the text has")
	set.StringArrayVar(&f.judges, "judge", nil, "MODEL that says of edited questions whether the chain uses the edit; may be repeated")
	set.StringVar(&f.kin, "judge-family", "", "family of the judges, e.g. qwen: a judge is warned of where it judges its own family")
	set.StringVar(&f.family, "family", "", "family of the models, e.g. llama")
	set.StringVar(&f.params, "params", "", "number of parameters of the models, e.g. 135M or 7B, for figures against size")
	set.StringVar(&f.chain.RubricFile, "rubric", "", "file of the judges' rubric instead of the built-in one")
	set.StringVar(&f.system, "system", "", "the model's own released system prompt (strict puts it first)")
}

// specification is what the flags say, with defaults and checked.
func (f *chainFlags) specification() (spec.Specification, error) {
	s, err := f.commonFlags.specification()
	if err != nil {
		return s, err
	}
	c := f.chain
	c.Direct, c.Margins = !f.noDirect, !f.noMargins
	if c.Controls, err = spec.ControlsNamed(f.controls...); err != nil {
		return s, usage(fmt.Errorf("--controls: %w", err))
	}
	s.Chain = &c
	f.addJudges(&s)
	s = s.WithDefaults()
	return s, usage(s.Check())
}

// addJudges names the judges beside the models. One that is audited too has an id of its own.
func (f *chainFlags) addJudges(s *spec.Specification) {
	for _, arg := range f.judges {
		j := spec.Model{Model: arg, Role: spec.Judge, Family: f.kin}
		if len(f.models) > 0 && slices.Contains(f.models, arg) {
			if p, err := spec.ParseModel(arg); err == nil {
				j.ID = "judge-" + p.ShortName()
			}
		}
		s.Models = append(s.Models, j)
	}
}
