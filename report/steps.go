package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/internal/worddiff"
)

// sideRow is a row of two chains side by side.
type sideRow struct {
	Same        string           // a step that both have; the rest is empty then
	Left, Right []worddiff.Piece // steps that answer each other, with what was removed and added; none: there is no such step
	Rough       bool             // both are there, but have so little in common that they are not compared word by word
}

// alike is the least similarity of two steps that answer each other: so much of their words that both have, 0 to 1.
const alike = 0.5

// mostPairs bounds how many pairs of steps are compared; longer chains are set side by side in one row.
const mostPairs = 1 << 18

// stepped is a chain cut into its steps, each with its words in order, so that steps can be compared.
type stepped struct {
	text  string
	steps []string
	words [][]string
}

func newStepped(text string) stepped {
	s := stepped{text: text}
	for _, span := range clinical.Steps(text) {
		s.add(text[span.Start:span.End])
	}
	return s
}

func (s *stepped) add(step string) {
	if step = strings.TrimSpace(step); step == "" {
		return
	}
	bag := worddiff.Words(step)
	bag = slices.DeleteFunc(bag, func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(bag)
	s.steps, s.words = append(s.steps, step), append(s.words, bag)
}

// whole is the text in one step.
func (s stepped) whole() stepped {
	if len(s.steps) < 2 {
		return s
	}
	out := stepped{text: s.text}
	out.add(s.text)
	return out
}

// beside aligns two chains so that the steps that answer each other have as much in common as possible, in order.
func (s stepped) beside(o stepped) []sideRow {
	if len(s.steps)*len(o.steps) > mostPairs {
		s, o = s.whole(), o.whole()
	}
	var out []sideRow
	i, j := 0, 0
	for _, p := range append(s.pairs(o), [2]int{len(s.steps), len(o.steps)}) {
		for i < p[0] || j < p[1] { // steps without a counterpart stand beside each other
			var r sideRow
			r.Rough = i < p[0] && j < p[1]
			if i < p[0] {
				r.Left = []worddiff.Piece{{Kind: worddiff.Same, Text: s.steps[i]}}
				i++
			}
			if j < p[1] {
				r.Right = []worddiff.Piece{{Kind: worddiff.Same, Text: o.steps[j]}}
				j++
			}
			out = append(out, r)
		}
		if i < len(s.steps) && j < len(o.steps) {
			out = append(out, newSideRow(s.steps[i], o.steps[j]))
			i, j = i+1, j+1
		}
	}
	return out
}

// newSideRow compares two steps that answer each other.
func newSideRow(before, after string) sideRow {
	if before == after {
		return sideRow{Same: before}
	}
	pieces, ok := worddiff.Compared(before, after)
	if !ok {
		return sideRow{Left: []worddiff.Piece{{Kind: worddiff.Same, Text: before}}, Right: []worddiff.Piece{{Kind: worddiff.Same, Text: after}}, Rough: true}
	}
	var r sideRow
	for _, p := range pieces {
		if p.Kind != worddiff.Inserted {
			r.Left = append(r.Left, p)
		}
		if p.Kind != worddiff.Deleted {
			r.Right = append(r.Right, p)
		}
	}
	return r
}

// pairs are the places of the steps that answer each other, by the longest common subsequence weighted by similarity.
func (s stepped) pairs(o stepped) [][2]int {
	n, m := len(s.steps), len(o.steps)
	near := make([]float32, n*m)
	best := make([]float32, (n+1)*(m+1)) // of the steps from i and from j on
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			at := i*(m+1) + j
			best[at] = max(best[at+1], best[at+m+1])
			near[i*m+j] = s.similar(i, o, j)
			if v := near[i*m+j]; v >= alike {
				best[at] = max(best[at], v+best[at+m+2])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < n && j < m; {
		at := i*(m+1) + j
		switch v := near[i*m+j]; {
		case v >= alike && best[at] == v+best[at+m+2]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case best[at] == best[at+m+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// similar is how much of the words of two steps both have: twice the common ones over all, 0 to 1.
func (s stepped) similar(i int, o stepped, j int) float32 {
	if s.steps[i] == o.steps[j] {
		return 1
	}
	a, b := s.words[i], o.words[j]
	all := len(a) + len(b)
	if 2*2*min(len(a), len(b)) < all { // not even if the shorter one is a part of the other
		return 0
	}
	common := 0
	for len(a) > 0 && len(b) > 0 {
		switch strings.Compare(a[0], b[0]) {
		case 0:
			common++
			a, b = a[1:], b[1:]
		case -1:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return 2 * float32(common) / float32(max(all, 1))
}

// replies are two replies side by side, with the words around them.
type replies struct {
	Rows                         []sideRow
	Before, After, First, Second string
	Class                        string // by which the sheet repeats First and Second where a narrow page has no columns
}

// Equal reports whether both have the same steps.
func (r replies) Equal() bool {
	return !slices.ContainsFunc(r.Rows, func(row sideRow) bool { return row.Same == "" })
}

// Compared is the baseline's reply beside that to the edited question.
func (v trialView) Compared() replies {
	return replies{v.Sides, "before the edit", "after it", "Baseline", "After the edit", "steps"}
}

// Compared is the baseline's reply beside that to the control.
func (v controlView) Compared() replies {
	return replies{v.Sides, "of the baseline", "of the control", "Baseline", "Control", "control"}
}
