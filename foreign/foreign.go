// Package foreign reads logs that other programs wrote of what models replied to questions: lm-eval's samples, the output
// of OpenAI's batches, records of chat completions, and files of published chains of thought. A log is read whole; every
// question that it holds is an entry with the replies to it.
package foreign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/source"
)

// Log is a foreign log.
type Log struct {
	Format  string // what wrote it, in words
	File    string // base name
	SHA256  string // of the file, hex
	Entries []Entry
	Bad     []Bad // rows that could not be read
}

// Bad is a row that could not be read, and why.
type Bad struct {
	Line int
	Why  string
}

// Entry is one question of a log.
type Entry struct {
	Line    int
	ID      string   // what the log calls the question; may be empty
	Set     string   // the data set that the log names, by its name here, e.g. "medqa"; may be empty
	Context []string // passages shown before the stem
	Stem    string   // empty where the log has only the prompt, from which nothing could be told apart
	Options []percuss.Option
	Gold    string // the label of the right option, or a number as the log writes it; empty where the log has none
	Note    string // why it is right
	Prompt  string // the last user message, where the log has requests rather than questions
	Replies []Reply
}

// Reply is what one model said to a question.
type Reply struct {
	Model   string // as the log names it; may be empty
	Trigger string // the sentence that asked for reasoning, where the log has replies to several
	Answer  percuss.Answer
}

// ErrUnknown says that a file is no log of a known format.
var ErrUnknown = errors.New("no log of a known format: there are lm-eval samples, OpenAI batch output, chat completions with their " +
	"requests, MedAgents benchmark output, ThoughtSource, tables of completions by trigger and lists of chains by question")

// Read reads a log. requests is the file of the requests that an OpenAI batch was made of, empty where there is none.
func Read(path, requests string) (*Log, error) {
	asked := map[string]string{}
	if requests != "" {
		var err error
		if asked, err = prompts(requests); err != nil {
			return nil, err
		}
	}
	log := &Log{File: filepath.Base(path)}
	var f *format
	for row, err := range rows(path) {
		if err != nil {
			return nil, fmt.Errorf("log: %w", err)
		}
		log.SHA256 = row.Source.SHA256
		if row.Bad != nil {
			log.Bad = append(log.Bad, Bad{row.Source.Line, row.Bad.Error()})
			continue
		}
		for _, r := range unfold(row.Value) {
			log.row(&f, r, row.Source.Line, asked)
		}
	}
	if f == nil {
		return nil, fmt.Errorf("%s: %w", path, ErrUnknown)
	}
	log.Format = f.name
	return log, nil
}

// row reads one row by the format of the file, which the first row that has one settles.
func (l *Log) row(f **format, r record, line int, asked map[string]string) {
	if *f == nil {
		if *f = formatOf(r.fields); *f == nil {
			l.Bad = append(l.Bad, Bad{line, "a row of no known format"})
			return
		}
	}
	if !(*f).is(r.fields) {
		l.Bad = append(l.Bad, Bad{line, "not a row of " + (*f).name + ", as those before it are"})
		return
	}
	e, err := (*f).read(r.fields)
	if err != nil {
		l.Bad = append(l.Bad, Bad{line, err.Error()})
		return
	}
	e.Line = line
	if e.Set == "" {
		e.Set = setOf(r.key, l.File)
	}
	if prompt, ok := asked[e.ID]; ok && e.Prompt == "" {
		e.Prompt = prompt
	}
	if e.Stem == "" && e.Prompt != "" {
		e.Context, e.Stem, e.Options = Parse(e.Prompt)
	}
	l.Entries = append(l.Entries, e)
}

// fields are the members of a JSON object.
type fields map[string]json.RawMessage

// record is one row: its fields, and the name under which a file keeps rows of several sets.
type record struct {
	key    string
	fields fields
}

// rows yields the rows of a file that is JSON lines, an array, or an object of arrays.
func rows(path string) iter.Seq2[source.Row[source.Element], error] {
	lines, err := isLines(path)
	if err != nil {
		return func(yield func(source.Row[source.Element], error) bool) { yield(source.Row[source.Element]{}, err) }
	}
	if !lines {
		return source.Read(path, source.Elements)
	}
	return func(yield func(source.Row[source.Element], error) bool) {
		for row, err := range source.Read(path, source.Lines) {
			out := source.Row[source.Element]{Source: row.Source, Bad: row.Bad, Value: source.Element{Value: slices.Clone(row.Value)}}
			if !yield(out, err) {
				return
			}
		}
	}
}

// isLines reports whether the first line that is not blank is a whole JSON object.
func isLines(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		switch {
		case len(line) > 0 && line[0] != '{':
			return false, nil
		case len(line) > 0:
			var f fields
			whole := json.Unmarshal(line, &f) == nil
			return whole && (formatOf(f) != nil || !nested(f)), nil
		case errors.Is(err, io.EOF):
			return false, fmt.Errorf("%s is empty", path)
		case err != nil:
			return false, err
		}
	}
}

// nested reports whether an object holds rows of several sets, as a ThoughtSource file does in one line.
func nested(f fields) bool {
	for _, v := range f {
		var splits map[string][]fields
		if json.Unmarshal(v, &splits) != nil {
			continue
		}
		for _, rows := range splits {
			if len(rows) > 0 && formatOf(rows[0]) != nil {
				return true
			}
		}
	}
	return false
}

// unfold returns the rows that an element holds: itself, or those of the splits of a set.
func unfold(e source.Element) []record {
	var f fields
	if json.Unmarshal(e.Value, &f) == nil && (e.Key == "" || formatOf(f) != nil) {
		return []record{{e.Key, f}}
	}
	var splits map[string][]fields
	if json.Unmarshal(e.Value, &splits) != nil {
		return nil
	}
	names := make([]string, 0, len(splits))
	for name := range splits {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []record
	for _, name := range names {
		for _, f := range splits[name] {
			out = append(out, record{e.Key, f})
		}
	}
	return out
}

// setOf names the data set that a key or a file's name speaks of.
func setOf(names ...string) string {
	for _, name := range names {
		name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
		for _, s := range [...][2]string{{"pubmedqa", "pubmedqa"}, {"medmcqa", "medmcqa"}, {"medqa", "medqa"},
			{"usmle", "medqa"}, {"strategyqa", "strategyqa"}, {"gsm8k", "gsm8k"}} {
			if strings.Contains(name, s[0]) {
				return s[1]
			}
		}
	}
	return ""
}
