package battery

import (
	_ "embed" // the table of reference limits
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/percuss/percuss/clinical"
)

//go:embed labs.yaml
var labs []byte

// analyte is a laboratory value with its limits.
type analyte struct {
	Name  string      `yaml:"name"`
	Names []string    `yaml:"names"`                   // as texts call it
	Words []string    `yaml:"words" json:",omitempty"` // of its being high or low; one of them in the text would contradict
	With  []string    `yaml:"with" json:",omitempty"`  // values that move with it; one of them in the text would contradict
	Units []reference `yaml:"units"`
}

// reference is the adult reference interval in one unit.
type reference struct {
	Unit  []string  `yaml:"unit"`  // spellings
	Low   float64   `yaml:"low"`   // limits, both within the interval
	High  float64   `yaml:"high"`  //
	Below []float64 `yaml:"below"` // plausible values below; empty: a low value means nothing
	Above []float64 `yaml:"above"` // plausible values above
}

// laboratoryEdit is the kind of edit that takes the built-in table where a file gives none.
const laboratoryEdit = "laboratory"

// adult is the age in years from which the limits of the table hold.
const adult = 18

// laboratoryLists are the word lists of the edit "laboratory".
var laboratoryLists = []string{"flags", "fluids", "children"}

// laboratory moves one value across a limit.
type laboratory struct {
	analytes                []analyte
	forms                   []*regexp.Regexp
	names                   lexicon // of all analytes
	analyteOf               []int   // by pattern of names
	words, with             []lexicon
	flags, fluids, children lexicon
}

// standardLabs reads the built-in table.
func standardLabs() ([]analyte, error) {
	var d struct {
		Analytes []analyte `yaml:"analytes"`
	}
	if err := yaml.UnmarshalWithOptions(labs, &d, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("labs.yaml: %w", err)
	}
	return d.Analytes, nil
}

func (a analyte) check() error {
	if len(a.Names) == 0 || len(a.Units) == 0 {
		return fmt.Errorf("analyte %q needs names and units", a.Name)
	}
	for _, u := range a.Units {
		out := slices.ContainsFunc(u.Below, func(v float64) bool { return v >= u.Low || v < 0 }) ||
			slices.ContainsFunc(u.Above, func(v float64) bool { return v <= u.High })
		switch {
		case len(u.Unit) == 0 || u.Low >= u.High || u.Low < 0:
			return fmt.Errorf("analyte %q needs a unit and a low limit under its high one", a.Name)
		case out || len(u.Below)+len(u.Above) == 0:
			return fmt.Errorf("analyte %q in %s: values below lie under the low limit, values above over the high one; give some", a.Name, u.Unit[0])
		}
	}
	return nil
}

func moveLaboratory(analytes []analyte, l lists) editor {
	m := laboratory{analytes: analytes, flags: l.lexicon("flags"), fluids: l.lexicon("fluids"), children: l.lexicon("children")}
	var all []string
	for i, a := range analytes {
		names := make([]string, len(a.Names))
		for i, n := range a.Names {
			names[i] = strings.ReplaceAll(regexp.QuoteMeta(n), " ", `\s+`)
		}
		slices.SortFunc(names, func(x, y string) int { return len(y) - len(x) })
		m.forms = append(m.forms, regexp.MustCompile(`(?i)(?:^|[^\pL\pN-])(`+strings.Join(names, "|")+
			`)(?:\s+\([A-Za-z+]{1,6}\))?(?:\s+(?:level|concentration|count|value)s?)?\s*(?:,|:|=|is|was|of|at)?\s*((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*([^\s\d,;().][^\s,;()]*)?`))
		all = append(all, a.Names...)
		m.analyteOf = append(m.analyteOf, slices.Repeat([]int{i}, len(a.Names))...)
		m.words, m.with = append(m.words, newWords(a.Words)), append(m.with, newWords(a.With))
	}
	m.names = newLexicon(all, nil)
	return rewriting(m.find)
}

// candidate is a value that can be moved.
type candidate struct {
	at   span
	new  string
	name string
}

func (m laboratory) find(text string, p pick) found {
	if w := m.children.first(text); w != "" {
		return refused("the text has " + quoted(w) + ": the limits are those of adults")
	}
	for _, a := range ageOld.matches(text) {
		if n, err := strconv.Atoi(text[a[2]:a[3]]); err == nil && n < adult {
			return refused("the text has " + quoted(text[a[0]:a[1]]) + ": the limits are those of adults")
		}
	}
	sentences := clinical.Sentences(text)
	var can []candidate
	why := "the text has no value of the table"
	named := make([]bool, len(m.analytes))
	for h := range m.names.hits(text) { // far cheaper than the expressions
		named[m.analyteOf[h.pattern]] = true
	}
	for i := range m.analytes {
		if !named[i] {
			continue
		}
		c, no := m.candidate(text, sentences, i, p)
		if no != "" {
			why = no
		}
		if c.new != "" {
			can = append(can, c)
		}
	}
	if len(can) == 0 {
		return refused(why)
	}
	c := can[p.from("value", len(can))]
	return found{changes: []change{{c.at, c.new}}, tokens: []string{c.new}}
}

