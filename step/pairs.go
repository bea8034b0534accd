package step

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// pairs are the comparisons of the specification on every data set and under every prompt that both models have, by every
// judge under every view; without a judge one row each, for the answers.
func (s *summary) pairs() []Pair {
	out := []Pair{}
	for _, p := range s.a.o.Pairs {
		for _, before := range s.cells {
			if before.subject.Model != p.Before {
				continue
			}
			after := s.cellOf(before.subject.Variant, p.After, before.subject.Set)
			if after == nil {
				continue
			}
			out = append(out, s.pair(p, before, after)...)
		}
	}
	return out
}

// pair are the rows of one comparison on one data set.
func (s *summary) pair(p Pairing, before, after *cell) []Pair {
	joint := stat.Pair(before.rows, after.rows)
	base := Pair{Name: p.Name, Before: p.Before, After: p.After, Teacher: p.Teacher, Variant: before.subject.Variant, Set: before.subject.Set,
		Domain: before.domain, Items: len(joint.Items())}
	base.ECE, base.Majority, base.Floor = s.voteChange(before, after)
	out := []Pair{base}
	if traces := before.traces(s.a); len(traces) > 0 {
		out = out[:0]
		for _, t := range traces {
			row := base
			row.Judge, row.View = t.judge, t.view
			out = append(out, row)
		}
	}
	var figures []stat.Figure
	change := func(into *percuss.Estimate, num, den, absent string) {
		figures = append(figures, changed(into, stat.Ratio{Num: num, Den: den}, absent))
	}
	for i := range out {
		row := &out[i]
		key := traceID{row.Judge, row.View}.key()
		change(&row.Accuracy, colRight, colRead, orElse(row.Items == 0, noCommon, inNone(before, after, colRead, noAnswers)))
		change(&row.Hedged, colHedged, colSteps, orElse(row.Items == 0, noCommon, inNone(before, after, colSteps, noTexts)))
		change(&row.Errors, key+colErrors, key+colJudged, orElse(row.Items == 0, noCommon, orElse(row.Judge == "", notJudged, inNone(before, after, key+colJudged, noVerdict))))
	}
	for i := range out {
		row := &out[i]
		figures = append(figures, s.corrected(&row.Corrected, row.Judge, changed(nil, traceID{row.Judge, row.View}.wrong(""), orElse(row.Judge == "", notJudged, noVerdict))))
	}
	joint.Fill(before.subject.Set, s.o, figures)
	for i := range out {
		if _, known := s.quality[out[i].Judge]; !known {
			out[i].Corrected = percuss.Absent(orElse(out[i].Judge == "", notJudged, noQuality))
		}
		out[i].Verdict, out[i].Why = verdictOf(out[i])
	}
	return out
}

// inNone is why there is no item with both denominators: one of the models has none at all, which why says, or the two have
// theirs in different items.
func inNone(before, after *cell, den, why string) string {
	return orElse(before.rows.Total(den) > 0 && after.rows.Total(den) > 0, noneOfBoth, why)
}

// voteChange is how the calibration and the accuracy of votes changed on the items that both have.
func (s *summary) voteChange(before, after *cell) (ece, majority percuss.Estimate, floor percuss.Number) {
	a, b := common(before.forecasts, after.forecasts)
	if len(a) == 0 {
		none := percuss.Absent(inNone(before, after, colRead, noAnswers))
		return none, none, floor
	}
	why := orElse(before.shareless() != "", before.shareless(), after.shareless())
	change, err := stat.PairedCalibration(a, b, stat.Binning{Bins: s.bins()}, s.o)
	if err != nil {
		return percuss.Absent(err.Error()), percuss.Absent(err.Error()), floor
	}
	if why != "" {
		return percuss.Absent(why), change.Accuracy, floor
	}
	return change.ECE, change.Accuracy, change.Floor
}

// common are the forecasts of the items that both have.
func common(a, b []stat.Forecast) (ofA, ofB []stat.Forecast) {
	has := map[string]int{}
	for _, f := range a {
		has[f.Item] |= 1
	}
	for _, f := range b {
		has[f.Item] |= 2
	}
	pick := func(all []stat.Forecast) (out []stat.Forecast) {
		for _, f := range all {
			if has[f.Item] == 3 {
				out = append(out, f)
			}
		}
		return out
	}
	return pick(a), pick(b)
}

// verdictOf is stated only where both intervals exclude zero (spec/step-audit.md, "Before–after").
func verdictOf(p Pair) (Direction, string) {
	answers, trace := sign(p.Accuracy), sign(p.Errors)
	switch {
	case !p.Accuracy.Value.OK():
		return Untold, p.Accuracy.Why
	case !p.Errors.Value.OK():
		return Untold, p.Errors.Why
	case answers == 0 && trace == 0:
		return Untold, "both intervals hold zero"
	case answers == 0:
		return Untold, "the interval of the accuracy's difference holds zero"
	case trace == 0:
		return Untold, "the interval of the error rate's difference holds zero"
	case answers > 0 && trace > 0:
		return UpDown, ""
	case answers > 0:
		return UpUp, ""
	case trace > 0:
		return DownDown, ""
	}
	return DownUp, ""
}

// sign is that of a difference whose interval excludes zero; 0 where it does not.
func sign(e percuss.Estimate) int {
	lo, has := e.Lo.Get()
	hi, ok := e.Hi.Get()
	switch {
	case !has || !ok:
		return 0
	case lo > 0:
		return 1
	case hi < 0:
		return -1
	}
	return 0
}

func orElse(is bool, a, b string) string {
	if is {
		return a
	}
	return b
}
