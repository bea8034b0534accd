package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Lettered is a JSON row whose options are an object of labels and texts: the layout of MedQA, to which others have
// been converted.
type Lettered struct {
	Question  *string         `json:"question"`
	Options   json.RawMessage `json:"options"`
	AnswerIdx *string         `json:"answer_idx"`
	Answer    *string         `json:"answer"`
}

// Raw returns the row. answer, where the row has it, must be the raw text of the right option: the two fields check
// each other.
func (l Lettered) Raw() (Raw, error) {
	if l.Question == nil {
		return Raw{}, errors.New(`no field "question"`)
	}
	labels, texts, err := optionsObject(l.Options)
	if err != nil {
		return Raw{}, err
	}
	if l.AnswerIdx == nil || *l.AnswerIdx == "" {
		return Raw{}, errors.New(`no field "answer_idx"`)
	}
	gold := slices.Index(labels, *l.AnswerIdx)
	if gold < 0 {
		return Raw{}, fmt.Errorf("answer_idx %q is not among the options", *l.AnswerIdx)
	}
	if l.Answer != nil && *l.Answer != texts[gold] {
		return Raw{}, fmt.Errorf("answer %q is not the text of option %s, %q", *l.Answer, labels[gold], texts[gold])
	}
	return Raw{Stem: *l.Question, Labels: labels, Options: texts, Gold: gold}, nil
}

// optionsObject reads an object of labels and texts in the order of its labels. It goes token by token: a Go map would lose a label that stands twice, and its order
// differs from run to run (golang/go#18916).
func optionsObject(raw json.RawMessage) (labels, texts []string, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return nil, nil, errors.New(`"options" is missing or not an object of labels and texts`)
	}
	type option struct{ label, text string }
	var options []option
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, nil, fmt.Errorf("options: %w", err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("options: %w", err)
		}
		value, err := d.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("options: %w", err)
		}
		label, _ := key.(string) // the decoder lets nothing else be a key
		text, ok := value.(string)
		switch {
		case !ok:
			return nil, nil, fmt.Errorf("option %q is not a text", label)
		case strings.TrimSpace(label) == "":
			return nil, nil, errors.New("an option has no label")
		case slices.ContainsFunc(options, func(o option) bool { return o.label == label }):
			return nil, nil, fmt.Errorf("label %q stands twice among the options", label)
		}
		options = append(options, option{label, text})
	}
	slices.SortFunc(options, func(a, b option) int { return CompareLabels(a.label, b.label) })
	for _, o := range options {
		labels, texts = append(labels, o.label), append(texts, o.text)
	}
	return labels, texts, nil
}

// CompareLabels orders labels: shorter ones first, so that 10 comes after 9 and AA after Z.
func CompareLabels(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
