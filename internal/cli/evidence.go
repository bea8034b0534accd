package cli

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

func (a *app) evidenceCommand() *cobra.Command {
	var flags evidenceFlags
	var out string
	var on machine
	c := &cobra.Command{
		Use:   "evidence -m MODEL -d DATA -o DIR",
		Short: "Which combinations of findings move the diagnosis, and is that clinically coherent?",
		Long: `Runs the evidence audit, or goes on with it: the same command asks only what is missing.

Each case is asked once for every subset of its audited findings that the interactions need: 93 of 256 for orders 1 to 3
over eight findings, all 256 with --order all. The candidates stand under letters, whose log-probabilities are read.
Checks (other wordings, candidate orders and selections of findings, hidden findings marked instead of dropped, changed
findings, repeated prompts) are made on the share of the cases that the paper made them on; each takes a number of
cases, 0 for none. "percuss plan evidence" with the same flags says what that takes.

` + evidenceArguments + exitHelp,
		Example: `  percuss evidence -m llama:smollm2-135m -d demo -n 4 -o runs/cases
  percuss evidence -m llama:smollm2-135m -d ddxplus -n 20 --order all -o runs/ddxplus
  percuss evidence -m openai:my-model@http://localhost:8000/v1 -d custom:cases.jsonl --stability 0 -o runs/mine
  percuss evidence -m sim:shortcut -d demo -o runs/sim`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := flags.specification()
			if err != nil {
				return err
			}
			return a.runAudit(c.Context(), s, out, on)
		},
	}
	flags.bind(c.Flags())
	on.bind(c.Flags())
	on.batch.bind(c.Flags())
	c.Flags().StringVarP(&out, "out", "o", "", "the run's folder (default runs/evidence-MODEL-SET)")
	return c
}

const evidenceArguments = `MODEL is BACKEND:NAME[?option=value][@URL], as for percuss chain.
DATA is ID[:PATH][?option=value]: demo, ddxplus, cupcase, medcase or custom:FILE; see percuss data list. With
ddxplus?implicit-absent=yes what a patient's row does not list counts as recorded absent.

`

// evidenceFlags are the flags that make a specification of an evidence audit.
type evidenceFlags struct {
	commonFlags
	e     spec.Evidence
	order spec.Orders
}

func (f *evidenceFlags) bind(set *pflag.FlagSet) {
	f.commonFlags.bind(set)
	f.e = spec.DefaultEvidence()
	f.order = spec.Orders(f.e.Order)
	e := &f.e
	set.Var(&f.order, "order", "highest order of an interaction")
	set.IntVar(&e.CheckOrder, "check-order", e.CheckOrder, "highest order under the settings of checks")
	set.IntVar(&e.Units, "units", e.Units, "audited findings of a structured case")
	set.IntVar(&e.Sentences, "sentences", e.Sentences, "audited sentences of a narrative")
	set.StringVar(&e.Selector, "selector", e.Selector, "which findings are audited: balanced, target-salient, random-balanced")
	set.StringVar(&e.Narrative, "narrative", e.Narrative, "which sentences are audited: spaced, random")
	set.StringVar(&e.Wording, "wording", e.Wording, "wording of the prompts: clinical-summary, questionnaire, or one of --prompts")
	set.StringVar(&e.Hide, "hide", e.Hide, "hidden findings are left out (drop) or marked as not specified (neutralize)")
	set.BoolVar(&e.EvidenceFirst, "evidence-first", false, "findings before candidates and question")
	set.BoolVar(&e.FileOrder, "file-order", false, "candidates in the order of the file, not shuffled by the seed")
	set.StringVar(&e.Debias, "debias", e.Debias, "letter bias is left (none), averaged out over cyclic orders (cyclic), or subtracted (prior)")
	set.IntVar(&e.Samples, "samples", 0, "letters drawn for each prompt where a back-end gives no log-probabilities (0: such a model is refused)")
	set.Float64Var(&e.Low, "low-specificity", e.Low, "share of the candidates from which a finding has low specificity")
	set.Float64Var(&e.Specific, "target-specific", e.Specific, "largest share of the other candidates that a target-specific finding supports")
	set.IntVar(&e.Checks.Stability, "stability", e.Checks.Stability, "cases asked in both wordings and three candidate orders (-1: a fifth)")
	set.IntVar(&e.Checks.Neutralize, "neutralize", e.Checks.Neutralize, "cases asked with hidden findings marked instead of dropped (-1: two fifths)")
	set.IntVar(&e.Checks.Selectors, "selectors", e.Checks.Selectors, "cases asked on other selections of findings (-1: a fifth)")
	set.IntVar(&e.Checks.Counterfactuals, "counterfactuals", e.Checks.Counterfactuals, "cases of which families of findings are changed (-1: all)")
	set.IntVar(&e.Checks.Floor, "floor", e.Checks.Floor, "cases of which every prompt is asked three times, to measure the noise (-1: ten, or two where the engine repeats itself exactly)")
	set.IntVar(&e.Families, "families", e.Families, "families of findings that are changed for each stratum of a case")
	set.StringVar(&e.PromptFile, "prompts", "", "file of wordings instead of the built-in ones")
	set.StringVar(&e.LabelFile, "labels", "", "file of rules that name interactions, instead of the built-in ones")
	set.StringVar(&e.AppropriateFile, "appropriate", "", "file of families that are appropriate for the gold of their case (CSV or JSON lines: item, family)")
}

