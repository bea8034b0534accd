package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) reviewCommand() *cobra.Command {
	c := &cobra.Command{Use: "review", Short: "Blinded review by clinicians: samples, and what they said",
		Long: `Blinded review of a run by clinicians, who see neither models nor labels.

create draws a sample: a package for raters, and a key to it. serve lets raters answer in a browser; offline writes a file for
each rater who has no server. export writes sheets to fill in, tasks for other programs, or the answers; import takes answers
in. adjudicate makes a second round of what raters disagree on. unseal opens the key and joins what they said with the run,
whose report then shows it. results tells what they said and how far they agree; power, how many items and raters a review
takes.`}
	c.AddCommand(a.reviewCreateCommand(), a.reviewServeCommand(), a.reviewOfflineCommand(), a.reviewImportCommand(), a.reviewExportCommand(),
		a.reviewAdjudicateCommand(), a.reviewUnsealCommand(), a.reviewResultsCommand(), a.reviewPowerCommand())
	return c
}
