package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/dataset/medmcqa"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/dataset/mmlu"
	"github.com/percuss/percuss/dataset/pubmedqa"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat"
)

// verdictOf returns the claim of an id among some, which must be there once.
func verdictOf(t *testing.T, claims []percuss.Claim, id string) percuss.Claim {
	t.Helper()
	var found []percuss.Claim
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
		want   percuss.Holds
		says   string
	}{
		"one name":      {"one-model", func(*report.Calls) {}, percuss.ClaimHolds, "m-2026 (100)"},
		"two names":     {"one-model", func(c *report.Calls) { c.Reported = append(c.Reported, chain.Count{Name: "m-2027", N: 1}) }, percuss.ClaimFails, "m-2027 (1)"},
		"no name":       {"one-model", func(c *report.Calls) { c.Reported = nil }, percuss.CannotTell, "reports no model"},
		"all answered":  {"answered", func(*report.Calls) {}, percuss.ClaimHolds, "0 of 100"},
		"three failed":  {"answered", func(c *report.Calls) { c.Outcomes = []chain.Count{{Name: "ok", N: 97}, {Name: "failed", N: 3}} }, percuss.ClaimHolds, "3 of 100"},
		"four failed":   {"answered", func(c *report.Calls) { c.Outcomes = []chain.Count{{Name: "failed", N: 4}} }, percuss.ClaimFails, "4 of 100"},
		"nothing asked": {"answered", func(c *report.Calls) { c.Requests = 0 }, percuss.CannotTell, ""},
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
		want   percuss.Holds
	}{
		"all scored":            {"scored", func(*evidence.Cell) {}, percuss.ClaimHolds},
		"one of ten not scored": {"scored", func(c *evidence.Cell) { c.Scored = 90 }, percuss.ClaimFails},
		"no cases":              {"scored", func(c *evidence.Cell) { c.Cases, c.Scored = 0, 0 }, percuss.CannotTell},
		"better than A":         {"beats-always-a", func(*evidence.Cell) {}, percuss.ClaimHolds},
		"worse than A":          {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = stat.Wilson(5, 100, .95) }, percuss.ClaimFails},
		"about A":               {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = stat.Wilson(24, 100, .95) }, percuss.CannotTell},
		"no accuracy":           {"beats-always-a", func(c *evidence.Cell) { c.Accuracy = percuss.Absent("no case is scored") }, percuss.CannotTell},
		"above the floor":       {"noise-floor", func(*evidence.Cell) {}, percuss.ClaimHolds},
		"below the floor": {"noise-floor", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Order: 1, Floor: percuss.Num(.2), Under: 90, Of: 100}}
		}, percuss.ClaimFails},
		"half below": {"noise-floor", func(c *evidence.Cell) {
			c.Floor = []evidence.FloorRow{{Source: "batch", Order: 1, Floor: percuss.Num(.2), Under: 48, Of: 100}}
		}, percuss.CannotTell},
		"nothing repeated": {"noise-floor", func(c *evidence.Cell) { c.Floor = nil }, percuss.CannotTell},
		"signs of its own": {"signs", func(*evidence.Cell) {}, percuss.ClaimHolds},
		"signs of a coin":  {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = share(.5, .46, .54) }, percuss.ClaimFails},
		"few signs":        {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = share(.5, .2, .8) }, percuss.CannotTell},
		"no sign decides":  {"signs", func(c *evidence.Cell) { c.Gold.SameSets.ByCount = percuss.Absent("none hangs on its sign") }, percuss.CannotTell},
	} {
		cell := good
		c.change(&cell)
		got := verdictOf(t, caseClaims(evidence.Findings{Cells: []evidence.Cell{cell}, Level: .95}), c.id)
		if got.Verdict != c.want || got.Subject != "m on ddxplus, neutral" {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

func TestTell(t *testing.T) {
	one := func(v percuss.Holds) percuss.Claim {
		return percuss.Claim{ID: "contrast", Subject: "m\x1b[31m\nx, neutral", Says: "It holds.", Verdict: v, Shown: "0.5", Against: "more"}
	}
	for name, c := range map[string]struct {
		claims []percuss.Claim
		status error
		says   string
	}{
		"all hold":    {[]percuss.Claim{one(percuss.ClaimHolds)}, nil, "0 of 1 claim fail; of 0 this run cannot tell, 1 hold"},
		"cannot tell": {[]percuss.Claim{one(percuss.CannotTell), one(percuss.ClaimHolds)}, nil, "0 of 2 claims fail; of 1 this run cannot tell, 1 hold"},
		"one fails":   {[]percuss.Claim{one(percuss.ClaimFails), one(percuss.ClaimHolds)}, checkError{}, "1 of 2 claims fails; of 0 this run cannot tell, 1 hold"},
		"none":        {nil, usageError{}, ""},
	} {
		var out bytes.Buffer
		err := (&app{out: &out}).tell("runs/a", c.claims, urgent[:], form{})
		var check checkError
		var mistake usageError
		_, wantCheck := c.status.(checkError)
		_, wantUsage := c.status.(usageError)
		if errors.As(err, &check) != wantCheck || errors.As(err, &mistake) != wantUsage || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
		if lines := strings.Count(out.String(), "\n"); len(c.claims) > 0 && lines != 2*len(c.claims)+1 || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s: %d lines for %d claims, or a control character: %q", name, lines, len(c.claims), out.String())
		}
	}
	var out bytes.Buffer
	if err := (&app{out: &out}).tell("runs/a", []percuss.Claim{one(percuss.ClaimFails)}, urgent[:], form{json: true}); err == nil {
		t.Error("a claim that fails is no success in JSON either")
	}
	var got checkedClaims
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Fails != 1 || len(got.Claims) != 1 || got.Claims[0].ID != "contrast" {
		t.Errorf("%v, %+v", err, got)
	}
}

// What fails comes first, then what cannot be told; --verdict prints less, counts all, and changes no exit status.
func TestClaimsInOrderOfUrgency(t *testing.T) {
	var claims []percuss.Claim
	for i, v := range []percuss.Holds{percuss.ClaimHolds, percuss.CannotTell, percuss.ClaimFails, percuss.ClaimHolds, percuss.ClaimFails} {
		claims = append(claims, percuss.Claim{ID: "claim", Subject: strconv.Itoa(i), Verdict: v})
	}
	for _, c := range []struct {
		names []string
		want  string // subjects in their order
	}{{nil, "24103"}, {[]string{"fails"}, "24"}, {[]string{"holds", "cannot-tell"}, "103"}, {[]string{"cannot tell"}, "1"}} {
		shown, err := verdictsNamed(c.names)
		if err != nil {
			t.Fatal(err)
		}
		got := newCheckedClaims(claims, shown)
		order := ""
		for _, x := range got.Claims {
			order += x.Subject
		}
		if order != c.want || got.Fails != 2 || got.CannotTell != 1 || got.Holds != 2 {
			t.Errorf("%v: %s, want %s; %+v", c.names, order, c.want, got)
		}
		var out bytes.Buffer
		var check checkError
		if err := (&app{out: &out}).tell("runs/a", claims, shown, form{}); !errors.As(err, &check) || !strings.HasSuffix(out.String(), "2 of 5 claims fail; of 1 this run cannot tell, 2 hold\n") {
			t.Errorf("%v: %v, %q", c.names, err, out.String())
		}
	}
	var mistake usageError
	if _, err := verdictsNamed([]string{"fails", "maybe"}); !errors.As(err, &mistake) || !strings.Contains(err.Error(), "there are fails, cannot-tell and holds") {
		t.Errorf("an unknown verdict: %v", err)
	}
}

func TestClaimsCanBeLeftOut(t *testing.T) {
	claims := []percuss.Claim{{ID: "a", Subject: "1"}, {ID: "b"}, {ID: "a", Subject: "2"}}
	if got, err := without(claims, []string{"a"}); err != nil || len(got) != 1 || got[0].ID != "b" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := without(claims, []string{"c"}); err == nil || !strings.Contains(err.Error(), "it has a, b") {
		t.Errorf("an unknown name: %v", err)
	}
	if len(claims) != 3 || claims[0].ID != "a" {
		t.Errorf("the claims were changed: %v", claims)
	}
}

// The bands of data sets, which chain knows by their names, are those of the loaders that there are.
func TestBandsAreOfTheLoadersSets(t *testing.T) {
	for _, c := range [][2]string{{medqa.Name, "test"}, {medmcqa.Name, "val"}, {mmlu.Name, "test"}, {pubmedqa.Name, "test"}, {pubmedqa.Name, "all"}} {
		if bands, rows := chain.Bands(c[0], c[1]); len(bands) == 0 || rows == 0 {
			t.Errorf("%s, %s: no bands", c[0], c[1])
		}
	}
}
