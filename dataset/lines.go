package dataset

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
)

// Line is one line of a text file, without its line end.
type Line struct {
	Number int // from 1
	Text   []byte
}

// LineReader reads lines of any length. A byte-order mark at the beginning and the carriage return of a CRLF are
// left out of the lines, but not of the hash.
type LineReader struct {
	in  *bufio.Reader
	sum hash.Hash
}

// NewLineReader returns a reader of r's lines.
func NewLineReader(r io.Reader) *LineReader {
	h := sha256.New()
	return &LineReader{in: bufio.NewReaderSize(io.TeeReader(r, h), 1<<16), sum: h}
}

// All yields the lines in order, blank ones too. A read error, or a file in UTF-16, ends the sequence.
func (l *LineReader) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for n := 1; ; n++ {
			text, err := l.in.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Line{Number: n}, fmt.Errorf("line %d: %w", n, err))
				return
			}
			last := err != nil
			if last && len(text) == 0 {
				return
			}
			if n == 1 {
				if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
					yield(Line{Number: n}, errors.New("the file is in UTF-16; save it as UTF-8"))
					return
				}
				text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
			}
			text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
			if !yield(Line{Number: n, Text: text}, nil) || last {
				return
			}
		}
	}
}

// SHA256 returns the hash, in hex, of everything read so far: after All has come to its end, of the whole file.
func (l *LineReader) SHA256() string { return hex.EncodeToString(l.sum.Sum(nil)) }

// ErrChanged says that a file was not the same on its second reading.
var ErrChanged = errors.New("the file changed while it was read; start again when it is complete")

// ReadLines yields the lines of a file together with the hash of the whole, which every question carries from the
// first on: the file is therefore read twice, and ErrChanged ends the sequence when the second reading differs.
func ReadLines(r io.ReadSeeker) (sha256hex string, lines iter.Seq2[Line, error], err error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", nil, err
	}
	sha256hex = hex.EncodeToString(h.Sum(nil))
	return sha256hex, func(yield func(Line, error) bool) {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			yield(Line{}, err)
			return
		}
		l := NewLineReader(r)
		for line, err := range l.All() {
			if !yield(line, err) || err != nil {
				return
			}
		}
		if l.SHA256() != sha256hex {
			yield(Line{}, ErrChanged)
		}
	}, nil
}
