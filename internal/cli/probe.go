package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/probe"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

func (a *app) probeCommand() *cobra.Command {
	var arg string
	var long int
	var asJSON bool
	var on machine
	c := &cobra.Command{
		Use:   "probe -m MODEL",
		Short: "Can this back-end be audited? Letters, log-probabilities, continuation, limits",
		Long: `Finds out by about twenty small calls what a back-end really does, and prints the evidence for each finding. Two of
the built-in questions are put to it; no data are needed.

MODEL is BACKEND:NAME[?option=value][@URL], for instance openai:NAME@http://host:8000/v1 or anthropic:NAME. The key of
a server is read from OPENAI_API_KEY (of Anthropic's from ANTHROPIC_API_KEY), or from the variable named by ?key_env=NAME.

Exit status 3 when the model cannot be audited at all.
` + exitHelp,
		Example: "  percuss probe -m openai:my-model@http://localhost:8000/v1\n  percuss probe -m llama:smollm2-135m --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if arg == "" {
				return usage(errors.New("no model: give -m BACKEND:NAME, e.g. -m openai:my-model@http://localhost:8000/v1"))
			}
			if long != 0 && long < leastLong {
				return usage(fmt.Errorf("--long %d: at least %d words", long, leastLong))
			}
			if err := on.unused([]spec.Model{{Model: arg}}); err != nil {
				return err
			}
			return a.probe(c.Context(), arg, long, asJSON, on)
		},
	}
	c.Flags().StringVarP(&arg, "model", "m", "", "model to probe")
	c.Flags().IntVar(&long, "long", 0, "words of the longest prompt that is tried (default 2000)")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	on.bind(c.Flags())
	return c
}

// leastLong is the shortest longest prompt that says anything.
const leastLong = 80

// probe probes one model and prints what was found.
func (a *app) probe(ctx context.Context, arg string, long int, asJSON bool, on machine) (err error) {
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		return err
	}
	m, err := a.openModel(ctx, spec.Model{Model: arg}, run.Items{Questions: questions}, on)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	o, err := probeOptions(questions)
	if err != nil {
		return err
	}
	o.Long = long
	if !asJSON {
		can := m.Capabilities()
		fmt.Fprintf(a.out, "%s\n%s\n\n", can.Identity, can.Engine)
		o.Found = func(f probe.Finding) {
			fmt.Fprintf(a.out, "%-59s %s\n", f.Asks, f.Verdict)
			told(a.out, "", "    %s", f.Evidence)
		}
	}
	r, err := probe.Run(ctx, m, o)
	if asJSON {
		if err := json.NewEncoder(a.out).Encode(r); err != nil {
			return err
		}
	} else {
		writeProbe(a.out, r)
	}
	if model.IsFatal(err) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	if f, _ := r.Of(probe.Text); f.Verdict != probe.Yes {
		return checkError{errors.New("this model cannot be audited as it is: it gave no text")}
	}
	return nil
}

// probeOptions puts two built-in questions as the audit would.
func probeOptions(questions []percuss.Question) (probe.Options, error) {
	p := prompt.Default()
	first, err := p.Chat(questions[0], "neutral", "", false)
	if err != nil {
		return probe.Options{}, err
	}
	second, err := p.Chat(questions[1], "neutral", "", false)
	if err != nil {
		return probe.Options{}, err
	}
	return probe.Options{Chat: first, Other: second, Cue: p.Close(""), Letters: questions[0].Labels()}, nil
}

