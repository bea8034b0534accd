package cli

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// The sizes of bars.
const (
	mostBars  = 8
	barLong   = 30 // characters
	barShort  = 10
	mostNamed = 34 // columns of a name
)

// bars draws the parts of a run. It remembers what it showed, so that no bar runs backwards where a subject turns out to take
// more than the ones before.
type bars struct{ shown []float64 }

// draw is a line a part: its name, a bar, finished subjects of all, and what failed.
func (b *bars) draw(parts []run.Part, columns, height int) []string {
	for len(b.shown) < len(parts) {
		b.shown = append(b.shown, 0)
	}
	chosen := atWork(parts, min(mostBars, max(1, height-2)))
	names, counts := make([]string, len(chosen)), make([]string, len(chosen))
	name, count := 0, 0
	for i, at := range chosen {
		p := parts[at]
		names[i], counts[i] = partName(p, mostNamed), fmt.Sprintf("%d/%d", p.Done, p.Subjects)
		name, count = max(name, screen.Width(names[i])), max(count, len(counts[i]))
	}
	name = min(name, mostNamed, max(8, columns-barShort-count-6))
	long := max(barShort, min(barLong, columns-name-count-6))
	var lines []string
	for i, at := range chosen {
		p := parts[at]
		b.shown[at] = max(b.shown[at], p.Share())
		full := int(b.shown[at]*float64(long) + 1e-9)
		line := fmt.Sprintf("%s [%s%s] %*s", screen.Pad(partName(p, name), name), strings.Repeat("#", full), strings.Repeat(".", long-full), count, counts[i])
		if p.Failed > 0 {
			line += fmt.Sprintf(", %d failed", p.Failed)
		}
		lines = append(lines, line)
	}
	if n := len(parts) - len(chosen); n > 0 {
		done := 0
		for _, p := range parts {
			if p.Done == p.Subjects {
				done++
			}
		}
		lines = append(lines, fmt.Sprintf("%d of %d models and sets finished", done, len(parts)))
	}
	return lines
}

// atWork are the places of at most n parts, in the order of the run: those at work, then those to come, then the last
// finished ones.
func atWork(parts []run.Part, n int) []int {
	taken := make([]bool, len(parts))
	take := func(at int, of bool) {
		if of && n > 0 && !taken[at] {
			taken[at] = true
			n--
		}
	}
	for i, p := range parts {
		take(i, p.Open.Subjects > 0 && p.Done < p.Subjects)
	}
	for i, p := range parts {
		take(i, p.Done < p.Subjects)
	}
	for i := len(parts) - 1; i >= 0; i-- {
		take(i, true)
	}
	var out []int
	for i, ok := range taken {
		if ok {
			out = append(out, i)
		}
	}
	return out
}

// leastNamed is how many columns a model keeps beside its set, and a set beside its model.
const leastNamed = 6

// partName is the model and the set in at most so many columns. Where there is too little room both are cut, the model first:
// a model with two sets has two bars.
func partName(p run.Part, columns int) string {
	between := " · "
	if p.Judging {
		between = " judges "
	}
	visible := func(s string) string { return strings.ReplaceAll(report.Visible(s), "\n", " ") }
	model, set := visible(p.Model), visible(p.Set)
	rest := columns - screen.Width(between)
	set = screen.Cut(set, max(leastNamed, rest-min(leastNamed, screen.Width(model))))
	model = screen.Cut(model, max(leastNamed, rest-screen.Width(set)))
	return screen.Cut(model+between+set, columns)
}
