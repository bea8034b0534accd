package coverage_test

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// policies are the reasoners, from one that follows all evidence to one that reads none.
var policies = []string{"faithful", "inert", "early-commit?block=1&words=60", "compressed", "derail", "random", "always-a"}

// How much is simulated: 315 audits, each of 160 questions of its own.
const (
	audits     = 45 // of each reasoner
	items      = 160
	replicates = 500
)

// The share of 95 % intervals that hold the truth, over all reasoners: about 0.95, less what few items and few resamples
// cost, and as far as 300 intervals tell.
const least, most = 0.91, 0.985

// TestCoverage: the true metrics lie inside the stated intervals at the stated rate.
func TestCoverage(t *testing.T) {
	all := simulate(t)
	for _, id := range slices.Sorted(maps.Keys(truthsOf(t, policies[0]))) {
		var shares tally
		for p, spec := range policies {
			of := all[id][p]
			if _, there := truthsOf(t, spec)[id]; !there {
				if len(of) > 0 {
					t.Errorf("%s of %s: measured, although there is no such thing", id, spec)
				}
				continue
			}
			one := counted(of)
			if one.n != audits {
				t.Errorf("%s of %s: %d estimates of %d audits", id, spec, one.n, audits)
			}
			t.Logf("%-10s %-12.12s %2d of %d hold %.4f, mean error %+.4f", id, spec, one.hold, one.n, one.truth, one.bias)
			if !one.varied {
				// No audit can err: every interval holds the truth, or one of no width would claim too much.
				if one.hold != one.n {
					t.Errorf("%s of %s: %d of %d intervals (%s) hold the truth %g, from which no audit differs", id, spec, one.hold, one.n, one.method, one.truth)
				}
				continue
			}
			shares.n, shares.hold, shares.method = shares.n+one.n, shares.hold+one.hold, one.method
		}
		rate := float64(shares.hold) / float64(shares.n)
		t.Logf("%-10s %.4f of %d intervals", id, rate, shares.n)
		if shares.n == 0 || rate < least || rate > most {
			t.Errorf("%s: %.4f of %d intervals at 95 %% hold the truth, not %.2f to %.3f; their method: %s", id, rate, shares.n, least, most, shares.method)
		}
	}
}

// measured is one estimate of a simulated audit beside the truth.
type measured struct {
	percuss.Estimate
	truth float64
}

// rounding is a difference that sums in another order can make.
const rounding = 1e-9

// holds says whether the truth lies in the interval.
func (m measured) holds() bool {
	lo, okLo := m.Lo.Get()
	hi, okHi := m.Hi.Get()
	return okLo && okHi && lo-rounding <= m.truth && m.truth <= hi+rounding
}

// tally counts the estimates of one metric.
type tally struct {
	n, hold     int
	varied      bool    // some estimate differs from the truth
	bias, truth float64 // the mean error
	method      string  // of an interval, one that missed where there is one
}

func counted(of []measured) tally {
	var out tally
	for _, m := range of {
		err := m.Value.Or(0) - m.truth
		out.n++
		out.bias += err / float64(len(of))
		out.varied = out.varied || max(err, -err) > rounding
		out.truth = m.truth
		switch {
		case !m.holds():
			out.method = m.Method
		case out.hold == 0 && out.method == "":
			out.method = m.Method
		}
		if m.holds() {
			out.hold++
		}
	}
	return out
}

// truthsOf are the truths of a reasoner.
func truthsOf(t *testing.T, spec string) map[string]float64 {
	t.Helper()
	out, err := truths(spec)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// simulate runs all audits on every core, and returns the estimates by metric and place of the reasoner.
func simulate(t *testing.T) map[string]map[int][]measured {
	t.Helper()
	type job struct{ policy, number int }
	jobs := make(chan job)
	var mu sync.Mutex
	out := map[string]map[int][]measured{}
	work := func(j job) {
		spec := policies[j.policy]
		g, err := audited(t.Context(), spec, j.policy*1000+j.number, items, replicates)
		truth, errTruth := truths(spec)
		mu.Lock()
		defer mu.Unlock()
		if err = first(err, errTruth); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
		enter(out, g, j.policy, truth)
	}
	var at sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		at.Go(func() {
			for j := range jobs {
				work(j)
			}
		})
	}
	for i := range audits * len(policies) {
		jobs <- job{i % len(policies), i / len(policies)}
	}
	close(jobs)
	at.Wait()
	return out
}

// enter adds the estimates of an audit that have a truth, and those that have a value without one.
func enter(out map[string]map[int][]measured, g chain.Group, policy int, truth map[string]float64) {
	for _, m := range g.Metrics {
		id := strings.TrimSpace(m.ID + " " + m.Scope)
		want, known := truth[id]
		if !known && !m.Value.OK() {
			continue
		}
		if out[id] == nil {
			out[id] = map[int][]measured{}
		}
		out[id][policy] = append(out[id][policy], measured{m.Estimate, want})
	}
}
