package source

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func named([]string) bool { return true }

// records reads a CSV text; each record is printed as line, fields and what is bad.
func records(t testing.TB, in string, separator byte, header func([]string) bool) (out []string, err error) {
	t.Helper()
	for r, err := range CSV(separator, header)(strings.NewReader(in), "x.csv") {
		if err != nil {
			return out, err
		}
		s := fmt.Sprintf("%d %q", r.Source.Line, r.Value.Fields)
		if r.Bad != nil {
			s = fmt.Sprintf("%d bad: %v", r.Source.Line, r.Bad)
		}
		out = append(out, s)
	}
	return out, nil
}

func TestCSV(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"plain", "q,a\nx,y\n", []string{`2 ["x" "y"]`}},
		{"CRLF", "q,a\r\nx,y\r\n", []string{`2 ["x" "y"]`}},
		{"no line end at the end", "q,a\nx,y", []string{`2 ["x" "y"]`}},
		{"a quoted field over lines moves the next line's number", "q,a\n\"x\nx\r\nx\",y\nz,w\n", []string{`2 ["x\nx\nx" "y"]`, `5 ["z" "w"]`}},
		{"blank lines count", "q,a\n\n\nx,y\n", []string{`4 ["x" "y"]`}},
		{"semicolons, with commas in the text", "q;a\nx, and more, and more;y\n", []string{`2 ["x, and more, and more" "y"]`}},
		{"tabs", "q\ta\nx;y\tz\n", []string{`2 ["x;y" "z"]`}},
		{"a separator in a quoted name does not count", "\"q;;;\",a\nx,y\n", []string{`2 ["x" "y"]`}},
		{"doubled quotes", "q,a\n\"\"\"x\"\" y\",z\n", []string{`2 ["\"x\" y" "z"]`}},
		{"one column", "q\nx\n", []string{`2 ["x"]`}},
		{"too many fields", "q,a\nx,y,z\nv,w\n", []string{`2 bad: 3 fields where the first record has 2; put a field that holds the separator in quotes`, `3 ["v" "w"]`}},
		{"a quote sign inside a plain field", "q,a\nthe \"x\" \"\"y,5\"\nv,w\n", []string{`2 ["the \"x\" \"\"y" "5\""]`, `3 ["v" "w"]`}},
		{"text after a closing quote", "q,a\n\"x\" x,y\nv,w\n", []string{`2 bad: text after the quote sign that ends field 1; double the signs inside a field in quotes`, `3 ["v" "w"]`}},
		{"a quote that closes in a later row costs its own line", "q,a\n\"x,y\n\"v\",w\n", []string{`2 bad: text after the quote sign that ends field 1; double the signs inside a field in quotes`, `3 ["v" "w"]`}},
		{"a quote that never closes costs its own line", "q,a\n\"x,y\nv,w\n\nt,u\n", []string{`2 bad: a field begins with a quote sign and does not end with one; end it, and double the signs inside`, `3 ["v" "w"]`, `5 ["t" "u"]`}},
		{"empty fields", "q,a\n,\n\"\",\n", []string{`2 ["" ""]`, `3 ["" ""]`}},
		{"another encoding", "q,a\ncaf\xe9,y\nv,w\n", []string{`2 bad: ` + errNotUTF8.Error(), `3 ["v" "w"]`}},
		{"too few fields", "q,a\nx\n", []string{`2 bad: 1 fields where the first record has 2; end the row with a separator for each empty field, and put a field of several lines in quotes`}},
		{"a line that names the separator", "\ufeffsep=;\r\nq;a\r\nx, y, z;w\r\n", []string{`3 ["x, y, z" "w"]`}},
		{"one that names a separator that is never found by itself", "SEP=|\nq|a,b\nx|y\n", []string{`3 ["x" "y"]`}},
		{"a column of that name", "sep=x,a\nx,y\n", []string{`2 ["x" "y"]`}},
		{"line ends written twice over", "q,a\r\r\nx,y\r\r\n", []string{`2 ["x" "y\r"]`}},
		{"a CR inside a quoted name", "\"q\rz\",a\nx,y\n", []string{`2 ["x" "y"]`}},
		{"nothing", "", nil},
	}
	for _, c := range tests {
		got, err := records(t, c.in, 0, named)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// golang/go#9588: with a byte-order mark the first column would have another name, and be missed in silence.
func TestCSVByteOrderMark(t *testing.T) {
	for r, err := range CSV(0, named)(strings.NewReader("\ufeff\"question\",a\nx,y\n"), "x.csv") {
		if err != nil || r.Value.Header[0] != "question" {
			t.Errorf("%q, %v", r.Value.Header, err)
		}
	}
}

func TestCSVErrors(t *testing.T) {
	for in, want := range map[string]string{
		"q, q\nx,y\n":       `columns 1 and 2 are both named "q"`,
		"q,a\rx,y\rz,w\r":   "CR alone",
		"q,a\r\"x\ny\",z\r": "CR alone",
		"\xff\xfeq\x00":     "UTF-16",
		"\xfe\xff\x00q,a":   "UTF-16",
	} {
		if got, err := records(t, in, 0, named); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
}

func TestCSVWithoutHeader(t *testing.T) {
	got, err := records(t, "x,y\nv,w\n", ',', func([]string) bool { return false })
	if err != nil || !slices.Equal(got, []string{`1 ["x" "y"]`, `2 ["v" "w"]`}) {
		t.Errorf("%q, %v", got, err)
	}
	for range CSV(',', named)(strings.NewReader("a\nb\nc\n"), "x") { // left early
		break
	}
}

// What encoding/csv writes is read back, on the lines where it stands.
func TestCSVProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.StringMatching(`[a-z,;"\n\t é]{1,12}`)
		rows := rapid.SliceOfN(rapid.SliceOfN(field, 3, 3), 1, 8).Draw(t, "rows")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		lines := []int{}
		for _, row := range rows {
			lines = append(lines, 1+strings.Count(b.String(), "\n"))
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
			w.Flush()
		}
		i := 0
		for r, err := range CSV(',', func([]string) bool { return false })(bytes.NewReader(b.Bytes()), "x") {
			if err != nil || r.Bad != nil || !slices.Equal(r.Value.Fields, rows[i]) || r.Source.Line != lines[i] {
				t.Fatalf("row %d: line %d, want %d; %q, want %q; %v, %v", i, r.Source.Line, lines[i], r.Value.Fields, rows[i], r.Bad, err)
			}
			i++
		}
		if i != len(rows) {
			t.Fatalf("%d rows, want %d", i, len(rows))
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("q,a\n\"x\ny\",z\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		last := 0
		for r, err := range CSV(0, named)(bytes.NewReader(in), "x") {
			if err != nil {
				return
			}
			if r.Source.Line <= last || r.Bad == nil && len(r.Value.Fields) != len(r.Value.Header) {
				t.Errorf("line %d after %d, %q", r.Source.Line, last, r.Value)
			}
			last = r.Source.Line
		}
	})
}
