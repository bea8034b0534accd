package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// verdicts are what the judges said of an operator's trial, one each, in the order of the specification.
func (r reducer) verdicts(op string, o Options) []Verdict {
	var out []Verdict
	for _, j := range o.Judges {
		out = append(out, r.verdict(judgeTrial(op, j), j.ID, o.Rubric))
	}
	return out
}

// Why a judge's reply holds no verdict: it was cut before one, or it is complete and in another form.
const (
	verdictCut  = "the judge's reply was cut at its token limit before a verdict in the form that was asked for"
	verdictForm = "the judge's reply names no verdict in the form that was asked for"
)

// verdict is what one judge said: in its reply, or in that to the request to say it once more.
func (r reducer) verdict(id, name string, rubric judge.Rubric) Verdict {
	v := Verdict{Judge: name, Says: SaysNothing}
	last, _ := r.trial(id)
	said := r.said(&v, last, rubric)
	if again, ok := r.trial(id + repairSuffix); ok && v.Why == "" && said == judge.Malformed {
		last, said = again, r.said(&v, again, rubric)
	}
	switch {
	case v.Why != "":
	case said == judge.Updated:
		v.Says = SaysUpdated
	case said == judge.NotUpdated:
		v.Says = SaysNotUpdated
	default:
		v.Why = verdictForm
		if answer, _ := r.answerOf(last); answer.Outcome == percuss.Truncated {
			v.Why = verdictCut
		}
	}
	return v
}

// said reads a judge's reply to one request, counts it, and notes why there is none, or none with a text.
func (r reducer) said(v *Verdict, t percuss.Trial, rubric judge.Rubric) judge.Verdict {
	answer, ok := r.answerOf(t)
	if ok {
		v.Asked++
	}
	switch {
	case t.ID == "":
		v.Why = "the judge was not asked"
	case !ok:
		v.Why = "the judge's answer is not there"
	case !mendable(answer):
		v.Why = "the call to the judge ended in " + string(answer.Outcome)
	default:
		return rubric.Read(answer)
	}
	return judge.Malformed
}
