package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
)

// PDF is the drawing as a file of one page of its size, its fonts embedded; the same drawing always gives the same bytes.
// It draws what the SVG holds, in the colours of the light scheme. A character that the fonts lack, beyond the Latin,
// Greek and Cyrillic letters, becomes a question mark.
func (d Drawing) PDF() ([]byte, error) {
	p := &painter{}
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
		if err := p.token(token, d.Title); err != nil {
			return nil, fmt.Errorf("draw the figure %s: %w", d.ID, err)
		}
	}
	if p.doc == nil {
		return nil, fmt.Errorf("draw the figure %s: it holds no drawing", d.ID)
	}
	p.doc.TransformEnd()
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return nil, fmt.Errorf("draw the figure %s as PDF: %w", d.ID, err)
	}
	return b.Bytes(), nil
}

// pointsPer is the points of a unit of the view box: one pixel, of which an inch has 96.
const pointsPer = 0.75

// painter draws the elements of a drawing: those that the templates use, and no others.
type painter struct {
	doc    *fpdf.Fpdf
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

// length reads a coordinate in points.
func (a attributes) length(name string) float64 {
	v, err := strconv.ParseFloat(a.of[name], 64)
	if err != nil {
		return 0
	}
	return v * pointsPer
}

func (p *painter) token(token xml.Token, title string) error {
	switch t := token.(type) {
	case xml.StartElement:
		a := attributes{t.Name.Local, map[string]string{}}
		for _, attr := range t.Attr {
			a.of[attr.Name.Local] = attr.Value
		}
		return p.start(a, title)
	case xml.CharData:
		if p.text != nil {
			p.words.Write(t)
		}
	case xml.EndElement:
		if t.Name.Local == "text" && p.text != nil {
			p.write(*p.text, p.words.String())
			p.text = nil
		}
	}
	return nil
}

// start draws an element, or begins one that goes on.
func (p *painter) start(a attributes, title string) error {
	if p.doc == nil {
		return p.begin(a, title)
	}
	switch a.name {
	case "g", "title", "desc":
	case "rect":
		p.shape(a, func(style string) {
			p.doc.Rect(a.length("x"), a.length("y"), a.length("width"), a.length("height"), style)
		})
	case "circle":
		p.shape(a, func(style string) { p.doc.Circle(a.length("cx"), a.length("cy"), a.length("r"), style) })
	case "line":
		p.shape(a, func(string) { p.doc.Line(a.length("x1"), a.length("y1"), a.length("x2"), a.length("y2")) })
	case "polygon":
		points, err := corners(a.of["points"])
		if err != nil {
			return err
		}
		p.shape(a, func(style string) { p.doc.Polygon(points, style) })
	case "text":
		p.text = &a
		p.words.Reset()
	default:
		return fmt.Errorf("an element %s cannot be drawn as PDF", a.name)
	}
	return nil
}

// begin makes the page.
func (p *painter) begin(a attributes, title string) error {
	var w, h float64
	if _, err := fmt.Sscanf(a.of["viewBox"], "0 0 %g %g", &w, &h); err != nil || w <= 0 || h <= 0 {
		return fmt.Errorf("view box %q is none", a.of["viewBox"])
	}
	p.doc = fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: (w + 2*margin) * pointsPer, Ht: (h + 2*margin) * pointsPer}})
	p.inside = a.classes()
	p.doc.SetMargins(0, 0, 0)
	p.doc.SetAutoPageBreak(false, 0)
	epoch := time.Unix(0, 0).UTC() // of a file that is a function of its numbers
	p.doc.SetCreationDate(epoch)
	p.doc.SetModificationDate(epoch)
	p.doc.SetCatalogSort(true)
	p.doc.SetTitle(title, true)
	p.doc.AddUTF8FontFromBytes("sans", "", liberationsansregular.TTF)
	p.doc.AddUTF8FontFromBytes("sans", "B", liberationsansbold.TTF)
	p.doc.AddPage()
	p.doc.TransformBegin()
	p.doc.TransformTranslate(margin*pointsPer, margin*pointsPer)
	return p.doc.Error()
}

// shape draws a shape as its classes say, which its attributes overrule.
func (p *painter) shape(a attributes, draw func(style string)) {
	as := painted(a.name, p.inside, a.classes())
	if a.of["fill-opacity"] != "" {
		as.fillOpacity = a.length("fill-opacity") / pointsPer
	}
	if fill, ok := light(as.fill); ok && a.name != "line" {
		p.doc.SetFillColor(fill[0], fill[1], fill[2])
		p.doc.SetAlpha(opacity(as.fillOpacity), "Normal")
		draw("F")
	}
	if stroke, ok := light(as.stroke); ok {
		p.doc.SetDrawColor(stroke[0], stroke[1], stroke[2])
		p.doc.SetLineWidth(max(as.width, 1) * pointsPer)
		var dash []float64
		for _, s := range strings.Fields(as.dash) {
			if v, err := strconv.ParseFloat(s, 64); err == nil {
				dash = append(dash, v*pointsPer)
			}
		}
		p.doc.SetDashPattern(dash, 0)
		p.doc.SetAlpha(opacity(as.strokeOpacity), "Normal")
		draw("D")
	}
	p.doc.SetAlpha(1, "Normal")
}

// write sets a text where its anchor and its turn ask.
func (p *painter) write(a attributes, s string) {
	as := painted("text", p.inside, a.classes())
	style := ""
	if as.bold {
		style = "B"
	}
	size := as.size * pointsPer
	p.doc.SetFont("sans", style, size)
	colour, _ := light(as.fill)
	p.doc.SetTextColor(colour[0], colour[1], colour[2])
	s = settable(s)
	x, y := a.length("x"), a.length("y")
	var turned, cx, cy float64
	if _, err := fmt.Sscanf(a.of["transform"], "translate(%g %g) rotate(%g)", &cx, &cy, &turned); err == nil {
		x, y = cx*pointsPer, cy*pointsPer
	}
	width := p.doc.GetStringWidth(s)
	back := 0.0
	switch {
	case a.of["text-anchor"] == "middle" || as.middleAnchor:
		back = width / 2
	case a.of["text-anchor"] == "end":
		back = width
	}
	down := 0.0
	if a.of["dominant-baseline"] == "middle" {
		down = 0.35 * size
	}
	if turned != 0 {
		p.doc.TransformBegin()
		p.doc.TransformRotate(-turned, x, y)
		defer p.doc.TransformEnd()
	}
	p.doc.Text(x-back, y+down, s)
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
			_, err := fmt.Sscanf(t.light, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
			return rgb, err == nil
		}
	}
	return rgb, false
}

// corners reads the points of a polygon.
func corners(s string) ([]fpdf.PointType, error) {
	var out []fpdf.PointType
	for _, pair := range strings.Fields(s) {
		var x, y float64
		if _, err := fmt.Sscanf(pair, "%g,%g", &x, &y); err != nil {
			return nil, fmt.Errorf("the point %q of a polygon: %w", pair, err)
		}
		out = append(out, fpdf.PointType{X: x * pointsPer, Y: y * pointsPer})
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
