package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// canvas is what a drawing is painted on: in units of its view box, x to the right and y down, (0, 0) where the drawing
// begins. It is used by one goroutine, begin first and end last.
type canvas interface {
	begin(of sheet) error
	fill(o outline, with ink)
	stroke(o outline, with ink, width float64, dash []float64)
	write(l lettering)
	end() ([]byte, error)
}

// sheet is what a canvas is told first. The margin stands around the drawing.
type sheet struct {
	title, alternative string // of the whole; the alternative is what it shows, in words
	width, height      float64
}

// ink is a colour of the light scheme, red, green and blue from 0 to 255, and its opacity, over 0 and at most 1.
type ink struct {
	colour  [3]int
	opacity float64
}

// outline is a shape: a circle where its radius is over 0, else corners in order, two for a line.
type outline struct {
	corners []place
	closed  bool
	centre  place
	radius  float64
}

type place struct{ x, y float64 }

// lettering is a text: where its base line begins, or its middle or end is, turned by some degrees clockwise.
type lettering struct {
	text         string
	at           place
	anchor       string // "", "middle", "end"
	size, turned float64
	bold         bool
	with         ink
}

// back is how far before its place a text of a width begins.
func (l lettering) back(width float64) float64 {
	switch l.anchor {
	case "middle":
		return width / 2
	case "end":
		return width
	}
	return 0
}

// paintOn draws what the SVG holds, in the colours of the light scheme.
func (d Drawing) paintOn(c canvas) ([]byte, error) {
	p := &painter{on: c, sheet: sheet{title: d.Title}}
	p.sheet.alternative = d.alternative()
	x := xml.NewDecoder(strings.NewReader(string(d.inner)))
	x.Entity = xml.HTMLEntity
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the figure %s: %w", d.ID, err)
		}
		if err := p.token(token); err != nil {
			return nil, fmt.Errorf("draw the figure %s: %w", d.ID, err)
		}
	}
	if !p.begun {
		return nil, fmt.Errorf("draw the figure %s: it holds no drawing", d.ID)
	}
	out, err := c.end()
	if err != nil {
		return nil, fmt.Errorf("draw the figure %s: %w", d.ID, err)
	}
	return out, nil
}

// painter draws the elements of a drawing: those that the templates use, and no others.
type painter struct {
	on     canvas
	sheet  sheet
	begun  bool
	inside []string // the classes of the drawing
	text   *attributes
	words  strings.Builder
}

// attributes are those of one element.
type attributes struct {
	name string
	of   map[string]string
}

func (a attributes) classes() []string { return strings.Fields(a.of["class"]) }

// length reads a coordinate; 0 where there is none.
func (a attributes) length(name string) float64 {
	v, err := strconv.ParseFloat(a.of[name], 64)
	if err != nil {
		return 0
	}
	return v
}

func (p *painter) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		a := attributes{t.Name.Local, map[string]string{}}
		for _, attr := range t.Attr {
			a.of[attr.Name.Local] = attr.Value
		}
		return p.start(a)
	case xml.CharData:
		if p.text != nil {
			p.words.Write(t)
		}
	case xml.EndElement:
		if t.Name.Local == "text" && p.text != nil {
			p.on.write(p.lettering(*p.text, p.words.String()))
			p.text = nil
		}
	}
	return nil
}

