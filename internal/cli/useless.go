package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// uselessly says why a reply is of no use, by its outcome: nothing is read from it. Failed requests are not among them: they are
// asked again.
var uselessly = map[percuss.Outcome]string{
	percuss.Empty:           "empty",
	percuss.PromptTruncated: "the server cut the prompt",
	percuss.ReasoningOnly:   "ended inside the reasoning",
	percuss.Filtered:        "withheld by a content filter",
	percuss.ContextExceeded: "longer than the context",
	percuss.Refused:         "refused by the server",
}

// replied is what became of a run's calls and replies.
type replied struct {
	calls  []report.Calls
	unread []report.Unread
	steps  *step.Findings // nil: it is no step audit
}

// tellUseless says of each model how many replies are of no use, where they are more than a run may fail with. A
// model of which every reply is such is a failure: its tables are empty, and the same command would ask nothing again,
// because a reply is final whatever it says.
func (a *app) tellUseless(of replied, share float64, dir string) error {
	var errs []error
	mute := map[string]bool{} // models of which nothing more need be said
	for _, c := range of.calls {
		none, failed, kinds := uselessOf(c.Outcomes)
		all := c.Requests - failed
		said := fmt.Sprintf("%s: %d of %s of no use (%s)", c.Model, none, repliesOf(all), kinds)
		switch {
		case none == 0:
		case none == all:
			mute[c.Model] = true
			errs = append(errs, fmt.Errorf("%s. They are kept and not asked again. `percuss show %s 1` prints them, `percuss probe` tries the model: mend what is wrong, then begin in another folder (-o)", said, dir))
		case float64(none) > share*float64(all):
			told(a.err, "  ", "warning: %s. They are kept and not asked again; `percuss show %s` lists the items", said, dir)
		}
	}
	return errors.Join(append(errs, a.tellUnread(of.unread, mute, dir), a.tellVotes(of.steps, mute, dir))...)
}

// tellUnread says of each model and prompt how many baseline answers could be read, where fewer than half could. None at all
// is a failure for the same reason: nothing can be held against them, and the replies are final.
func (a *app) tellUnread(unread []report.Unread, mute map[string]bool, dir string) error {
	var errs []error
	for _, u := range unread {
		said := fmt.Sprintf("%s, %s: an answer could be read in the baseline reply to %s of %s", u.Model, u.Variant, percuss.Grouped(u.Read), report.Plural(u.Items, "item"))
		switch {
		case mute[u.Model]:
		case u.Read == 0:
			errs = append(errs, fmt.Errorf("%s. The replies are kept and not asked again. `percuss show %s 1` prints one: where it names no option, let it be longer (--max-tokens) or ask for the letter (--answer letters), in another folder (-o)", said, dir))
		default:
			told(a.err, "  ", "warning: %s; `percuss show %s` lists the items", said, dir)
		}
	}
	return errors.Join(errs...)
}

// uselessOf counts the replies that are of no use, with their kinds, and the requests that failed.
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

// repliesOf is a number of replies with its verb.
func repliesOf(n int) string {
	if n == 1 {
		return "1 reply is"
	}
	return fmt.Sprintf("%d replies are", n)
}

// repliedOf is what a report says of calls and replies.
func repliedOf(r rendering) replied {
	switch r := r.(type) {
	case *chainReport:
		return replied{calls: r.r.Calls, unread: r.r.Unread()}
	case *caseReport:
		return replied{calls: r.r.Calls}
	case *stepReport:
		return replied{calls: r.r.Calls, steps: &r.r.Findings}
	}
	return replied{}
}
