package ratings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// AnswersSchema names the format of a file of answers.
const AnswersSchema = "percuss.review.answers/1"

// MostAnswersBytes is the size of the largest file of answers that is read.
const MostAnswersBytes = 256 << 20

// AnswersFile is what a rater who worked without a server sends back: the latest entry of each item that was answered,
// as JSON. Its entries have no Rater, for the file is one person's, and times by the clock of that person's machine.
type AnswersFile struct {
	Schema  string    `json:"schema"`  // AnswersSchema
	Package string    `json:"package"` // the ID of the package
	Rater   string    `json:"rater"`   // name
	Saved   time.Time `json:"saved"`
	Entries []Entry   `json:"entries"`
}

// ReadAnswers reads a file of answers and checks it; now is the time of who reads it. A fault of an entry names it by its
// number, from 1. Whether its items and labels are the package's is not looked at.
func ReadAnswers(r io.Reader, now time.Time) (AnswersFile, error) {
	var f AnswersFile
	raw, err := io.ReadAll(io.LimitReader(r, MostAnswersBytes+1))
	if err != nil {
		return f, err
	}
	if len(raw) > MostAnswersBytes {
		return f, fmt.Errorf("larger than a file of answers can be (%d bytes)", MostAnswersBytes)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		line := 1 + bytes.Count(raw[:min(int(d.InputOffset()), len(raw))], []byte("\n"))
		return f, fmt.Errorf("line %d: no file of answers (%w): give the file that a rater's page saved", line, err)
	}
	if d.More() {
		return f, errors.New("more than one file of answers in it: give the file that a rater's page saved")
	}
	return f, f.check(now)
}

func (f AnswersFile) check(now time.Time) error {
	switch {
	case f.Schema != AnswersSchema:
		return fmt.Errorf("schema %q: this version of Percuss reads %q", f.Schema, AnswersSchema)
	case !name.MatchString(f.Package):
		return fmt.Errorf("package %.80q: it does not say of which package it is", f.Package)
	case f.Rater == "" || len(f.Rater) > MostName:
		return fmt.Errorf("a rater's name of %d bytes: from 1 to %d", len(f.Rater), MostName)
	}
	for i, e := range f.Entries {
		if err := e.Check(now); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return nil
}
