package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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
	l := NewLineReader(r)
	for line, err := range l.All() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(line.Text))
		if line.Number != len(texts) {
			t.Fatalf("line %d is numbered %d", len(texts), line.Number)
		}
	}
	return texts, l.SHA256()
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
		"\xef\xbb\xbf":                          {""},
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
	n := 0
	for _, err := range NewLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken))).All() {
		if n++; (err != nil) != (n == 2) || n == 2 && (!errors.Is(err, broken) || !strings.Contains(err.Error(), "line 2")) {
			t.Errorf("line %d: %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
	for _, in := range []string{"\xff\xfea\x00\n\x00", "\xfe\xff\x00a\x00\n"} {
		n := 0
		for _, err := range NewLineReader(strings.NewReader(in)).All() {
			if n++; err == nil || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("UTF-16: %v", err)
			}
		}
		if n != 1 {
			t.Errorf("UTF-16: %d lines", n)
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
		l := NewLineReader(iotest.HalfReader(strings.NewReader(text)))
		var got []string
		for line, err := range l.All() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line.Text))
		}
		if !slices.Equal(got, want) || l.SHA256() != sumOf([]byte(text)) {
			t.Fatalf("got %d lines, want %d", len(got), len(want))
		}
	})
}

func TestReadLines(t *testing.T) {
	in := []byte("a\nb\n")
	sum, seq, err := ReadLines(bytes.NewReader(in))
	if err != nil || sum != sumOf(in) {
		t.Fatal(sum, err)
	}
	for range 2 { // the sequence can be read again
		n := 0
		for line, err := range seq {
			if n++; err != nil || line.Number != n {
				t.Error(line, err)
			}
		}
		if n != 2 {
			t.Errorf("%d lines", n)
		}
	}
	for range seq { // and left early
		break
	}
}

func TestReadLinesNoticesAChange(t *testing.T) {
	buf := []byte("a\nb\n")
	_, seq, err := ReadLines(bytes.NewReader(buf))
	if err != nil {
		t.Fatal(err)
	}
	buf[2] = 'c'
	var last error
	for _, err := range seq {
		last = err
	}
	if !errors.Is(last, ErrChanged) {
		t.Errorf("got %v", last)
	}
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
		want := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && in[len(in)-1] != '\n' {
			want++
		}
		if len(got) != want {
			t.Errorf("%d lines, want %d", len(got), want)
		}
	})
}
