package step

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Summarise implements percuss.Audit: the tables over cells, a model on a data set under a prompt, and over the comparisons.
// It reads the records once and keeps of each item one row of counts, its votes and the labels of its judged steps.
func (a *Audit) Summarise(records iter.Seq[percuss.Record]) percuss.Findings {
	s := newSummary(a, a.gather(records))
	f := Findings{Cells: []Cell{}, Pairs: []Pair{}, Claims: []percuss.Claim{}, Settings: s.settings(), Bootstrap: s.o.Replicates, Level: s.o.Level}
	for _, c := range s.cells {
		f.Cells = append(f.Cells, s.cell(c))
	}
	s.found = f.Cells
	f.Pairs = s.pairs()
	s.compared = f.Pairs
	f.Analyses = s.analyses()
	f.Claims = s.claims()
	f.Decisions = s.decisions()
	return f
}

// summary is what the parts of the report are made of.
type summary struct {
	a        *Audit
	o        stat.Options
	cells    []*cell
	found    []Cell // of cells, in their order
	compared []Pair
	experts  consulted
	leaks    map[[2]*cell]leaked // that were tested
	quality  map[string]Quality  // of judges, by id, where it is known
}

func newSummary(a *Audit, cells []*cell) *summary {
	s := &summary{a: a, cells: cells, leaks: map[[2]*cell]leaked{}, o: stat.Options{Seed: a.o.Seed, Replicates: cmp.Or(a.o.Bootstrap, stat.DefaultReplicates), Level: cmp.Or(a.o.Level, stat.DefaultLevel)}}
	s.experts = a.expertsOf(cells)
	s.quality = s.qualities()
	return s
}

// bins are the bins of confidence.
func (s *summary) bins() int { return cmp.Or(s.a.o.Bins, defaultBins) }

// defaultBins is the number of bins of confidence (spec/step-audit.md).
const defaultBins = 10

// settings are what was in force.
func (s *summary) settings() Settings {
	o := s.a.o
	out := Settings{K: o.K, Views: []string{}, Judges: []string{}, Judged: o.Judged, Control: o.Control, Bins: s.bins(), Quality: map[string]Quality{}}
	for _, v := range o.Views {
		out.Views = append(out.Views, v.ID)
	}
	for _, j := range o.Judges {
		out.Judges = append(out.Judges, j.ID)
		if q, ok := s.quality[j.ID]; ok {
			out.Quality[j.ID] = q
		}
	}
	for _, id := range slices.Sorted(maps.Keys(o.Can)) {
		if o.Can[id].Engine == simulatedEngine {
			out.Simulated = append(out.Simulated, id)
		}
	}
	return out
}

// simulatedEngine is the engine of the models of package model/simulated.
const simulatedEngine = "simulated"

// Why figures are missing.
const (
	noAnswers  = "no chain has an answer that was read"
	noTexts    = "no chain has a text"
	noVerdict  = "no step was called correct or an error"
	noShares   = "no item has two chains with an answer, and the vote share of one chain is always 1: sample several with -k"
	noTokens   = "no chain comes with a number of tokens"
	noFaulty   = "no chain has an error"
	notJudged  = "no step was judged"
	noQuality  = "it is not known how good the judge is: give --judge-quality, or unseal a review of steps"
	noneOfBoth = "no item of both models has what the figure is a share of"
	noCommon   = "the two models have no item in common"
)

// cell are the findings of one cell.
func (s *summary) cell(c *cell) Cell {
	out := Cell{Model: c.subject.Model, Variant: c.subject.Variant, Set: c.subject.Set, Domain: c.domain, Role: s.a.o.Models[c.subject.Model].Role,
		Items: len(c.rows.Items()), Chains: c.states[Read], Reliability: []Bin{}, Curve: []Point{}, Traces: []Trace{}}
	figures := []stat.Figure{{Into: &out.Accuracy, Of: stat.Ratio{Num: colRight, Den: colRead}, Absent: noAnswers},
		{Into: &out.Hedged, Of: stat.Ratio{Num: colHedged, Den: colSteps}, Absent: noTexts}}
	for _, t := range c.traces(s.a) {
		tr := Trace{Judge: t.judge, View: t.view, Steps: int(c.rows.Total(t.key() + colAsked)), Abstained: c.kinds[t][Abstain], Missing: c.kinds[t][Missing], Kinds: []Count{}}
		for _, kind := range []Says{Factual, Contradicts, Unsupported, Arithmetic, Erroneous} {
			if n := c.kinds[t][kind]; n > 0 {
				tr.Kinds = append(tr.Kinds, Count{string(kind), n})
			}
		}
		out.Traces = append(out.Traces, tr)
	}
	for i := range out.Traces {
		t := &out.Traces[i]
		key := traceID{t.Judge, t.View}.key()
		figures = append(figures,
			stat.Figure{Into: &t.Errors, Of: stat.Ratio{Num: key + colErrors, Den: key + colJudged}, Absent: noVerdict},
			s.corrected(&t.Corrected, t.Judge, stat.Figure{Of: stat.Ratio{Num: key + colErrors, Den: key + colJudged}, Absent: noVerdict}),
			stat.Figure{Into: &t.Chains, Of: stat.Ratio{Num: key + colFaulty, Den: key + colSeen}, Absent: noVerdict},
			stat.Figure{Into: &t.First, Of: stat.Ratio{Num: key + colPlace, Den: key + colFaulty}, Absent: noFaulty})
	}
	c.rows.Fill(c.subject.Set, s.o, figures)
	for i, t := range out.Traces {
		if _, known := s.quality[t.Judge]; !known {
			out.Traces[i].Corrected = percuss.Absent(noQuality)
		}
	}
	s.votes(c, &out)
	return out
}

