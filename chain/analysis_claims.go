package chain

import (
	"fmt"

	"github.com/percuss/percuss"
)

// A claim holds where its interval lies on the claim's side of the threshold, fails where it lies on the other, and
// cannot be told where it lies across. The functions of this file place intervals.

// smallWords ends a claim that a difference is above 0 with what counts as one.
func smallWords(margin float64) string {
	return fmt.Sprintf("; a difference surely below %g counts as none.", margin)
}

// measured is an estimate in words.
func measured(name string, e percuss.Estimate) string {
	if !e.Value.OK() {
		return name + " is missing: " + e.Why
	}
	return name + " " + span(e) + ", n = " + fmt.Sprint(e.N)
}

// span is a value with its interval.
func span(e percuss.Estimate) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return e.Value.Format(3)
	}
	level := ""
	if e.Level > 0 && e.Level != usualLevel {
		level = fmt.Sprintf("%.0f %% interval ", 100*e.Level)
	}
	return fmt.Sprintf("%s (%s%s to %s)", e.Value.Format(3), level, e.Lo.Format(3), e.Hi.Format(3))
}

// usualLevel is the level of an interval that need not be named.
const usualLevel = 0.95

// counted is a share of the run in words.
func counted(name string, e percuss.Estimate) string {
	num, ok := e.Num.Get()
	den, has := e.Den.Get()
	if !ok || !has {
		return measured(name, e)
	}
	return fmt.Sprintf("%s: %.0f of %.0f, a count judged by its value, %s", name, num, den, measured("share", e))
}

// subject names a model under a prompt.
func (m *model) subject() string { return m.group.Model + ", " + m.group.Variant }

// claim fills in what all claims have.
func claim(id, subject, says string, verdict percuss.Holds, e percuss.Estimate, shown, against string) percuss.Claim {
	return percuss.Claim{ID: id, Subject: subject, Says: says, Verdict: verdict, Measure: e, Shown: shown, Against: against}
}
