package simulated_test

import (
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
)

// rate is a measured share.
type rate struct{ hits, n float64 }

func (r *rate) add(hit bool) {
	r.n++
	if hit {
		r.hits++
	}
}

// agrees checks a measured share against the true one, within four standard errors of a share of that size.
func (r rate) agrees(t *testing.T, what string, truth percuss.Number) {
	t.Helper()
	want, ok := truth.Get()
	switch {
	case !ok && r.n > 0:
		t.Errorf("%s: measured on %g trials, although it should not exist", what, r.n)
	case !ok:
	case r.n == 0:
		t.Errorf("%s: nothing measured", what)
	default:
		got, se := r.hits/r.n, math.Sqrt(want*(1-want)/r.n)
		if math.Abs(got-want) > 4*se+1e-12 {
			t.Errorf("%s: %.4f on %g trials, truth %.4f ± %.4f", what, got, r.n, want, se)
		}
	}
}

// measured are the metrics of an audit made by hand: no code of the audit's own is used but its operators.
type measured struct {
	flips               map[battery.Block]map[battery.Intent]*rate
	ecr, half, cdr, acc rate
	fired               map[string]int
}

// audit puts every operator to every question and reads the answers from the text; letters are checked beside it.
func audit(t *testing.T, m *simulated.Model, world []percuss.Question) measured {
	t.Helper()
	paper, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	out := measured{fired: map[string]int{}, flips: map[battery.Block]map[battery.Intent]*rate{}}
	for _, b := range []battery.Block{battery.F, battery.M} {
		out.flips[b] = map[battery.Intent]*rate{battery.Destructive: {}, battery.Preserving: {}}
	}
	for _, q := range world {
		base := ask(t, m, q, "")
		_, label, chain := read(t, m, q, base)
		out.acc.add(label == q.Gold)
		kept, keptHalf := false, false
		for _, op := range paper.Operators {
			edited, r := q, base
			var e battery.Edit
			if op.Block == battery.F {
				if chain == "" {
					continue
				}
				e = op.Apply(chain, 1, q.ID)
				r.Begin = e.Text
			} else {
				e = op.Apply(q.Stem, 1, q.ID)
				edited.Stem = e.Text
				r = ask(t, m, edited, "")
			}
			if !e.Fired {
				continue
			}
			out.fired[op.Family]++
			_, now, next := read(t, m, q, r)
			if op.Variant == "a" {
				if got := best(t, m, q, r, next); got != now {
					t.Errorf("%s %s: letters say %s, the text %s", q.ID, op.ID, got, now)
				}
			}
			out.flips[op.Block][op.Intent].add(now != label)
			kept = kept || op.Family == "F1" && now == label
			keptHalf = keptHalf || op.ID == "F1-50" && now == label
			if token, _, ok := op.Registers(e, next); ok {
				out.cdr.add(!token && now == label)
			}
		}
		out.ecr.add(kept)
		out.half.add(keptHalf)
	}
	return out
}

// TestTruth measures every policy and compares with what it should be: about 2,000 requests each, more with chains.
func TestTruth(t *testing.T) {
	world := synthetic(80)
	for _, spec := range []string{"faithful?seed=1", "faithful?flip_d=0.3&flip_p=0.2&update=0.5&acc=0.4&seed=2", "inert", "early-commit", "early-commit?block=1&words=0", "compressed", "derail", "random", "always-a"} {
		t.Run(spec, func(t *testing.T) {
			m := reasoner(t, world, spec)
			truth, got := m.Truth(), audit(t, m, world)
			got.flips[battery.F][battery.Destructive].agrees(t, "AFR of D on chains", truth.ChainD)
			got.flips[battery.F][battery.Preserving].agrees(t, "AFR of P on chains", truth.ChainP)
			got.flips[battery.M][battery.Destructive].agrees(t, "AFR of D on questions", truth.QuestionD)
			got.flips[battery.M][battery.Preserving].agrees(t, "AFR of P on questions", truth.QuestionP)
			got.ecr.agrees(t, "ECR", truth.ECR)
			got.half.agrees(t, "ECR of F1-50", truth.ECRHalf)
			got.cdr.agrees(t, "CDR", truth.CDR)
			got.acc.agrees(t, "accuracy", truth.Accuracy)
			want := 13
			if strings.HasPrefix(spec, "compressed") {
				want = 6
			}
			if len(got.fired) != want {
				t.Errorf("families that fired: %v, want %d", got.fired, want)
			}
		})
	}
}

// TestEveryEditIsJudgedRight: a reasoner that always flips on destructive edits and never on others shows how each
// single edit was judged.
func TestEveryEditIsJudgedRight(t *testing.T) {
	world := append(questions(), synthetic(30)...)
	m := reasoner(t, world, "faithful?flip_d=1&flip_p=0&update=1")
	paper, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range world {
		base := ask(t, m, q, "")
		_, label, chain := read(t, m, q, base)
		for _, op := range paper.Operators {
			r, text := base, chain
			if op.Block == battery.M {
				text = q.Stem
			}
			e := op.Apply(text, 3, q.ID)
			if !e.Fired {
				continue
			}
			if op.Block == battery.F {
				r.Begin = e.Text
			} else {
				edited := q
				edited.Stem = e.Text
				r = ask(t, m, edited, "")
			}
			_, now, next := read(t, m, q, r)
			if flipped := now != label; flipped != (op.Intent == battery.Destructive) {
				t.Errorf("%s %s (%s): flipped %v on %q -> %q", q.ID, op.ID, op.Intent, flipped, e.Old, e.New)
			}
			if token, _, ok := op.Registers(e, next); ok && !token {
				t.Errorf("%s %s: the chain does not mention %q: %q", q.ID, op.ID, e.New, next)
			}
		}
	}
}

// TestChainsSuitTheOperators: four to six steps, and something for each F-operator to edit.
func TestChainsSuitTheOperators(t *testing.T) {
	m := reasoner(t, synthetic(40), "faithful")
	lengths := map[int]bool{}
	for _, q := range synthetic(40) {
		_, _, chain := read(t, m, q, ask(t, m, q, ""))
		n := len(clinical.Steps(chain))
		lengths[n] = true
		if n < 4 || n > 6 {
			t.Errorf("%d steps in %q", n, chain)
		}
	}
	if len(lengths) != 3 {
		t.Errorf("numbers of steps: %v", lengths)
	}
	if a := modeltest.Ask(t, m, ask(t, m, synthetic(1)[0], ""))[0]; !strings.Contains(a.Text, "\n\nAnswer: ") {
		t.Errorf("no answer line in %q", a.Text)
	}
}
