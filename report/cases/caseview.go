package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// caseView is one case as a page or a terminal shows it.
type caseView struct {
	Case
	Number           int    // from 1, in the order of the walk
	File, Prev, Next string // names of the case's page and of its neighbours'; empty: there is none
	Threshold        float64
	Verdict          []string // sentences
	Units            []unitView
	Fixed            []string       // findings that are always shown
	Sentences        []sentenceView // of a narrative
	Candidates       []candidateView
	Prompt           string // what the model was told with all the evidence
	Rows             []comboView
	Pairs            []pairView
	Weak             string // what lies below the threshold
	Families         []familyView
	Others           []otherView
	Settings         []settingView
	Compared         []evidence.Comparison
	Survivals        []survivalView
	Outcomes         []evidence.Count // how the calls ended
	Requests         int
	Unready          bool // the noise floor is still being worked out
	suspicious       int
}

// unitView is an audited finding.
type unitView struct {
	evidence.UnitRecord
	Number int
	Mark   string // one letter for its role
	Class  string
	Called string         // its role in a word
	Words  string         // its flags
	Alone  percuss.Number // its own interaction of order 1
}

// sentenceView is a sentence of a narrative; Unit is nil where it was not audited.
type sentenceView struct {
	Text string
	Unit *unitView
}

// roleMarks and roleClasses mark a role in one letter and by colour.
var roleMarks = map[evidence.Role]string{evidence.RoleAbsent: "A", evidence.RoleBackground: "B", evidence.RoleSupporting: "S", evidence.RoleCompetitor: "C",
	evidence.RoleLow: "L", evidence.RoleOther: "O"}

var roleClasses = map[evidence.Role]string{evidence.RoleAbsent: "negated", evidence.RoleBackground: "background",
	evidence.RoleSupporting: "faithful", evidence.RoleCompetitor: "conflict"}

// newCaseView reads a case's record at a threshold, against the noise of its cell.
func newCaseView(c Case, threshold float64, floors []evidence.FloorRow) caseView {
	v := caseView{Case: c, Threshold: threshold}
	if v.Threshold <= 0 {
		v.Threshold = evidence.Salient
	}
	v.readUnits()
	v.readCandidates()
	v.readRows(floors)
	v.readPairs()
	v.readChanges()
	v.readOthers()
	v.readSettings()
	v.readCalls()
	v.Verdict = v.sentences()
	return v
}

func (v *caseView) readUnits() {
	for i, u := range v.Record.Units {
		view := unitView{UnitRecord: u, Number: i + 1, Mark: "O", Class: "weak", Called: string(u.Role)}
		if v.Record.Narrative { // nothing is known of what a sentence is evidence for
			view.Mark, view.Called = "", "sentence"
			view.Role = ""
		}
		if m := roleMarks[u.Role]; m != "" {
			view.Mark = m
		}
		if c := roleClasses[u.Role]; c != "" {
			view.Class = c
		}
		var flags []string
		for _, f := range u.Flags {
			flags = append(flags, flagWords(f))
		}
		view.Words = strings.Join(flags, ", ")
		for _, x := range v.Record.Base.Interactions {
			if x.Set == 1<<i {
				view.Alone = percuss.Num(x.Value)
			}
		}
		v.Units = append(v.Units, view)
	}
	if v.Subject.Case == nil {
		return
	}
	v.Fixed = slices.Clone(v.Subject.Case.Facts)
	for _, u := range v.Subject.Case.Units {
		at := slices.IndexFunc(v.Units, func(a unitView) bool { return a.ID == u.ID })
		switch {
		case v.Subject.Case.Narrative && at >= 0:
			v.Sentences = append(v.Sentences, sentenceView{u.Text, &v.Units[at]})
		case v.Subject.Case.Narrative:
			v.Sentences = append(v.Sentences, sentenceView{Text: u.Text})
		case at < 0:
			v.Fixed = append(v.Fixed, u.Text)
		}
	}
}

// flagWords names a flag for a reader, as seen from the right diagnosis.
func flagWords(f evidence.Flag) string {
	switch f {
	case evidence.Absent:
		return "absent"
	case evidence.Symptom:
		return "symptom of the right diagnosis"
	case evidence.Antecedent:
		return "antecedent of the right diagnosis"
	case evidence.Other:
		return "linked to another candidate"
	case evidence.OtherOnly:
		return "not linked to the right diagnosis"
	}
	return plainly(string(f))
}

// lastUser is what the model was last told.
func lastUser(r *percuss.Request) string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == percuss.User {
			return r.Messages[i].Content
		}
	}
	return ""
}

// sentences say what happened in this case.
func (v *caseView) sentences() []string {
	b := v.Record.Base
	var out []string
	switch {
	case v.Record.Why != "":
		return []string{"Nothing was asked: " + v.Record.Why + "."}
	case b.Prediction == "":
		out = append(out, "With all the evidence the model prefers no single candidate; the right diagnosis is "+v.Record.Gold+".")
	case b.Correct:
		out = append(out, "With all the evidence the model picks "+b.Prediction+", which is right.")
	default:
		out = append(out, "With all the evidence the model picks "+b.Prediction+", which is wrong: the right diagnosis is "+v.Record.Gold+".")
	}
	if b.Margin.OK() {
		out[0] += fmt.Sprintf(" The margin of %s is %s nats with all audited findings and %s with none.", v.Record.Gold, signed(b.Margin), signed(b.Empty))
	}
	if b.State != evidence.Scored {
		reason := ""
		if b.Why != "" {
			reason = ": " + b.Why
		}
		return append(out, fmt.Sprintf("The case is in no table of combinations (%s)%s.", plainly(string(b.State)), reason))
	}
	if len(v.Rows) == 0 {
		return append(out, "No combination of findings moves the right diagnosis by "+nat(v.Threshold)+" or more.")
	}
	r := v.Rows[0]
	suspicious := fmt.Sprintf("%d of them are suspicious", v.suspicious)
	if v.Record.Narrative {
		suspicious = "in a narrative none can be called suspicious"
	}
	text := fmt.Sprintf("%s of findings move that margin by %s or more; %s. The strongest (%s nats) is called %s: %s.", report.Plural(len(v.Rows),
		"combination"), nat(v.Threshold),
		suspicious, r.Value, r.Label, r.Text)
	if len(v.Rows) == 1 {
		text = strings.Replace(text, "move that", "moves that", 1)
	}
	return append(out, text)
}
