package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/pagetest"
)

// sortedPage writes a page with a list and a table whose numbers are negative, missing and of a row that stands apart.
func sortedPage(t *testing.T) string {
	t.Helper()
	r := small()
	row := func(name string, v percuss.Number, head bool) percuss.Row {
		return percuss.Row{Head: head, Cells: []percuss.Cell{percuss.Said(name), percuss.Measured(percuss.Estimate{Value: v, Lo: v, Hi: v, N: 9})}}
	}
	r.Findings.Analyses = []percuss.Analysis{{ID: "x", Title: "X", Tables: []percuss.Table{{ID: "x", Title: "X", Columns: []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "fcs", Head: "FCS", Scale: percuss.Decimal}},
		Rows: []percuss.Row{row("ten", percuss.Num(10), false), row("less", percuss.Num(-2), false), row("none", percuss.Number{}, false), row("two", percuss.Num(2), false), row("mean", percuss.Num(5), true)}}}}}
	r.Findings.Models[0].Metrics = []chain.Metric{{ID: "acc", Estimate: est(0.6, 0.5, 0.7, 40)}, {ID: "cdr", Estimate: percuss.Absent("no edit fired")}, {ID: "ecr", Estimate: est(0.1, 0, 0.2, 40)}}
	page, _ := written(t, r, slices.Values(items()), 0)
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// TestTablesAreSorted: a click sorts by number, upwards, downwards and back; what is missing stays last and a row that
// stands apart on top; the name of the metric still opens its definition.
func TestTablesAreSorted(t *testing.T) {
	p := pagetest.Open(t).Look(t, sortedPage(t), pagetest.Look{})
	names := func() string {
		return pagetest.Eval[string](t, p, `Array.from(document.querySelectorAll("#t-x tbody tr"),r=>r.cells[0].textContent).join(" ")`)
	}
	for i, want := range []string{"ten less none two mean", "mean less two ten none", "mean ten two less none", "ten less none two mean"} {
		if i > 0 {
			p.Click(t, "#t-x th.n button.sort")
		}
		if got := names(); got != want {
			t.Errorf("after %d clicks: %s, want %s", i, got, want)
		}
	}
	// In the table of metrics a remark stays below its row.
	metrics := func() string {
		return pagetest.Eval[string](t, p, `(()=>{const rows=Array.from(document.querySelector("table.sorts").tBodies[0].rows);
			return rows.map(r=>r.className==="why"?"("+rows[r.sectionRowIndex-1].cells[0].innerText+")":r.cells[2].innerText).join(" ")})()`)
	}
	before := metrics()
	p.Click(t, "table.sorts th.n button")
	if got := metrics(); got != "0.100 0.600 – (CDR)" {
		t.Errorf("metrics by value: %s, before %s", got, before)
	}
	open := `document.querySelector("#p-fcs").matches(":popover-open")`
	p.Click(t, "#t-x th.n button.term")
	if !pagetest.Eval[bool](t, p, open) {
		t.Error("the name of a metric opens nothing")
	}
	p.Press(t, "Escape")
	if pagetest.Eval[bool](t, p, open) {
		t.Error("Escape does not close a definition")
	}
}

// TestListIsInTheAddress: a link with filters shows the rows that they ask for, and filters go into the address.
func TestListIsInTheAddress(t *testing.T) {
	b, url := pagetest.Open(t), sortedPage(t)
	p := b.Look(t, url+"#list?only=wrong&sort=-0", pagetest.Look{})
	if got := p.Text(t, `[role=status]`); got != "0 of 3 items" {
		t.Errorf("a link to wrong items shows %s", got)
	}
	if got := p.Text(t, "#list th[aria-sort=descending]"); got == "(no element)" {
		t.Error("the order of the link is not kept")
	}
	pagetest.Eval[int](t, p, `(()=>{location.hash="#list?only=right&find=medqa";return 0})()`)
	p.Until(t, `document.querySelector("[role=status]").textContent==="3 of 3 items"`)
	pagetest.Eval[int](t, p, fmt.Sprintf(`(()=>{const f=document.querySelector("input[type=search]");f.value=%q;f.dispatchEvent(new Event("input"));return 0})()`, "a & b"))
	p.Until(t, `location.hash==="#list?find=a+%26+b&only=right"`)
	if got := p.Text(t, `[role=status]`); got != "0 of 3 items" {
		t.Errorf("a text that no row holds shows %s", got)
	}
}
