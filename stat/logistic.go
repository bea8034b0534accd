package stat

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// logistic is a fitted logistic regression on standardised features.
type logistic struct {
	mean, scale  []float64 // of each feature in the data it was fitted to; a feature that does not vary has scale 1
	intercept    float64
	coefficients []float64 // per standard deviation
}

// fitLogistic fits a logistic regression with a ridge penalty, ridge ÷ 2 times the sum of the squared coefficients, by
// Newton's method (Hastie, Tibshirani and Friedman 2009, section 4.4). The intercept is not penalised. It fails without
// both classes, with ragged rows or values that are no numbers, with a ridge that is not positive, and where Newton's
// steps do not end.
func fitLogistic(x [][]float64, positive []bool, ridge float64) (logistic, error) {
	if err := checkDesign(x, positive, ridge); err != nil {
		return logistic{}, err
	}
	l := standardise(x)
	rows := make([][]float64, len(x))
	for i := range x {
		rows[i] = append([]float64{1}, l.scaled(x[i])...)
	}
	w := make([]float64, len(rows[0]))
	for range maxNewton {
		step, err := newtonStep(rows, positive, w, ridge)
		if err != nil {
			return logistic{}, err
		}
		// A step that would not lower the loss is halved: far out Newton's method overshoots.
		before, size := loss(rows, positive, w, ridge), 1.0
		next := moved(w, step, size)
		for range 30 {
			if loss(rows, positive, next, ridge) <= before+rounding(before) {
				break
			}
			size /= 2
			next = moved(w, step, size)
		}
		w = next
		if mat.Norm(step, math.Inf(1)) < 1e-10 {
			l.intercept, l.coefficients = w[0], w[1:]
			return l, nil
		}
	}
	return logistic{}, fmt.Errorf("the regression did not settle in %d steps: give a larger ridge", maxNewton)
}

// maxNewton bounds the number of steps; a ridge of 1 takes about six.
const maxNewton = 100

// checkDesign makes sure that there is something to fit.
func checkDesign(x [][]float64, positive []bool, ridge float64) error {
	if len(x) != len(positive) {
		return fmt.Errorf("%d rows and %d classes do not go together", len(x), len(positive))
	}
	if !(ridge > 0) {
		return fmt.Errorf("ridge %v: give a positive penalty", ridge)
	}
	if !slices.Contains(positive, true) || !slices.Contains(positive, false) {
		return errors.New("a regression takes cases of both classes")
	}
	_, err := Sums(x).width()
	return err
}

// standardise is a regression that knows the features' means and deviations only.
func standardise(x [][]float64) logistic {
	p, n := len(x[0]), float64(len(x))
	l := logistic{mean: make([]float64, p), scale: make([]float64, p)}
	for j := range p {
		for _, row := range x {
			l.mean[j] += row[j] / n
		}
		for _, row := range x {
			l.scale[j] += (row[j] - l.mean[j]) * (row[j] - l.mean[j]) / n
		}
		l.scale[j] = math.Sqrt(l.scale[j])
		if l.scale[j] <= rounding(l.mean[j]) {
			l.scale[j] = 1
		}
	}
	return l
}

// scaled is a row in standard deviations from the mean.
func (l logistic) scaled(row []float64) []float64 {
	out := make([]float64, len(row))
	for j, v := range row {
		out[j] = (v - l.mean[j]) / l.scale[j]
	}
	return out
}

// score is the log-odds of a row to be positive. Rows have the features that the regression was fitted to.
func (l logistic) score(row []float64) float64 {
	s := l.intercept
	for j, v := range l.scaled(row) {
		s += l.coefficients[j] * v
	}
	return s
}

// chance is the logistic function.
func chance(score float64) float64 { return 1 / (1 + math.Exp(-score)) }

// loss is the negative log-likelihood with the penalty.
func loss(rows [][]float64, positive []bool, w []float64, ridge float64) float64 {
	total := 0.0
	for i, row := range rows {
		s := dot(row, w)
		if positive[i] {
			s = -s
		}
		total += max(s, 0) + math.Log1p(math.Exp(-math.Abs(s)))
	}
	for _, v := range w[1:] {
		total += ridge / 2 * v * v
	}
	return total
}

// newtonStep solves for the change of the weights.
func newtonStep(rows [][]float64, positive []bool, w []float64, ridge float64) (*mat.VecDense, error) {
	p := len(w)
	gradient, hessian := make([]float64, p), make([]float64, p*p)
	for i, row := range rows {
		c := chance(dot(row, w))
		y := 0.0
		if positive[i] {
			y = 1
		}
		for j, v := range row {
			gradient[j] += (y - c) * v
			for k := range j + 1 {
				hessian[j*p+k] += c * (1 - c) * v * row[k]
			}
		}
	}
	for j := 1; j < p; j++ {
		gradient[j] -= ridge * w[j]
		hessian[j*p+j] += ridge
	}
	hessian[0] += 1e-12 // where all chances are 0 or 1 the intercept has no curvature of its own
	symmetric := mat.NewSymDense(p, nil)
	for j := range p {
		for k := range j + 1 {
			symmetric.SetSym(j, k, hessian[j*p+k])
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(symmetric) {
		return nil, errors.New("the regression's curvature cannot be inverted: give a larger ridge")
	}
	var step mat.VecDense
	if err := cholesky.SolveVecTo(&step, mat.NewVecDense(p, gradient)); err != nil {
		return nil, fmt.Errorf("one step of the regression: %w", err)
	}
	return &step, nil
}

// moved is w after a share of a step.
func moved(w []float64, step *mat.VecDense, share float64) []float64 {
	out := make([]float64, len(w))
	for j := range w {
		out[j] = w[j] + share*step.AtVec(j)
	}
	return out
}

// dot is the scalar product of two vectors of one length.
func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
