package report

import "github.com/percuss/percuss"

// CallsTable is how the calls to each model ended, a count a row.
func CallsTable(calls []Calls) percuss.Table {
	t := percuss.Table{ID: "calls", Title: "Calls by outcome", Columns: []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "counted", Head: "Counted", Scale: percuss.Words},
		{ID: "name", Head: "Name", Scale: percuss.Words}, {ID: "n", Head: "n", Scale: percuss.Whole}}}
	for _, c := range calls {
		add := func(what, name string, n int) {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(c.Model), percuss.Said(what), percuss.Said(name), percuss.Counted(n)}})
		}
		add("requests", "", c.Requests)
		for _, o := range c.Outcomes {
			add("outcome", o.Name, o.N)
		}
		add("letters", "answered", c.Letters)
		add("letters", "only a bound is known", c.Censored)
		for _, o := range c.Reported {
			add("reported", o.Name, o.N)
		}
	}
	return t
}
