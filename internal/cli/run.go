package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/spec"
)

func (a *app) runCommand() *cobra.Command {
	var out string
	var on machine
	c := &cobra.Command{
		Use:   "run AUDIT.yaml",
		Short: "Run an audit from a specification: several models, sets and prompt conditions at once",
		Long: `Runs the audit that a file describes, or goes on with it. A file says what flags say, for several models and sets:

  version: 1
  seed: 1
  models:
    - {id: small, model: "llama:smollm2-135m", tier: general, family: smollm, params: 135M}
    - id: served
      model: openai:my-model@http://localhost:8000/v1
      price: {currency: USD, prompt: 0.15, output: 0.60}   # a million tokens
      system_prompt: You are a careful physician.          # the model's own released one: strict puts it first
      prompts: [neutral, strict+self-grounding]            # instead of those of the audit
    - {id: referee, model: "anthropic:claude-sonnet-4-5", role: judge, family: claude}   # judges chains, is not audited
  data:
    - {data: demo, n: 8}
    - {data: medqa, n: 200}
    - {data: pubmedqa, all: true}  # every item
  audits:
    chain:
      battery: paper
      prompts: [neutral, strict]
      answer: text
      max_tokens: 512
      direct: true
      stem: question
      controls: [sham, sham-chain, format, shuffle]   # all, as when left out; []: none
      margins: true                # (the opposite of --no-margins)
      rubric_file: FILE            # (--rubric) of the judges
      prompt_file: FILE            # (--prompts)
      battery_file: FILE           # (--operators)
    # or, for sets of cases:
    # evidence:                      # each as the flag of percuss evidence that has the name in brackets, if another
    #   order: 3                     # or all
    #   check_order: 3
    #   units: 8
    #   sentences: 6
    #   selector: balanced
    #   narrative: spaced
    #   wording: clinical-summary
    #   hide: drop
    #   evidence_first: false
    #   file_order: false
    #   debias: none
    #   samples: 0
    #   low: 0.5                     # (--low-specificity)
    #   specific: 0.25               # (--target-specific)
    #   families: 3
    #   checks: {stability: -1, neutralize: -1, selectors: -1, counterfactuals: -1, floor: -1}
    #   prompt_file: FILE            # (--prompts)
    #   label_file: FILE             # (--labels)
    #   appropriate_file: FILE       # (--appropriate)
    # or, for chains and their steps:
    # steps:                         # each as the flag of percuss steps; models have a role: before, after, teacher,
    #   k: 64                        # paraphraser or judge, pair: NAME where several pairs are compared, and a judge
    #   temperature: 0.7             # quality: {sensitivity: 0.9, specificity: 0.95, positives: 50, negatives: 100}
    #   top_p: 1
    #   max_tokens: 512
    #   prompts: [neutral]
    #   views: [markers, sentence, paragraph, raw]
    #   judged: 4
    #   control: 1
    #   most: 24
    #   repeats: 0.1
    #   prompt_file: FILE            # (--prompts)
    #   rubric_file: FILE            # (--rubric)
    #   style_file: FILE             # (--style)
  limits:
    attempts: 3
    fail_share: 0.03
    requests_per_minute: 500         # (--rpm) to the server of each model, which may have limits of its own beside its price
    tokens_per_minute: 200000        # (--tpm) of prompts and replies together

An unknown field is an error, and so is a model that stands twice, or a set that the audit cannot ask. Files that it names are looked for beside it.

` + exitHelp,
		Example: "  percuss run audit.yaml\n  percuss run audit.yaml -o runs/panel",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, out, err := readRun(args[0], out)
			if err != nil {
				return err
			}
			return a.runAudit(c.Context(), s, out, on)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "the run's folder (default runs/ and the file's name)")
	on.bind(c.Flags())
	on.batch.bind(c.Flags())
	return c
}

// readRun reads a specification and says where its run is: in out, or where that is empty under runs/ and the file's
// name.
func readRun(path, out string) (spec.Specification, string, error) {
	s, err := readSpec(path)
	if out == "" {
		out = filepath.Join("runs", slug(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))))
	}
	return s, out, err
}

// readSpec reads a specification; the files that it names are looked for beside it.
func readSpec(path string) (spec.Specification, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return spec.Specification{}, usage(fmt.Errorf("%s: there is no such file; it is the specification of a run, which percuss run --help describes", path))
	} else if err != nil {
		return spec.Specification{}, usage(err)
	}
	s, err := spec.Read(bytes.NewReader(raw), path)
	if err != nil {
		return s, usage(err)
	}
	dir := filepath.Dir(path)
	var files []*string
	if c := s.Chain; c != nil {
		files = append(files, &c.PromptFile, &c.BatteryFile, &c.RubricFile)
	}
	if st := s.Steps; st != nil {
		files = append(files, &st.PromptFile, &st.RubricFile, &st.StyleFile)
	}
	if e := s.Evidence; e != nil {
		files = append(files, &e.PromptFile, &e.LabelFile, &e.AppropriateFile)
	}
	for _, file := range files {
		*file = beside(dir, *file)
	}
	for i, d := range s.Data {
		if arg, err := dataset.ParseArg(d.Data); err == nil {
			s.Data[i].Data = strings.Replace(d.Data, ":"+arg.Path, ":"+beside(dir, arg.Path), 1)
		}
	}
	for i, m := range s.Models {
		if arg, err := spec.ParseModel(m.Model); err == nil && (arg.Backend == "llama" || arg.Backend == "recorded") {
			s.Models[i].Model = strings.Replace(m.Model, ":"+arg.Name, ":"+beside(dir, arg.Name), 1)
		}
	}
	var errs []error
	for _, m := range misnamed(s) {
		errs = append(errs, fmt.Errorf("%s:%d: %s: %w", path, spec.Line(raw, m.path), strings.TrimPrefix(m.path, "$."), m.err))
	}
	return s, usage(errors.Join(errs...))
}

// beside is the path of a file that lies beside a specification; other names are left as they are.
func beside(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	if at := filepath.Join(dir, path); at != path {
		if _, err := os.Stat(at); err == nil {
			return at
		}
	}
	return path
}
