package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// format is one kind of log: how a row of it is told, and read.
type format struct {
	name string
	is   func(fields) bool
	read func(fields) (Entry, error)
}

// formats are those that are known; the first that a row fits holds.
func formats() []format {
	return []format{
		{"an lm-eval sample log", func(f fields) bool { return f.has("doc") && (f.has("resps") || f.has("filtered_resps")) }, readSample},
		{"OpenAI batch output", func(f fields) bool { _, ok := f["response"]; return ok && f.has("custom_id") }, readBatch},
		{"a table of completions by trigger", func(f fields) bool { return f.has("question_text") && f.has("completions") }, readTriggers},
		{"ThoughtSource", func(f fields) bool { return f.has("generated_cot") }, readThoughts},
		{"MedAgents benchmark output", func(f fields) bool {
			return f.has("question") && f.has("options") && (f.has("completion") || f.has("raw_response"))
		}, readBenchmark},
		{"a list of chains by question", func(f fields) bool { return f.has("question") && f.has("chains") }, readChains},
		{"a record of chat completions", func(f fields) bool {
			return f.has("messages") || f.has("request") && (f.has("response") || f.has("choices"))
		}, readChat},
	}
}

func formatOf(f fields) *format {
	for _, known := range formats() {
		if known.is(f) {
			return &known
		}
	}
	return nil
}

// has reports whether a field is there and not null.
func (f fields) has(name string) bool { return len(f[name]) > 0 && string(f[name]) != "null" }

// text is the first of the fields that is a text.
func (f fields) text(names ...string) string {
	for _, name := range names {
		var s string
		if f.has(name) && json.Unmarshal(f[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// word is the first of the fields as a text, be it one or a number.
func (f fields) word(names ...string) string {
	for _, name := range names {
		var n json.Number
		if s := f.text(name); s != "" {
			return s
		}
		if f.has(name) && json.Unmarshal(f[name], &n) == nil && n != "" {
			return n.String()
		}
	}
	return ""
}

// object is the fields of a member; empty where it is none.
func (f fields) object(name string) fields {
	var o fields
	if f.has(name) {
		_ = json.Unmarshal(f[name], &o) // what is no object has no fields
	}
	return o
}

// said is an answer with a text; an empty one is that outcome.
func said(text string) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK, Text: text}
	if strings.TrimSpace(text) == "" {
		a.Outcome = percuss.Empty
	}
	return a
}

// used is what a log counted of tokens.
func (f fields) used() percuss.Usage {
	var u struct {
		Prompt int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	}
	for _, name := range [...]string{"usage", "token_usage"} {
		if f.has(name) && json.Unmarshal(f[name], &u) == nil {
			return percuss.Usage{Prompt: max(0, u.Prompt), Output: max(0, u.Output)}
		}
	}
	return percuss.Usage{}
}

// readBenchmark reads {question, options, answer_idx, completion} or, from a pipeline of two steps, raw_response with a
// summary of it in "thinking", which is no part of the chain.
func readBenchmark(f fields) (Entry, error) {
	e, err := question(f)
	if err != nil {
		return e, err
	}
	e.ID = f.word("realidx", "id")
	e.Note = f.text("answer_rationale")
	a := said(cmp.Or(f.text("completion"), f.text("raw_response")))
	a.Usage = f.used()
	e.Replies = []Reply{{Model: f.text("model"), Answer: a}}
	return e, nil
}

// readChains reads {question, options, answer, model, chains}, where chains are texts, or objects with a text and a model.
func readChains(f fields) (Entry, error) {
	e, err := question(f)
	if err != nil {
		return e, err
	}
	e.ID = f.word("id", "qid", "question_id")
	var chains []json.RawMessage
	if err := json.Unmarshal(f["chains"], &chains); err != nil {
		return e, fmt.Errorf("chains: not a list: %w", err)
	}
	for i, raw := range chains {
		var text string
		var of struct{ Text, Model string }
		if json.Unmarshal(raw, &text) != nil {
			if err := json.Unmarshal(raw, &of); err != nil || of.Text == "" {
				return e, fmt.Errorf(`chains: entry %d is neither a text nor {"text": ..., "model": ...}`, i+1)
			}
			text = of.Text
		}
		e.Replies = append(e.Replies, Reply{Model: cmp.Or(of.Model, f.text("model")), Answer: said(text)})
	}
	return e, nil
}

// readTriggers reads {question_text, gold, completions: [{trigger, completion}]}. The question's text holds its options,
// and begins with the set in words and the item's id in brackets.
func readTriggers(f fields) (Entry, error) {
	text := f.text("question_text")
	id := ""
	if open := strings.IndexByte(text, '['); open >= 0 && open < 30 {
		if end := strings.IndexByte(text, ']'); end > open {
			id, text = text[open+1:end], text[end+1:]
		}
	}
	e := Entry{ID: cmp.Or(f.text("qid"), id), Set: setOf(f.text("dataset")), Gold: f.text("gold")}
	e.Context, e.Stem, e.Options = Parse(text)
	var all []struct{ Trigger, Completion string }
	if err := json.Unmarshal(f["completions"], &all); err != nil {
		return e, fmt.Errorf("completions: not a list of trigger and completion: %w", err)
	}
	if e.Stem == "" || len(e.Options) < 2 {
		return e, errors.New(`question_text: no question with options in lines such as "A) text"`)
	}
	for _, c := range all {
		e.Replies = append(e.Replies, Reply{Trigger: c.Trigger, Answer: said(c.Completion)})
	}
	return e, nil
}

// readThoughts reads a row of the ThoughtSource schema. The answer was asked for in a call of its own, so that it is put
// behind the chain as its answer line.
func readThoughts(f fields) (Entry, error) {
	var row struct {
		ID, Question, Context string
		Choices, Answer       []string
		Cot                   []string
		Generated             []struct {
			Cot     string
			Model   string
			Trigger string `json:"cot_trigger"`
			Answers []struct{ Answer string }
		} `json:"generated_cot"`
	}
	if err := decode(f, &row); err != nil {
		return Entry{}, err
	}
	e := Entry{ID: row.ID, Stem: row.Question, Note: strings.Join(row.Cot, "\n")}
	if row.Context != "" {
		e.Context = []string{row.Context}
	}
	for i, c := range row.Choices {
		label := percuss.Label(i)
		e.Options = append(e.Options, percuss.Option{Label: label, Text: c})
		if len(row.Answer) == 1 && row.Answer[0] == c {
			e.Gold = label
		}
	}
	for _, g := range row.Generated {
		text := g.Cot
		if len(g.Answers) > 0 && strings.TrimSpace(g.Answers[0].Answer) != "" {
			text = strings.TrimRight(text, " \n") + "\n\nAnswer: " + strings.TrimSpace(g.Answers[0].Answer)
		}
		e.Replies = append(e.Replies, Reply{Model: modelName(g.Model), Trigger: g.Trigger, Answer: said(text)})
	}
	return e, nil
}

// modelName takes the name from "{'name': 'gpt-4', 'temperature': 0}", which is how ThoughtSource writes a model.
func modelName(s string) string {
	if _, rest, ok := strings.Cut(s, "'name': '"); ok {
		s, _, _ = strings.Cut(rest, "'")
	}
	return s
}

// decode reads fields into a struct.
func decode(f fields, into any) error {
	raw, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	return err
}
