package report

import (
	"html/template"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

func TestBarsOfOptions(t *testing.T) {
	q := percuss.Question{Gold: "A", Options: []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "Surgery"}, {Label: "C", Text: "Nothing"}}}
	score := func(letter string, p percuss.Number, bound bool) percuss.LetterScore {
		return percuss.LetterScore{Letter: letter, LogProb: p, Censored: bound}
	}
	before := []percuss.LetterScore{score("A", percuss.Num(0), false), score("B", percuss.Num(-2), false), score("C", percuss.Num(-9), true)}
	after := []percuss.LetterScore{score("A", percuss.Num(-4), true), score("B", percuss.Num(-0.5), false), score("C", percuss.Number{}, false)}
	read := func(answer string) chain.Reading { return chain.Reading{State: chain.Read, Answer: answer} }
	bar := func(width, said string) template.HTML {
		return template.HTML(`<td><svg aria-hidden="true"><rect width="` + width + `" height="100%"/></svg> ` + said + `</td>`)
	}
	want := &optionBars{Both: true, Rows: []optionBar{
		{Name: "A. Rest (gold)", Gold: true, Was: true, Readings: bar("100.0%", "100.0 % (0.00)") + bar("1.8%", "≤ 1.8 % (≤ −4.00)") + "<td>–</td>"},
		{Name: "B. Surgery", Is: true, Readings: bar("13.5%", "13.5 % (−2.00)") + bar("60.7%", "60.7 % (−0.50)") + "<td>+1.50</td>"},
		{Name: "C. Nothing", Readings: bar("0.0%", "≤ 0.0 % (≤ −9.00)") + "<td>–</td><td>–</td>"},
	}}
	if d := cmp.Diff(want, barsOf(q, before, after, read("A"), read("B"))); d != "" {
		t.Error(d)
	}
	if got := barsOf(q, before, nil, read("A"), read("B")); got != nil {
		t.Errorf("bars of a reading without letters: %+v", got)
	}
	if got := barsOf(percuss.Question{}, before, after, read("A"), read("B")); got != nil {
		t.Errorf("bars of a question without options: %+v", got)
	}
	one := barsOf(q, nil, after, chain.Reading{}, read("B"))
	if one.Both || one.Rows[1].Readings != bar("60.7%", "60.7 % (−0.50)") || one.Rows[0].Was {
		t.Errorf("a reading alone: %+v", one)
	}
}

// A log-probability above 0, which some servers round to, is drawn as certainty and no wider.
func TestBarNeverPassesItsFrame(t *testing.T) {
	if c := barOf(percuss.LetterScore{LogProb: percuss.Num(0.01)}); !strings.Contains(c, `width="100.0%"`) {
		t.Error(c)
	}
}
