package stat

import (
	"math"

	"github.com/percuss/percuss"
)

// StudentP is the two-sided p-value of a statistic t that follows Student's distribution with dof degrees of freedom
// where there is no effect: the chance of |T| ≥ |t| (NIST Digital Library of Mathematical Functions, 8.17). From a
// million degrees on it is that of the normal distribution. It is missing for dof below 1 and for a t that is no number.
func StudentP(t float64, dof int) percuss.Number {
	switch {
	case dof < 1 || math.IsNaN(t):
		return percuss.Number{}
	case math.IsInf(t, 0):
		return percuss.Num(0)
	case dof >= 1_000_000:
		return percuss.Num(math.Erfc(math.Abs(t) / math.Sqrt2))
	}
	n, r := float64(dof), math.Abs(t)
	// 1/(1+r·r/n) and its complement, each without cancellation or overflow.
	q := r / math.Sqrt(n)
	x := 1 / (1 + q*q)
	rest := 1 / (1 + 1/(q*q))
	return percuss.Num(min(1, incompleteBeta(n/2, 0.5, x, rest)))
}

// StudentQuantile is the t ≥ 0 with StudentP(t, dof) = p: what |T| exceeds with probability p. It is missing for dof below
// 1 and for a p outside 0 to 1, both excluded.
func StudentQuantile(p float64, dof int) percuss.Number {
	if dof < 1 || !(p > 0 && p < 1) {
		return percuss.Number{}
	}
	lo, hi := 0.0, 1.0
	for StudentP(hi, dof).Or(0) > p && hi < math.MaxFloat64/2 {
		lo, hi = hi, 2*hi
	}
	for { // to the last digit: a bisection ends where there is no number between its bounds
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return percuss.Num(hi)
		}
		if StudentP(mid, dof).Or(0) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// incompleteBeta is the regularised incomplete beta function I_x(a, b), given 1−x too, by the continued fraction of
// DLMF 8.17.22; the side on which that converges fast is taken.
func incompleteBeta(a, b, x, rest float64) float64 {
	switch {
	case x <= 0:
		return 0
	case rest <= 0:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - incompleteBeta(b, a, rest, x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log(rest)) / a
	return front * betaFraction(a, b, x)
}

// betaFraction is 1/(1+d₁/(1+d₂/(1+…))) with the coefficients of DLMF 8.17.23, evaluated forwards (modified Lentz).
func betaFraction(a, b, x float64) float64 {
	const tiny, close = 1e-300, 1e-15
	away := func(v float64) float64 { // from 0, by which it would be divided
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	value, c, d := 1.0, 1.0, 0.0
	for k := 1; k <= 500; k++ {
		m := float64(k / 2)
		coefficient := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		if k%2 == 1 {
			coefficient = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 / away(1+coefficient*d)
		c = away(1 + coefficient/c)
		value *= c * d
		if math.Abs(c*d-1) < close {
			break
		}
	}
	return 1 / value
}
