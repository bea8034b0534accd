package cli

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// firing says on how many questions any of the operators fires.
type firing struct {
	Operators []string       `json:"operators"`
	Fired     int            `json:"fired"`
	Of        int            `json:"of"`
	Rate      percuss.Number `json:"rate"`
	Band      percuss.Number `json:"band"` // the middle of the sanity band, where the specification states one
	Outside   bool           `json:"outside"`
	Note      string         `json:"note,omitempty"` // what an operator that knows more than the text was given, or why it is not counted
}

// firingOf counts for each operator on the question, then for each band whose operators the battery has. again says
// how often the row of an id was repeated: the bands count whole files, so what is held against one does too.
func firingOf(questions []percuss.Question, b battery.Battery, bands []chain.Band, again map[string]int) []firing {
	fires := map[string][]bool{}
	once, all := make([]int, len(questions)), make([]int, len(questions))
	for i, q := range questions {
		once[i], all[i] = 1, 1+again[q.ID]
	}
	out := []firing{}
	for _, o := range b.Operators {
		if o.Block != battery.M {
			continue
		}
		if o.Needs == battery.NeedsDonor {
			out = append(out, firing{Operators: []string{o.ID}, Note: "not counted: it takes another item's chain"})
			continue
		}
		for _, q := range questions {
			fires[o.ID] = append(fires[o.ID], o.Knowing(supposed(q)).Apply(q.Stem, 1, q.ID).Fired)
		}
		f := eitherOf(fires, []string{o.ID}, once)
		if o.Needs == battery.NeedsAnswer {
			f.Note = "supposing that the baseline has an answer"
		}
		out = append(out, f)
	}
	for _, band := range bands {
		if slices.ContainsFunc(band.Operators, func(id string) bool { return fires[id] == nil }) {
			continue
		}
		f := eitherOf(fires, band.Operators, all)
		f.Band = percuss.Num(band.Rate)
		f.Outside = math.Abs(f.Rate.Or(band.Rate)-band.Rate) > chain.BandWidth
		out = append(out, f)
	}
	return out
}

// supposed is what an operator would know of a question whose baseline has an answer: which one changes the edit and not
// whether there is one.
func supposed(q percuss.Question) battery.Context {
	c := battery.Context{Options: q.Options}
	if len(q.Options) > 0 {
		c.Answer = q.Options[0].Label
	}
	return c
}

// eitherOf counts the rows on which one of the operators fires; rows says how many each question stands for.
func eitherOf(fires map[string][]bool, operators []string, rows []int) firing {
	f := firing{Operators: operators}
	for i, n := range rows {
		f.Of += n
		if slices.ContainsFunc(operators, func(id string) bool { return fires[id][i] }) {
			f.Fired += n
		}
	}
	f.Rate = share(f.Fired, f.Of)
	return f
}

// writeFiring prints how often the operators fire.
func writeFiring(b *strings.Builder, c checked) {
	if c.Domain != "" {
		fmt.Fprintf(b, "The set (%s) is there to compare with medicine: only chains are edited, never its questions.\n", c.Domain)
		return
	}
	if len(c.Firing) == 0 {
		fmt.Fprintf(b, "The battery %s has no operator on the question.\n", c.Battery)
		return
	}
	fmt.Fprintf(b, "fires     on the question alone, battery %s\n", c.Battery)
	bands := false
	for _, f := range c.Firing {
		if f.Of == 0 {
			fmt.Fprintf(b, "  %-22s %s\n", strings.Join(f.Operators, " or "), f.Note)
			continue
		}
		fmt.Fprintf(b, "  %-22s %6d of %d  %5s %%", strings.Join(f.Operators, " or "), f.Fired, f.Of, percent(f.Rate))
		if v, ok := f.Band.Get(); ok {
			bands = true
			fmt.Fprintf(b, "  band %.0f to %.0f %%", 100*(v-chain.BandWidth), 100*(v+chain.BandWidth))
		}
		if f.Outside {
			b.WriteString("  OUTSIDE")
		}
		if f.Note != "" {
			b.WriteString("  " + f.Note)
		}
		b.WriteString("\n")
	}
	if bands && c.Duplicates > 0 {
		fmt.Fprintf(b, "Where there is a band, duplicates (%d) count too, as they do in the band.\n", c.Duplicates)
	}
}
