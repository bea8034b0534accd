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

// verdict is what one judge said: in its reply, or in that to the request to say it once more.
func (r reducer) verdict(id, name string, rubric judge.Rubric) Verdict {
	v := Verdict{Judge: name, Says: SaysNothing}
	said, why := r.said(r.byID[id], rubric)
	if why == "" {
		v.Asked = 1
		if again, ok := r.byID[id+repairSuffix]; ok && said == judge.Malformed {
			if said, why = r.said(again, rubric); why == "" {
				v.Asked = 2
			}
		}
	}
	switch {
	case why != "":
		v.Why = why
	case said == judge.Updated:
		v.Says = SaysUpdated
	case said == judge.NotUpdated:
		v.Says = SaysNotUpdated
	default:
		v.Why = "the judge's reply names no verdict in the form that was asked for"
	}
	return v
}

// said reads a judge's reply to one request; why says that there is none, or none with a text.
func (r reducer) said(t percuss.Trial, rubric judge.Rubric) (said judge.Verdict, why string) {
	answer, ok := r.answerOf(t)
	switch {
	case t.ID == "":
		return judge.Malformed, "the judge was not asked"
	case !ok:
		return judge.Malformed, "the judge's answer is not there"
	case !mendable(answer):
		return judge.Malformed, "the call to the judge ended in " + string(answer.Outcome)
	}
	return rubric.Read(answer), ""
}