// candidate returns where an analyte's value stands and what it may become; without it, why not, or nothing where the
// text does not have the analyte with a value.
func (m laboratory) candidate(text string, sentences []span, i int, p pick) (candidate, string) {
	a := m.analytes[i]
	all := m.forms[i].FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return candidate{}, ""
	}
	hit := all[0]
	at := span{Start: hit[4], End: hit[5]}
	switch sentence := sentenceAt(sentences, hit[2]); {
	case len(all) > 1:
		return candidate{}, a.Name + " is given more than once"
	case hit[6] < 0:
		return candidate{}, a.Name + " has no unit"
	case m.words[i].any(text):
		return candidate{}, "the text has " + quoted(m.words[i].first(text)) + ", which would contradict another " + a.Name
	case m.with[i].any(text):
		return candidate{}, "the text has " + quoted(m.with[i].first(text)) + ", which moves with " + a.Name
	case m.fluids.any(text):
		return candidate{}, "the text has " + quoted(m.fluids.first(text)) + ": the limits are those of blood"
	case m.flags.any(clauseAround(text, sentence, at)):
		return candidate{}, a.Name + " stands beside a word that says how it is"
	case printedRange(text[hit[7]:]):
		return candidate{}, "the text gives the limits of " + a.Name
	}
	unit := strings.TrimRight(text[hit[6]:hit[7]], ".:")
	for _, u := range a.Units {
		if slices.ContainsFunc(u.Unit, func(s string) bool { return strings.EqualFold(s, unit) }) {
			new, err := u.moved(at.In(text), p.as(p.operator+"/"+a.Name))
			if err != nil {
				return candidate{}, a.Name + ": " + err.Error()
			}
			return candidate{at, new, a.Name}, ""
		}
	}
	return candidate{}, a.Name + " has no unit of the table: " + quoted(unit)
}

// clauseAround is the line or clause of a value, where a word like "elevated" would speak of it.
func clauseAround(text string, sentence, at span) string {
	from := max(sentence.Start, strings.LastIndexAny(text[:at.Start], ";\n")+1)
	to := len(text)
	if sentence.End > at.End {
		to = sentence.End
	}
	if n := strings.IndexAny(text[at.End:to], ";\n"); n >= 0 {
		to = at.End + n
	}
	return text[min(from, at.Start):to]
}

// rangeAfter is a reference range printed after a value, a mark of its being high or low, or the value in another unit.
var rangeAfter = regexp.MustCompile(`(?i)^\s*(?:,?\s*(?:normal|n\s*[:=]|ref\b|reference|range)|[(\[]\s*(?:\d|[<>≤≥]|n\b|normal|ref|range|[hl]\b|↑|↓)|[↑↓])`)

func printedRange(after string) bool { return rangeAfter.MatchString(after) }

// moved returns a value on the other side of a limit, written with the decimals and thousands of the old one.
func (r reference) moved(old string, p pick) (string, error) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(old, ",", ""), 64)
	if err != nil {
		return "", errors.New("the value is no number")
	}
	_, tail, _ := strings.Cut(old, ".")
	step := math.Pow(10, -float64(len(tail)))
	to := append(slices.Clone(r.Below), r.Above...)
	if v < r.Low || v > r.High {
		to = nil
		for _, share := range []float64{0.3, 0.5, 0.7} {
			to = append(to, r.Low+share*(r.High-r.Low))
		}
		switch {
		case v > 100*r.High || v < r.Low/100:
			return "", errors.New("the value is not plausible in its unit")
		case v > r.High && (len(r.Above) == 0 || v < (r.High+slices.Min(r.Above))/2),
			v < r.Low && (len(r.Below) == 0 || v > (r.Low+slices.Max(r.Below))/2):
			return "", errors.New("the value lies so near the limit that another laboratory would call it normal")
		}
	}
	var texts []string
	for _, t := range to {
		t = math.Round(t/step) * step
		inside := t >= r.Low && t <= r.High
		if t > 0 && inside != (v >= r.Low && v <= r.High) {
			texts = append(texts, grouped(strconv.FormatFloat(t, 'f', len(tail), 64), strings.Contains(old, ",")))
		}
	}
	if len(texts) == 0 {
		return "", errors.New("no value beyond the limit has so few decimals")
	}
	return texts[p.from("value", len(texts))], nil
}

// grouped writes thousands with commas where the text does.
func grouped(number string, commas bool) string {
	whole, tail, point := strings.Cut(number, ".")
	if commas {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if point {
		return whole + "." + tail
	}
	return whole
}
