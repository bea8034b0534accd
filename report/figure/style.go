package figure

import (
	"fmt"
	"strconv"
	"strings"
)

// tone is a colour by name, in the light scheme, which is also that of print, and in the dark one.
type tone struct{ name, light, dark string }

// in is the tone in a scheme as red, green and blue from 0 to 255.
func (t tone) in(dark bool) (rgb [3]int) {
	of := t.light
	if dark {
		of = t.dark
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(of, "#"), 16, 32)
	if err != nil {
		return rgb
	}
	return [3]int{int(v >> 16), int(v >> 8 & 0xff), int(v & 0xff)}
}

// tones are the colours of the figures: those that tell marks of the chain audit apart are Okabe and Ito's, which differ for
// every kind of colour vision. No figure rests on them alone.
var tones = [...]tone{
	{"bg", "#ffffff", "#14171a"}, {"fg", "#1b1f24", "#e4e8ec"}, {"dim", "#57606a", "#9aa4ae"}, {"line", "#d0d7de", "#3a424a"}, {"on", "#111111", "#111111"},
	{"a", "#56b4e9", "#56b4e9"}, {"b", "#009e73", "#009e73"}, {"c", "#e69f00", "#e69f00"}, {"d", "#cc79a7", "#cc79a7"},
	{"heat", "#d55e00", "#d55e00"}, {"fire", "#0072b2", "#56b4e9"}, {"warm", "#e69f00", "#e69f00"},
	// The kinds of evidence and mechanisms.
	{"good", "#7fc8a9", "#7fc8a9"}, {"clash", "#8fb8e8", "#8fb8e8"}, {"past", "#c9bfe8", "#c9bfe8"}, {"absent", "#f2b05a", "#f2b05a"},
	{"bad", "#f08a76", "#f08a76"}, {"pale", "#c4c8cc", "#c4c8cc"},
}

// paint is how the elements of a class are drawn.
type paint struct {
	on, class          string // on: inside a drawing of this class; empty: anywhere
	fill, stroke       string // names of tones; "none": not drawn; empty: another class says it
	fillOpacity        float64
	strokeOpacity      float64
	width              float64 // of the stroke; 0: 1
	dash               string
	size               float64 // of a text; 0: 12
	bold, middleAnchor bool
}

// paints are the classes, the later ones over the earlier. Of every mark that says something the fill or the outline
// stands out from the ground by 3 to 1 in both schemes: several tones do not by themselves, so bars have outlines. The text of drawings has no class or one of its own.
var paints = [...]paint{
	{class: "frame", fill: "none", stroke: "dim"},
	{class: "band", fill: "dim", stroke: "dim", fillOpacity: 0.25, dash: "1 2"},
	{class: "mark", fill: "fire", stroke: "fg"},
	{class: "second", fill: "warm", stroke: "fg"},
	{class: "err", fill: "none", stroke: "fg", strokeOpacity: 0.6}, {class: "halo", fill: "none", stroke: "bg", strokeOpacity: 0.8, width: 4.5},
	{on: "combinations", class: "chip", stroke: "fg", strokeOpacity: 0.45}, {on: "combinations", class: "dot", stroke: "fg", strokeOpacity: 0.45},
	{class: "off", fill: "line"}, {class: "join", fill: "none", stroke: "dim", width: 2}, {class: "threshold", fill: "none", stroke: "dim", dash: "4 3"},
	{class: "bar", stroke: "fg", strokeOpacity: 0.6}, {class: "part", stroke: "fg", strokeOpacity: 0.6},
	{class: "faithful", fill: "good"}, {class: "conflict", fill: "clash"}, {class: "background", fill: "past"}, {class: "negated", fill: "absent"},
	{class: "weak", fill: "pale"}, {class: "plain", fill: "fire"}, {class: "suspect", fill: "bad", strokeOpacity: 1, width: 1.5},
	{class: "null", fill: "bg", stroke: "fg", width: 1.5}, {class: "grid", fill: "none", stroke: "line"},
	{class: "rule", fill: "none", stroke: "line"},
	{class: "zero", fill: "none", stroke: "dim", dash: "4 3"}, {class: "tick", fill: "none", stroke: "dim"},
	{class: "ja", fill: "a", stroke: "fg", strokeOpacity: 0.6}, {class: "jb", fill: "b", stroke: "fg", strokeOpacity: 0.6},
	{class: "jc", fill: "c", stroke: "fg", strokeOpacity: 0.6}, {class: "jd", fill: "d", stroke: "fg", strokeOpacity: 0.6},
	{on: "chart", class: "err", strokeOpacity: 0.9, width: 1.5},
	{on: "flips", class: "cell", fill: "heat", stroke: "line"}, {on: "flips", class: "bar", fill: "heat", stroke: "none"},
	{on: "fires", class: "cell", fill: "fire", stroke: "line"}, {on: "fires", class: "bar", fill: "fire", stroke: "none"},
	{on: "lattice", class: "up", fill: "fire", stroke: "dim"}, {on: "lattice", class: "down", fill: "heat", stroke: "dim"},
	{on: "lattice", class: "unasked", fill: "none", stroke: "dim", dash: "3 3"}, {on: "lattice", class: "edges", fill: "none", stroke: "line"},
	{class: "none", fill: "none", stroke: "dim", dash: "3 3"},
}

