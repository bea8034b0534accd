package figure

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// cellsOf are cells of every model and set, each with numbers of its own: FCS F of model i on set k is 0.1 + 0.2 i + 0.1 k.
func cellsOf(models, sets []string) (out []Group) {
	for i, model := range models {
		for k, set := range sets {
			fcs := percuss.Num(0.1 + 0.2*float64(i) + 0.1*float64(k))
			out = append(out, Group{Title: model + " on " + set, Group: chain.Group{Model: model, Set: set, Items: 20 + k,
				Metrics: []chain.Metric{{ID: "fcs", Scope: "F", Estimate: percuss.Estimate{Value: fcs, Lo: percuss.Num(0.05), Hi: percuss.Num(0.9), N: 20}}},
				Joint:   []chain.Joint{{Rule: "token", Parsed: 40, A: share(4, 40), B: share(8, 40), C: share(20, 40), D: share(8, 40)}},
				Families: []chain.Firing{{ID: "F1", Title: "truncation", Intent: battery.Destructive, AFR: share(float64(i+k), 18)},
					{ID: "M2-sex", Title: "sex carried through", Intent: battery.Preserving, AFR: percuss.Absent("nothing fired")}}}})
		}
	}
	return out
}

func byID(t testing.TB, id string, all []Drawing) Drawing {
	t.Helper()
	for _, d := range all {
		if d.ID == id {
			return d
		}
	}
	t.Fatalf("no figure %s", id)
	return Drawing{}
}

// Several models on several sets have small charts, a set each, which say their numbers; the matrix of flips leaves to
// them the cells.
func TestSmallChartsOfAPanel(t *testing.T) {
	cells := cellsOf([]string{"one", "two <i>"}, []string{"medqa", "medmcqa", "pubmedqa"})
	groups := append([]Group{{Title: "panel", Group: chain.Group{Families: cells[0].Families}}}, cells...)
	all, err := Chain(groups[:1], groups, cells)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]string{
		"fcs_sets":   {"two &lt;i&gt; on pubmedqa, scope F: FCS 0.500 (0.050 to 0.900), n = 20 items", ">FCS, from 0 to 1</text>", ">F 0.10</text>", ">medmcqa</text>", "Highest: two &lt;i&gt; on pubmedqa, F: 0.50"},
		"joint_sets": {"one on medqa, c: no trace, stays (CDR): 0.500 of 40 trials", ">b 20</text>", ">n 40</text>"},
		"flips_sets": {"F1 truncation, two &lt;i&gt; on pubmedqa: AFR 0.167", ">3/18</text>", "F1 truncation (destructive); M2-sex sex carried through (preserving)", "Lowest: F1 truncation, one on medqa: 0.00"},
	} {
		d := byID(t, id, all)
		for _, words := range want {
			if !strings.Contains(string(d.Inner()), words) {
				t.Errorf("%s: no %q in %s", id, words, d.Inner())
			}
		}
		if !strings.Contains(d.Caption, "n\u00a0=\u00a020 to 22 items in each of 6 cells.") {
			t.Errorf("%s: %s", id, d.Caption)
		}
		rows := 6
		if id == "flips_sets" {
			rows = 12
		}
		if len(d.Data.Rows) != rows || d.Data.Rows[0].Cells[0].Text != "medqa" || len(d.Data.Rows[0].Cells) != len(d.Data.Columns) {
			t.Errorf("%s: %d rows of data, the first %+v", id, len(d.Data.Rows), d.Data.Rows[0])
		}
	}
	if d := byID(t, "flips", all); len(d.Data.Rows) != 1 || d.Data.Rows[0].Cells[0].Text != "panel" {
		t.Errorf("the matrix of flips has %d rows", len(d.Data.Rows))
	}
}

// TestNoSmallCharts: one model or one set is no panel, and its cells stay in the matrix.
func TestNoSmallCharts(t *testing.T) {
	for _, cells := range [][]Group{cellsOf([]string{"one"}, []string{"a", "b"}), cellsOf([]string{"one", "two"}, []string{"a"}), nil} {
		all, err := Chain(nil, cells, cells)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			if strings.HasSuffix(d.ID, "_sets") {
				t.Errorf("%d cells have %s", len(cells), d.ID)
			}
		}
		if len(cells) > 0 && len(byID(t, "flips", all).Data.Rows) != len(cells) {
			t.Errorf("%d of %d cells in the matrix", len(byID(t, "flips", all).Data.Rows), len(cells))
		}
	}
}

// Whatever models, sets and values there are, every mark lies in its drawing.
func TestSmallChartsLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := func(n int) (out []string) {
			for i := range n {
				out = append(out, rapid.SampledFrom([]string{"m", "a model with quite a long name, as some have"}).Draw(t, "name")+fmt.Sprint(i))
			}
			return out
		}
		var cells []Group
		for _, g := range cellsOf(names(rapid.IntRange(2, 4).Draw(t, "models")), names(rapid.IntRange(2, 9).Draw(t, "sets"))) {
			if rapid.IntRange(0, 4).Draw(t, "there") == 0 {
				continue
			}
			e := percuss.Estimate{Value: anyNumber().Draw(t, "value"), Lo: anyNumber().Draw(t, "lo"), Hi: anyNumber().Draw(t, "hi")}
			g.Metrics[0].Estimate, g.Families[1].AFR = e, e
			g.Families = g.Families[rapid.IntRange(0, 2).Draw(t, "from"):]
			cells = append(cells, g)
		}
		all, err := Chain(nil, nil, cells)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			inside(t, string(d.Inner()))
		}
	})
}
