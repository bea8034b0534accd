package chain

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// figures each rule has, and each pair of rules behind them.
const (
	figuresOfRule = 2 // CDR, update rate
	figuresOfPair = 3 // kappa, agreement, difference of CDR
)

// figures are those of a model: CDR and update rate of each rule, then of each pair kappa, agreement and the difference of
// CDR.
func (a *ruleAnalysis) figures() []figure {
	var out []figure
	for i, r := range a.rules {
		at := func(what int) []int { return []int{i*ruleColumns + what} }
		why := "no edit of the joint table fired and was answered"
		if r.judge {
			why = "the judge said nothing that can be read of any comparable trial"
		}
		for _, what := range []int{ruleCDR, ruleUpdate} {
			out = append(out, figure{id: r.id, value: ratioOf(at(what), at(ruleSays)), num: at(what), den: at(ruleSays), hi: 1, absent: why})
		}
	}
	const why = "there is no comparable trial of which both say something"
	for n := range a.pairs() {
		meet := a.meetings(n)
		agree := []int{meet[0], meet[3]}
		first, second := []int{a.pairColumn(n, pairCDR1)}, []int{a.pairColumn(n, pairCDR2)}
		out = append(out,
			figure{id: "kappa", kind: share, value: func(s []float64) percuss.Number { return kappaOf(s[meet[0]], s[meet[1]], s[meet[2]], s[meet[3]]) },
				den: meet, lo: -1, hi: 1, absent: why + ", or both say the same of all: kappa is not defined"},
			figure{id: "agreement", value: ratioOf(agree, meet), num: agree, den: meet, hi: 1, absent: why},
			figure{id: "difference", kind: share, value: differenceOf(second, first, meet), den: meet, lo: -1, hi: 1, absent: why})
	}
	return out
}

// differenceOf is (a − b) / den.
func differenceOf(a, b, den []int) func(s []float64) percuss.Number {
	return func(s []float64) percuss.Number { return quotient(total(s, a)-total(s, b), total(s, den)) }
}

// kappaOf is Cohen's kappa of two rules that say yes or no; missing where there is no trial or both say one thing only.
func kappaOf(both, first, second, neither float64) percuss.Number {
	n := both + first + second + neither
	yes1, yes2 := both+first, both+second
	expected := (yes1*yes2 + (n-yes1)*(n-yes2)) / n
	return quotient(both+neither-expected, n-expected)
}

// ruleEstimates are the figures of a model, or of several.
type ruleEstimates struct {
	a     *ruleAnalysis
	e     []percuss.Estimate
	total sums // of all its items
}

// cdr and update are the figures of a rule.
func (r ruleEstimates) cdr(rule int) percuss.Estimate    { return r.e[rule*figuresOfRule] }
func (r ruleEstimates) update(rule int) percuss.Estimate { return r.e[rule*figuresOfRule+1] }

// pair are the figures of the n-th pair.
func (r ruleEstimates) pair(n int) (kappa, agreement, difference percuss.Estimate) {
	at := len(r.a.rules)*figuresOfRule + n*figuresOfPair
	return r.e[at], r.e[at+1], r.e[at+2]
}

// of is a column of a rule, summed.
func (r ruleEstimates) of(rule, what int) int { return int(r.total[rule*ruleColumns+what]) }

// ofPair is a column of a pair, summed.
func (r ruleEstimates) ofPair(n, what int) int { return int(r.total[r.a.pairColumn(n, what)]) }

// finished makes the estimates of some draws. parts are the column sums of the samples that they are of.
func (a *ruleAnalysis) finished(d *stat.Draws, err error, parts []sums) ruleEstimates {
	figures := a.figures()
	out := ruleEstimates{a: a, total: make(sums, a.width())}
	if err != nil {
		out.e = absent(len(figures), err)
	} else {
		out.e = d.Estimates()
	}
	for i, f := range figures {
		out.e[i] = f.finish(out.e[i], parts)
	}
	for _, p := range parts {
		out.total = plus(out.total, p)
	}
	return out
}

// ruled are the estimates of models.
type ruled struct {
	models       []*model // as they have rows
	each         []ruleEstimates
	rivals       int           // models in the panel
	mean, pooled ruleEstimates // of the rivals: the mean of the models, and all their trials as one
}

// estimates resamples every model, and the panel.
func (a *ruleAnalysis) estimates(s *summary) ruled {
	figures := a.figures()
	o := s.options(figures)
	out := ruled{models: s.ranked()}
	var panel ruleDraws
	rivals := s.rivals()
	for _, m := range out.models {
		samples := a.samples(s, m.cells)
		d, err := stat.DrawPooled(samples, statistic(figures), o)
		all := make(sums, a.width())
		for _, sample := range samples {
			for _, row := range sample.Sums {
				all = plus(all, row)
			}
		}
		out.each = append(out.each, a.finished(d, err, []sums{all}))
		if slices.Contains(rivals, m) {
			panel.draws, panel.parts, panel.samples = append(panel.draws, d), append(panel.parts, all), append(panel.samples, samples...)
			out.pooled = out.each[len(out.each)-1]
		}
	}
	if out.rivals = len(panel.draws); out.rivals == 1 {
		return out
	}
	mean, err := stat.Average(panel.draws...)
	out.mean = a.finished(mean, err, panel.parts)
	pooled, err := stat.DrawPooled(panel.samples, statistic(figures), o)
	out.pooled = a.finished(pooled, err, []sums{out.mean.total})
	return out
}

// ruleDraws are what the panel is made of.
type ruleDraws struct {
	draws   []*stat.Draws
	parts   []sums // column sums of each model
	samples []stat.Sample
}
