package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/sqlite"
)

func (a *app) storeCommand() *cobra.Command {
	c := &cobra.Command{Use: "store", Short: "The answers of a run"}
	var asJSON bool
	verify := &cobra.Command{
		Use: "verify DIR", Short: "Read a run, every answer of it, and check its keys; exit status 3 when something is wrong", Args: cobra.ExactArgs(1),
		Long: `Reads every answer, and checks that each key is that of its request and that the file is whole; reads run.json and
subjects.jsonl, and checks that they can be read and that every drawn item is there. Neither files nor answers carry a
signature: whoever can write them can change them, and this does not show it. What is in report and derived is computed
from these and not read.`,
		Example: "  percuss store verify runs/demo",
		RunE:    func(c *cobra.Command, args []string) error { return a.verify(c.Context(), args[0], asJSON) },
	}
	verify.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.AddCommand(verify, a.storeDiffCommand(), a.storeExportCommand())
	return c
}

// verify reads the files that a run cannot do without, and prints what is wrong with them.
func (a *app) verify(ctx context.Context, dir string, asJSON bool) error {
	s, err := openStore(ctx, dir)
	if err != nil {
		return err
	}
	defer s.Close()
	wrong, err := s.Verify(ctx)
	if err != nil {
		return err
	}
	n, err := s.Count(ctx)
	if err != nil {
		return err
	}
	items, bad := countDrawn(dir)
	findings := make([]string, 0, len(wrong)+1)
	if bad != nil {
		findings = append(findings, bad.Error())
	}
	for _, w := range wrong {
		findings = append(findings, w.Error())
	}
	if asJSON {
		if err := json.NewEncoder(a.out).Encode(map[string]any{"answers": n, "items": items, "findings": findings}); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			fmt.Fprintln(a.out, f)
		}
	}
	if len(findings) > 0 {
		return checkError{fmt.Errorf("%s: %s in %s", dir, report.Plural(len(findings), "finding"), report.Plural(n, "answer"))}
	}
	if !asJSON {
		fmt.Fprintf(a.out, "%s, every key matches its request; %s, as many as were drawn\n", report.Plural(n, "answer"), report.Plural(items, "item"))
	}
	return nil
}

// countDrawn counts the items of a run; the error says why the run cannot be read, or that some are missing.
func countDrawn(dir string) (int, error) {
	m, err := run.ReadManifest(dir)
	if err != nil {
		return 0, err
	}
	items, err := run.ReadItems(dir, m)
	if err != nil {
		return 0, err
	}
	drawn := 0
	for _, d := range m.Data {
		drawn += d.Drawn
	}
	if n := items.Len(); n != drawn {
		return n, fmt.Errorf("%s holds %d of the %d items that were drawn: restore it from a copy, or begin a new run in another folder (-o)",
			filepath.Join(dir, run.SubjectsFile), n, drawn)
	}
	return items.Len(), nil
}

// storeDiffCommand compares the answers of two runs, key by key.
func (a *app) storeDiffCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "diff DIR DIR", Short: "How far two runs' answers to the same requests differ", Args: cobra.ExactArgs(2),
		Long: `Compares the answers of two runs to the same requests: how many texts changed, how far the log-probabilities of the
letters moved. With quantised weights they depend on what else was in the batch, so that an interrupted run need not end
as one that was left alone.`,
		Example: "  percuss store diff runs/whole runs/interrupted",
		RunE: func(c *cobra.Command, args []string) error {
			var stores [2]*sqlite.Reader
			for i, dir := range args {
				s, err := openStore(c.Context(), dir)
				if err != nil {
					return err
				}
				defer s.Close()
				stores[i] = s
			}
			d, err := store.Compare(c.Context(), stores[0], stores[1])
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.out).Encode(d)
			}
			fmt.Fprintf(a.out, "requests answered in both %d, in the first alone %d, in the second alone %d\n", d.Both, d.OnlyFirst, d.OnlySecond)
			fmt.Fprintf(a.out, "texts: %d of %d differ; outcomes: %d differ\n", d.Changed, d.Texts, d.Outcomes)
			return folded(a.out, "  ", "letters: %d answers, another best letter in %d; log-probabilities differ by %s nats on average, %s at most (%d compared)",
				d.Scored, d.OtherBest, d.Mean.Format(4), d.Max.Format(4), d.Letters)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// storeExportCommand writes a run's answers as lines of text.
func (a *app) storeExportCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "export DIR", Short: "Write every answered request of a run as JSON lines", Args: cobra.ExactArgs(1),
		Long: `Writes every answered request with its key and its answer, one JSON object a line, in the order of the keys. The first
line says how many follow and what the models can do, so that the file alone can be audited: -m recorded:FILE.`,
		Example: `  percuss store export runs/demo -o demo.jsonl
  percuss chain -m recorded:demo.jsonl -d demo -n 8 -o runs/again`,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := openStore(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			m, err := run.ReadManifest(args[0])
			if err != nil {
				return usage(err)
			}
			if out == "" || out == "-" {
				_, err := store.Export(c.Context(), a.out, s, m.Capabilities)
				return err
			}
			n := 0
			err = run.WriteFile(out, func(w io.Writer) (err error) {
				n, err = store.Export(c.Context(), w, s, m.Capabilities)
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%d answers written to %s\n", n, out)
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write, whole or not at all (default: standard output)")
	return c
}

// noRun is the error of a folder without a file that every run has.
func noRun(dir, file string) error {
	return fmt.Errorf("%s is no run: it has no %s: name the folder that the run was begun in (-o)", dir, file)
}

// isFile reports whether a path is that of a file, where a folder is meant.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// openStore opens the answers of a run for reading.
func openStore(ctx context.Context, dir string) (*sqlite.Reader, error) {
	path := filepath.Join(dir, run.AnswersFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if fileExists(filepath.Join(dir, run.ManifestFile)) {
			return nil, usage(fmt.Errorf("%s holds no answers yet: the run was begun, but ended before the first one; give the command that made it again", dir))
		}
		return nil, usage(noRun(dir, run.AnswersFile))
	}
	s, err := sqlite.OpenReader(ctx, path)
	return s, usage(err)
}
