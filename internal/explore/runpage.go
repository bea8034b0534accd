package explore

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// counted is a number that leads to the trials that it counts.
type counted struct {
	N    string
	Href string
	Rate string // of what, in percent; empty: no rate
}

// groupLine is a row of a table of groups.
type groupLine struct {
	Names []string
	Cells []counted
}

// groupTable is one of the run page's tables.
type groupTable struct {
	ID, Title, About string
	Heads, Counts    []string
	Lines            []groupLine
}

// runPage is what the template of a run's page needs.
type runPage struct {
	web.Frame
	runLine
	Trials, Subjects, Notes counted
	Report                  []web.Link
	Tables                  []groupTable
	Choices                 []choiceList
	Built                   string
	Behind, Several         bool
	Versions                map[string]string
	Compare                 string // where it is compared with another run; empty: nowhere
	Counts, Searched        string // what the lists count, and what the search looks in
}

// buildingPage stands for a page whose index is being built.
type buildingPage struct {
	web.Frame
	Name, Rows, Items string
}

// showRun shows a run: what it is, its cells, its edits and how its calls ended.
func (s *Server) showRun(w http.ResponseWriter, r *http.Request) {
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	x, err := s.index(r.Context(), v)
	if err != nil {
		s.unbuilt(w, r, v, err)
		return
	}
	notes, err := v.notes.read(v.Dir())
	if err != nil {
		s.note(err)
	}
	facets, err := x.Facets(r.Context(), v.ask(x, noFilter))
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	p := runPage{Frame: s.frame("Run "+s.called(v.Name), "explore.js", "Pages"), runLine: s.lineOf(v.Name, true),
		Trials:   counted{N: number(facets.Rows), Href: runAddress("/trials", v.Name, noFilter)},
		Subjects: counted{N: number(facets.Items)},
		Notes:    counted{N: number(len(notes)), Href: runAddress("/notes", v.Name, noFilter)},
		Report:   v.reportLinks(), Tables: v.tables(x), Choices: v.outcomes(facets), Built: clock(x.At), Behind: x.Behind,
		Several: len(x.Tallies(index.Model, index.Prompt)) > 1, Versions: v.Manifest().Versions,
		Compare: "/compare?" + url.Values{"a": {v.Name}}.Encode(), Counts: "How calls ended and what could be read", Searched: "questions, edits and replies"}
	if v.steps() {
		p.Compare, p.Counts, p.Searched = "", "Votes, labels, checks and calls", "questions, chains and steps"
	}
	s.draw(w, http.StatusOK, "run", p)
}

