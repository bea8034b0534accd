package versus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// What an interval does not bear out is not said.
func TestHedged(t *testing.T) {
	estimate := func(v, lo, hi percuss.Number) percuss.Estimate {
		return percuss.Estimate{Value: v, Lo: lo, Hi: hi, N: 12}
	}
	n := percuss.Num
	for _, c := range []struct {
		of   percuss.Estimate
		want string
	}{
		{estimate(n(-0.1), n(-0.2), n(-0.05)), "−10.0 points (−20.0 to −5.0, 12 items)."},
		{estimate(n(0.1), n(-0.2), n(0.3)), "10.0 points (−20.0 to 30.0, 12 items), which is no more than chance may bring."},
		{estimate(n(0.1), n(0), n(0.3)), "10.0 points (0.0 to 30.0, 12 items), which is no more than chance may bring."},
		{estimate(n(0.1), n(0.1), n(0.1)), "10.0 points over 12 items, the same in every resample: too few to say how sure that is."},
		{estimate(n(0.1), percuss.Number{}, percuss.Number{}), "10.0 points over 12 items, too few for an interval."},
	} {
		if got := points(c.of); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Several groups are told of one by one, and those beyond the fourth are counted.
func TestLeadOfManyGroups(t *testing.T) {
	var lines []line
	for i := range 6 {
		lines = append(lines, line{item: "1", model: fmt.Sprint("m", i), answer: "A"})
	}
	lead := compared(t, runOf("x", lines...), runOf("y", lines...), nil).Lead
	if len(lead) != mostTold+1 || !strings.HasPrefix(lead[0], "set, m0, neutral: The one answer that both runs have is the same and right.") || lead[4] != "And 2 more groups, in the tables." {
		t.Errorf("%q", lead)
	}
}
