package coverage_test

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/model/simulated"
)

// truths are the true metrics of a reasoner over the whole population, by id and scope: those that the reasoner states
// itself, and what follows from them. A metric that is not there has no value in truth either.
func truths(spec string) (map[string]float64, error) {
	// Four questions whose right options are A to D stand for the population: no more of it enters what is stated.
	var even []percuss.Question
	for i := range options {
		q := vignette(percuss.Rand(1, "", "", "truth"), fmt.Sprintf("pop/0-%d", i))
		q.Gold = percuss.Label(i)
		even = append(even, q)
	}
	m, err := simulated.New(even, nil, spec)
	if err != nil {
		return nil, err
	}
	ops, err := battery.Parse("families+F1+M2")
	if err != nil {
		return nil, err
	}
	t := m.Truth()
	out := map[string]percuss.Number{"acc": t.Accuracy, "ecr": t.ECR, "cdr": t.CDR}
	rates := map[battery.Intent][2]percuss.Number{battery.Destructive: {t.ChainD, t.QuestionD}, battery.Preserving: {t.ChainP, t.QuestionP}}
	ids := map[battery.Intent]string{battery.Destructive: "afr_d", battery.Preserving: "afr_p"}
	for intent, rate := range rates {
		out[ids[intent]+" F"], out[ids[intent]+" M"] = rate[0], rate[1]
		var of []percuss.Number // the operators of both blocks, each with its rate
		for _, op := range ops.Operators {
			switch {
			case op.Intent != intent:
			case op.Block == battery.F:
				of = append(of, rate[0])
			default:
				of = append(of, rate[1])
			}
		}
		out[ids[intent]+" all"] = mean(of...)
	}
	for _, scope := range []string{"F", "M", "all"} {
		out["fcs "+scope] = linear(0.5, term{0.5, out["afr_d "+scope]}, term{-0.5, out["afr_p "+scope]})
	}
	out["chs"] = linear(0, term{hazard() / 3, t.QuestionP}, term{hazard() * 2 / 3, t.QuestionD}) // M3 keeps the evidence, M4 and M5 change it
	gap := linear(0, term{1, t.Accuracy}, term{-1, moved(t.Accuracy, t.QuestionD)})
	if spec == "always-a" || spec == "random" { // what they answer does not depend on the question
		gap = percuss.Num(0)
	}
	out["dfg"], out["dfg_paired"] = absolute(gap), absolute(gap)
	out["mfc"] = linear(0.5, term{0.5, out["fcs F"]}, term{-0.3, out["chs"]}, term{-0.2, out["dfg"]})
	var facc []percuss.Number // F1-50, F2, F3, F4 and F5, of which F4 keeps the evidence
	for _, rate := range []percuss.Number{t.ChainD, t.ChainD, t.ChainD, t.ChainP, t.ChainD} {
		after := moved(t.Accuracy, rate)
		if spec == "always-a" || spec == "random" {
			after = t.Accuracy
		}
		facc = append(facc, after)
	}
	out["facc"] = mean(facc...)
	if !t.ChainD.OK() {
		out["facc"] = percuss.Number{}
	}
	out["fdelta"] = linear(0, term{100, t.Accuracy}, term{-100, out["facc"]})
	have := map[string]float64{}
	for id, n := range out {
		if v, ok := n.Get(); ok {
			have[id] = v
		}
	}
	return have, nil
}

// moved is the accuracy after answers moved at a rate, each to one of the other options.
func moved(acc, rate percuss.Number) percuss.Number {
	a, r := acc.Or(0), rate.Or(0)
	return percuss.Num(a*(1-r) + (1-a)*r/(options-1))
}

// hazard is the mean weight of a flip (1 from high acuity to benign, 0.3 the other way, 0.5 within a class) where the
// acuity of an option says nothing about which is chosen.
func hazard() float64 {
	return acute*(1-acute)*(1+0.3) + (acute*acute+(1-acute)*(1-acute))*0.5
}

// term is a factor and a number.
type term struct {
	factor float64
	of     percuss.Number
}

// linear is a constant and the sum of terms, missing where one of them is.
func linear(constant float64, terms ...term) percuss.Number {
	for _, t := range terms {
		v, ok := t.of.Get()
		if !ok {
			return percuss.Number{}
		}
		constant += t.factor * v
	}
	return percuss.Num(constant)
}

// mean is the mean of the numbers that there are.
func mean(of ...percuss.Number) percuss.Number {
	sum, n := 0.0, 0.0
	for _, v := range of {
		if x, ok := v.Get(); ok {
			sum, n = sum+x, n+1
		}
	}
	return percuss.Num(sum / n)
}

func absolute(n percuss.Number) percuss.Number {
	v, ok := n.Get()
	if !ok {
		return n
	}
	return percuss.Num(max(v, -v))
}
