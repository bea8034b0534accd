package stat

import (
	"fmt"

	"github.com/percuss/percuss"
)

// Forecast is one answer and how sure its giver was of it, e.g. the majority's answer of an item and its share of the votes.
type Forecast struct {
	Item       string  // forecasts of one item are resampled together
	Confidence float64 // that the answer is right, 0 to 1
	Correct    bool
}

// Bin is one bin of a reliability diagram: forecasts of like confidence.
type Bin struct {
	Lo, Hi float64 // confidences above Lo, up to and with Hi; the first bin holds its Lo, too
	N      int     // forecasts; at least 1
	// Confidence is the mean, and Accuracy the share of correct ones. Their N is the number of items in the bin. Where no
	// resample differs, or in a bin of fewer than ten items, the interval of the accuracy is no narrower than Wilson's.
	Confidence, Accuracy percuss.Estimate
}

// Calibration says how far confidence is the chance of being right. Everything but ECE, MCE and Floor is a mean over the
// forecasts. ECE and MCE are never negative, so that noise makes them larger and not smaller: in small samples both are
// biased upwards, and their percentile intervals, which resample a sample that has the noise already, lie higher still.
// Floor tells how much of an ECE that alone can be.
type Calibration struct {
	Bins []Bin // in order of confidence; empty ones are left out

	// ECE is the expected calibration error, 0 to 1: the mean distance of a bin's accuracy from its mean confidence, bins
	// weighted by their forecasts (Naeini, Cooper and Hauskrecht 2015). MCE is the largest such distance.
	ECE, MCE percuss.Estimate
	// Floor is the ECE that a perfectly calibrated forecaster of these confidences would have on average, and as Lo and Hi the
	// range of that share of its samples (Bröcker and Smith 2007): an ECE inside it is no sign of a fault. It is simulated
	// with right answers independent of each other, and so is too low where an item has several forecasts.
	Floor percuss.Estimate

	// Brier is the mean squared distance of confidence from 1 for a right and 0 for a wrong answer, 0 (best) to 1 (Brier 1950).
	// It is exactly Reliability − Resolution + Uncertainty + Within, over the same bins (Murphy 1973, with the terms of
	// Stephenson, Coelho and Jolliffe 2008 for confidences that differ within a bin).
	Brier       percuss.Estimate
	Reliability percuss.Estimate // mean squared distance of a bin's accuracy from its confidence; 0 is best
	Resolution  percuss.Estimate // mean squared distance of a bin's accuracy from that of all; larger is better
	Uncertainty percuss.Estimate // accuracy × (1 − accuracy) of all
	// Within is WithinVariance − WithinCovariance, of either sign: above 0 where telling confidences apart inside a bin does
	// harm. Stephenson's generalised resolution is Resolution − Within.
	Within           percuss.Estimate
	WithinVariance   percuss.Estimate // of confidence within bins
	WithinCovariance percuss.Estimate // twice the covariance of confidence and being right within bins

	Confidence     percuss.Estimate // mean
	Accuracy       percuss.Estimate
	Overconfidence percuss.Estimate // mean confidence − accuracy; below 0: too modest
}

// Calibrate measures the calibration of forecasts over bins of their confidence, with percentile bootstrap intervals over
// items. Where an item has several forecasts each of them counts. The result does not depend on their order. Without
// forecasts everything is absent. It fails, naming the item, on a confidence that is no number from 0 to 1, and on
// options that are out of range. Options.Metrics is not used.
func Calibrate(f []Forecast, b Binning, o Options) (Calibration, error) {
	x, err := b.apply(f)
	if err != nil {
		return Calibration{}, err
	}
	if o, err = o.checked(); err != nil {
		return Calibration{}, fmt.Errorf("calibration: %w", err)
	}
	d, err := x.draw(o, true)
	if err != nil {
		return Calibration{}, err
	}
	e := d.Estimates()
	floor := x.floor(o)
	for _, i := range []int{atECE, atMCE, atReliability, atResolution, atWithin, atVariance, atCovariance} {
		e[i] = x.told(e[i])
	}
	e[atECE].Warnings = append(e[atECE].Warnings, noiseWarning(e[atECE], floor)...)
	out := Calibration{
		ECE: e[atECE], MCE: e[atMCE], Floor: floor,
		Brier: e[atBrier], Reliability: e[atReliability], Resolution: e[atResolution], Uncertainty: e[atUncertainty],
		Within: e[atWithin], WithinVariance: e[atVariance], WithinCovariance: e[atCovariance],
		Confidence: e[atConfidence], Accuracy: e[atAccuracy], Overconfidence: e[atOver],
	}
	for i, bin := range x.bins {
		bin.Confidence, bin.Accuracy = e[overall+2*i], e[overall+2*i+1]
		out.Bins = append(out.Bins, bin)
	}
	return out, nil
}

// told adds to a method which bins a figure is over.
func (x binned) told(e percuss.Estimate) percuss.Estimate {
	if e.Value.OK() {
		e.Method = fmt.Sprintf("over %s; %s", x.by, e.Method)
	}
	return e
}

// noiseWarning says that an ECE is no larger than noise makes it.
func noiseWarning(ece, floor percuss.Estimate) []string {
	v, ok := ece.Value.Get()
	most, has := floor.Hi.Get()
	if !ok || !has || v > most {
		return nil
	}
	return []string{fmt.Sprintf("no larger than in so small a sample it can be under perfect calibration (%.3f on average, %g %% of samples up to %.3f)",
		floor.Value.Or(0), 50*(1+floor.Level), most)}
}

// The metrics over all bins, in the order of statistic. Those of single bins come after them: confidence, accuracy of the
// first, and so on.
const (
	atECE = iota
	atMCE
	atBrier
	atReliability
	atResolution
	atUncertainty
	atWithin
	atVariance
	atCovariance
	atConfidence
	atAccuracy
	atOver
	overall // the number of them
)

// The columns of a row: sums over the forecasts of an item. Behind those over all come five of each bin: columns 0 to 2
// again, the sum of squared confidences, and the sum of confidences of the right ones.
const (
	inNumber     = iota // forecasts
	inConfidence        // their confidence
	inCorrect           // right ones
	inSquares           // the last column of a bin but one; over all: squared distances of confidence from 0 or 1
	inBoth              // over all it is not there: a bin begins here
	ofBin        = 5
)

// binAt is the place of the first column of a bin.
func binAt(i int) int { return inBoth + ofBin*i }

// draw resamples; each also gives the metrics of single bins.
func (x binned) draw(o Options, each bool) (*Draws, error) {
	o.Metrics = x.metrics(each)
	d, err := Draw(Sample{Key: itemsKey, Items: x.items, Sums: x.sums}, x.statistic(each), o)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	return d, nil
}

// metrics describes them. A confidence has no Wilson interval: it is measured, not counted.
func (x binned) metrics(each bool) []Metric {
	m := make([]Metric, overall)
	m[atBrier] = Metric{Num: []int{inSquares}, Den: []int{inNumber}}
	m[atConfidence] = Metric{Num: []int{inConfidence}, Den: []int{inNumber}, Difference: true}
	m[atAccuracy] = Metric{Num: []int{inCorrect}, Den: []int{inNumber}}
	m[atOver] = Metric{Parts: []Part{{atConfidence, 1}, {atAccuracy, -1}}}
	for i := range x.bins {
		if at := binAt(i); each {
			m = append(m, Metric{Num: []int{at + inConfidence}, Den: []int{at + inNumber}, Difference: true},
				Metric{Num: []int{at + inCorrect}, Den: []int{at + inNumber}})
		}
	}
	return m
}
