package cli

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/spec"
)

// oneSource refuses a run in which an audited model and a judge are one model, and one of them only has recorded answers:
// a request names the model that it is for, not where its answers come from, so the export would be asked for verdicts that
// it has not got.
func oneSource(s spec.Specification, can map[string]percuss.Capabilities) error {
	for _, m := range s.Subjects() {
		for _, j := range s.Helpers() {
			if can[m.ID].Identity != can[j.ID].Identity || recordedModel(m) == recordedModel(j) {
				continue
			}
			frozen, live := m, j
			if recordedModel(j) {
				frozen, live = j, m
			}
			return usage(fmt.Errorf("models %s and %s are the same model (%s), one of recorded answers and one that is asked: give both as %s, or another model as %s",
				frozen.ID, live.ID, can[m.ID].Identity, live.Model, j.Role))
		}
	}
	return nil
}

// recordedModel reports whether a model's answers were written earlier.
func recordedModel(m spec.Model) bool {
	arg, err := spec.ParseModel(m.Model)
	return err == nil && arg.Backend == "recorded"
}