// corrected is a figure as it is for what is known of its judge; where nothing is, the caller says so.
func (s *summary) corrected(into *percuss.Estimate, judge string, f stat.Figure) stat.Figure {
	f.Into = into
	if q, known := s.quality[judge]; known {
		f.Judge = q.measured()
	}
	return f
}

// votes fills in what the votes of a cell's chains say.
func (s *summary) votes(c *cell, out *Cell) {
	curve, err := stat.VoteCurve(c.ballots, s.o)
	for _, p := range curve.Points {
		at := Point{K: p.K, Accuracy: p.Accuracy, Gain: p.Gain}
		if of := c.tokens(); of.Value.OK() {
			at.Tokens = percuss.Num(float64(p.K) * of.Value.Or(0))
		} else {
			at.NoTokens = of.Why
		}
		out.Curve = append(out.Curve, at)
	}
	out.Tied, out.Unvoted, out.Short = curve.Tied, curve.Missing, curve.Short
	switch n := len(curve.Points); {
	case err != nil:
		out.Majority = percuss.Absent(err.Error())
	case n > 0:
		out.Majority = curve.Points[n-1].Accuracy
	default:
		out.Majority = percuss.Absent(noAnswers)
	}
	s.calibrate(c, out)
}

// tokens is how many a chain of the cell takes on average, of those whose number is known.
func (c *cell) tokens() percuss.Estimate {
	return share(c.rows.Total(colTokens), c.rows.Total(colCounted), noTokens)
}

// shareless is why vote shares of a cell are no confidences; empty where they are.
func (c *cell) shareless() string {
	switch {
	case len(c.forecasts) == 0:
		return noAnswers
	case !c.several:
		return noShares
	}
	return ""
}

// calibrate fills in how far the share of the winner's votes is its chance of being right. Where no item has more than one
// vote that share is 1 whatever the model is sure of, and nothing is made of it.
func (s *summary) calibrate(c *cell, out *Cell) {
	missing := func(why string) {
		none := percuss.Absent(why)
		out.NoShares, out.Confidence, out.ECE, out.ECEMass, out.Brier = why, none, none, none, none
		out.Calibration = stat.Calibration{ECE: none, MCE: none, Floor: none, Brier: none, Reliability: none, Resolution: none, Uncertainty: none, Within: none,
			WithinVariance: none, WithinCovariance: none, Confidence: none, Accuracy: none, Overconfidence: none}
	}
	if why := c.shareless(); why != "" {
		missing(why)
		return
	}
	wide, err := stat.Calibrate(c.forecasts, stat.Binning{Bins: s.bins()}, s.o)
	if err != nil {
		missing(err.Error())
		return
	}
	mass, err := stat.Calibrate(c.forecasts, stat.Binning{Bins: s.bins(), EqualMass: true}, s.o)
	if err != nil {
		missing(err.Error())
		return
	}
	out.Confidence, out.ECE, out.ECEMass, out.Brier, out.Calibration = wide.Confidence, wide.ECE, mass.ECE, wide.Brier, wide
	for _, b := range wide.Bins {
		out.Reliability = append(out.Reliability, Bin{Lo: b.Lo, Hi: b.Hi, Items: b.N, Confidence: b.Confidence.Value.Or(0), Accuracy: b.Accuracy})
	}
}

// cellOf is the cell of a model on a set under a prompt, nil where there is none.
func (s *summary) cellOf(variant, model, set string) *cell {
	at := slices.IndexFunc(s.cells, func(c *cell) bool {
		return c.subject.Variant == variant && c.subject.Model == model && c.subject.Set == set
	})
	if at < 0 {
		return nil
	}
	return s.cells[at]
}

// trace is what a judge said of a cell under a view.
func (c Cell) trace(judge, view string) (Trace, bool) {
	at := slices.IndexFunc(c.Traces, func(t Trace) bool { return t.Judge == judge && t.View == view })
	if at < 0 {
		return Trace{}, false
	}
	return c.Traces[at], true
}
