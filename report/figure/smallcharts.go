package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// fcs sets FCS under edits of the chain and of the question beside each other, against its corridor.
func (m multiples) fcs() small {
	const plot, numbers = 170.0, 34.0
	return small{id: "fcs_sets", title: "FCS by data set", class: "sizes", top: 24, width: plot + numbers, row: 30, foot: 20,
		caption: "Circles: the chain is edited (F); squares: the question is edited (M); their numbers stand at the right, F above M. The band is the corridor of FCS from 0.45 to 0.55, " +
			"in which destructive and preserving edits move the answer about equally often. Lines are intervals.",
		columns: []percuss.Column{{ID: "fcs_f", Head: "FCS, F", Scale: percuss.Rate}, {ID: "fcs_m", Head: "FCS, M", Scale: percuss.Rate}},
		axis:    "FCS, from 0 to 1",
		under: func(s *scene, x, y, rows float64) {
			s.rect("band", x+CorridorLow*plot, y, (CorridorHigh-CorridorLow)*plot, rows, 0, "")
			ruled(s, x, y, plot, rows)
		},
		cell: func(s *scene, g Group, x, y float64) (out []percuss.Cell) {
			for i, scope := range []string{"F", "M"} {
				found, ok := g.Metric("fcs", scope)
				if !ok {
					found.Estimate = percuss.Absent("not measured")
				}
				out = append(out, percuss.Measured(found.Estimate))
				fcsMark(s, g, scope, found.Estimate, x, y+9+12*float64(i), plot)
			}
			return out
		},
		around: func(s *scene, _, bottom float64) float64 {
			s.circle("mark", smallLabel+5, 8, 4, "")
			s.text("", "", smallLabel+15, 12, "F: the chain is edited")
			s.rect("mark second", smallLabel+161, 4, 8, 8, 0, "")
			s.text("", "", smallLabel+175, 12, "M: the question is edited")
			return bottom
		},
		alternative: func(rows []percuss.Row) string {
			return extremes(rows, []int{2, 3}, func(r percuss.Row, k int) string {
				return fmt.Sprintf("%s on %s, %s", r.Cells[1].Text, r.Cells[0].Text, []string{"F", "M"}[k-2])
			})
		}}
}

// fcsMark draws FCS in one scope at the height y.
func fcsMark(s *scene, g Group, scope string, e percuss.Estimate, x, y, plot float64) {
	v, ok := e.Value.Get()
	s.text("small", "end", x+plot+34, y+4, scope+" "+e.Value.Format(2))
	if !ok {
		return
	}
	place := func(v float64) float64 { return x + inPlot(v)*plot }
	if e.Lo.OK() && e.Hi.OK() {
		s.line("err", place(e.Lo.Or(v)), y, place(e.Hi.Or(v)), y)
	}
	whole := fmt.Sprintf("%s on %s, scope %s: FCS %s (%s), n = %d items", g.Model, g.Set, scope, e.Value.Format(3), span(e), e.N)
	if scope == "M" {
		s.rect("mark second", place(v)-4, y-4, 8, 8, 0, whole)
	} else {
		s.circle("mark", place(v), y, 4, whole)
	}
}

// joint parts the trials of each cell as the joint distribution does, by the token rule.
func (m multiples) joint() small {
	const plot = jointPlot
	words := jointWords()
	o := small{id: "joint_sets", title: "Chain update and answer flip by data set", class: "joint", top: 24, width: plot + 44, row: 24, foot: 20,
		caption: "Shares of the compared M2, M4 and M5 trials by the token rule, in percent where they have room, and the number of trials (n). a, b: the chain registers the edit, and the answer stays or flips; " +
			"c, d: no trace of the edit, and the answer stays or flips.",
		columns: []percuss.Column{{ID: "parsed", Head: "Trials", Scale: percuss.Whole}},
		axis:    "share of the compared trials, from 0 to 1",
		under:   func(s *scene, x, y, rows float64) { ruled(s, x, y, plot, rows) },
		around: func(s *scene, _, bottom float64) float64 {
			for i, w := range words {
				x := 165 * float64(i)
				s.rect("j"+w[:1], x, 1, 14, 14, 0, "")
				s.text("small", "", x+19, 12, w)
			}
			return bottom
		}}
	for _, w := range words {
		o.columns = append(o.columns, percuss.Column{ID: w[:1], Head: strings.Replace(w, ":", "", 1), Scale: percuss.Rate})
	}
	o.cell = jointCell
	o.alternative = func(rows []percuss.Row) string {
		return extremes(rows, []int{5}, func(r percuss.Row, _ int) string { return "CDR of " + r.Cells[1].Text + " on " + r.Cells[0].Text })
	}
	return o
}

// jointPlot is the width of a whole bar of a small chart.
const jointPlot = 190.0

// jointWords are the four parts in a few words, each after its letter.
func jointWords() []string {
	return []string{"a: registered, stays", "b: registered, flips", "c: no trace, stays (CDR)", "d: no trace, flips"}
}

