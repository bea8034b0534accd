package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// ExportSchema is the format of an export: JSON lines, an ExportHeader and then one answered request a line, with
// ascending keys.
const ExportSchema = "percuss.answers/1"

// ExportHeader is the first line of an export. It says what a reader must know besides the answers, so that the file
// alone is enough.
type ExportHeader struct {
	Schema string                          `json:"schema"`
	Count  int                             `json:"count"`  // answers that follow; a file that was cut short has fewer
	Models map[string]percuss.Capabilities `json:"models"` // by the model's id in the run that asked
}

// exportLine is one answered request.
type exportLine struct {
	Key     percuss.Key     `json:"key"`
	Request percuss.Request `json:"request"`
	Answer  percuss.Answer  `json:"answer"`
}

// Export writes every answered request as JSON lines in the order of its key and returns their number: two exports of
// the same answers are the same bytes. models are the capabilities of those that were asked, by id. An entry that
// would not read back as the request of its key is an error, and so is a store that answers are added to meanwhile:
// its first line would not be true. What was written before an error is no export.
func Export(ctx context.Context, w io.Writer, from Reader, models map[string]percuss.Capabilities) (int, error) {
	count, err := from.Count(ctx)
	if err != nil {
		return 0, err
	}
	if models == nil {
		models = map[string]percuss.Capabilities{}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	line, err := jsonLine(ExportHeader{Schema: ExportSchema, Count: count, Models: models})
	if err != nil {
		return 0, fmt.Errorf("export: the models' capabilities: %w", err)
	}
	if _, err := b.Write(line); err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	n := 0
	for e, err := range from.Entries(ctx) {
		if err != nil {
			return n, err
		}
		if line, err = encodeEntry(e); err != nil {
			return n, fmt.Errorf("export: %w", err)
		}
		if _, err := b.Write(line); err != nil {
			return n, fmt.Errorf("export: %w", err)
		}
		n++
	}
	if n != count {
		return n, fmt.Errorf("export: the store counted %d answers and then gave %d: export it again when its run has ended; "+
			"if none is under way, see what `percuss store verify` says", count, n)
	}
	if err := b.Flush(); err != nil {
		return n, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

// encodeEntry writes a line and makes sure that it reads back as it was.
func encodeEntry(e Entry) ([]byte, error) {
	line, err := jsonLine(exportLine(e))
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", e.Key, err)
	}
	if _, err := ParseExportLine(line); err != nil {
		return nil, fmt.Errorf("request %s cannot be kept exactly, text must be UTF-8 and extras compact JSON: %w", e.Key, err)
	}
	for _, text := range [...]string{e.Answer.Text, e.Answer.Reasoning, e.Answer.Reported, e.Answer.Detail} {
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("the answer to request %s is not UTF-8, so it cannot be kept exactly", e.Key)
		}
	}
	return line, nil
}

// jsonLine leaves HTML characters as they are: Request.Extra is kept byte for byte.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// ParseExportLine reads one answered request and checks that the key is the request's and the outcome one to store.
func ParseExportLine(line []byte) (Entry, error) {
	var l exportLine
	if err := json.Unmarshal(line, &l); err != nil {
		return Entry{}, fmt.Errorf("no answered request: %w", err)
	}
	if own := l.Request.Key(); own != l.Key {
		return Entry{}, fmt.Errorf("the key is %q, but its request has the key %s", l.Key, own)
	}
	if o := l.Answer.Outcome; o == percuss.Failed || !slices.Contains(percuss.Outcomes(), o) {
		return Entry{}, fmt.Errorf("the outcome %q of %s is not final", o, l.Key)
	}
	return Entry(l), nil
}
