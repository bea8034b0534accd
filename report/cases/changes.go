package cases

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// familyView is a family of findings with what its changes moved.
type familyView struct {
	ID, Text, Strata string
	Texts            []string
	Units            string // the audited findings of it, by number
	Changes          []changeView
}

// Named are the audited findings of the family, as "finding 1" or "findings 2, 3"; empty: none of it was audited.
func (f familyView) Named() string {
	switch {
	case f.Units == "":
		return ""
	case strings.Contains(f.Units, ","):
		return "findings " + f.Units
	}
	return "finding " + f.Units
}

// changeView is one change.
type changeView struct {
	evidence.Change
	New, Rank, Verdict             string
	TargetText, RivalText, MarginT string
}

// More are the texts after the first that stand in the prompt after the change.
func (c changeView) More() []string { return c.After[min(1, len(c.After)):] }

// readChanges groups the changes by family, in the order in which they were made.
func (v *caseView) readChanges() {
	at := map[string]int{}
	for _, c := range v.Record.Changes {
		i, ok := at[c.Family]
		if !ok {
			i = len(v.Families)
			at[c.Family] = i
			v.Families = append(v.Families, v.family(c))
		}
		v.Families[i].Changes = append(v.Families[i].Changes, changeView{Change: c, New: after(c), Rank: cmp.Or(rankWords(c), "–"), Verdict: changeVerdict(c),
			TargetText: signed(c.Target), RivalText: signed(c.Rival), MarginT: signed(c.Margin)})
	}
}

func (v *caseView) family(c evidence.Change) familyView {
	f := familyView{ID: c.Family, Text: strings.Join(c.Before, "; "), Texts: c.Before}
	for _, known := range v.Record.Families {
		if known.ID != c.Family {
			continue
		}
		var strata []string
		for _, s := range known.Strata {
			strata = append(strata, stratumWords(s))
		}
		f.Strata = strings.Join(strata, ", ")
	}
	var numbers []string
	for _, u := range v.Units {
		if u.Family == c.Family && u.Family != "" {
			numbers = append(numbers, fmt.Sprint(u.Number))
		}
	}
	f.Units = strings.Join(numbers, ", ")
	return f
}

// stratumWords say why a family was changed.
func stratumWords(s evidence.Stratum) string {
	switch s {
	case evidence.High:
		return "in a suspicious combination (high)"
	case evidence.Clean:
		return "in salient combinations, none of them suspicious (salient)"
	case evidence.Low:
		return "in no salient combination (low)"
	case evidence.Plausible:
		return "called appropriate (plausible)"
	}
	return string(s)
}

// changeVerdict says in words what a change did to the diagnosis.
func changeVerdict(c evidence.Change) string {
	switch {
	case c.State != evidence.Scored && c.State != "":
		if c.Why != "" {
			return plainly(string(c.State)) + ": " + c.Why
		}
		return plainly(string(c.State))
	case c.RankBefore != 0 && c.RankAfter > c.RankBefore:
		return "the right diagnosis loses rank"
	case c.RankBefore != 0 && c.RankAfter < c.RankBefore && c.RankAfter > 0:
		return "the right diagnosis gains rank"
	case !c.Margin.OK():
		return "–"
	}
	return "the rank stays"
}

// otherView is a candidate audited as if it were the right diagnosis.
type otherView struct {
	Name, Letter, State string
	Margin              percuss.Number
	Salient, Suspicious int
	Rows                []comboView // the strongest
}

// otherRows is how many combinations of another candidate are listed.
const otherRows = 3

func (v *caseView) readOthers() {
	for _, o := range v.Record.Others {
		view := otherView{Name: o.Name, Letter: o.Measured.Letter, Margin: o.Measured.Margin}
		if o.Measured.State != evidence.Scored {
			view.State = plainly(string(o.Measured.State))
		}
		for _, x := range o.Measured.Interactions {
			if !v.salient(x) {
				continue
			}
			view.Salient++
			if x.Suspicious {
				view.Suspicious++
			}
			if len(view.Rows) < otherRows {
				view.Rows = append(view.Rows, v.combo(x))
			}
		}
		v.Others = append(v.Others, view)
	}
}

func (v *caseView) salient(x evidence.Interaction) bool {
	return x.Value >= v.Threshold || -x.Value >= v.Threshold
}

// settingView is one setting of the case.
type settingView struct {
	Name, State, Letter, Prediction, Right string
	Margin                                 percuss.Number
	Salient, Suspicious                    int
	Units                                  string // the findings of another selection
}

func (v *caseView) readSettings() {
	add := func(m evidence.Measured, units []evidence.UnitRecord) {
		s := settingView{Name: m.Setting.String(), State: plainly(string(m.State)), Letter: m.Letter, Prediction: m.Prediction, Margin: m.Margin, Right: "–"}
		if m.Answered {
			s.Right = map[bool]string{true: "yes", false: "no"}[m.Correct]
		}
		for _, x := range m.Interactions {
			if v.salient(x) {
				s.Salient++
				if x.Suspicious {
					s.Suspicious++
				}
			}
		}
		var texts []string
		for _, u := range units {
			texts = append(texts, u.Text)
		}
		s.Units = strings.Join(texts, "; ")
		v.Settings = append(v.Settings, s)
	}
	if v.Record.Why == "" {
		add(v.Record.Base, nil)
	}
	for _, other := range v.Record.Variants {
		add(other.Measured, other.Units)
	}
	v.Compared = v.Record.Compared
	for _, s := range v.Record.Cascade {
		numbers, text := v.named(s.Set)
		v.Survivals = append(v.Survivals, survivalView{numbers, text, signed(percuss.Num(s.Value)), s.Rule, s.Suspicious,
			[4]string{verdict(s.Prompt), verdict(s.Order), verdict(s.Neutralize), verdict(s.Family)}})
	}
}

// survivalView is what became of a combination under the checks.
type survivalView struct {
	Numbers, Text, Value, Rule string
	Suspicious                 bool
	Verdicts                   [4]string // wording, order, neutralization, family
}

func verdict(v evidence.Verdict) string {
	if v == "" {
		return "–"
	}
	return plainly(string(v))
}