// jointCell draws the bar of a cell and gives its numbers.
func jointCell(s *scene, g Group, x, y float64) []percuss.Cell {
	i := slices.IndexFunc(g.Joint, func(j chain.Joint) bool { return j.Rule == "token" && j.Family == "" && j.C.Value.OK() })
	if i < 0 {
		s.text("", "middle", x+jointPlot/2, y+16, "–")
		none := percuss.Measured(percuss.Absent("nothing to compare"))
		return []percuss.Cell{percuss.Counted(0), none, none, none, none}
	}
	j, words := g.Joint[i], jointWords()
	s.text("small", "", x+jointPlot+6, y+16, fmt.Sprintf("n %d", j.Parsed))
	out := []percuss.Cell{percuss.Counted(j.Parsed)}
	for k, e := range []percuss.Estimate{j.A, j.B, j.C, j.D} {
		out = append(out, percuss.Measured(e))
		w := inPlot(e.Value.Or(0)) * jointPlot
		if w == 0 {
			continue
		}
		s.rect("j"+words[k][:1], x, y+2, w, 20, 0, fmt.Sprintf("%s on %s, %s: %s of %d trials", g.Model, g.Set, words[k], e.Value.Format(3), j.Parsed))
		switch {
		case w >= 34:
			s.text("on", "", x+w/2, y+16, fmt.Sprintf("%s %.0f", words[k][:1], 100*e.Value.Or(0)))
		case w >= 12:
			s.text("on", "", x+w/2, y+16, words[k][:1])
		}
		x += w
	}
	return out
}

// flips is the flip rate of each family in each cell.
func (m multiples) flips() small {
	const side, high, letters = 40.0, 30.0, 5.2
	families := m.families()
	o := small{id: "flips_sets", title: "Flip rate by family and data set", class: "flips", width: side * float64(max(len(families), 4)), row: high, foot: 16,
		caption: "AFR of each family of edits: the share of compared trials in which the answer flips, and below it flips / compared trials. Deeper colour: a larger share. A dashed cell has nothing to count.",
		columns: []percuss.Column{{ID: "edit", Head: "Edit"}, {ID: "title", Head: "What it does"}, {ID: "intent", Head: "Intent"}, {ID: "rate", Head: "Flip rate", Scale: percuss.Rate}},
		under: func(s *scene, x, y, rows float64) {
			for i, f := range families {
				s.text("small", "middle", x+side*(float64(i)+0.5), y+rows+11, fit(f.ID, 6))
			}
		}}
	o.around = func(s *scene, width, bottom float64) float64 {
		for _, line := range together(named(families), int(width/letters), 20) {
			bottom += 14
			s.text("small", "", 0, bottom, line)
		}
		s.shades(newShades("AFR: flips / compared trials", smallLabel, bottom, 0.5, func(v float64) string { return fmt.Sprintf("%.2f", v) }))
		return bottom + shadesHeight
	}
	o.cell = func(s *scene, g Group, x, y float64) (out []percuss.Cell) {
		for i, f := range families {
			e := percuss.Absent("not tried")
			if k := slices.IndexFunc(g.Families, func(o chain.Firing) bool { return o.ID == f.ID }); k >= 0 {
				e = g.Families[k].AFR
			}
			flipCell(s, e, fmt.Sprintf("%s %s, %s on %s", f.ID, f.Title, g.Model, g.Set), x+side*float64(i), y, side, high)
			out = append(out, percuss.Said(f.ID), percuss.Said(f.Title), percuss.Said(string(f.Intent)), percuss.Measured(e))
		}
		return out
	}
	o.alternative = func(rows []percuss.Row) string {
		return extremes(rows, []int{5}, func(r percuss.Row, _ int) string {
			return fmt.Sprintf("%s %s, %s on %s", r.Cells[2].Text, r.Cells[3].Text, r.Cells[1].Text, r.Cells[0].Text)
		})
	}
	return o
}

// flipCell draws a share of some sides, with its count.
func flipCell(s *scene, e percuss.Estimate, of string, x, y, side, high float64) {
	whole := fmt.Sprintf("%s: AFR %s (%s)", of, e.Value.Format(3), span(e))
	v, ok := e.Value.Get()
	if !ok {
		s.rect("none", x+1, y+1, side-2, high-2, 0, whole)
		s.text("small", "middle", x+side/2, y+18, "–")
		return
	}
	s.rect("cell", x+1, y+1, side-2, high-2, 0.05+0.5*inPlot(v), whole)
	s.text("small", "middle", x+side/2, y+13, e.Value.Format(2))
	if e.Num.OK() && e.Den.OK() {
		s.text("small", "middle", x+side/2, y+24, e.Num.Format(0)+"/"+e.Den.Format(0))
	}
}

// families are those of all cells, each once.
func (m multiples) families() (out []chain.Firing) {
	for _, set := range m.sets {
		for _, model := range m.models {
			for _, f := range m.cells[[2]string{model, set}].Families {
				if !slices.ContainsFunc(out, func(o chain.Firing) bool { return o.ID == f.ID }) {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// named are families with their titles and intents in words.
func named(families []chain.Firing) (out []string) {
	for i, f := range families {
		words := strings.TrimSpace(f.ID + " " + f.Title + " (" + intent(string(f.Intent)) + ")")
		if i < len(families)-1 {
			words += ";"
		}
		out = append(out, words)
	}
	return out
}
