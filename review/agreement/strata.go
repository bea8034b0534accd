package agreement

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// sorted are all items of the package, by id.
func (t tables) sorted() []blind.Item {
	return slices.SortedFunc(slices.Values(t.Package.Items), func(a, b blind.Item) int { return cmp.Compare(a.ID, b.ID) })
}

// values are those of a stratum that items have, sorted.
func (t tables) values(name string) []string {
	seen := map[string]bool{}
	for _, item := range t.items {
		if v := t.Key[item.ID].Strata[name]; v != "" {
			seen[v] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// part is the items of one value of a stratum.
type part struct {
	name, value string
	items       []blind.Item
}

// parts are those of all strata that part the items, in their order; of two that part them alike, the first alone.
func (t tables) parts() []part {
	var out []part
	seen := map[string]bool{}
	for _, name := range t.Strata {
		values := t.values(name)
		if len(values) < 2 {
			continue
		}
		var alike strings.Builder // the parting, by the order in which the values come
		place := map[string]int{}
		for _, item := range t.items {
			v := t.Key[item.ID].Strata[name]
			if _, ok := place[v]; !ok {
				place[v] = len(place)
			}
			fmt.Fprint(&alike, place[v], " ")
		}
		if seen[alike.String()] {
			continue
		}
		seen[alike.String()] = true
		for _, v := range values {
			one := part{name: name, value: v}
			for _, item := range t.items {
				if t.Key[item.ID].Strata[name] == v {
					one.items = append(one.items, item)
				}
			}
			out = append(out, one)
		}
	}
	return out
}

// strata are the tables of a question by stratum: what is settled, what raters say together, and how far they agree.
func (t tables) strata(s sheet, final []outcome) []percuss.Table {
	parts := t.parts()
	if len(parts) == 0 || len(s.raters) == 0 {
		return nil
	}
	return []percuss.Table{t.strataSettled(s, final, parts), t.strataJoint(s, parts), t.strataAgreement(s, parts)}
}

// byStratum makes a table with a row for each part, of cells that follow its name.
func (t tables) byStratum(table percuss.Table, s sheet, parts []part, cells func(of sheet) []percuss.Cell) percuss.Table {
	table.Columns = slices.Concat([]percuss.Column{column("stratum", "Stratum", percuss.Words), column("value", "Value", percuss.Words), column("items", "Items", percuss.Whole)}, table.Columns)
	for _, p := range parts {
		of := t.sheet(s.q, p.items)
		lead := []percuss.Cell{percuss.Said(p.name), percuss.Said(p.value), percuss.Counted(len(of.items))}
		table.Rows = append(table.Rows, row(append(lead, cells(of)...)...))
	}
	return table
}

func (t tables) strataSettled(s sheet, final []outcome, parts []part) percuss.Table {
	at := map[string]int{}
	for i, id := range s.items {
		at[id] = i
	}
	table := percuss.Table{ID: s.id("strata"), Title: s.title("Outcome by stratum"), Columns: s.labelColumns(percuss.Percent),
		About: "Of the items that are settled: by the adjudication where there is one, else by more than half of the raters. Intervals are Wilson's."}
	return t.byStratum(table, s, parts, func(of sheet) (cells []percuss.Cell) {
		counts, n := make([]int, len(s.q.Labels)), 0
		for _, id := range of.items {
			if i, ok := at[id]; ok && final[i].final != stat.NoLabel {
				counts[final[i].final]++
				n++
			}
		}
		for _, k := range counts {
			cells = append(cells, percuss.Measured(t.settledShare(k, n)))
		}
		return cells
	})
}

func (t tables) strataJoint(s sheet, parts []part) percuss.Table {
	table := percuss.Table{ID: s.id("strata_joint"), Title: s.title("What all raters say, by stratum"),
		About: "Of the items that two raters or more labelled: those on which all of these say it. Intervals are Wilson's."}
	sets := s.jointly()
	for _, set := range sets {
		names := s.names(set)
		table.Columns = append(table.Columns, column("all_"+strings.Join(names, "_or_"), words(names), percuss.Percent))
	}
	return t.byStratum(table, s, parts, func(of sheet) (cells []percuss.Cell) {
		for _, set := range sets {
			cells = append(cells, percuss.Measured(t.share(of.together(set...))))
		}
		return cells
	})
}

func (t tables) strataAgreement(s sheet, parts []part) percuss.Table {
	table := percuss.Table{ID: s.id("strata_agreement"), Title: s.title("Agreement by stratum"),
		About: "Coefficients with bootstrap intervals over the items of the stratum that two raters or more labelled. Cohen's kappa of more than two raters is the mean over their pairs."}
	measures := s.scales()[0].measures()
	for _, m := range measures {
		table.Columns = append(table.Columns, column(columnID(m.name), m.name, percuss.Decimal))
	}
	if table.Absent = s.lacks(); table.Absent != "" {
		return table
	}
	return t.byStratum(table, s, parts, func(of sheet) (cells []percuss.Cell) {
		for _, m := range measures {
			cells = append(cells, percuss.Measured(m.with(of.r, t.o)))
		}
		common(cells) // what all warn of: the items without labels of two raters, which n leaves out
		return cells
	})
}

// jointly are the sets of labels that raters may agree on: each, and of an ordinal question those up to each cut.
func (s sheet) jointly() [][]int {
	var out [][]int
	for k := range s.q.Labels {
		out = append(out, []int{k})
	}
	for k := 1; s.q.Ordinal && k+1 < len(s.q.Labels); k++ {
		var upTo []int
		for i := range k + 1 {
			upTo = append(upTo, i)
		}
		out = append(out, upTo)
	}
	return out
}

func (s sheet) names(set []int) []string {
	var out []string
	for _, k := range set {
		out = append(out, s.q.Labels[k].ID)
	}
	return out
}

// columnID makes the id of a column from a coefficient's name.
func columnID(name string) string {
	return strings.NewReplacer("'s", "", ", ", "_", " ", "_").Replace(strings.ToLower(name))
}
