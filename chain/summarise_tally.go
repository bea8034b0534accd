package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// tally counts what enters no rate, and what a reader must know of a cell.
type tally struct {
	items, bases      int
	repeated, waiting int
	cdrCut            int // trials without a trace or a flip whose chain was cut at the token limit
	refused           int // readings of replies that decline to answer
	refusedBases      int // of these, baselines
	given             int // items whose reply is a foreign log's
	dropped           map[string]int
	outcomes          map[percuss.Outcome]int
	unknown           map[string]int // trials of operators that the battery lacks
}

func newTally() tally {
	return tally{dropped: map[string]int{}, outcomes: map[percuss.Outcome]int{}, unknown: map[string]int{}}
}

// enter counts a record.
func (t *tally) enter(r Record) {
	t.items++
	t.bases += int(bit(r.Base.State == Read))
	t.given += int(bit(r.Given))
	t.refusedBases += int(bit(r.Base.State == Refused))
	t.outcome(r.Base)
	if r.Direct.State != NotFired && r.Direct.State != "" {
		t.outcome(r.Direct)
	}
	for _, trial := range r.Operators {
		if trial.Reading.State == Waiting {
			t.waiting++
		}
		if !trial.Edit.Fired {
			continue
		}
		t.outcome(trial.Reading)
		if why := dropped(r.Base, trial); why != "" {
			t.dropped[why]++
		}
	}
}

// outcome counts how the call behind a reading ended. A reply that declines to answer has a row of its own, however
// its call ended.
func (t *tally) outcome(r Reading) {
	switch {
	case r.State == Refused:
		t.refused++
	case r.State == NoCall:
		t.outcomes[percuss.Failed]++
	case r.Outcome != "":
		t.outcomes[r.Outcome]++
	}
}

// plus adds another cell's counts.
func (t *tally) plus(o tally) {
	t.items, t.bases = t.items+o.items, t.bases+o.bases
	t.repeated, t.waiting = t.repeated+o.repeated, t.waiting+o.waiting
	t.cdrCut, t.given = t.cdrCut+o.cdrCut, t.given+o.given
	t.refused, t.refusedBases = t.refused+o.refused, t.refusedBases+o.refusedBases
	for k, n := range o.dropped {
		t.dropped[k] += n
	}
	for k, n := range o.outcomes {
		t.outcomes[k] += n
	}
	for k, n := range o.unknown {
		t.unknown[k] += n
	}
}

// The reasons why a fired trial enters no rate, in the order of the report.
const (
	noBase       = "the baseline has no answer to compare with"
	refusedBase  = "the baseline refuses to answer"
	refusal      = "the reply refuses to answer"
	readOtherWay = "read in another way than the baseline (text against letters)"
	callFailed   = "the call failed"
	several      = "more than one answer in the reply"
	cannot       = "the back-end cannot give what was asked for"
	earlier      = "an earlier answer that it needs is missing"
)

// unread says why a reply has no answer.
var unread = map[percuss.Outcome]string{
	"":                      "no answer in the reply",
	percuss.OK:              "no answer in a complete reply",
	percuss.Truncated:       "no answer before the token limit",
	percuss.PromptTruncated: "the server cut the prompt",
	percuss.Empty:           "the reply is empty",
	percuss.ReasoningOnly:   "the reply ended inside its reasoning",
	percuss.Filtered:        "withheld by a content filter",
	percuss.ContextExceeded: "longer than the model's context",
	percuss.Refused:         "refused by the server",
	percuss.Failed:          callFailed,
}

// dropped says why a fired trial enters no flip rate; empty: it enters.
func dropped(base Reading, t OperatorTrial) string {
	switch {
	case enters(t):
		return ""
	case t.Reading.State == NoCall:
		return callFailed
	case t.Reading.State == Ambiguous:
		return several
	case t.Reading.State == Unavailable:
		return cannot
	case t.Reading.State == Waiting:
		return earlier
	case t.Reading.State == Refused:
		return refusal
	case t.Reading.State == Read && base.State == Refused:
		return refusedBase
	case t.Reading.State == Read && base.State != Read:
		return noBase
	case t.Reading.State == Read:
		return readOtherWay
	}
	if why, ok := unread[t.Reading.Outcome]; ok {
		return why
	}
	return unread[""]
}

// droppedCounts are the reasons that occurred, the commonest first.
func (t tally) droppedCounts() []Count {
	out := []Count{}
	for name, n := range t.dropped {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// glosses explain the outcomes of a call.
var glosses = map[percuss.Outcome]string{
	percuss.OK:              "complete reply",
	percuss.Truncated:       "cut at the token limit",
	percuss.PromptTruncated: "the server cut the prompt",
	percuss.Empty:           "empty reply",
	percuss.ReasoningOnly:   "ended inside its reasoning",
	percuss.Filtered:        "withheld by a content filter",
	percuss.ContextExceeded: "longer than the model's context",
	percuss.Refused:         "refused by the server",
	percuss.Failed:          "no answer after the allowed attempts; asked again on resume",
}

// outcomeCounts has a row for every outcome and one for refusals in words, also for those that did not occur.
func (t tally) outcomeCounts() []Count {
	out := []Count{}
	for _, o := range percuss.Outcomes() {
		out = append(out, Count{fmt.Sprintf("%s (%s)", o, glosses[o]), t.outcomes[o]})
	}
	// After "refused_by_server", with which it must not be confused.
	at := slices.Index(percuss.Outcomes(), percuss.Refused) + 1
	return slices.Insert(out, at, Count{fmt.Sprintf("%s (%s)", Refused, "the reply declines to answer, in words"), t.refused})
}
