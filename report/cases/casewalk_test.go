package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/stat/lattice"
)

// measured is a margin whose values by set are known, asked up to an order.
func measured(t interface{ Fatal(...any) }, values []float64, order int) evidence.Measured {
	in := make([]percuss.Number, len(values))
	for i, x := range values {
		in[i] = percuss.Num(x)
	}
	game, err := lattice.FromValues(in, order)
	if err != nil {
		t.Fatal(err)
	}
	m := evidence.Measured{State: evidence.Scored, Empty: in[0], Margin: in[len(in)-1]}
	for s := range lattice.Set(len(values)) {
		if x, ok := game.Interaction(s).Get(); ok && s != 0 {
			m.Interactions = append(m.Interactions, evidence.Interaction{Set: s, Value: x})
		}
	}
	return m
}

// The margins of the lattice are those that the interactions were made of: of every subset that was asked, and of no
// other.
func TestMarginsAreThoseAsked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "units")
		order := rapid.IntRange(0, n).Draw(t, "order")
		values := rapid.SliceOfN(rapid.Float64Range(-20, 20), 1<<n, 1<<n).Draw(t, "values")
		m := measured(t, values, order)
		v := caseView{Case: Case{Record: evidence.Record{Units: make([]evidence.UnitRecord, n), Base: m}}}
		margins := v.margins(m)
		for s, want := range values {
			got, ok := margins[s].Get()
			asked := lattice.Set(s).Size() <= order || s == len(values)-1
			if ok != asked || ok && math.Abs(got-want) > 1e-9 {
				t.Fatalf("order %d: margin of %b is %v, want %v (asked: %v)", order, s, margins[s], want, asked)
			}
		}
		of := 0
		for i, l := range layers(margins, n) {
			of += l.Of
			if l.Shown != i || l.Asked > l.Of || l.Min.OK() != (l.Asked > 0) || l.Min.Or(0) > l.Median.Or(0) || l.Median.Or(0) > l.Max.Or(0) {
				t.Fatalf("layer %d: %+v", i, l)
			}
		}
		if of != len(values) {
			t.Fatalf("layers of %d subsets, there are %d", of, len(values))
		}
	})
}

func TestNoMarginsWithoutScores(t *testing.T) {
	for name, m := range map[string]evidence.Measured{"censored": {State: evidence.Censored}, "foreign sets": {State: evidence.Scored,
		Interactions: []evidence.Interaction{{Set: 1 << 30, Value: 1}, {Set: 0, Value: 3}}}} {
		v := caseView{Case: Case{Record: evidence.Record{Units: make([]evidence.UnitRecord, 2)}}}
		for _, x := range v.margins(m) {
			if x.OK() {
				t.Errorf("%s: margins %v", name, x)
			}
		}
	}
	many := caseView{Case: Case{Record: evidence.Record{Units: make([]evidence.UnitRecord, mostWalked+1)}}}
	if many.margins(evidence.Measured{State: evidence.Scored}) != nil {
		t.Error("too many findings are walked through")
	}
}

// walked is a case of n findings whose right diagnosis wins only where finding 1 is shown, and whose rival wins elsewhere.
func walked(t *testing.T, n int) Case {
	t.Helper()
	c := oneCase(1)
	for len(c.Record.Units) < n {
		c.Record.Units = append(c.Record.Units, evidence.UnitRecord{ID: fmt.Sprint("more", len(c.Record.Units)), Text: "More"})
	}
	c.Record.Units = c.Record.Units[:n]
	gold, rival := make([]float64, 1<<n), make([]float64, 1<<n)
	for s := range gold {
		gold[s] = -1 + 2*float64(s&1) - float64(s>>1)/1000
		rival[s] = -gold[s]
	}
	setting := c.Record.Base.Setting
	c.Record.Base, c.Record.Others[0].Measured = measured(t, gold, n), measured(t, rival, n)
	c.Record.Base.Setting = setting
	return asked(*c.Subject.Case, c.Record)
}

