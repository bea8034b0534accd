package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/screen"
)

// wrapUsage makes wrong arguments a user's mistake in every command, an unknown verb, and a flag that would change nothing. It
// parts what explains the command anew.
func wrapUsage(c *cobra.Command) {
	c.Long = reflowed(c.Long)
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usage(misnumbered(c, args, err))
			}
			return unused(c.Flags(), args)
		}
	} else if c.HasSubCommands() {
		c.Args = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(unknown(c, args[0]))
			}
			return nil
		}
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		c.SuggestionsMinimumDistance = nearVerb
	}
	for _, sub := range c.Commands() {
		wrapUsage(sub)
	}
}

// unknown says that a command has no such verb, and which of its verbs are spelt nearly so.
func unknown(c *cobra.Command, verb string) error {
	near := c.SuggestionsFor(verb)
	for i, name := range near {
		near[i] = c.CommandPath() + " " + name
	}
	if len(near) == 0 {
		return fmt.Errorf("there is no command %q: see %s --help", verb, c.CommandPath())
	}
	return fmt.Errorf("there is no command %q; did you mean %s? See %s --help", verb, strings.Join(near, " or "), c.CommandPath())
}

// nearVerb is how many letters may be wrong, missing or too many in a verb that is suggested.
const nearVerb = 2

// misnumbered says what a command takes where it was given too many names or too few. What a command says by itself stays.
func misnumbered(c *cobra.Command, args []string, err error) error {
	switch said := err.Error(); {
	case strings.HasPrefix(said, "accepts "):
		return fmt.Errorf("%w: write %s", err, strings.TrimSuffix(c.UseLine(), " [flags]"))
	case strings.HasPrefix(said, "unknown command ") && len(args) > 0:
		return fmt.Errorf("%s takes no name beside its flags, got %q: see %s --help", c.CommandPath(), args[0], c.CommandPath())
	}
	return err
}

// foldedHelp makes the help of a command fit a terminal.
func foldedHelp(help func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(c *cobra.Command, args []string) {
		out := c.OutOrStdout()
		var b strings.Builder
		c.SetOut(&b)
		help(c, args)
		c.SetOut(out)
		io.WriteString(out, strings.Join(fitted(strings.Split(b.String(), "\n")), "\n"))
	}
}

// reflowed parts the paragraphs of an explanation anew. Lines that are indented, those of a list or of a file, stay.
func reflowed(s string) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, strings.Join(paragraph, " "))
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		out = append(out, line)
	}
	end()
	return strings.Join(out, "\n")
}

// copied reports whether an indented line is a command, or one of a file: an entry of a list, a remark or a line with one.
func copied(words string) bool {
	return strings.HasPrefix(words, "percuss ") || strings.HasPrefix(words, "- {") || strings.HasPrefix(words, "# ") || strings.Contains(words, " # ")
}

// fitted folds the lines of a help that are too long, under their second column where they have one. Commands and the lines
// that go on with them stay whole to be copied, and so do lines of a file.
func fitted(lines []string) []string {
	var out []string
	for i, line := range lines {
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)]
		goesOn := i > 0 && strings.HasSuffix(lines[i-1], `\`)
		if screen.Width(line) <= screen.Columns || goesOn || indent != "" && copied(words) {
			out = append(out, line)
			continue
		}
		hang := ""
		if first, rest, ok := strings.Cut(words, "  "); ok && indent != "" {
			hang = strings.Repeat(" ", len(first)+2+len(rest)-len(strings.TrimLeft(rest, " ")))
		}
		out = append(out, screen.FoldWhole(words, indent, hang, screen.Columns)...)
	}
	return out
}
