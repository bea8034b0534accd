package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store/sqlite"
)

func (a *app) storeCommand() *cobra.Command {
	c := &cobra.Command{Use: "store", Short: "The answers of a run"}
	var asJSON bool
	verify := &cobra.Command{
		Use: "verify DIR", Short: "Read every answer and check its key; exit status 3 when something is wrong", Args: cobra.ExactArgs(1),
		Example: "  percuss store verify runs/demo",
		RunE: func(c *cobra.Command, args []string) error {
			path := filepath.Join(args[0], run.AnswersFile)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				return usage(fmt.Errorf("%s is no run: it has no %s", args[0], run.AnswersFile))
			}
			s, err := sqlite.OpenReader(c.Context(), path)
			if err != nil {
				return usage(err)
			}
			defer s.Close()
			wrong, err := s.Verify(c.Context())
			if err != nil {
				return err
			}
			n, err := s.Count(c.Context())
			if err != nil {
				return err
			}
			findings := make([]string, len(wrong))
			for i, w := range wrong {
				findings[i] = w.Error()
			}
			if asJSON {
				if err := json.NewEncoder(a.out).Encode(map[string]any{"answers": n, "findings": findings}); err != nil {
					return err
				}
			} else {
				for _, f := range findings {
					fmt.Fprintln(a.out, f)
				}
			}
			if len(wrong) > 0 {
				return checkError{fmt.Errorf("%s: %d findings in %d answers", path, len(wrong), n)}
			}
			if !asJSON {
				fmt.Fprintf(a.out, "%d answers, every key matches its request\n", n)
			}
			return nil
		},
	}
	verify.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.AddCommand(verify)
	return c
}