// start draws an element, or begins one that goes on.
func (p *painter) start(a attributes) error {
	if !p.begun {
		s := p.sheet
		if _, err := fmt.Sscanf(a.of["viewBox"], "0 0 %g %g", &s.width, &s.height); err != nil || s.width <= 0 || s.height <= 0 {
			return fmt.Errorf("view box %q is none", a.of["viewBox"])
		}
		p.begun, p.inside = true, a.classes()
		return p.on.begin(s)
	}
	switch a.name {
	case "g", "title", "desc":
	case "rect":
		x, y, w, h := a.length("x"), a.length("y"), a.length("width"), a.length("height")
		p.shape(a, outline{corners: []place{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, closed: true})
	case "circle":
		p.shape(a, outline{centre: place{a.length("cx"), a.length("cy")}, radius: a.length("r")})
	case "line":
		p.shape(a, outline{corners: []place{{a.length("x1"), a.length("y1")}, {a.length("x2"), a.length("y2")}}})
	case "polygon":
		points, err := corners(a.of["points"])
		if err != nil {
			return err
		}
		p.shape(a, outline{corners: points, closed: true})
	case "path":
		return p.path(a)
	case "text":
		p.text = &a
		p.words.Reset()
	default:
		return fmt.Errorf("an element %s can be drawn on pages only", a.name)
	}
	return nil
}

// path draws the straight lines of a path, each from a place of its own.
func (p *painter) path(a attributes) error {
	for _, s := range strings.Split(a.of["d"], "M")[1:] {
		var from, to place
		if _, err := fmt.Sscanf(s, "%g %gL%g %g", &from.x, &from.y, &to.x, &to.y); err != nil {
			return fmt.Errorf("the line %q of a path: %w", s, err)
		}
		p.shape(attributes{"line", a.of}, outline{corners: []place{from, to}})
	}
	return nil
}

// shape draws a shape as its classes say, which its attributes overrule.
func (p *painter) shape(a attributes, o outline) {
	as := painted(a.name, p.inside, a.classes())
	if a.of["fill-opacity"] != "" {
		as.fillOpacity = a.length("fill-opacity")
	}
	if fill, ok := light(as.fill); ok && a.name != "line" {
		p.on.fill(o, ink{fill, opacity(as.fillOpacity)})
	}
	if stroke, ok := light(as.stroke); ok {
		var dash []float64
		for _, s := range strings.Fields(as.dash) {
			if v, err := strconv.ParseFloat(s, 64); err == nil {
				dash = append(dash, v)
			}
		}
		p.on.stroke(o, ink{stroke, opacity(as.strokeOpacity)}, max(as.width, 1), dash)
	}
}

// lettering is a text where its anchor and its turn ask.
func (p *painter) lettering(a attributes, s string) lettering {
	as := painted("text", p.inside, a.classes())
	colour, _ := light(as.fill)
	l := lettering{text: settable(s), at: place{a.length("x"), a.length("y")}, anchor: a.of["text-anchor"], size: as.size, bold: as.bold, with: ink{colour, 1}}
	if as.middleAnchor {
		l.anchor = "middle"
	}
	var turned, x, y float64
	if _, err := fmt.Sscanf(a.of["transform"], "translate(%g %g) rotate(%g)", &x, &y, &turned); err == nil {
		l.at, l.turned = place{x, y}, turned
	}
	if a.of["dominant-baseline"] == "middle" {
		l.at.y += 0.35 * l.size
	}
	return l
}

// opacity is 1 where nothing is said.
func opacity(v float64) float64 {
	if v <= 0 || v > 1 {
		return 1
	}
	return v
}

// light is a tone in the light scheme; false: nothing is drawn.
func light(name string) (rgb [3]int, ok bool) {
	for _, t := range tones {
		if t.name == name {
			return t.in(false), true
		}
	}
	return rgb, false
}

// corners reads the points of a polygon.
func corners(s string) ([]place, error) {
	var out []place
	for _, pair := range strings.Fields(s) {
		var at place
		if _, err := fmt.Sscanf(pair, "%g,%g", &at.x, &at.y); err != nil {
			return nil, fmt.Errorf("the point %q of a polygon: %w", pair, err)
		}
		out = append(out, at)
	}
	return out, nil
}

// settable replaces what the fonts lack.
func settable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x0530 && r >= ' ' || r >= 0x2010 && r <= 0x2026 || r == '−' || r == '≤' || r == '≥' || r == '≠' || r == '≈' || r == 'Δ' {
			return r
		}
		return '?'
	}, s)
}
