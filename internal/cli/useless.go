package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
)

// uselessly says what a reply is from which nothing can be read, by its outcome. Failed requests are not among them: they are
// asked again.
var uselessly = map[percuss.Outcome]string{
	percuss.Empty:           "empty",
	percuss.PromptTruncated: "to a prompt that the server cut",
	percuss.ReasoningOnly:   "reasoning without an answer",
	percuss.Filtered:        "withheld by a content filter",
	percuss.ContextExceeded: "to a prompt longer than the context",
	percuss.Refused:         "a refusal of the server",
}

// tellUseless says of each model how many replies nothing can be read from, where they are more than a run may fail with. A
// model of which every reply is such is a failure: its tables are empty, and the same command would ask nothing again,
// because a reply is final whatever it says.
func (a *app) tellUseless(calls []report.Calls, share float64, dir string) error {
	var errs []error
	for _, c := range calls {
		none, failed, kinds := uselessOf(c.Outcomes)
		all := c.Requests - failed
		said := fmt.Sprintf("%s: nothing can be read from %d of %s (%s)", c.Model, none, repliesOf(all), kinds)
		switch {
		case none == 0:
		case none == all:
			errs = append(errs, fmt.Errorf(`%s. They are kept and not asked again. percuss show %s 1 prints them, percuss probe tries a model: mend what is wrong, then begin in another folder (-o)`, said, dir))
		case float64(none) > share*float64(all):
			told(a.err, "  ", "warning: %s. They are kept and not asked again; percuss show %s lists the items", said, dir)
		}
	}
	return errors.Join(errs...)
}

// uselessOf counts the replies that nothing can be read from, with their kinds, and the requests that failed.
func uselessOf(outcomes []chain.Count) (none, failed int, kinds string) {
	var words []string
	for _, o := range outcomes {
		if o.Name == string(percuss.Failed) {
			failed = o.N
		}
		if word := uselessly[percuss.Outcome(o.Name)]; word != "" && o.N > 0 {
			none += o.N
			words = append(words, fmt.Sprintf("%s: %d", word, o.N))
		}
	}
	return none, failed, strings.Join(words, "; ")
}

// repliesOf is a number of replies in words.
func repliesOf(n int) string {
	if n == 1 {
		return "1 reply"
	}
	return fmt.Sprintf("%d replies", n)
}

// callsOf are the calls of a report.
func callsOf(r rendering) []report.Calls {
	switch r := r.(type) {
	case *chainReport:
		return r.r.Calls
	case *caseReport:
		return r.r.Calls
	}
	return nil
}
