package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) reviewCommand() *cobra.Command {
	c := &cobra.Command{Use: "review", Short: "Blinded review by clinicians: samples, and what they said",
		Long: `Blinded review of a run by clinicians, who see neither models nor labels.

create draws a sample and writes a package for raters and a key to it.`}
	c.AddCommand(a.reviewCreateCommand())
	return c
}
