package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// ExportedEntry is one answered request and where it stands in the file.
type ExportedEntry struct {
	Entry
	Line   int   // from 1; the header is line 1
	Offset int64 // of its first byte, from the beginning of what was read
	Size   int   // in bytes, without the line's end
}

// ReadExport reads the header of an export and returns the entries that follow. They are read one at a time, however
// long a line is, and can be gone through once. name is the file's, for errors.
//
// A line that cannot be used is an error with file and line, and reading goes on behind it. The last error is that of
// a file that ends early: it wraps io.ErrUnexpectedEOF. A file of another format is an error of ReadExport, which
// wraps ErrNewer where a newer version wrote it.
func ReadExport(r io.Reader, name string) (ExportHeader, iter.Seq2[ExportedEntry, error], error) {
	x := &exportReader{r: bufio.NewReaderSize(r, 1<<16), name: name}
	h, err := x.header()
	if err != nil {
		return h, nil, err
	}
	return h, x.entries(h.Count), nil
}

type exportReader struct {
	r      *bufio.Reader
	name   string
	number int
	offset int64 // behind the last line that was read
}

// line returns the next line that is not blank, without its end, and its offset; io.EOF when there is none.
func (x *exportReader) line() ([]byte, int64, error) {
	for {
		raw, err := x.r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, 0, fmt.Errorf("%s: %w", x.name, err)
		}
		if len(raw) == 0 {
			return nil, 0, io.EOF
		}
		at := x.offset
		x.offset += int64(len(raw))
		x.number++
		if line := bytes.TrimRight(raw, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
			return line, at, nil
		}
	}
}

func (x *exportReader) header() (ExportHeader, error) {
	var h ExportHeader
	line, _, err := x.line()
	if err != nil && !errors.Is(err, io.EOF) {
		return h, err
	}
	broken := json.Unmarshal(line, &h) // what a newer header changed does not keep its schema from being read
	name, _, _ := strings.Cut(h.Schema, "/")
	switch own, _, _ := strings.Cut(ExportSchema, "/"); {
	case h.Schema == ExportSchema && broken == nil && h.Count >= 0:
		return h, nil
	case h.Schema == ExportSchema:
		return h, fmt.Errorf("%s: its first line is damaged (count %d, %v): export the run again", x.name, h.Count, broken)
	case name == own:
		return h, fmt.Errorf("%s has the schema %q, this version reads %q: %w", x.name, h.Schema, ExportSchema, ErrNewer)
	}
	return h, fmt.Errorf("%s is no export of answers, its first line has no schema %q: make one with `percuss store export DIR -o FILE`",
		x.name, ExportSchema)
}

func (x *exportReader) entries(count int) iter.Seq2[ExportedEntry, error] {
	return func(yield func(ExportedEntry, error) bool) {
		lines, last := 0, Entry{}
		for {
			line, at, err := x.line()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				yield(ExportedEntry{}, err)
				return
			}
			lines++
			e, err := ParseExportLine(line)
			if err == nil && e.Key <= last.Key {
				err = fmt.Errorf("the key %s does not come after that of the line before: keys ascend, each once", e.Key)
			}
			if err != nil {
				if !yield(ExportedEntry{Line: x.number}, fmt.Errorf("%s:%d: %w; export the run again", x.name, x.number, err)) {
					return
				}
				continue
			}
			last = e
			if !yield(ExportedEntry{Entry: e, Line: x.number, Offset: at, Size: len(line)}, nil) {
				return
			}
		}
		if lines != count {
			yield(ExportedEntry{}, x.miscounted(lines, count))
		}
	}
}

// miscounted says that the number of answers is not that of the header.
func (x *exportReader) miscounted(lines, count int) error {
	if lines < count {
		return fmt.Errorf("%s ends after %d of %d answers: copy it again, or export the run again: %w", x.name, lines, count, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%s has %d answers, its first line says %d: export the run again, or set count to what is there", x.name, lines, count)
}
