package cli

import (
	"github.com/spf13/cobra"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

// completable are the flags whose values a shell completes, wherever a command has one of that name.
func completable() map[string]cobra.CompletionFunc {
	fixed := func(names ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	}
	out := map[string]cobra.CompletionFunc{
		"data":     completeSets,
		"answer":   fixed(texts([]chain.AnswerMode{chain.Text, chain.Letters, chain.TextLetters})...),
		"stem":     fixed(texts([]chain.StemMode{chain.StemQuestion, chain.StemContexts})...),
		"tier":     fixed(spec.Tiers()...),
		"views":    fixed(step.ViewNames()...),
		"controls": fixed("sham", "sham-chain", "format", "shuffle", "none"),
		"battery":  fixed("paper", "families", "api", "extended"),
		"device":   fixed("cpu", "cuda", "vulkan", "metal", "auto"),
		"prompt": func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return prompt.Default().Conditions(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	for _, flag := range []string{"model", "before", "after", "teacher", "judge", "paraphraser"} {
		out[flag] = completeModels
	}
	return out
}

// completeModels completes the kinds of back-ends, and the models that can be named without a path or an address.
func completeModels(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	models := []string{"openai:", "anthropic:", "recorded:", "sim:faithful", "sim:inert", "llama:"}
	for _, m := range supply.Catalogue() {
		models = append(models, "llama:"+m.Name)
	}
	return models, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// completeSets completes the names of sets; custom and log go on with a file.
func completeSets(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	for _, s := range dataSets() {
		if c.Name() == "evidence" && s.cases == nil || (c.Name() == "chain" || c.Name() == "steps") && s.open == nil {
			continue
		}
		name := s.name
		if ownFile(name) {
			name += ":"
		}
		names = append(names, name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// completed gives a command, and those below it, the completions of their flags, and those of a command that takes a set, a
// model of the catalogue or a word of a report.
func completed(c *cobra.Command, of map[string]cobra.CompletionFunc) {
	for flag, complete := range of {
		if f := c.LocalFlags().Lookup(flag); f == nil || f.Value.Type() == "bool" || c.Name() == "show" {
			continue // show: what its run has
		}
		if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic("cli: " + err.Error()) // only of a flag that there is not
		}
	}
	switch c.CommandPath() {
	case "percuss data check":
		c.ValidArgsFunction = completeSets
	case "percuss model pull":
		c.ValidArgsFunction = completePulled
	case "percuss define":
		c.ValidArgsFunction = completeWords
	}
	for _, sub := range c.Commands() {
		completed(sub, of)
	}
}

func completePulled(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	for _, m := range supply.Catalogue() {
		names = append(names, m.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeWords(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []string
	seen := map[string]bool{} // a word may be of several audits
	for _, d := range allDefinitions() {
		if !seen[d.id] {
			seen[d.id] = true
			words = append(words, cobra.CompletionWithDesc(d.id, d.name))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
