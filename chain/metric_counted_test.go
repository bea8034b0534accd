package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/chain/battery"
)

// parsed is a battery by its expression.
func parsed(t *testing.T, expression string) battery.Battery {
	t.Helper()
	b, err := battery.Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWhichCount: the paper's operators where there are some, its API runtime's in their place, else all.
func TestWhichCount(t *testing.T) {
	for expression, beside := range map[string]string{
		"paper": "", "families": "", "extended": "", "api": "", "paper+api": "API-M3-a API-M4-a API-M5-a", "families+M-sex": "M-sex-a", "api+M4": "API-M4-a",
	} {
		l := newLayout(parsed(t, expression), "")
		var got []string
		for _, i := range l.beside() {
			got = append(got, l.ops[i].ID)
		}
		if strings.Join(got, " ") != beside {
			t.Errorf("%s: beside %v, want %q", expression, got, beside)
		}
	}
	for expression, want := range map[string][2]string{
		"paper": {"M2 M4 M5", "M3 M4 M5"}, "api": {"M2 API-M4 API-M5", "API-M3 API-M4 API-M5"}, "paper+api": {"M2 M4 M5", "M3 M4 M5"},
		"paper+extended": {"M2 M4 M5", "M3 M4 M5"}, "M-sex+M-spelling": {"M-sex", "M3 M4 M5"},
	} {
		l := newLayout(parsed(t, expression), "")
		if got := strings.Join(l.registering(), " "); got != want[0] {
			t.Errorf("%s: joint table of %s, want %s", expression, got, want[0])
		}
		if got := strings.Join(l.hazardous(), " "); got != want[1] {
			t.Errorf("%s: CHS of %s, want %s", expression, got, want[1])
		}
	}
}

// TestPaperBesideOthers: the metrics of paper+extended are those of the paper alone; the others have rows of their own.
func TestPaperBesideOthers(t *testing.T) {
	records := func(b battery.Battery) []Record {
		var out []Record
		for i := range 6 {
			moved := []string{"A", "B"}[i%2]
			out = append(out, record("s", itoa(i), "A", "A", "", b, edit{id: "F1-50", answer: "A"}, edit{id: "F4-a", answer: moved}, edit{id: "M3-a", answer: moved},
				edit{id: "M2-sex", answer: "B", token: true}, edit{id: "M5-a", answer: "A"}, edit{id: "M-sex-a", answer: "A"}, edit{id: "F-number-a", answer: "C"}, edit{id: "M-spelling-a", answer: "D"}))
		}
		return out
	}
	alone, both := parsed(t, "paper"), parsed(t, "paper+M-sex+F-number+M-spelling")
	want := summarised(t, Options{Battery: alone}, records(alone)...)
	got := summarised(t, Options{Battery: both}, records(both)...)
	for i, m := range want.Cells[0].Metrics {
		g := got.Cells[0].Metrics[i]
		if g.ID != m.ID || g.Value != m.Value || g.Lo != m.Lo || g.N != m.N {
			t.Errorf("%s %s: %v %v n %d, of the paper alone %v %v n %d", g.ID, g.Scope, g.Value, g.Lo, g.N, m.Value, m.Lo, m.N)
		}
	}
	joint := map[string]Joint{}
	for _, j := range got.Cells[0].Joint {
		if j.Rule == rules[0] {
			joint[j.Family] = j
		}
	}
	// 6 flips with a trace, 6 keeps without one; and 6 more keeps of M-sex.
	near(t, "CDR", joint[""].C.Value, 0.5)
	near(t, "CDR of M-sex", joint["M-sex"].C.Value, 1)
	near(t, "CDR of all", joint[allRegistering].C.Value, 12.0/18)
	near(t, "flips of M-spelling", row(t, got.Cells[0].Operators, "M-spelling-a").AFR.Value, 1)
	says := "the metrics are of 30 operators, the paper's; in rows of their own and in no metric: 5 of extended"
	if !slices.ContainsFunc(got.Cells[0].Remarks, func(r string) bool { return strings.EqualFold(r, says+".") }) {
		t.Errorf("remarks %q", got.Cells[0].Remarks)
	}
	if !decided(got, "operators") || decided(want, "operators") {
		t.Error("the decision on which operators count belongs to the mixed battery alone")
	}
	for _, j := range want.Cells[0].Joint {
		if j.Family == allRegistering {
			t.Error("the paper alone has a row of all registering operators")
		}
	}
}

// TestBatteryWithoutThePaper: its metrics and its CDR are over all of its operators.
func TestBatteryWithoutThePaper(t *testing.T) {
	b := parsed(t, "M-sex+M-spelling+F-number+F-filler")
	var records []Record
	for i := range 4 {
		records = append(records, record("s", itoa(i), "A", "A", "", b, edit{id: "M-sex-a", answer: []string{"A", "B"}[i%2]}, edit{id: "M-spelling-a", answer: "A"}))
	}
	f := summarised(t, Options{Battery: b}, records...)
	near(t, "cdr", value(t, f.Cells[0], "cdr", "").Value, 0.5)
	near(t, "fcs", value(t, f.Cells[0], "fcs", "M").Value, 0.75)
	if why := value(t, f.Cells[0], "chs", "").Why; why != "the battery has no M3, M4 or M5" {
		t.Errorf("CHS is missing because %q", why)
	}
	if !decided(f, "operators") {
		t.Error("no decision on which operators count")
	}
}