// specification is what the flags say, with defaults and checked.
func (f *evidenceFlags) specification() (spec.Specification, error) {
	s, err := f.commonFlags.specification()
	if err != nil {
		return s, err
	}
	e := f.e
	e.Order = int(f.order)
	s.Evidence = &e
	s = s.WithDefaults()
	return s, usage(s.Check())
}

// buildEvidence makes the evidence audit.
func buildEvidence(s spec.Specification, items run.Items, can map[string]percuss.Capabilities, kept string, with reading) (*evidence.Audit, map[string]string, error) {
	e := s.Evidence
	prompts, err := fromFile(kept, promptCopy, e.PromptFile, prompt.DefaultCases, prompt.LoadCases)
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(prompts.Wordings(), e.Wording) {
		return nil, nil, usage(fmt.Errorf("--wording %q: there are %s", e.Wording, strings.Join(prompts.Wordings(), ", ")))
	}
	labels, err := loadLabels(kept, e.LabelFile, with.labels)
	if err != nil {
		return nil, nil, err
	}
	o := evidence.Options{Seed: s.Seed, Units: e.Units, Sentences: e.Sentences, Selector: evidence.Selector(e.Selector), Narrative: evidence.Selector(e.Narrative),
		Thresholds: evidence.Thresholds{Low: e.Low, Specific: e.Specific}, MaxOrder: e.Order, CheckOrder: e.CheckOrder, Wording: e.Wording,
		Hide: evidence.Hide(e.Hide), EvidenceFirst: e.EvidenceFirst, FileOrder: e.FileOrder, Debias: evidence.Debias(e.Debias), Samples: e.Samples,
		Checks: evidence.Checks(e.Checks), Families: e.Families, Labels: labels, Prompts: prompts, Can: can, Salient: with.salience, Judgements: with.judged.Judgements,
		Rank: map[string]int{}, Drawn: map[string]int{}, Bootstrap: with.bootstrap}
	prints := map[string]string{"prompts": prompts.Fingerprint, "labels": labels.Fingerprint, "trials": evidence.Version}
	if e.AppropriateFile != "" {
		path := copyOf(kept, appropriateCopy+filepath.Ext(e.AppropriateFile), e.AppropriateFile)
		if o.Appropriate, prints["appropriate"], err = review.ReadAppropriate(path); err != nil {
			return nil, nil, usage(err)
		}
	}
	if err := checkFamilies(o.Appropriate, items.Cases); err != nil {
		return nil, nil, usage(fmt.Errorf("%s: %w", e.AppropriateFile, err))
	}
	for _, c := range items.Cases {
		o.Rank[c.ID] = o.Drawn[c.Set]
		o.Drawn[c.Set]++
	}
	return evidence.New(o), prints, nil
}

// checkFamilies refuses families that their case does not have. Cases that were not drawn may be named.
func checkFamilies(appropriate map[string]bool, cases []percuss.Case) error {
	known := map[string]map[string]bool{}
	for _, c := range cases {
		known[c.ID] = map[string]bool{}
		for _, u := range c.Units {
			known[c.ID][cmp.Or(u.Family, u.ID)] = true
		}
		if c.Complaint != nil {
			known[c.ID][cmp.Or(c.Complaint.Family, c.Complaint.ID)] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(appropriate)) {
		item, family, _ := strings.Cut(key, "\t")
		if families, drawn := known[item]; drawn && !families[family] {
			return fmt.Errorf("case %s has no family %q: it has %s", item, family, strings.Join(slices.Sorted(maps.Keys(families)), ", "))
		}
	}
	return nil
}