// writeProbe prints what follows from the findings.
func writeProbe(w io.Writer, r probe.Report) {
	text := verdict(r, probe.Text)
	letters := verdict(r, probe.Letters)
	for _, needed := range []probe.Verdict{text, verdict(r, probe.Real)} {
		if letters == probe.Yes && needed != probe.Yes {
			letters = needed
		}
	}
	continued := verdict(r, probe.Continues)
	if continued == probe.Unclear && text == probe.Yes && r.Can.Continue {
		continued = "yes, by its own word" // a reply that cannot be cut in two shows nothing
	}
	switch continued {
	case probe.No:
		continued += ": they are quoted in a user turn, which is recorded with each trial"
		letters = probe.No
	case probe.Unclear:
		letters = probe.Unclear
	}
	fmt.Fprintf(w, "\n%d calls, %d prompt tokens, %d generated\n\n", r.Calls, r.Usage.Prompt, r.Usage.Output)
	for _, line := range []struct {
		what string
		is   probe.Verdict
	}{{"chain audit, answers from the text", text}, {"chain audit, answers from the letters", letters}, {"edited chains are continued in their own turn", continued}} {
		is := line.is
		if is == probe.Unclear || is == probe.NotAsked {
			is = "not shown"
		}
		folded(w, "  ", "%-45s %s", line.what, is)
	}
	for _, c := range []struct{ check, but string }{
		{probe.Repeats, "the same request gave two texts, so some flips of an answer will be chance"},
		{probe.Company, "other requests change a text, so some flips of an answer will be chance"},
		{probe.LongCut, "long prompts are cut, or the server's count of tokens is wrong: compare with its window"},
		{probe.Real, "whether the log-probabilities are real was not shown"},
	} {
		if f, ok := r.Of(c.check); ok && (f.Verdict == probe.No || f.Verdict == probe.Unclear && c.check == probe.Real) {
			folded(w, "  ", "  but: %s", c.but)
		}
	}
}

// verdict is the outcome of a check; not asked when the probe did not come to it.
func verdict(r probe.Report, check string) probe.Verdict {
	if f, ok := r.Of(check); ok {
		return f.Verdict
	}
	return probe.NotAsked
}

// confirm checks by a few small calls what a server only claims, and returns what it can really do. It is asked
// before a run begins, and only what the audit needs.
func (a *app) confirm(ctx context.Context, id string, m model.Model, items run.Items, s spec.Specification) (percuss.Capabilities, error) {
	can := m.Capabilities()
	if items.Len() == 0 {
		return can, nil
	}
	others, _, err := dataset.Collect(demo.New())
	if err != nil {
		return can, err
	}
	// Cases are asked for letters after a prompt of their own; whether the server gives them, any question tells.
	first, other := others[1], others[0]
	if len(items.Questions) > 0 {
		if first = items.Questions[0]; other.ID == first.ID {
			other = others[1]
		}
	}
	o, err := probeOptions([]percuss.Question{first, other})
	if err != nil {
		return can, err
	}
	o.Quick, o.TextOnly = true, s.Steps != nil || s.Chain != nil && s.Chain.Answer == "text"
	if o.Letters = slices.DeleteFunc(o.Letters, func(l string) bool { return len(l) > 1 }); len(o.Letters) < 2 {
		return can, nil
	}
	r, err := probe.Run(ctx, m, o)
	if err != nil {
		return can, err
	}
	var lost []string
	for _, c := range []struct {
		check string
		was   bool
		is    bool
	}{{probe.Text, can.Text, r.Can.Text}, {probe.Continues, can.Continue, r.Can.Continue}, {probe.Letters, can.Letters, r.Can.Letters}} {
		if c.was && !c.is && (s.Steps == nil || c.check == probe.Text) { // a step audit asks for whole texts alone
			f, _ := r.Of(c.check)
			if real, ok := r.Of(probe.Real); c.check == probe.Letters && f.Verdict == probe.Yes && ok {
				f = real
			}
			lost = append(lost, fmt.Sprintf("%s: %s", f.Asks, f.Evidence))
		}
	}
	if f, ok := r.Of(probe.Letters); ok && f.Verdict == probe.Unclear && r.Can.Letters {
		told(a.err, "  ", "%s was probed, but whether it gives log-probabilities of letters was not shown: %s", id, f.Evidence)
	}
	if len(lost) > 0 {
		told(a.err, "  ", "%s was probed with %d small calls, and falls short of what its server promises:", id, r.Calls)
		for _, what := range lost {
			told(a.err, "  ", "  %s", what)
		}
	}
	return r.Can, nil
}
