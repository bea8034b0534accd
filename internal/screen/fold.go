package screen

import "strings"

// Fold parts a text into lines of at most n columns that begin with indent; those that go on another one begin with hang as
// well. Lines of the text stay lines, and what stands between words stays as it is, but for where a line ends. A word that is
// longer than a line is parted too.
func Fold(s, indent, hang string, n int) []string { return fold(s, indent, hang, n, false) }

// FoldWhole is Fold, but a word that is longer than a line stays whole, so that a path or an address can be copied.
func FoldWhole(s, indent, hang string, n int) []string { return fold(s, indent, hang, n, true) }

func fold(s, indent, hang string, n int, whole bool) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		f := folding{most: n, hang: indent + hang, whole: whole}
		f.start(indent)
		f.fold(line)
		f.end()
		out = append(out, f.lines...)
	}
	return out
}

// folding is a line being parted.
type folding struct {
	lines []string
	line  strings.Builder // the one at work
	begin int             // columns of its beginning
	at    int             // columns of all of it
	most  int
	hang  string // what the next one begins with
	whole bool   // words are never parted
}

func (f *folding) start(with string) {
	f.line.Reset()
	f.line.WriteString(with)
	f.begin = min(Width(with), f.most-1)
	f.at = f.begin
}

func (f *folding) end() { f.lines = append(f.lines, strings.TrimRight(f.line.String(), " ")) }

func (f *folding) next() {
	f.end()
	f.start(f.hang)
}

func (f *folding) put(s string, width int) {
	f.line.WriteString(s)
	f.at += width
}

func (f *folding) fold(s string) {
	for blank := ""; s != ""; {
		word := s
		if i := strings.IndexAny(s, " \t"); i >= 0 {
			word = s[:i]
		}
		s = s[len(word):]
		if f.at > f.begin && f.at+len(blank)+Width(word) > f.most {
			f.next()
			blank = ""
		}
		f.put(blank, len(blank))
		f.word(word)
		rest := strings.TrimLeft(s, " \t")
		blank = strings.ReplaceAll(s[:len(s)-len(rest)], "\t", "    ")
		s = rest
	}
}

// word adds a word, in parts where it is longer than a line.
func (f *folding) word(s string) {
	for !f.whole && f.at+Width(s) > f.most {
		head, width, rest := part(s, f.most-f.at)
		if head == "" && f.at > f.begin {
			f.next()
			continue
		}
		if head == "" { // a character that is wider than a line
			head, width, rest = next(s)
		}
		f.put(head, width)
		if s = rest; s == "" {
			return
		}
		f.next()
	}
	f.put(s, Width(s))
}
