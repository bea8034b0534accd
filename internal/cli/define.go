package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/steps"
)

func (a *app) defineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "define [WORD...]",
		Short: "What the words and figures of a report mean; without WORD the list of them",
		Long: `Prints what words of a report mean, with range, better direction and source, as its page does at every name. WORD is an
id of the list, a name, or a part of one. Without WORD it lists the words of all audits.`,
		Example: "  percuss define\n  percuss define cdr\n  percuss define salient \"noise floor\"",
		RunE: func(_ *cobra.Command, args []string) error {
			var b bytes.Buffer
			if len(args) == 0 {
				listDefinitions(&b)
			}
			for i, word := range args {
				found := defined(word)
				if len(found) == 0 {
					return usage(fmt.Errorf("no report defines %q: `percuss define` lists the words", report.Visible(word)))
				}
				for j, d := range found {
					if i+j > 0 {
						b.WriteByte('\n')
					}
					d.write(&b)
				}
			}
			_, err := b.WriteTo(a.out)
			return err
		},
	}
}

// definition is a word of one audit's report, or of every audit's.
type definition struct{ audit, id, name, means, span, better, source string }

// allDefinitions are the words of running text, then those of each audit in the order of its report.
func allDefinitions() []definition {
	out := runningWords()
	for _, d := range report.Glossary() {
		out = append(out, definition{"chain", d.ID, d.Name, d.Means, d.Range, d.Better, d.Source})
	}
	for _, d := range cases.Glossary() {
		out = append(out, definition{"evidence", d.ID, d.Name, d.Means, d.Range, d.Better(), d.Source})
	}
	for _, d := range steps.Glossary() {
		out = append(out, definition{"steps", d.ID, d.Name, d.Means, d.Range, d.Better, d.Source})
	}
	return out
}

// defined are the definitions that a word stands for: those with that id or name, in any audit; else those whose id or
// name holds it.
func defined(word string) []definition {
	word = strings.ToLower(strings.TrimSpace(word))
	var exact, part []definition
	for _, d := range allDefinitions() {
		id, name := strings.ToLower(d.id), strings.ToLower(d.name)
		switch {
		case id == word || name == word:
			exact = append(exact, d)
		case word != "" && (strings.Contains(id, word) || strings.Contains(name, word)):
			part = append(part, d)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return part
}

// write prints a definition in lines of at most 80 columns.
func (d definition) write(b *bytes.Buffer) {
	report.Wrap(b, "", fmt.Sprintf("%s (%s; %s audit)", d.name, d.id, d.audit))
	report.Wrap(b, "  ", d.means)
	var facts []string
	if d.span != "" {
		facts = append(facts, "Range: "+d.span+".")
	}
	if d.better == "neither" {
		facts = append(facts, "Neither high nor low is better by itself.")
	} else if d.better != "" {
		facts = append(facts, "Better: "+d.better+".")
	}
	report.Wrap(b, "  ", strings.Join(append(facts, "Source: "+d.source+"."), " "))
}

// listDefinitions prints id and name of every word, an audit after the other.
func listDefinitions(b *bytes.Buffer) {
	all := allDefinitions()
	wide := 0
	for _, d := range all {
		wide = max(wide, len(d.id))
	}
	for _, audit := range []string{everyAudit, "chain", "evidence", "steps"} {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		of := "the " + audit
		if audit == everyAudit {
			of = audit
		}
		fmt.Fprintf(b, "Words of %s audit\n", of)
		for _, d := range slices.DeleteFunc(slices.Clone(all), func(d definition) bool { return d.audit != audit }) {
			fmt.Fprintf(b, "  %s  %s\n", report.Pad(d.id, wide), d.name)
		}
	}
}
