package cli

import (
	"context"
	"strings"

	"github.com/percuss/percuss/chain"
)

// mostLedgers is how many subjects are looked at for the versions of edits. A run goes on only with the battery that it was
// begun with, and a ledger names the edits that did not fire too; but one that stopped early has not all of them.
const mostLedgers = 64

// Versions are the versions of a chain audit's edits and controls, by their ids, as its ledger has them: those of the binary
// that asked, not of this one.
func (v *viewed) Versions(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if v.o.manifest.Spec.Chain == nil {
		return out, nil
	}
	for _, s := range v.subjects[:min(len(v.subjects), mostLedgers)] {
		rows, err := v.o.answers.Ledger(ctx, s.SubjectID)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Version != "" && r.Trial != chain.BaseTrial && !strings.Contains(r.Trial, "/") {
				out[r.Trial] = r.Version
			}
		}
	}
	return out, nil
}
