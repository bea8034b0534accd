// Package worddiff compares two texts word by word, for reports and for the pages of raters.
package worddiff

import (
	"slices"
	"strings"
)

// Change says what became of a stretch of text.
type Change string

// What a piece can be.
const (
	Same     Change = "same"
	Deleted  Change = "del"
	Inserted Change = "ins"
)

// Piece is a stretch of a diff. The same and deleted pieces make the old text, the same and inserted ones the new.
type Piece struct {
	Kind Change
	Text string
}

// MaxEdits bounds how many words may be removed and added; a larger change is shown as one replacement.
const MaxEdits = 1500

// Diff compares two texts word by word: what both begin and end with is set aside, the rest is aligned so
// that as few words as possible are removed and added.
func Diff(before, after string) []Piece {
	out, _ := Compared(before, after)
	return out
}

// Compared is Diff, and says whether the texts were aligned; else one change stands for all between what they share.
func Compared(before, after string) (pieces []Piece, ok bool) {
	head := sharedHead(before, after)
	tail := sharedTail(before[head:], after[head:])
	a, b := Words(before[head:len(before)-tail]), Words(after[head:len(after)-tail])
	end := 0
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var m merger
	m.keep(before[:head])
	ok = m.align(a[:len(a)-end], b[:len(b)-end])
	m.keep(strings.Join(a[len(a)-end:], "") + before[len(before)-tail:])
	m.flush()
	return m.out, ok
}

// sharedHead is the length of all the words that two texts begin with, in bytes. Most of what an edit leaves as it was is
// told here and by sharedTail, without it being cut into words.
func sharedHead(a, b string) int {
	head := borderBefore(a, sharedBytes(a, b))
	for head < len(a) && head < len(b) {
		w := word(a[head:])
		if word(b[head:]) != w {
			break
		}
		head += len(w)
	}
	return head
}

// sharedBytes counts the bytes that two texts begin with.
func sharedBytes(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// borderBefore is the last place before byte n of a text where a word begins whatever stands before and after: at a letter
// behind a blank; 0: there is none.
func borderBefore(s string, n int) int {
	for i := n - 1; i > 0; i-- {
		if isBorder(s, i) {
			return i
		}
	}
	return 0
}

// sharedTail is a length of words that two texts end with, in bytes: not all of them, for the last of these words is
// only told where a blank stands before it.
func sharedTail(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for i := len(a) - n + 1; i < len(a); i++ {
		if isBorder(a, i) {
			return len(a) - i
		}
	}
	return 0
}

// isBorder reports whether an ASCII letter behind a blank stands at byte i, which is not the first.
func isBorder(s string, i int) bool {
	c := s[i] | 0x20 // small
	return s[i-1] == ' ' && 'a' <= c && c <= 'z'
}

// align adds the pieces of two lists of words; false: they differ in too much, and are one change.
func (m *merger) align(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 { // all of the other is removed or added, however long it is
		m.remove(strings.Join(a, ""))
		m.insert(strings.Join(b, ""))
		return true
	}
	steps, ok := shortest(a, b)
	if !ok {
		m.remove(strings.Join(a, ""))
		m.insert(strings.Join(b, ""))
		return false
	}
	i, j := 0, 0
	for _, s := range steps {
		m.remove(strings.Join(a[i:s.i], ""))
		m.insert(strings.Join(b[j:s.j], ""))
		m.keep(strings.Join(a[s.i:s.i+s.n], ""))
		i, j = s.i+s.n, s.j+s.n
	}
	m.remove(strings.Join(a[i:], ""))
	m.insert(strings.Join(b[j:], ""))
	return true
}

// run is a stretch of n words that both lists have, at i in the first and at j in the second.
type run struct{ i, j, n int }

// shortest finds the runs that a shortest list of edits keeps, by the greedy algorithm of Myers (1986): its work grows
// with the number of edits, which is small here, and not with the product of the lengths. It gives up beyond MaxEdits.
func shortest(a, b []string) ([]run, bool) {
	most := min(len(a)+len(b), MaxEdits)
	far := make([]int32, 2*most+3) // by diagonal: how far in a the furthest path has come
	var before [][]int32           // far on the diagonals that a path of so many edits can start from
	for d := 0; d <= most; d++ {
		before = append(before, append([]int32(nil), far[most-d:most+d+3]...))
		for k := -d; k <= d; k += 2 {
			at := most + 1 + k
			x := far[at-1] + 1
			if k == -d || k != d && far[at-1] < far[at+1] {
				x = far[at+1]
			}
			for int(x) < len(a) && int(x)-k < len(b) && a[x] == b[int(x)-k] {
				x++
			}
			far[at] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return trace(before, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// trace walks back along the furthest paths and gathers the runs.
func trace(before [][]int32, x, y int) []run {
	var out []run
	for d := len(before) - 1; d >= 0; d-- {
		far, k := before[d], x-y
		at := k + d + 1
		from := k - 1
		if k == -d || k != d && far[at-1] < far[at+1] {
			from = k + 1
		}
		px, py := 0, 0
		if d > 0 {
			px = int(far[from+d+1])
			py = px - from
		}
		sx, sy := px, py // where the run begins, after the edit
		switch {
		case d == 0:
		case from == k-1:
			sx++
		default:
			sy++
		}
		if n := x - sx; n > 0 {
			out = append(out, run{sx, sy, n})
		}
		x, y = px, py
	}
	slices.Reverse(out)
	return out
}

// merger joins neighbouring changes, so that three words replaced read as one replacement and not as three.
type merger struct {
	out      []Piece
	del, ins string
	gap      string // white space that both have, after a change
	kept     string
}

func (m *merger) keep(s string) {
	switch {
	case s == "":
	case m.del == "" && m.ins == "":
		m.kept += s
	case m.kept == "" && strings.TrimSpace(m.gap+s) == "":
		m.gap += s
	default:
		m.flushChange()
		m.kept = m.gap + s
		m.gap = ""
	}
}

func (m *merger) remove(s string) {
	if s != "" {
		m.open()
		m.del += s
	}
}

func (m *merger) insert(s string) {
	if s != "" {
		m.open()
		m.ins += s
	}
}

// open starts or continues a change.
func (m *merger) open() {
	if m.gap != "" {
		m.del, m.ins, m.gap = m.del+m.gap, m.ins+m.gap, ""
	}
	if m.kept != "" {
		m.out = append(m.out, Piece{Same, m.kept})
		m.kept = ""
	}
}

func (m *merger) flushChange() {
	if m.del != "" {
		m.out = append(m.out, Piece{Deleted, m.del})
	}
	if m.ins != "" {
		m.out = append(m.out, Piece{Inserted, m.ins})
	}
	m.del, m.ins = "", ""
}

func (m *merger) flush() {
	if m.kept == "" {
		m.flushChange()
	}
	m.kept += m.gap
	if m.kept != "" {
		m.out = append(m.out, Piece{Same, m.kept})
	}
	m.kept, m.gap = "", ""
}
