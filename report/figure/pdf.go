package figure

import (
	"bytes"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"
)

// PDF is the drawing as a file of one page of its size, its fonts embedded; the same drawing always gives the same bytes.
// It draws what the SVG holds, in the colours of the light scheme. A character that the fonts lack, beyond the Latin,
// Greek and Cyrillic letters, becomes a question mark.
func (d Drawing) PDF() ([]byte, error) { return d.paintOn(&pdf{}) }

// pointsPer is the points of a unit of the view box: one pixel, of which an inch has 96.
const pointsPer = 0.75

// pdf is a page.
type pdf struct{ doc *fpdf.Fpdf }

func (c *pdf) begin(of sheet) error {
	c.doc = fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: (of.width + 2*margin) * pointsPer, Ht: (of.height + 2*margin) * pointsPer}})
	c.doc.SetMargins(0, 0, 0)
	c.doc.SetAutoPageBreak(false, 0)
	epoch := time.Unix(0, 0).UTC() // of a file that is a function of its numbers
	c.doc.SetCreationDate(epoch)
	c.doc.SetModificationDate(epoch)
	c.doc.SetCatalogSort(true)
	c.doc.SetTitle(of.title, true)
	c.doc.SetSubject(of.alternative, true)
	c.doc.AddUTF8FontFromBytes("sans", "", liberationsansregular.TTF)
	c.doc.AddUTF8FontFromBytes("sans", "B", liberationsansbold.TTF)
	c.doc.AddPage()
	c.doc.TransformBegin()
	c.doc.TransformTranslate(margin*pointsPer, margin*pointsPer)
	return c.doc.Error()
}

func (c *pdf) end() ([]byte, error) {
	c.doc.TransformEnd()
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (c *pdf) fill(o outline, with ink) {
	c.doc.SetFillColor(with.colour[0], with.colour[1], with.colour[2])
	c.doc.SetAlpha(with.opacity, "Normal")
	c.trace(o, "F")
}

func (c *pdf) stroke(o outline, with ink, width float64, dash []float64) {
	c.doc.SetDrawColor(with.colour[0], with.colour[1], with.colour[2])
	c.doc.SetLineWidth(width * pointsPer)
	points := make([]float64, len(dash))
	for i, v := range dash {
		points[i] = v * pointsPer
	}
	c.doc.SetDashPattern(points, 0)
	c.doc.SetAlpha(with.opacity, "Normal")
	c.trace(o, "D")
}

// trace draws a shape, filled ("F") or as a line ("D").
func (c *pdf) trace(o outline, style string) {
	switch {
	case o.radius > 0:
		c.doc.Circle(o.centre.x*pointsPer, o.centre.y*pointsPer, o.radius*pointsPer, style)
	case !o.closed && len(o.corners) == 2:
		c.doc.Line(o.corners[0].x*pointsPer, o.corners[0].y*pointsPer, o.corners[1].x*pointsPer, o.corners[1].y*pointsPer)
	default:
		points := make([]fpdf.PointType, len(o.corners))
		for i, p := range o.corners {
			points[i] = fpdf.PointType{X: p.x * pointsPer, Y: p.y * pointsPer}
		}
		c.doc.Polygon(points, style)
	}
	c.doc.SetAlpha(1, "Normal")
}

func (c *pdf) write(l lettering) {
	style := ""
	if l.bold {
		style = "B"
	}
	c.doc.SetFont("sans", style, l.size*pointsPer)
	c.doc.SetTextColor(l.with.colour[0], l.with.colour[1], l.with.colour[2])
	x, y := l.at.x*pointsPer, l.at.y*pointsPer
	if l.turned != 0 {
		c.doc.TransformBegin()
		c.doc.TransformRotate(-l.turned, x, y)
		defer c.doc.TransformEnd()
	}
	c.doc.Text(x-l.back(c.doc.GetStringWidth(l.text)), y, l.text)
}