// The classes of texts.
var texts = [...]paint{
	{fill: "fg", size: 12},
	{class: "small", fill: "fg", size: 10},
	{class: "aside", fill: "dim", size: 10},
	{class: "on", fill: "on", size: 12, middleAnchor: true},
	{class: "head", fill: "fg", size: 12, bold: true},
}

// CSS is the style of the figures: the colours of both schemes, and how each class is drawn. Pages and drawings that
// stand alone share it.
func CSS() string {
	var light, dark, rules strings.Builder
	for _, t := range tones {
		fmt.Fprintf(&light, "--%s:%s;", t.name, t.light)
		if t.dark != t.light {
			fmt.Fprintf(&dark, "--%s:%s;", t.name, t.dark)
		}
	}
	for _, p := range paints {
		on := ""
		if p.on != "" {
			on = "." + p.on + " "
		}
		fmt.Fprintf(&rules, "%s.%s{%s}\n", on, p.class, p.css())
	}
	// Of the widths for which drawings leave room, and those of PDF and PNG: a page's own letters may be wider.
	rules.WriteString("svg text{font-family:Helvetica,Arial,\"Liberation Sans\",sans-serif}\n")
	for _, p := range texts {
		class := ""
		if p.class != "" {
			class = "." + p.class
		}
		fmt.Fprintf(&rules, "svg text%s{%s}\n", class, p.css())
	}
	return ":root{" + light.String() + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dark.String() + "}}\n" + rules.String()
}

func (p paint) css() string {
	var all []string
	add := func(property, value string) { all = append(all, property+":"+value) }
	for _, c := range [][2]string{{"fill", p.fill}, {"stroke", p.stroke}} {
		switch c[1] {
		case "":
		case "none":
			add(c[0], "none")
		default:
			add(c[0], "var(--"+c[1]+")")
		}
	}
	for _, n := range []struct {
		property string
		value    float64
		unit     string
	}{{"fill-opacity", p.fillOpacity, ""}, {"stroke-opacity", p.strokeOpacity, ""}, {"stroke-width", p.width, ""}, {"font-size", p.size, "px"}} {
		if n.value != 0 {
			add(n.property, strconv.FormatFloat(n.value, 'g', -1, 64)+n.unit)
		}
	}
	if p.dash != "" {
		add("stroke-dasharray", p.dash)
	}
	if p.bold {
		add("font-weight", "600")
	}
	if p.middleAnchor {
		add("text-anchor", "middle")
	}
	return strings.Join(all, ";")
}

// over lays a later class over what earlier ones say.
func (p paint) over(q paint) paint {
	if q.fill != "" {
		p.fill = q.fill
	}
	if q.stroke != "" {
		p.stroke = q.stroke
	}
	if q.dash != "" {
		p.dash = q.dash
	}
	p.fillOpacity, p.strokeOpacity = max(p.fillOpacity, q.fillOpacity), max(p.strokeOpacity, q.strokeOpacity)
	p.width, p.size = max(p.width, q.width), q.size
	p.bold, p.middleAnchor = p.bold || q.bold, p.middleAnchor || q.middleAnchor
	return p
}

// painted is how an element of some classes is drawn inside a drawing of some classes.
func painted(name string, inside, classes []string) paint {
	has := func(all []string, s string) bool {
		for _, c := range all {
			if c == s {
				return true
			}
		}
		return s == ""
	}
	out := paint{fill: "fg"}
	of := paints[:]
	if name == "text" {
		of = texts[:]
	}
	for _, p := range of {
		if has(classes, p.class) && has(inside, p.on) {
			out = out.over(p)
		}
	}
	return out
}
