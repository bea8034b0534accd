// Package cli holds the commands. It is the only package that knows every adapter.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
)

// Version is the version of this binary.
const Version = "0.1.0"

// Exit statuses.
const (
	exitDone        = 0
	exitFailure     = 1
	exitUsage       = 2
	exitGate        = 3
	exitInterrupted = 130
)

const exitHelp = `Exit status: 0 done; 1 failure (also more than 3 % of trials failed, or no reply is of use); 2 usage or bad input;
3 a gate or check failed; 130 interrupted (the same command goes on).`

// usageError is a user's mistake: exit status 2.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

// usage marks an error as a user's mistake.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// checkError is a failed check: exit status 3.
type checkError struct{ err error }

func (c checkError) Error() string { return c.err.Error() }

// unkept is an interruption after which the same command begins again.
type unkept struct{ error }

// unfinished is what ended a run that the same command goes on with.
type unfinished struct{ error }

func (u unfinished) Unwrap() error { return u.error }

// unreported is what ended a run before its report was made.
type unreported struct {
	error
	dir string // the run's folder
}

func (u unreported) Unwrap() error { return u.error }

// tellUnreported says, of a run that ended before its report, how one is made of what was answered.
func (a *app) tellUnreported(err error) {
	if u := new(unreported); errors.As(err, u) {
		told(a.err, "", "No report was made: `percuss report %s` makes one of what was answered so far.", quoted(report.Visible(u.dir)))
	}
}

// app is one process: its streams, environment and arguments.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	args     []string
	holds    atomic.Pointer[string] // the folder of the run that the process has locked
}

// Main runs a command line and returns the exit status.
func Main(args []string, in io.Reader, out, errs io.Writer, env func(string) string) int {
	said := messagesTo(errs, env)
	a := &app{in: in, out: out, err: said, env: env, args: args}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	again, ended := make(chan os.Signal, 1), make(chan struct{})
	defer close(ended)
	silent := context.AfterFunc(ctx, func() {
		signal.Notify(again, os.Interrupt, syscall.SIGTERM)
		stop()
		go a.dropAt(again, ended)
		fmt.Fprintln(said, "\nFinishing what is in flight; Ctrl-C again drops it."+afterwards(args))
	})
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(said)
	err := root.ExecuteContext(ctx)
	interrupted := ctx.Err() != nil
	silent()
	stop()
	signal.Stop(again)
	return a.status(interrupted, err)
}

// dropAt ends the process at a second Ctrl-C, with the status of the first: a process that a signal ends has none. A run that
// has not begun leaves no folder.
func (a *app) dropAt(again <-chan os.Signal, ended <-chan struct{}) {
	select {
	case <-again:
		if dir := a.holds.Load(); dir != nil {
			takeAway(*dir)
		}
		os.Exit(exitInterrupted)
	case <-ended:
	}
}

// afterwards says of a command that asks models how it goes on: a second Ctrl-C leaves no time to.
func afterwards(args []string) string {
	if len(args) > 0 && (slices.Contains([]string{"chain", "evidence", "steps", "run"}, args[0])) {
		return " The same command goes on."
	}
	return ""
}

// status prints an error, and how to go on where something is left to do, and turns the error into the exit status.
func (a *app) status(interrupted bool, err error) int {
	if err == nil {
		return exitDone
	}
	end, command := a.again()
	if interrupted {
		if errors.As(err, new(unkept)) {
			fmt.Fprintln(a.err, "Interrupted.")
		} else {
			a.tellUnreported(err)
			told(a.err, "", "Interrupted. What was answered is kept; the same command goes on from there%s", end)
			fmt.Fprint(a.err, command)
		}
		return exitInterrupted
	}
	a.complain(err)
	if errors.As(err, new(unfinished)) {
		a.tellUnreported(err)
		told(a.err, "", "What was answered is kept; once that is mended, the same command goes on%s", end)
		fmt.Fprint(a.err, command)
	}
	switch {
	case errors.As(err, new(checkError)):
		return exitGate
	case errors.As(err, new(usageError)):
		return exitUsage
	}
	return exitFailure
}

// complain prints an error. On a terminal it is folded; in a log it keeps its line, by which it is found.
func (a *app) complain(err error) {
	if said := "percuss: " + err.Error(); messagesTo(a.err, a.env).on.Terminal {
		toldAll(a.err, "  ", said)
	} else {
		fmt.Fprintln(a.err, said)
	}
}

// again is the command of this process, in a line of its own to be pasted into a shell, and how the sentence before it ends.
// It holds no secret: keys come from the environment.
func (a *app) again() (end, command string) {
	if len(a.args) == 0 {
		return ".", ""
	}
	words := []string{"percuss"}
	for _, s := range a.args {
		words = append(words, quoted(s))
	}
	return ":", "  " + report.Visible(strings.Join(words, " ")) + "\n"
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@+%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !bare(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "percuss",
		Short:         "Audits whether a medical language model uses the evidence it is given",
		Long:          "Percuss edits questions and chains of thought, hides and shows findings, and watches what moves.\n\n" + exitHelp,
		Version:       Version,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w: see %s --help", err, c.CommandPath()))
	})
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprintf("FlagUsagesWrapped %d", screen.Columns)))
	root.AddCommand(a.chainCommand(), a.evidenceCommand(), a.stepsCommand(), a.reviewCommand(), a.runCommand(), a.planCommand(), a.probeCommand(), a.dataCommand(), a.reportCommand(), a.checkCommand(), a.showCommand(), a.defineCommand(), a.viewCommand(), a.compareCommand(), a.modelCommand(), a.engineCommand(), a.benchCommand(), a.storeCommand())
	wrapUsage(root)
	completed(root, completable())
	root.SetHelpFunc(foldedHelp(root.HelpFunc()))
	return root
}
