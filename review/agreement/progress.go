package agreement

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// progress tells who has done how much, and in what time; open counts what is left over all raters.
func (t tables) progress() (table percuss.Table, open int) {
	table = percuss.Table{ID: "progress", Title: "Who has done how much",
		About: "Done: every question of the item that must be answered is. Seconds: for which an item that is done was on the rater's screen, the middle of all and the bounds of the middle half; answers without a time, such as imported ones, are left out.",
		Columns: []percuss.Column{column("rater", "Rater", percuss.Words), column("done", "Done", percuss.Whole), column("begun", "Begun", percuss.Whole),
			column("open", "Open", percuss.Whole), column("flagged", "Flagged", percuss.Whole), column("comments", "Comments", percuss.Whole), seconds("seconds", "Seconds an item"),
			seconds("seconds_lower", "Lower quarter"), seconds("seconds_upper", "Upper quarter")}}
	if len(t.raters) == 0 {
		table.Absent = "nobody has answered anything"
		return table, 0
	}
	all := progressOf{name: "all"}
	for _, who := range t.raters {
		one := t.progressOf(who)
		table.Rows = append(table.Rows, one.row())
		all.add(one)
	}
	if len(t.raters) > 1 {
		r := all.row()
		r.Head = true
		table.Rows = append(table.Rows, r)
	}
	return table, all.begun + all.open
}

func seconds(id, head string) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: percuss.Length, Bare: true}
}

// progressOf counts items of one rater: done, begun but not done, or open.
type progressOf struct {
	name                                 string
	done, begun, open, flagged, comments int
	times                                []float64
}

func (t tables) progressOf(who person) progressOf {
	p := progressOf{name: who.name}
	for _, item := range t.items {
		e := t.Said[who.id][item.ID]
		switch {
		case t.Package.Done(item, e.Labels):
			p.done++
			if e.Seconds > 0 {
				p.times = append(p.times, e.Seconds)
			}
		case len(e.Labels) > 0:
			p.begun++
		default:
			p.open++
		}
		if e.Flagged || e.Flag != "" {
			p.flagged++
		}
		if e.Comment != "" {
			p.comments++
		}
	}
	return p
}

func (p *progressOf) add(one progressOf) {
	p.done, p.begun, p.open = p.done+one.done, p.begun+one.begun, p.open+one.open
	p.flagged, p.comments, p.times = p.flagged+one.flagged, p.comments+one.comments, append(p.times, one.times...)
}

func (p progressOf) row() percuss.Row {
	slices.Sort(p.times)
	cells := []percuss.Cell{percuss.Said(p.name)}
	for _, n := range []int{p.done, p.begun, p.open, p.flagged, p.comments} {
		cells = append(cells, percuss.Counted(n))
	}
	for _, q := range []float64{.5, .25, .75} {
		cells = append(cells, percuss.Valued(stat.Quantile(p.times, q)))
	}
	return row(cells...)
}

// lead says in sentences what there is.
func (t tables) lead(open int) []string {
	var flagged, done int
	for _, item := range t.items {
		all, any := len(t.raters) > 0, false
		for _, who := range t.raters {
			e := t.Said[who.id][item.ID]
			all = all && t.Package.Done(item, e.Labels)
			any = any || e.Flagged || e.Flag != ""
		}
		if all {
			done++
		}
		if any {
			flagged++
		}
	}
	out := []string{fmt.Sprintf("%s, %s. Done by all of them: %d; flagged by any: %d; answers left: %d.", plural(len(t.items), "item"), plural(len(t.raters), "rater"), done, flagged, open)}
	switch {
	case t.Key == nil && t.Package.Task == blind.Own:
		out = append(out, "The key is not open: what an item is, repeats and attention items are not known here, and count like any other. `percuss review unseal` opens it.")
	case t.Key == nil:
		out = append(out, "The key is not open: strata are not known, and repeats and attention items, if there are any, count like all others. `percuss review unseal` opens it.")
	default:
		n := 0
		for _, item := range t.Package.Items {
			if !t.Key[item.ID].judged() {
				n++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s (repeats, attention): in no other table.", map[bool]string{true: "1 item that looks at the raters", false: plural(n, "item") + " that look at the raters"}[n == 1]))
		}
	}
	return out
}

// plural writes a count and its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
