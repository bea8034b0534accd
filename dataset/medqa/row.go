package medqa

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// row is a line of the file. meta_info (the examination step) is not kept: no audit uses it, and it has a typing
// error in one copy.
type row struct {
	Question  *string         `json:"question"`
	Options   json.RawMessage `json:"options"`
	AnswerIdx *string         `json:"answer_idx"`
	Answer    *string         `json:"answer"`
}

// option is an option as the file has it.
type option struct{ label, text string }

// question reads a row; want is the number of options it must have, 0 for any.
func question(line []byte, want int) (percuss.Question, error) {
	var none percuss.Question
	if !utf8.Valid(line) {
		return none, errors.New("not valid UTF-8; save the file as UTF-8")
	}
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return none, fmt.Errorf("not a JSON object of a MedQA row: %w", err)
	}
	if r.Question == nil {
		return none, errors.New(`no field "question"`)
	}
	stem := cleanStem(*r.Question)
	if stem == "" {
		return none, errors.New("the question is empty")
	}
	raw, err := readOptions(r.Options)
	if err != nil {
		return none, err
	}
	if want != 0 && len(raw) != want {
		return none, fmt.Errorf("%d options where options=%d was asked for", len(raw), want)
	}
	gold, err := goldOf(r, raw)
	if err != nil {
		return none, err
	}
	q := percuss.Question{Set: Name, Stem: stem, Gold: percuss.Label(gold)}
	parts := []string{*r.Question}
	seen := map[string]string{}
	for i, o := range raw {
		text := cleanOption(o.text)
		if text == "" {
			return none, fmt.Errorf("option %s is empty", o.label)
		}
		if other, ok := seen[text]; ok {
			return none, fmt.Errorf("options %s and %s are the same", other, o.label)
		}
		seen[text] = o.label
		parts = append(parts, o.label, o.text)
		q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: text})
	}
	q.ID = dataset.Identity(Name, parts...)
	if lacksVignette(stem) {
		q.Flags = append(q.Flags, NoVignette)
	}
	return q, nil
}

// readOptions reads the options object in the order of its labels. It goes token by token: a Go map would lose a
// label that stands twice, and its order differs from run to run (golang/go#18916).
func readOptions(raw json.RawMessage) ([]option, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return nil, errors.New(`"options" is missing or not an object of labels and texts`)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	var options []option
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
		label, _ := key.(string)
		value, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
		text, ok := value.(string)
		switch {
		case !ok:
			return nil, fmt.Errorf("option %q is not a text", label)
		case strings.TrimSpace(label) == "":
			return nil, errors.New("an option has no label")
		case slices.ContainsFunc(options, func(o option) bool { return o.label == label }):
			return nil, fmt.Errorf("label %q stands twice among the options", label)
		}
		options = append(options, option{label, text})
	}
	if len(options) < 2 {
		return nil, errors.New("fewer than two options")
	}
	slices.SortFunc(options, func(a, b option) int {
		return cmp.Or(cmp.Compare(len(a.label), len(b.label)), cmp.Compare(a.label, b.label))
	})
	return options, nil
}

// goldOf returns the index of the right option. answer, where the row has it, must be that option's raw text: the
// two fields check each other.
func goldOf(r row, options []option) (int, error) {
	if r.AnswerIdx == nil || *r.AnswerIdx == "" {
		return 0, errors.New(`no field "answer_idx"`)
	}
	i := slices.IndexFunc(options, func(o option) bool { return o.label == *r.AnswerIdx })
	if i < 0 {
		return 0, fmt.Errorf("answer_idx %q is not among the options", *r.AnswerIdx)
	}
	if r.Answer != nil && *r.Answer != options[i].text {
		return 0, fmt.Errorf("answer %q is not the text of option %s, %q", *r.Answer, options[i].label, options[i].text)
	}
	return i, nil
}
