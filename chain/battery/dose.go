package battery

import (
	"regexp"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// doseLists are the word lists of the edit "dose".
var doseLists = []string{"dosing", "refuse", "ambiguous"}

// dosed is an amount with a unit of doses that no other unit divides.
var dosed = regexp.MustCompile(`(?:^|[\s(])(\d+(?:,\d{3})*(?:\.\d+)?)(\s?|-)(mg|mcg|µg|μg|ug|g|units?|IU|mL|ml|milligrams?|micrograms?|grams?)([^\pL\pN]|$)`)

// tenfold multiplies one dose by ten and keeps its unit.
type tenfold struct{ dosing, refuse, ambiguous lexicon }

func tenfoldDose(l lists) editor {
	d := tenfold{dosing: l.lexicon("dosing"), refuse: l.lexicon("refuse"), ambiguous: l.lexicon("ambiguous")}
	return rewriting(d.find)
}

func (d tenfold) find(text string, p pick) found {
	why := "the text has no dose"
	sentences := clinical.Sentences(text)
	var can []change
	for _, s := range sentences {
		in := s.In(text)
		if !strings.ContainsAny(in, "0123456789") { // far cheaper than the expression
			continue
		}
		all := dosed.FindAllStringSubmatchIndex(in, -1)
		if len(all) == 0 {
			continue
		}
		m := all[0]
		at := span{Start: s.Start + m[2], End: s.Start + m[3]}
		switch {
		case clinical.AsksQuestion(in):
			why = "the dose stands in the question"
		case len(all) > 1:
			why = "a sentence has more than one dose"
		case !d.dosing.any(in):
			why = "no word says that the amount is a dose"
		case d.refuse.any(in):
			why = "the sentence has " + quoted(d.refuse.first(in)) + ", so that the amount may be no dose"
		case d.ambiguous.any(in) || strings.ContainsAny(in[m[8]:m[9]], "/-–") || strings.ContainsAny(in[:m[2]], "-–/×") && strings.ContainsAny(in[max(0, m[2]-2):m[2]], "-–/×"):
			why = "a frequency, range or weight beside the dose leaves open what is meant"
		default:
			can = append(can, change{at, timesTen(at.In(text))})
		}
	}
	if len(can) == 0 {
		return refused(why)
	}
	c := can[p.from("dose", len(can))]
	if strings.Count(text, c.In(text)+" ") > 1 {
		return refused("the dose may be given twice")
	}
	return found{changes: []change{c}, tokens: []string{c.to}}
}

// timesTen moves the decimal point of a number by one place.
func timesTen(number string) string {
	commas := strings.Contains(number, ",")
	whole, tail, _ := strings.Cut(strings.ReplaceAll(number, ",", ""), ".")
	if tail == "" {
		return grouped(whole+"0", commas)
	}
	whole, tail = strings.TrimLeft(whole+tail[:1], "0"), tail[1:]
	if whole == "" {
		whole = "0"
	}
	if strings.Trim(tail, "0") == "" {
		return grouped(whole, commas)
	}
	return grouped(whole, commas) + "." + tail
}
