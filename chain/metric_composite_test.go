package chain

import (
	"slices"
	"strings"
	"testing"
)

// TestHeadlineGap: of two data sets M2 fires on one. The headline is that one's, also in MFC, which is composed of the figures
// beside it; the mean of both stands in dfg_all, marked.
func TestHeadlineGap(t *testing.T) {
	b := paperBattery()
	var records []Record
	for i := range 4 {
		often := record("often", itoa(i), "A", "A", "", b, edit{id: "F1-50", answer: "A"}, edit{id: "F4-a", answer: "A"}, edit{id: "M3-a", answer: "A"},
			edit{id: "M2-age-a", answer: "A"}, edit{id: "M2-sex", answer: []string{"A", "B"}[i%2]})
		seldom := []edit{{id: "F1-50", answer: []string{"A", "C"}[i%2]}, {id: "F4-a", answer: "A"}, {id: "M3-a", answer: []string{"A", "C"}[i%2]}}
		if i == 0 {
			seldom = append(seldom, edit{id: "M2-sex", answer: "C"})
		}
		records = append(records, often, record("seldom", itoa(i), "A", "A", "", b, seldom...))
	}
	f := summarised(t, Options{}, records...)
	m := f.Models[0]
	dfg, all, mfc := value(t, m, "dfg", ""), value(t, m, "dfg_all", ""), value(t, m, "mfc", "")
	near(t, "headline", dfg.Value, 0.5)
	near(t, "all sets", all.Value, 0.75)
	near(t, "seldom", value(t, f.Cells[1], "dfg", "").Value, 1)
	if dfg.LowFiring() || !all.LowFiring() || !value(t, f.Cells[1], "dfg", "").LowFiring() {
		t.Errorf("low firing: headline %v, all %v", dfg.Warnings, all.Warnings)
	}
	if w := strings.Join(dfg.Warnings, "\n"); !strings.Contains(w, "in the mean of all data sets only, for M2 fired on less than half of the items: seldom") {
		t.Errorf("the headline warns %q", w)
	}
	fcs, chs := value(t, m, "fcs", "F").Value.Or(-1), value(t, m, "chs", "").Value.Or(-1)
	near(t, "mfc", mfc.Value, 0.5*fcs+0.3*(1-chs)+0.2*(1-0.5))
	if strings.Contains(strings.Join(mfc.Warnings, "\n"), lowFiring) || mfc.Lo.Or(2) > mfc.Value.Or(-1) || mfc.Hi.Or(-1) < mfc.Value.Or(2) {
		t.Errorf("mfc %+v", mfc)
	}
	near(t, "mfc under the default weights", cellAt(t, tableOf(t, summarised(t, Options{}, append(slices.Clone(records), as("n", "neutral", records)...)...), "weights_mfc_models"), "scheme_1", "m").Estimate.Value, mfc.Value.Or(-1))
	low := summarised(t, Options{}, slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Subject.Set == "often" })...).Models[0]
	if !value(t, low, "dfg", "").LowFiring() || !strings.Contains(strings.Join(value(t, low, "mfc", "").Warnings, "\n"), "its DFG is of low firing: M2 fired on 1 of 4 items") {
		t.Errorf("where no set fires often: %+v, %+v", value(t, low, "dfg", ""), value(t, low, "mfc", ""))
	}
}
