package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat"
)

// verdictOf returns the claim of an id among some, which must be there once.
func verdictOf(t *testing.T, claims []chain.Claim, id string) chain.Claim {
	t.Helper()
	var found []chain.Claim
	for _, c := range claims {
		if c.ID == id {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d claims %q", len(found), id)
	}
	c := found[0]
	if c.Says == "" || c.Shown == "" || c.Against == "" || c.Subject == "" {
		t.Errorf("%+v", c)
	}
	return c
}

func TestCallClaims(t *testing.T) {
	good := report.Calls{Model: "m", Requests: 100, Reported: []chain.Count{{Name: "m-2026", N: 100}}}
	for name, c := range map[string]struct {
		id     string
		change func(c *report.Calls)
		want   chain.Holds
		says   string
	}{
		"one name":      {"one-model", func(*report.Calls) {}, chain.ClaimHolds, "m-2026 (100)"},
		"two names":     {"one-model", func(c *report.Calls) { c.Reported = append(c.Reported, chain.Count{Name: "m-2027", N: 1}) }, chain.ClaimFails, "m-2027 (1)"},
		"no name":       {"one-model", func(c *report.Calls) { c.Reported = nil }, chain.CannotTell, "reports no model"},
		"all answered":  {"answered", func(*report.Calls) {}, chain.ClaimHolds, "0 of 100"},
		"three failed":  {"answered", func(c *report.Calls) { c.Outcomes = []chain.Count{{Name: "ok", N: 97}, {Name: "failed", N: 3}} }, chain.ClaimHolds, "3 of 100"},
		"four failed":   {"answered", func(c *report.Calls) { c.Outcomes = []chain.Count{{Name: "failed", N: 4}} }, chain.ClaimFails, "4 of 100"},
		"nothing asked": {"answered", func(c *report.Calls) { c.Requests = 0 }, chain.CannotTell, ""},
	} {
		calls := good
		c.change(&calls)
		if got := verdictOf(t, callClaims([]report.Calls{calls}), c.id); got.Verdict != c.want || !strings.Contains(got.Shown, c.says) {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

func TestCaseClaims(t *testing.T) {
	share := func(v, lo, hi float64) percuss.Estimate {
		return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi), N: 100, Level: .95}
	}
	good := evidence.Cell{Model: "m", Set: "ddxplus", Variant: "neutral", Cases: 100, Scored: 100, Accuracy: stat.Wilson(60, 100, .95), AlwaysA: stat.Wilson(22, 100, .95),
		Gold:  evidence.Profile{SameSets: evidence.Coin{ByCount: share(.2, .15, .26)}},
		Floor: []evidence.FloorRow{{Source: "batch", Order: 0, Floor: percuss.Num(.1), Under: 900, Of: 900}, {Source: "batch", Order: 1, Floor: percuss.Num(.2), Under: 10, Of: 100}, {Source: "order", Order: 1, Floor: percuss.Num(2), Under: 100, Of: 100}}}
	for name, c := range map[string]struct {
		id     string
		change func(c *evidence.Cell)
		want   chain.Holds
	}{
		"all scored":            {"scored", func(*evidence.Cell) {}, chain.ClaimHolds},
		"one of ten not scored": {"scored", func(c *evidence.Cell) { c.Scored = 90 }, chain.ClaimFails},
		"no cases":              {"scored", func(c *evidence.Cell) { c.Cases, c.Scored = 0, 0 }, chain.CannotTell},
		"better than A":         {"beats-always-a", func(*evidence.Cell) {}, chain.ClaimHolds},
		"worse than A":          {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = stat.Wilson(5, 100, .95) }, chain.ClaimFails},
		"about A":               {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = stat.Wilson(24, 100, .95) }, chain.CannotTell},
		"no accuracy":           {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = percuss.Absent("no case is scored") }, chain.CannotTell},
		"above the floor":       {"noise-floor", func(*evidence.Cell) {}, chain.ClaimHolds},
		"below the floor": {"noise-floor", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Order: 1, Floor: percuss.Num(.2), Under: 90, Of: 100}}
		}, chain.ClaimFails},
		"half below": {"noise-floor", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Order: 1, Floor: percuss.Num(.2), Under: 48, Of: 100}}
		}, chain.CannotTell},
		"nothing repeated": {"noise-floor", func(c *evidence.Cell) { c.Floor = nil }, chain.CannotTell},
		"signs of its own": {"signs", func(*evidence.Cell) {}, chain.ClaimHolds},
		"signs of a coin":  {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = share(.5, .46, .54) }, chain.ClaimFails},
		"few signs":        {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = share(.5, .2, .8) }, chain.CannotTell},
		"no sign decides":  {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = percuss.Absent("none hangs on its sign") }, chain.CannotTell},
	} {
		cell := good
		c.change(&cell)
		got := verdictOf(t, caseClaims(evidence.Findings{Cells: []evidence.Cell{cell}, Level: .95}), c.id)
		if got.Verdict != c.want || got.Subject != "m on ddxplus, neutral" {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}