// at draws a case's page with somebody standing at a place of it.
func at(t *testing.T, c Case, w Walk) (string, []pagetest.Element) {
	t.Helper()
	w.Href = func(to Walk) string {
		return fmt.Sprintf("/case?shown=%b&of=%s&calls=%v#walk", to.Shown, to.Of, to.Calls)
	}
	p := report.ItemPage{Number: 1, Frame: web.Frame{Title: "case", Assets: web.NewAssets(nil), Script: "keys.js"},
		Raw: func(k percuss.Key) string { return "/raw?key=" + string(k) }}
	var b bytes.Buffer
	if err := WriteCase(&b, c, 0.5, Noise{}, p, w); err != nil {
		t.Fatal(err)
	}
	return b.String(), pagetest.Parse(t, b.String())
}

func TestWalkThroughACase(t *testing.T) {
	page, all := at(t, walked(t, 3), Walk{Shown: 0b101})
	for _, want := range []string{"Shown: 1, 3; hidden: 2. Margin of Pulmonary embolism: &#43;1.00 nats, as with all the evidence. The model&#39;s choice: Pulmonary embolism.",
		"Walk through the evidence", "With these findings nothing was asked."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	steps := map[string]string{}
	boxes := 0
	for _, e := range all {
		if f := e.Attrs["data-finding"]; f != "" {
			steps[f] = e.Text + " " + e.Attrs["href"]
		}
		if e.Attrs["data-set"] != "" {
			boxes++
		}
	}
	want := map[string]string{"1": "hide finding 1 /case?shown=100&of=Pulmonary%20embolism&calls=false#walk", "2": "show finding 2 /case?shown=111&of=Pulmonary%20embolism&calls=false#walk",
		"3": "hide finding 3 /case?shown=1&of=Pulmonary%20embolism&calls=false#walk"}
	if !maps.Equal(steps, want) || boxes != 8 {
		t.Errorf("%d boxes, steps %v", boxes, steps)
	}
	page, _ = at(t, walked(t, 3), Walk{Shown: 0b110, Of: "Pneumonia"})
	if !strings.Contains(page, "Margin of Pneumonia: &#43;1.00 nats, 2.00 higher than with all the evidence. The model&#39;s choice: Pneumonia.") {
		t.Error("another diagnosis is not followed")
	}
}

// Every place that an address can name has a page, and where the prompt was asked it leads to the exact request.
func TestEveryPlaceHasAPage(t *testing.T) {
	for name, w := range map[string]Walk{"beyond the findings": {Shown: math.MaxUint32}, "unknown diagnosis": {Of: "nobody"}, "nothing shown": {}, "calls": {Calls: true}} {
		for _, n := range []int{1, 3, 8} {
			c := walked(t, n)
			page, all := at(t, c, w)
			if !strings.Contains(page, `id="walk"`) {
				t.Errorf("%s of %d: no walk", name, n)
			}
			requests := 0
			for _, e := range all {
				if strings.HasPrefix(e.Attrs["href"], "/raw?key=") {
					requests++
				}
			}
			if want := map[bool]int{false: 1, true: 1 + len(c.Trials)}[w.Calls]; requests != want {
				t.Errorf("%s of %d: %d ways to a request, want %d", name, n, requests, want)
			}
		}
	}
	unscored := someCases(3)[2]
	if page, _ := at(t, unscored, Walk{}); strings.Contains(page, `id="walk"`) {
		t.Error("a case without scores has a walk")
	}
}

// The subset of a rotation or repetition is that of the prompt; other settings, and what is no subset, are not.
func TestCallsOfASubset(t *testing.T) {
	c := walked(t, 3)
	trial := func(id, kind, in string, shown, replicate int) percuss.Trial {
		raw, err := json.Marshal(map[string]any{"kind": kind, "in": in, "shown": shown, "replicate": replicate})
		if err != nil {
			t.Fatal(err)
		}
		return percuss.Trial{ID: id, Labels: raw, Request: &percuss.Request{Model: id}}
	}
	rotated := c.Record.Base.Setting
	base := rotated.String()
	rotated.Rotation = 2
	c.Trials = []percuss.Trial{trial("again", "subset", base, 5, 1), trial("rotated", "subset", rotated.String(), 5, 0), trial("itself", "subset", base, 5, 0),
		trial("other", "subset", base, 15, 0), trial("wording", "subset", "questionnaire/o0/drop", 5, 0), trial("family", "family", base, 5, 0)}
	v := newCaseView(c, 0.5, nil)
	var got []string
	for _, x := range v.asked(5) {
		got = append(got, x.ID)
	}
	if want := []string{"itself", "again", "rotated"}; !slices.Equal(got, want) {
		t.Errorf("calls %v, want %v", got, want)
	}
}
