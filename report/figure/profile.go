package figure

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Profile is how a margin is spread over the subsets that show so many findings, a row each: from none at the bottom to
// all on top.
type Profile struct {
	Title, Caption string
	Axis           string // what lies along the bottom, with its unit
	Layers         []Layer
}

// Layer is the subsets of one size.
type Layer struct {
	Shown, Asked, Of int            // findings shown; subsets asked, of so many that there are
	Min, Median, Max percuss.Number // nats; missing: none was asked
	Here             percuss.Number // the subset in focus, where it is of this size
}

// The sizes of a profile, in the units of its view box.
const (
	profileLeft  = 150.0
	profilePlot  = 300.0
	profileRight = 150.0
	profileRow   = 26.0
)

type profileView struct {
	Profile
	Width, Height, Left, Right, AxisX, AxisY, TextX string
	Ticks                                           []signedTick
	Rows                                            []profileLine
}

type profileLine struct {
	Label, Text, Whole     string
	TextY, Mid, Top        string
	Missing                bool
	Lo, Hi, MedianX, HereX string
	BoxX, BoxY             string // of the mark at the median
}

// Draw draws the profile as a figure of a page; nothing where no margin is known.
func (p Profile) Draw() (template.HTML, error) {
	v, ok := p.laid()
	if !ok {
		return "", nil
	}
	return drawn("profile", v)
}

// laid lays the profile out; false where no margin is known.
func (p Profile) laid() (profileView, bool) {
	lo, hi, known := 0.0, 0.0, false
	for _, l := range p.Layers {
		if l.Min.OK() && l.Max.OK() {
			lo, hi, known = min(lo, l.Min.Or(0)), max(hi, l.Max.Or(0)), true
		}
	}
	if !known {
		return profileView{}, false
	}
	if hi == lo {
		hi = lo + 1
	}
	place := func(x float64) float64 { return profileLeft + (x-lo)/(hi-lo)*profilePlot }
	foot := 8 + profileRow*float64(len(p.Layers))
	v := profileView{Profile: p, Width: at(profileLeft + profilePlot + profileRight), Height: at(foot + 36), TextX: at(profileLeft + profilePlot + 14),
		AxisX: at(profileLeft + profilePlot/2), AxisY: at(foot + 32)}
	for _, x := range slices.Compact([]float64{lo, 0, hi}) {
		label := natsOf(x)
		if x != 0 && math.Abs(place(x)-place(0)) < 2*tickWidth {
			label = "" // it would lie on that of 0
		}
		v.Ticks = append(v.Ticks, signedTick{label, at(place(x)), at(foot), at(foot + 14), x == 0})
	}
	for i := len(p.Layers) - 1; i >= 0; i-- {
		v.Rows = append(v.Rows, p.Layers[i].line(8+profileRow*float64(len(v.Rows)), place))
	}
	return v, true
}

// line lays out one row whose top is y.
func (l Layer) line(y float64, place func(float64) float64) profileLine {
	mid := y + profileRow/2
	out := profileLine{Label: fmt.Sprintf("%d shown (%d of %d asked)", l.Shown, l.Asked, l.Of), TextY: at(mid + 4), Mid: at(mid), Text: "not asked", Missing: true}
	least, ok := l.Min.Get()
	most, fine := l.Max.Get()
	median, given := l.Median.Get()
	if ok && fine && given {
		out.Missing = false
		out.Lo, out.Hi, out.MedianX = at(place(least)), at(place(most)), at(place(median))
		out.BoxX, out.BoxY = at(place(median)-3), at(mid-7)
		out.Text = natsOf(least)
		if l.Asked > 1 {
			out.Text = natsOf(least) + " to " + natsOf(most)
		}
		out.Whole = fmt.Sprintf("%s: margin %s, median %s nats", out.Label, out.Text, natsOf(median))
	} else {
		out.Whole = out.Label
	}
	if here, ok := l.Here.Get(); ok {
		out.HereX = at(place(here))
		out.Whole += ", the subset in focus " + natsOf(here)
	}
	return out
}
