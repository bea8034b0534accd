package simulated_test

import (
	"testing"

	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/step"
)

// On published stems every step is known after the normaliser, too, and as what it was before, and no check without a judge
// flags one that is right.
func TestStepsOnPublishedStems(t *testing.T) {
	world := published(t)
	style := step.DefaultStyle()
	flagged := 0
	for _, spec := range []string{"stepwise?error=0&steps=8&no_claim=0", "stepwise?error=1&steps=8&no_claim=0&style=markdown", "stepwise?error=0.5&steps=8&style=chatty"} {
		m := reasoner(t, world, spec)
		for i := 0; i < len(world); i += 30 {
			q := world[i]
			a := modeltest.Ask(t, m, ask(t, m, q, ""))[0]
			chain := clinical.ReadReply(a, "", q).Chain()
			spans := step.Segment(chain, step.Markers)
			if len(spans) != 8 {
				t.Errorf("%s: %d steps of %q", q.ID, len(spans), chain)
			}
			for _, span := range spans {
				written := span.In(chain)
				plain := style.Normalise(written)
				was, known := simulated.StepLabel(q.Stem, written)
				is, _ := simulated.StepLabel(q.Stem, plain)
				if !known || plain != "" && is != was {
					t.Errorf("%s: %q is %q, and %q is %q", q.ID, written, was, plain, is)
				}
				if spec == "stepwise?error=0&steps=8&no_claim=0" && was != "correct" || spec[:17] == "stepwise?error=1&" && was == "correct" {
					t.Errorf("%s, %s: %q is %s", q.ID, spec, written, was)
				}
				sum, _, contradiction := step.Check(q, nil, written).Flags()
				if sum && was != "arithmetic" || contradiction && was != "contradicts_case" {
					t.Errorf("%s: %q, which is %s, is flagged %+v", q.ID, written, was, step.Check(q, nil, written))
				}
				if sum || contradiction {
					flagged++
				}
			}
		}
	}
	if flagged < 100 {
		t.Errorf("%d planted calculations and contradictions are flagged", flagged)
	}
}
