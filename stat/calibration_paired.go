package stat

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// CalibrationChange is what changed in the calibration of the same items' forecasts: after − before, paired.
type CalibrationChange struct {
	// ECE is that of each arm over its own bins, as Calibrate has it. A warning tells where Floor accounts for its change: arms
	// that are both well calibrated, one surer than the other, would else nearly always be found to differ.
	ECE         percuss.Estimate
	Brier       percuss.Estimate // its decomposition follows, Within left out
	Reliability percuss.Estimate
	Resolution  percuss.Estimate
	Uncertainty percuss.Estimate

	Confidence     percuss.Estimate // mean
	Accuracy       percuss.Estimate
	Overconfidence percuss.Estimate
	// Floor is the change of the ECE that perfect calibration would have: so much of the ECE's is due to the confidences alone,
	// for confidences near 0 and 1 leave less room for noise.
	Floor percuss.Number
}

// PairedCalibration measures how calibration differs between two arms with forecasts for the same items, such as a model
// before and after training. Both arms take part in a resample with the same items. An item may have more forecasts in one
// arm than in the other. It fails as Calibrate does, and, naming items, where one arm has items that the other lacks: an
// item that only one arm answered is to be left out of both.
func PairedCalibration(before, after []Forecast, b Binning, o Options) (CalibrationChange, error) {
	x, err := b.apply(before)
	if err != nil {
		return CalibrationChange{}, fmt.Errorf("before: %w", err)
	}
	y, err := b.apply(after)
	if err != nil {
		return CalibrationChange{}, fmt.Errorf("after: %w", err)
	}
	if strays := inOneOnly(x.items, y.items); len(strays) > 0 {
		return CalibrationChange{}, fmt.Errorf("paired calibration: items in one arm only: %d (%s); give both arms the same items", len(strays), some(strays))
	}
	if o, err = o.checked(); err != nil {
		return CalibrationChange{}, fmt.Errorf("paired calibration: %w", err)
	}
	first, err := x.draw(o, false)
	if err != nil {
		return CalibrationChange{}, fmt.Errorf("before: %w", err)
	}
	second, err := y.draw(o, false)
	if err != nil {
		return CalibrationChange{}, fmt.Errorf("after: %w", err)
	}
	d, err := Subtract(second, first)
	if err != nil {
		return CalibrationChange{}, err
	}
	e := d.Estimates()
	for _, i := range []int{atECE, atReliability, atResolution} {
		e[i] = x.told(e[i])
	}
	out := CalibrationChange{ECE: e[atECE], Brier: e[atBrier], Reliability: e[atReliability], Resolution: e[atResolution], Uncertainty: e[atUncertainty],
		Confidence: e[atConfidence], Accuracy: e[atAccuracy], Overconfidence: e[atOver]}
	if low, ok := x.floor(o).Value.Get(); ok { // with the same items the other arm has one, too
		out.Floor = percuss.Num(y.floor(o).Value.Or(low) - low)
		out.ECE.Warnings = append(out.ECE.Warnings, floorWarning(out.ECE, out.Floor)...)
	}
	return out, nil
}

// floorWarning says that an ECE's change can be that of its floor: the interval excludes zero, but not once the floor's change
// is taken off it.
func floorWarning(change percuss.Estimate, floor percuss.Number) []string {
	lo, hi, by := change.Lo.Or(0), change.Hi.Or(0), floor.Or(0)
	if lo <= 0 && hi >= 0 || lo > max(0, by) || hi < min(0, by) {
		return nil
	}
	return []string{fmt.Sprintf("perfect calibration in both arms would change it by %+.3f, for the confidences are others: the interval does not exclude zero beyond that", by)}
}

// inOneOnly are the items of two sorted lists that one of them lacks.
func inOneOnly(a, b []string) []string {
	var out []string
	lacks := func(list, other []string) {
		for _, id := range list {
			if _, ok := slices.BinarySearch(other, id); !ok {
				out = append(out, id)
			}
		}
	}
	lacks(a, b)
	lacks(b, a)
	return out
}
