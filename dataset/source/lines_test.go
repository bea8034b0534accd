package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func sumOf(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }

func lines(t testing.TB, r io.Reader) (texts []string, sum string) {
	t.Helper()
	l, err := newText(r)
	if err != nil {
		t.Fatal(err)
	}
	for line, err := range l.lines() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(line.text))
		if line.number != len(texts) {
			t.Fatalf("line %d is numbered %d", len(texts), line.number)
		}
	}
	return texts, l.sha256()
}

func TestLines(t *testing.T) {
	tests := map[string][]string{
		"":                                      nil,
		"\n":                                    {""},
		"a":                                     {"a"},
		"a\n":                                   {"a"},
		"a\r\nb\r\n":                            {"a", "b"},
		"\xef\xbb\xbfa\r\n\r\nb":                {"a", "", "b"},
		"a\n\xef\xbb\xbfb":                      {"a", "\xef\xbb\xbfb"},
		"a\rb\n":                                {"a\rb"},
		"\xef\xbb\xbf":                          nil,
		"a\u2028b\n":                            {"a\u2028b"},
		strings.Repeat("x", 1<<20) + "\n" + "y": {strings.Repeat("x", 1<<20), "y"},
	}
	for in, want := range tests {
		got, sum := lines(t, strings.NewReader(in))
		if !slices.Equal(got, want) {
			t.Errorf("%.20q: got %.40q, want %.40q", in, got, want)
		}
		if sum != sumOf([]byte(in)) {
			t.Errorf("%.20q: the hash is not that of the whole file", in)
		}
	}
}

func TestLinesErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	l, err := newText(io.MultiReader(strings.NewReader("a\nbcd"), iotest.ErrReader(broken)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range l.lines() {
		if n++; (err != nil) != (n == 2) || n == 2 && (!errors.Is(err, broken) || !strings.Contains(err.Error(), "line 2")) {
			t.Errorf("line %d: %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
	if _, err := newText(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
	for _, in := range []string{"\xff\xfea\x00\n\x00", "\xfe\xff\x00a\x00\n"} {
		if _, err := newText(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("UTF-16: %v", err)
		}
	}
}

// Whatever the lines, the line end and the mark, what was written is read.
func TestLinesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.StringMatching(`[a-zé"{}\t]{0,40}`), 1, 20).Draw(t, "lines")
		if i := rapid.IntRange(-3, len(want)-1).Draw(t, "long"); i >= 0 {
			want[i] = strings.Repeat("long ", 60_000)
		}
		text := strings.Join(want, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")) + "\n"
		text = rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark") + text
		l, err := newText(iotest.HalfReader(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line, err := range l.lines() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line.text))
		}
		if !slices.Equal(got, want) || l.sha256() != sumOf([]byte(text)) {
			t.Fatalf("got %d lines, want %d", len(got), len(want))
		}
	})
}

func TestLinesFormat(t *testing.T) {
	in := []byte("a\n \n\xff\nb")
	seq := Lines(bytes.NewReader(in), "x.jsonl")
	for range 2 { // the sequence can be read again
		var got []string
		for r, err := range seq {
			if err != nil || r.Source.File != "x.jsonl" || r.Source.SHA256 != sumOf(in) {
				t.Fatal(r.Source, err)
			}
			got = append(got, fmt.Sprint(r.Source.Line, " ", string(r.Value), " ", r.Bad))
		}
		want := []string{"1 a <nil>", "3 \xff " + errNotUTF8.Error(), "4 b <nil>"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	}
	for range seq { // and left early
		break
	}
}

// A file that grows, or is rewritten, between its two readings carries a hash that is not its own.
func TestFormatsNoticeAChange(t *testing.T) {
	formats := map[string]func(File) error{
		"{\"a\":1}\n{\"b\":2}": last(Lines),
		"{\"a\":1, \"b\":2}":   last(Elements),
		"a,b\n1,2\n3,4\n":      last(CSV(',', func([]string) bool { return true })),
	}
	for content, read := range formats {
		buf := []byte(content)
		if err := read(bytes.NewReader(buf)); err != nil {
			t.Errorf("%q: %v", content, err)
		}
		f := &changing{Reader: bytes.NewReader(buf), change: func() { buf[bytes.IndexByte(buf, '2')] = '9' }}
		if err := read(f); !errors.Is(err, ErrChanged) {
			t.Errorf("%q: got %v", content, err)
		}
	}
}

// last reads a file to its end and returns the error that ended it.
func last[T any](format Format[T]) func(File) error {
	return func(f File) (last error) {
		for _, err := range format(f, "x") {
			last = err
		}
		return last
	}
}

// changing is a file that changes when it is begun for the second time.
type changing struct {
	*bytes.Reader
	begun  int
	change func()
}

func (c *changing) Seek(offset int64, whence int) (int64, error) {
	if c.begun++; c.begun == 2 {
		c.change()
	}
	return c.Reader.Seek(offset, whence)
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfa\r\nb"))
	f.Add([]byte("\xff\xfe"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.HasPrefix(in, []byte("\xff\xfe")) || bytes.HasPrefix(in, []byte("\xfe\xff")) {
			return
		}
		got, sum := lines(t, bytes.NewReader(in))
		if sum != sumOf(in) {
			t.Error("hash")
		}
		in = bytes.TrimPrefix(in, []byte("\xef\xbb\xbf"))
		want := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && in[len(in)-1] != '\n' {
			want++
		}
		if len(got) != want {
			t.Errorf("%d lines, want %d", len(got), want)
		}
	})
}
