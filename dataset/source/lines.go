package source

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"unicode/utf8"
)

// ErrChanged says that a file was not the same on its second reading.
var ErrChanged = errors.New("the file changed while it was read; start again when it is complete")

var errNotUTF8 = errors.New("not valid UTF-8; save the file as UTF-8 (spreadsheets: CSV UTF-8)")

// text is a text file being read. A byte-order mark at its beginning is left out of the text, but not of the hash.
type text struct {
	in   *bufio.Reader
	sum  hash.Hash
	want string // the hash of the first reading, where there was one
}

// newText begins to read; a file in UTF-16 is an error.
func newText(r io.Reader) (*text, error) {
	h := sha256.New()
	t := &text{in: bufio.NewReaderSize(io.TeeReader(r, h), 1<<16), sum: h}
	head, err := t.in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return nil, errors.New("the file is in UTF-16; save it as UTF-8 (spreadsheets: CSV UTF-8)")
	}
	if bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		_, _ = t.in.Discard(len(head)) // what was peeked at can be discarded
	}
	return t, nil
}

// openText reads a file to its end for its hash, which every question carries from the first on, and begins again.
func openText(f File) (*text, error) {
	want, err := SHA256(f)
	if err != nil {
		return nil, err
	}
	t, err := newText(f)
	if err != nil {
		return nil, err
	}
	t.want = want
	return t, nil
}

// SHA256 returns the SHA-256 of a file in hex and goes back to its beginning.
func SHA256(f File) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}

// unchanged reads what is left and compares the hashes of both readings.
func (t *text) unchanged() error {
	if _, err := io.Copy(io.Discard, t.in); err != nil {
		return err
	}
	if t.sha256() != t.want {
		return ErrChanged
	}
	return nil
}

// sha256 is the hash, in hex, of everything read so far.
func (t *text) sha256() string { return hex.EncodeToString(t.sum.Sum(nil)) }

// line is one line of a text file, without its line end.
type line struct {
	number int // from 1
	text   []byte
}

// lines yields the lines in order, blank ones too, whatever their length; CRLF ends a line as LF does. A read error
// ends the sequence.
func (t *text) lines() iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for n := 1; ; n++ {
			b, err := t.in.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(line{number: n}, fmt.Errorf("line %d: %w", n, err))
				return
			}
			last := err != nil
			if last && len(b) == 0 {
				return
			}
			b = bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
			if !yield(line{n, b}, nil) || last {
				return
			}
		}
	}
}

// Lines is the format of one JSON object a line: each row is a line that is not blank.
func Lines(f File, name string) iter.Seq2[Row[[]byte], error] {
	return func(yield func(Row[[]byte], error) bool) {
		t, err := openText(f)
		if err != nil {
			yield(Row[[]byte]{}, err)
			return
		}
		for l, err := range t.lines() {
			if err != nil {
				yield(Row[[]byte]{}, err)
				return
			}
			if len(bytes.TrimSpace(l.text)) == 0 {
				continue
			}
			row := NewRow(name, t.want, l.number, l.text)
			if !utf8.Valid(l.text) {
				row.Bad = errNotUTF8
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := t.unchanged(); err != nil {
			yield(Row[[]byte]{}, err)
		}
	}
}
