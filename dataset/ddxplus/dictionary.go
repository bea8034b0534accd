package ddxplus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss/dataset/source"
)

// dictionaries are what the codes of the patients' rows mean.
type dictionaries struct {
	codes      []string // of all evidences, in the order of the file
	evidences  map[string]evidence
	conditions map[string]condition
}

// evidence is one question that a patient was asked.
type evidence struct {
	code       string
	family     string // the code of its main question; its own where it is one
	question   string // in words, English
	antecedent bool
	binary     bool              // listed, without a value, means yes
	answers    map[string]answer // by value; that of a binary one by ""
	no         answer            // of a binary one that is not listed
}

// answer is a recorded value.
type answer struct {
	text   string
	note   string // question and answer as an intake note has them
	absent bool
}

// The answers of a binary question.
const yes, no = "yes", "no"

// condition lists what a disease shows, by code of the evidence.
type condition struct{ symptoms, antecedents map[string]json.RawMessage }

func readDictionaries(dir string) (dictionaries, error) {
	d := dictionaries{evidences: map[string]evidence{}, conditions: map[string]condition{}}
	if err := readMembers(dir, evidencesFile, d.addEvidence); err != nil {
		return d, err
	}
	return d, readMembers(dir, conditionsFile, d.addCondition)
}

// readMembers hands each member of a JSON object to add.
func readMembers(dir, name string, add func(key string, raw json.RawMessage) error) error {
	for row, err := range source.Read(filepath.Join(dir, name), source.Elements) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w; the patients' file needs %s and %s beside it", err, evidencesFile, conditionsFile)
		case err != nil:
			return err
		}
		if err = row.Bad; err == nil {
			err = add(row.Value.Key, row.Value.Value)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w; take the file as the authors published it", filepath.Join(dir, name), row.Source.Line, err)
		}
	}
	return nil
}

func (d *dictionaries) addEvidence(code string, raw json.RawMessage) error {
	var e struct {
		Question   string                       `json:"question_en"`
		Family     string                       `json:"code_question"`
		Antecedent bool                         `json:"is_antecedent"`
		Type       string                       `json:"data_type"`
		Values     []json.RawMessage            `json:"possible-values"`
		Meaning    map[string]map[string]string `json:"value_meaning"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return fmt.Errorf("evidence %q: %w", code, err)
	}
	_, twice := d.evidences[code]
	switch {
	case code == "" || twice:
		return fmt.Errorf("evidence %q has no code of its own", code)
	case strings.TrimSpace(e.Question) == "":
		return fmt.Errorf("evidence %s has no question_en", code)
	case e.Type != "B" && e.Type != "C" && e.Type != "M":
		return fmt.Errorf("evidence %s: data_type %q; there are B, C and M", code, e.Type)
	case (e.Type == "B") != (len(e.Values) == 0):
		return fmt.Errorf("evidence %s: data_type %s with %d possible-values", code, e.Type, len(e.Values))
	}
	if e.Family == "" {
		e.Family = code
	}
	out := evidence{code: code, family: e.Family, question: strings.TrimSpace(e.Question), antecedent: e.Antecedent, binary: e.Type == "B"}
	var err error
	if out.answers, err = answersOf(e.Values, e.Meaning); err != nil {
		return fmt.Errorf("evidence %s: %w", code, err)
	}
	if out.binary {
		out.answers[""], out.no = answer{text: yes}, answer{text: no, note: out.note(no), absent: true}
	}
	for value, a := range out.answers {
		a.note = out.note(a.text)
		out.answers[value] = a
	}
	d.codes, d.evidences[code] = append(d.codes, code), out
	return nil
}

// answersOf reads the values that an evidence may take: codes with a meaning, or the numbers of a scale.
func answersOf(values []json.RawMessage, meaning map[string]map[string]string) (map[string]answer, error) {
	out := map[string]answer{}
	for _, raw := range values {
		var name string
		if json.Unmarshal(raw, &name) != nil {
			var number int
			if err := json.Unmarshal(raw, &number); err != nil {
				return nil, fmt.Errorf("value %s is neither a code nor a number", raw)
			}
			name = strconv.Itoa(number)
			out[name] = answer{text: fmt.Sprintf("%s of %s", name, values[len(values)-1]), absent: name == "0"}
			continue
		}
		en := meaning[name]["en"]
		if strings.TrimSpace(en) == "" {
			return nil, fmt.Errorf("value %q has no English meaning", name)
		}
		out[name] = worded(strings.TrimSpace(en))
	}
	return out, nil
}

// worded says which answers mean that the finding is not there. The file has Y and N where a note has yes and no.
func worded(text string) answer {
	switch strings.ToLower(text) {
	case "y":
		return answer{text: yes}
	case "n":
		return answer{text: no, absent: true}
	case "no", "none", "nowhere", "na":
		return answer{text: text, absent: true}
	}
	return answer{text: text}
}

func (d *dictionaries) addCondition(name string, raw json.RawMessage) error {
	var c struct {
		Symptoms    map[string]json.RawMessage `json:"symptoms"`
		Antecedents map[string]json.RawMessage `json:"antecedents"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("condition %q: %w", name, err)
	}
	if _, twice := d.conditions[name]; twice || name == "" {
		return fmt.Errorf("condition %q has no name of its own", name)
	}
	for _, codes := range []map[string]json.RawMessage{c.Symptoms, c.Antecedents} {
		for code := range codes {
			if _, ok := d.evidences[code]; !ok {
				return fmt.Errorf("condition %q lists %q, which %s does not have", name, code, evidencesFile)
			}
		}
	}
	d.conditions[name] = condition{c.Symptoms, c.Antecedents}
	return nil
}

// asksAgain finds a second question behind the first, which would make no sense without it.
var asksAgain = regexp.MustCompile(`\?|^or |\b(?:do|did|have|are|were) you\b|\bor (?:is|are|has|have|does) (?:you|a)`)

// note says a finding in the manner of an intake note. Only the opening of a question is dropped, and only where what
// is left can stand before a colon: whatever else the question says, also when it happened, stays.
func (e evidence) note(answer string) string {
	if rest, ok := strings.CutSuffix(e.question, ":"); ok {
		return rest + ": " + answer
	}
	stem := strings.TrimSpace(strings.TrimSuffix(e.question, "?"))
	rest, ok := strings.CutPrefix(stem, "Do you have ")
	if ok {
		for _, article := range []string{"a ", "an ", "any "} {
			rest = strings.TrimPrefix(rest, article)
		}
	}
	for _, opening := range []string{"Do you ", "Have you ", "Are you "} {
		if !ok {
			rest, ok = strings.CutPrefix(stem, opening)
		}
	}
	if !ok || rest == "" || stem == e.question || asksAgain.MatchString(rest) {
		return e.question + " " + answer
	}
	first, n := utf8.DecodeRuneInString(rest)
	return string(unicode.ToUpper(first)) + rest[n:] + ": " + answer
}

// links says of which of the candidates an evidence is a symptom and of which an antecedent, in their order.
func (d *dictionaries) links(code string, candidates []string) (symptomOf, antecedentOf []string) {
	for _, c := range candidates {
		if _, ok := d.conditions[c].symptoms[code]; ok {
			symptomOf = append(symptomOf, c)
		}
		if _, ok := d.conditions[c].antecedents[code]; ok {
			antecedentOf = append(antecedentOf, c)
		}
	}
	return symptomOf, antecedentOf
}