// unbuilt answers for a page whose index is not there: it comes again by itself while one is built.
func (s *Server) unbuilt(w http.ResponseWriter, r *http.Request, v *volume, err error) {
	if !errors.Is(err, errBuilding) {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Refresh", "2")
	s.draw(w, http.StatusAccepted, "building", buildingPage{s.frame("Run "+s.called(v.Name), "", "Pages"), s.called(v.Name), number(int(v.made.rows.Load())), number(len(v.Subjects()))})
}

// tables are those of the cells and of the edits.
func (v *volume) tables(x indexView) []groupTable {
	if v.steps() {
		return []groupTable{v.stepCells(x), v.stepViews(x)}
	}
	return []groupTable{v.cellTable(x), v.editTable(x)}
}

// chain says that the run is a chain audit: neither of cases nor of steps.
func (v *volume) chain() bool { return !v.cases() && !v.steps() }

// cellTable is a row for each model under each prompt on each set.
func (v *volume) cellTable(x indexView) groupTable {
	t := groupTable{ID: "cells", Title: "Models, prompts and data sets", Heads: []string{"Model", "Prompt", "Data set"},
		Counts: []string{"Baseline right", "Answer moved", "Answer stayed", "Dropped"},
		About:  "Answers that moved or stayed are those of all edits and controls together."}
	var orders []string // the kinds of combinations
	if !v.chain() {
		t.About = ""
		t.Counts = []string{"Right on all evidence", "Combinations of 0.5 nats or more", "Of these suspicious", "Changes that moved the answer"}
		for _, kind := range x.Tallies(index.Operator) {
			if op := kind.Of[index.Operator]; strings.HasPrefix(op, "order ") {
				orders = append(orders, op)
			}
		}
		slices.Sort(orders)
	}
	for _, g := range x.Tallies(index.Model, index.Prompt, index.Set) {
		names := []string{g.Of[index.Model], g.Of[index.Prompt], g.Of[index.Set]}
		f := index.Filter{Model: names[:1], Prompt: names[1:2], Set: names[2:]}
		t.Lines = append(t.Lines, groupLine{names, v.cellCounts(g, f, orders)})
	}
	return t
}

// editTable is a row for each edit and control, or each kind of combination and change.
func (v *volume) editTable(x indexView) groupTable {
	t := groupTable{ID: "edits", Title: "Edits and controls", Heads: []string{"Edit"}, Counts: []string{"Answer moved", "Answer stayed", "Dropped", "Not fired"},
		About: "Dropped: the edit fired, and there is no answer that could be compared with the baseline's. Each number leads to the trials that it counts. Rates have their intervals in the report."}
	if !v.chain() {
		t = groupTable{ID: "edits", Title: "Combinations and changes", Heads: []string{"Kind"}, Counts: []string{"Of 0.5 nats or more", "Of these suspicious", "Answer moved", "Answer stayed"},
			About: "A combination of findings moves the margin of the right diagnosis by more than its parts do; its order is the number of findings. The others are changes of one family of findings. Each number leads to the trials that it counts."}
	}
	titles := v.titles()
	for _, g := range x.Tallies(index.Operator) {
		op := g.Of[index.Operator]
		if op == index.Base || op == index.Direct {
			continue
		}
		t.Lines = append(t.Lines, groupLine{[]string{strings.TrimSpace(op + " " + titles[op])}, v.editCounts(g, index.Filter{Operator: []string{op}})})
	}
	if !v.chain() { // orders come in the order of the strengths of their combinations
		slices.SortFunc(t.Lines, func(a, b groupLine) int { return strings.Compare(a.Names[0], b.Names[0]) })
	}
	return t
}

// cellCounts are the counts of a model under a prompt on a set.
func (v *volume) cellCounts(t index.Tally, f index.Filter, orders []string) []counted {
	right, combined := f, f
	right.Operator, right.Right = []string{index.Base}, "yes"
	combined.Operator = orders
	moved := t.Kept + t.Flipped
	if v.chain() {
		return []counted{v.count(t.BaseRight, t.BaseAnswered, right), v.count(t.Flipped, moved, flipped(f, "flip")),
			v.count(t.Kept, moved, flipped(f, "keep")), v.count(t.Dropped, 0, dropped(f))}
	}
	return []counted{v.count(t.BaseRight, t.BaseAnswered, right), v.count(t.Salient, 0, salient(combined, "")),
		v.count(t.Suspicious, t.Salient, salient(combined, "yes")), v.count(t.Flipped, moved, flipped(f, "flip"))}
}

// editCounts are the counts of one edit, or kind of combination.
func (v *volume) editCounts(t index.Tally, f index.Filter) []counted {
	moved := t.Kept + t.Flipped
	if v.chain() {
		unfired := f
		unfired.State = []string{"not_fired"}
		return []counted{v.count(t.Flipped, moved, flipped(f, "flip")), v.count(t.Kept, moved, flipped(f, "keep")),
			v.count(t.Dropped, 0, dropped(f)), v.count(t.Unfired, 0, unfired)}
	}
	return []counted{v.count(t.Salient, 0, salient(f, "")), v.count(t.Suspicious, t.Salient, salient(f, "yes")),
		v.count(t.Flipped, moved, flipped(f, "flip")), v.count(t.Kept, moved, flipped(f, "keep"))}
}

func flipped(f index.Filter, as string) index.Filter {
	f.Flip = []string{as}
	return f
}

func dropped(f index.Filter) index.Filter {
	f.Joint = []string{index.Dropped}
	return f
}

func salient(f index.Filter, suspicious string) index.Filter {
	f.Size, f.Suspicious = index.Sizes[0], suspicious
	return f
}

// count is a number with the trials that it counts, and its share of a whole.
func (v *volume) count(n, of int, f index.Filter) counted {
	c := counted{N: number(n)}
	if n > 0 {
		c.Href = runAddress("/trials", v.Name, f)
	}
	if of > 0 {
		c.Rate = fmt.Sprintf("%s of %s", percent(n, of), number(of))
	}
	return c
}

// percent is a share, to the tenth.
func percent(n, of int) string {
	return percuss.Num(100*float64(n)/float64(of)).Format(1) + " %"
}

// outcomes are the lists of how calls ended and what could be read.
func (v *volume) outcomes(f index.Facets) []choiceList {
	var out []choiceList
	for _, field := range []string{"vote", "error", "says", "found", "outcome", "state", "joint"} {
		if l := v.choicesOf("/trials", field, f.Choices[field], noFilter); len(l.Choices) > 0 {
			out = append(out, l)
		}
	}
	return out
}
