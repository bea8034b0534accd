package evidence

import (
	"strings"

	"github.com/percuss/percuss"
)

const editsPerFamily = 4 // remove, unspecified, flip and administrative

// Later bounds the requests of a subject that come after those of its trials: which families of findings are changed
// depends on the answers of the base setting.
func (a *Audit) Later(s percuss.Subject, trials []percuss.Trial) int {
	if s.Case == nil || len(trials) == 0 || trials[0].Request == nil {
		return 0
	}
	if !a.checksOf(s).counterfactuals {
		return 0
	}
	for _, t := range trials {
		if strings.HasPrefix(t.ID, changePrefix) {
			return 0
		}
	}
	units, err := a.audited(*s.Case, a.base())
	if err != nil {
		return 0
	}
	changes := editsPerFamily * min(len(families(*s.Case, units)), len(strata())*a.o.Families)
	if !a.o.Can[s.Model].Letters {
		changes *= a.o.Samples
	}
	return changes
}

// changePrefix begins the ids of trials that change a family.
const changePrefix = "change/"
