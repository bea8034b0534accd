package stat

import (
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/percuss/percuss"
)

// McNemar returns the two-sided p-value of McNemar's exact test: b items changed one way, c the other, and without an
// effect each change is as likely either way (binomial with one half; twice the smaller tail, at most 1). It is exact
// for any counts, so that no large-sample form is needed. Without a change p is 1; negative counts give a missing
// number. (McNemar 1947; Fagerland, Lydersen and Laake 2013.)
func McNemar(b, c int) percuss.Number {
	if b < 0 || c < 0 {
		return percuss.Number{}
	}
	if b == c {
		return percuss.Num(1)
	}
	return percuss.Num(min(1, 2*half(b+c).CDF(float64(min(b, c)))))
}

// McNemarMidP is McNemar's test with the mid-p correction: half the probability of the observed counts is left out.
// It is less conservative than the exact test and its error rate seldom passes the nominal one (Fagerland, Lydersen
// and Laake 2013, which recommends it).
func McNemarMidP(b, c int) percuss.Number {
	if b < 0 || c < 0 {
		return percuss.Number{}
	}
	if b == c {
		return percuss.Num(1)
	}
	dist, k := half(b+c), float64(min(b, c))
	return percuss.Num(min(1, max(0, 2*dist.CDF(k)-dist.Prob(k))))
}

// half is the number of heads in n throws of a fair coin.
func half(n int) distuv.Binomial { return distuv.Binomial{N: float64(n), P: 0.5} }
