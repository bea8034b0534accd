package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
)

// question reads a question from the fields that data sets use for it.
func question(f fields) (Entry, error) {
	e := Entry{Stem: f.text("question", "query", "problem", "sent1", "input"), Prompt: f.text("prompt")}
	if e.Stem == "" {
		return e, errors.New("no question in the row")
	}
	if c := f.text("context", "passage"); c != "" {
		e.Context = []string{c}
	}
	labels, texts := choices(f)
	for i, t := range texts {
		e.Options = append(e.Options, percuss.Option{Label: percuss.Label(i), Text: t})
	}
	e.Gold = gold(f, labels, texts)
	return e, nil
}

// choices returns the options with the labels that the log gives them.
func choices(f fields) (labels, texts []string) {
	for _, name := range [...]string{"options", "choices"} {
		var list []string
		var lettered map[string]string
		var columns struct{ Text, Label []string }
		switch raw := f[name]; {
		case !f.has(name):
		case json.Unmarshal(raw, &list) == nil:
			return labelled(list), list
		case json.Unmarshal(raw, &lettered) == nil:
			labels = slices.SortedFunc(maps.Keys(lettered), func(a, b string) int {
				return compare(len(a), len(b), a, b)
			})
			for _, l := range labels {
				texts = append(texts, lettered[l])
			}
			return labels, texts
		case json.Unmarshal(raw, &columns) == nil && len(columns.Label) == len(columns.Text):
			return columns.Label, columns.Text
		}
	}
	for _, names := range [...][]string{{"opa", "opb", "opc", "opd", "ope"}, {"ending0", "ending1", "ending2", "ending3", "ending4"}} {
		for _, n := range names {
			if t := f.word(n); t != "" {
				texts = append(texts, t)
			}
		}
		if len(texts) > 1 {
			return labelled(texts), texts
		}
		texts = nil
	}
	return nil, nil
}

// compare orders labels: 10 behind 9, AA behind Z.
func compare(n, m int, a, b string) int {
	if n != m {
		return n - m
	}
	return strings.Compare(a, b)
}

func labelled(texts []string) []string {
	labels := make([]string, len(texts))
	for i := range texts {
		labels[i] = percuss.Label(i)
	}
	return labels
}

// gold returns the label, here, of the right option, or the number that a question without options asks for.
func gold(f fields, labels, texts []string) string {
	for _, name := range [...]string{"answer_idx", "answerKey", "cop", "label", "answer", "gold", "target"} {
		said := f.word(name)
		if said == "" {
			continue
		}
		if len(texts) == 0 {
			_, after, marked := strings.Cut(said, "####")
			if marked {
				said = after
			}
			return strings.TrimSpace(said)
		}
		if i := slices.Index(labels, strings.Trim(said, " ().")); i >= 0 {
			return percuss.Label(i)
		}
		if i := slices.Index(texts, said); i >= 0 {
			return percuss.Label(i)
		}
		if i, err := strconv.Atoi(said); err == nil && i >= 0 && i < len(texts) {
			return percuss.Label(i)
		}
	}
	return ""
}

// OptionLine is a line of a prompt that shows an option: "A. text", "(B) text" or "C) text".
var OptionLine = regexp.MustCompile(`(?m)^[ \t]*\(?([A-Z]{1,2})[.):][ \t]+(\S.*?)[ \t\r]*$`)

// heading is what stands before a question in a prompt.
var heading = regexp.MustCompile(`(?i)^(?:question|q|problem)\s*:\s*`)

// Parse takes a prompt apart: passages before the question, the question, and the options in lines such as "A. text".
// Without such lines the whole prompt, but its heading, is the question.
func Parse(prompt string) (context []string, stem string, options []percuss.Option) {
	lines := run(OptionLine.FindAllStringSubmatchIndex(prompt, -1), prompt)
	above := prompt
	for _, m := range lines {
		options = append(options, percuss.Option{Label: prompt[m[2]:m[3]], Text: prompt[m[4]:m[5]]})
	}
	if len(lines) > 0 {
		above = prompt[:lines[0][0]]
	}
	above = strings.TrimSpace(above)
	for _, h := range [...]string{"Options:", "Choices:", "Answer choices:"} {
		above = strings.TrimSpace(strings.TrimSuffix(above, h))
	}
	for _, mark := range [...]string{"\nQuestion:", "\nQ:"} {
		if i := strings.LastIndex(above, mark); i >= 0 {
			passage := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(above[:i]), "Context:"))
			if passage != "" {
				context = []string{passage}
			}
			above = above[i+1:]
			break
		}
	}
	return context, strings.TrimSpace(heading.ReplaceAllString(above, "")), options
}

// run returns the last lines that are lettered from A on: earlier ones may be those of an example.
func run(lines [][]int, prompt string) [][]int {
	for i, m := range slices.Backward(lines) {
		if prompt[m[2]:m[3]] == "A" {
			end := i
			for end < len(lines) && prompt[lines[end][2]:lines[end][3]] == percuss.Label(end-i) {
				end++
			}
			return lines[i:end]
		}
	}
	return nil
}

// String names an entry for a message.
func (e Entry) String() string {
	if e.ID != "" {
		return fmt.Sprintf("line %d (%s)", e.Line, e.ID)
	}
	return fmt.Sprintf("line %d", e.Line)
}
