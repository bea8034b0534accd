package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// TestResolutionOfP: a p-value as small as the resamples can give says so, also what Holm makes of it; a larger one does not.
func TestResolutionOfP(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []percuss.Number
		want string
	}{
		{"none", nil, ""}, {"missing", []percuss.Number{{}}, ""}, {"larger", []percuss.Number{percuss.Num(0.02)}, ""},
		{"at the floor", []percuss.Number{percuss.Num(2. / 200), {}, percuss.Num(1)}, "No bootstrap p-value smaller than 0.01 can be told with 199 resamples, and none smaller than 0.02 for the first of 2 tests"},
	} {
		got := strings.Join(resolutionNote(199, c.p), " ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	// Twenty items that the chain's edit costs the answer, and twenty that it does not: no resample gains.
	b := paperBattery()
	var records []Record
	for i := range 40 {
		records = append(records, record("s", itoa(i), "A", "A", "", b, edit{id: "F1-50", answer: []string{"A", "B"}[i%2]}))
	}
	says := func(n string) bool { return strings.Contains(n, "can be told with 50 resamples") }
	if notes := tableOf(t, summarised(t, Options{Bootstrap: 50}, records...), "f_block").Notes; !slices.ContainsFunc(notes, says) {
		t.Errorf("notes %q", notes)
	}
	if notes := tableOf(t, summarised(t, Options{Bootstrap: 50}, records[:1]...), "f_block").Notes; slices.ContainsFunc(notes, says) {
		t.Errorf("where nothing changes: %q", notes)
	}
}
