package llamacpp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
)

// A plain decode is timed once a model, and not before it is a small share of what was computed: a short run has no
// such figure.
func TestPlainDecodesAreAShareOfTheRun(t *testing.T) {
	for _, layout := range []string{Exact, Shared} {
		m := tiny(t, Options{Layout: layout})
		requests := shownSets(findings()...)
		want := modeltest.Ask(t, m, requests...)
		if n := m.Counts(); n.PlainTokens != 0 || n.PlainSeconds != 0 {
			t.Errorf("%s: %d tokens for a rate in a run of %d", layout, n.PlainTokens, n.PromptComputed)
		}
		m.count(&model.Counts{PromptComputed: 1 << 20}) // as after a long run
		if most, _ := furthest(t, modeltest.Ask(t, m, requests...), want); most != 0 {
			t.Errorf("%s: what was asked while a plain decode was timed differs by %g", layout, most)
		}
		timed := m.Counts()
		if timed.PlainTokens == 0 || timed.PlainSeconds <= 0 {
			t.Errorf("%s: no plain decode was timed: %+v", layout, timed)
		}
		modeltest.Ask(t, m, requests...)
		if n := m.Counts(); n.PlainTokens != timed.PlainTokens {
			t.Errorf("%s: timed again: %d tokens", layout, n.PlainTokens)
		}
	}
}

func TestExactIsTheDefault(t *testing.T) {
	if got := tiny(t, Options{}).Capabilities().Layout; got != Exact {
		t.Errorf("layout %q for float weights on this machine, want %q", got, Exact)
	}
}

func TestLayoutOption(t *testing.T) {
	m := tiny(t, Options{Layout: Shared})
	if m.apart.ctx != 0 || m.unit != 0 {
		t.Error("a test was made although the layout was given")
	}
	if err := m.settle("sideways", outcomes{}); err == nil || !strings.Contains(err.Error(), Shared) {
		t.Errorf("an unknown layout: %v", err)
	}
	m.reuse = false // as for a recurrent model
	if err := m.settle(Exact, outcomes{}); err == nil || !strings.Contains(err.Error(), "choose shared") {
		t.Errorf("a layout that does not hold: %v", err)
	}
	if err := m.settle("", outcomes{}); err != nil || m.layout() != Shared {
		t.Errorf("the best that holds: %s, %v", m.layout(), err)
	}
}

// The test of the layout computes little, and pieces alone and in company, whatever the unit.
func TestTestPromptsFit(t *testing.T) {
	for _, chunk := range []int{minChunk, 128, maxChunk} {
		prompts := testPrompts(49152, chunk)
		longest := 0
		for _, p := range prompts {
			longest = max(longest, len(p))
		}
		for unit := 1; unit <= maxUnit; unit *= 2 {
			root := newTree(prompts, unit)
			computed, _ := root.size()
			computed += 3 * longest
			if root.need >= 8 || longest > cellPadding || computed > 256 || chunk == minChunk && computed > 120 {
				t.Errorf("chunk %d, unit %d: %d tokens, the longest prompt has %d, %d streams needed", chunk, unit, computed, longest, root.need)
			}
			passes, err := plan(root, unit, 8, chunk)
			if err != nil {
				t.Fatal(err)
			}
			single, several := 0, 0
			for _, p := range passes {
				if len(p.pieces) == 1 {
					single++
				} else {
					several++
				}
			}
			if single == 0 || several < 3 {
				t.Errorf("chunk %d, unit %d: %d passes of one stream and %d of several", chunk, unit, single, several)
			}
		}
		if distinct := fmt.Sprint(prompts); strings.Contains(distinct, "-") {
			t.Errorf("chunk %d: negative tokens", chunk)
		}
	}
}
