package cases

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/stat/lattice"
)

// manyFindings is a case of n findings of which some combinations are salient.
func manyFindings(n, salient int) Case {
	c := oneCase(1)
	units := c.Record.Units
	for i := len(units); i < n; i++ {
		u := units[0]
		u.ID, u.Text = fmt.Sprint("u", i), fmt.Sprint("Finding ", i+1)
		c.Record.Units = append(c.Record.Units, u)
	}
	c.Record.Base.State, c.Record.Base.Interactions = evidence.Scored, nil
	for i := range salient {
		c.Record.Base.Interactions = append(c.Record.Base.Interactions, evidence.Interaction{Set: lattice.Set(3 << i), Value: 2 - float64(i)/10, Label: "faithful"})
	}
	return c
}

// Where there are too many findings to walk through, the page says so and what stands in place of that.
func TestTooManyFindingsToWalkThrough(t *testing.T) {
	for _, c := range []struct {
		units, salient int
		want           []string
		lacks          string
	}{{16, 3, []string{"16 audited findings", "65536 subsets", "at most 14 findings", `href="#all"`, `href="#calls"`}, "Next step"},
		{16, 0, []string{"65536 subsets", `href="#calls"`}, `href="#all"`},
		{14, 3, []string{"Walk through the evidence", "The next step"}, "audited findings, and so"}} {
		page, all := at(t, manyFindings(c.units, c.salient), Walk{})
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%d findings, %d salient: the page lacks %q", c.units, c.salient, want)
			}
		}
		if strings.Contains(page, c.lacks) {
			t.Errorf("%d findings, %d salient: the page has %q", c.units, c.salient, c.lacks)
		}
		ids := map[string]bool{}
		for _, e := range all {
			ids[e.Attrs["id"]] = true
		}
		for _, e := range all {
			if to, here := strings.CutPrefix(e.Attrs["href"], "#"); here && !ids[to] {
				t.Errorf("%d findings: a link leads to #%s, which there is not", c.units, to)
			}
		}
	}
}

// A page that is drawn before the noise floor is known says so where the floor would stand; without combinations there is
// nothing to hold against it.
func TestNoiseThatIsNotReady(t *testing.T) {
	const says = "still being worked out"
	for _, c := range []struct {
		noise   Noise
		salient int
		want    bool
	}{{Noise{Unready: true}, 2, true}, {Noise{Unready: true}, 0, false}, {Noise{}, 2, false},
		{Noise{Floors: []evidence.FloorRow{{Source: "batch", Order: 2, Floor: percuss.Num(0.3)}}}, 2, false}} {
		p := report.ItemPage{Number: 1, Frame: web.Frame{Title: "case", Assets: web.NewAssets(nil), Script: "keys.js"}}
		var b bytes.Buffer
		if err := WriteCase(&b, manyFindings(8, c.salient), 0.5, c.noise, p, Walk{}); err != nil {
			t.Fatal(err)
		}
		pagetest.Parse(t, b.String())
		if got := strings.Contains(b.String(), says); got != c.want {
			t.Errorf("%+v, %d salient: says that it is not ready: %v", c.noise, c.salient, got)
		}
		if floor := strings.Contains(b.String(), "above (0.30)"); floor != (len(c.noise.Floors) > 0) {
			t.Errorf("%+v: the floor is told: %v", c.noise, floor)
		}
	}
}
