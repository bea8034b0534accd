package figure

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"math"
	"slices"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG is the drawing as an image of scale pixels a unit of its view box, over 0 and at most 8; fewer where it would have
// more than 40 million pixels. The file says how large it is meant to be (96 units an inch), its title, and in words what
// it shows. Colours and characters are those of the PDF, and the same drawing always gives the same bytes.
func (d Drawing) PNG(scale float64) ([]byte, error) {
	if !(scale > 0 && scale <= 8) {
		return nil, fmt.Errorf("draw the figure %s: a scale of %g pixels a unit is not over 0 and at most 8", d.ID, scale)
	}
	return d.paintOn(&pixels{scale: scale})
}

// mostPixels are the most of an image, whose memory is four bytes each.
const mostPixels = 40e6

// pixels is an image.
type pixels struct {
	of            sheet
	scale         float64
	image         *image.RGBA
	path          vector.Rasterizer
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
}

func (c *pixels) begin(of sheet) error {
	c.of = of
	w, h := of.width+2*margin, of.height+2*margin
	c.scale = min(c.scale, math.Sqrt(mostPixels/(w*h)))
	c.image = image.NewRGBA(image.Rect(0, 0, int(math.Ceil(w*c.scale)), int(math.Ceil(h*c.scale))))
	paper, _ := light("bg")
	imagedraw.Draw(c.image, c.image.Rect, image.NewUniform(ink{paper, 1}.nrgba()), image.Point{}, imagedraw.Src)
	var errs [2]error
	c.regular, errs[0] = sfnt.Parse(liberationsansregular.TTF)
	c.bold, errs[1] = sfnt.Parse(liberationsansbold.TTF)
	return errors.Join(errs[:]...)
}

func (i ink) nrgba() color.NRGBA {
	return color.NRGBA{uint8(i.colour[0]), uint8(i.colour[1]), uint8(i.colour[2]), uint8(math.Round(255 * i.opacity))}
}

// contour is a closed line in pixels, its curves already cut into straight pieces.
type contour []place

// pixel is a place of the drawing in pixels of the image.
func (c *pixels) pixel(p place) place {
	return place{(p.x + margin) * c.scale, (p.y + margin) * c.scale}
}

// lay inks what the contours hold. Where they wind in opposite ways around a place, that place is left out.
func (c *pixels) lay(all []contour, with ink) {
	lo, hi := place{math.Inf(1), math.Inf(1)}, place{math.Inf(-1), math.Inf(-1)}
	for _, points := range all {
		for _, p := range points {
			lo, hi = place{min(lo.x, p.x), min(lo.y, p.y)}, place{max(hi.x, p.x), max(hi.y, p.y)}
		}
	}
	size := c.image.Rect.Max
	lo, hi = place{max(lo.x, -1), max(lo.y, -1)}, place{min(hi.x, float64(size.X)+1), min(hi.y, float64(size.Y)+1)}
	if !(lo.x < hi.x && lo.y < hi.y) {
		return
	}
	box := image.Rect(int(math.Floor(lo.x)), int(math.Floor(lo.y)), int(math.Ceil(hi.x)), int(math.Ceil(hi.y)))
	c.path.Reset(box.Dx(), box.Dy())
	for _, points := range all {
		for i, p := range points {
			x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
			if i == 0 {
				c.path.MoveTo(x, y)
			} else {
				c.path.LineTo(x, y)
			}
		}
		c.path.ClosePath()
	}
	c.path.Draw(c.image, box, image.NewUniform(with.nrgba()), image.Point{})
}

func (c *pixels) fill(o outline, with ink) {
	if o.radius > 0 {
		c.lay([]contour{c.round(o.centre, o.radius)}, with)
		return
	}
	c.lay([]contour{c.contour(o.corners)}, with)
}

func (c *pixels) contour(corners []place) contour {
	out := make(contour, len(corners))
	for i, p := range corners {
		out[i] = c.pixel(p)
	}
	return out
}

// round is a circle of 64 corners: of the circles here none leaves the true one by a tenth of a pixel.
func (c *pixels) round(centre place, radius float64) contour {
	out := make(contour, 64)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(out)))
		out[i] = c.pixel(place{centre.x + radius*cos, centre.y + radius*sin})
	}
	return out
}

func (c *pixels) stroke(o outline, with ink, width float64, dash []float64) {
	if o.radius > 0 {
		inner := c.round(o.centre, max(o.radius-width/2, 0))
		slices.Reverse(inner)
		c.lay([]contour{c.round(o.centre, o.radius+width/2), inner}, with)
		return
	}
	var all []contour
	for i, from := range o.corners {
		if i == len(o.corners)-1 && !o.closed {
			break
		}
		to := o.corners[(i+1)%len(o.corners)]
		over := 0.0
		if o.closed && len(dash) == 0 {
			over = width / 2 // so that edges meet at their corner
		}
		for _, piece := range dashes(from, to, over, dash) {
			all = append(all, c.contour(band(piece[0], piece[1], width)))
		}
	}
	c.lay(all, with)
}

// dashes are the pieces of a line, drawn over its ends by some units: the whole line where no dash is asked for, else
// drawn and left out by turns.
func dashes(from, to place, over float64, dash []float64) [][2]place {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return nil
	}
	at := func(l float64) place {
		return place{from.x + (to.x-from.x)*l/length, from.y + (to.y-from.y)*l/length}
	}
	if len(dash) == 0 || slices.Min(dash) <= 0 {
		return [][2]place{{at(-over), at(length + over)}}
	}
	var out [][2]place
	l := 0.0
	for i := 0; l < length; i++ {
		next := min(l+dash[i%len(dash)], length)
		if i%2 == 0 {
			out = append(out, [2]place{at(l), at(next)})
		}
		l = next
	}
	return out
}

// band is a straight line of a width as corners, always in the same turn, so that bands which cross are both inked.
func band(from, to place, width float64) []place {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	x, y := (to.y-from.y)/length*width/2, (from.x-to.x)/length*width/2
	return []place{{from.x + x, from.y + y}, {to.x + x, to.y + y}, {to.x - x, to.y - y}, {from.x - x, from.y - y}}
}

func (c *pixels) write(l lettering) { c.lay(c.letters(l), l.with) }

// letters are the outlines of a text where it stands.
func (c *pixels) letters(l lettering) []contour {
	face := c.regular
	if l.bold {
		face = c.bold
	}
	size := fixed.Int26_6(math.Round(l.size * c.scale * 64))
	var all []contour
	pen := 0.0
	for _, r := range l.text {
		glyph, err := face.GlyphIndex(&c.buffer, r)
		if err != nil {
			continue
		}
		if segments, err := face.LoadGlyph(&c.buffer, glyph, size, nil); err == nil {
			all = append(all, flat(segments, pen)...)
		}
		if forward, err := face.GlyphAdvance(&c.buffer, glyph, size, font.HintingNone); err == nil {
			pen += float64(forward) / 64
		}
	}
	sin, cos := math.Sincos(l.turned * math.Pi / 180)
	from, back := c.pixel(l.at), l.back(pen)
	for _, points := range all {
		for i, p := range points {
			x, y := p.x-back, p.y
			points[i] = place{from.x + x*cos - y*sin, from.y + x*sin + y*cos}
		}
	}
	return all
}

// flat cuts a glyph's curves into straight pieces, moved to the right by some pixels.
func flat(segments sfnt.Segments, right float64) []contour {
	var out []contour
	var last place
	at := func(p fixed.Point26_6) place { return place{float64(p.X)/64 + right, float64(p.Y) / 64} }
	for _, s := range segments {
		if s.Op == sfnt.SegmentOpMoveTo {
			out = append(out, nil)
		}
		k := len(out) - 1
		if k < 0 {
			continue
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo, sfnt.SegmentOpLineTo:
			last = at(s.Args[0])
			out[k] = append(out[k], last)
		case sfnt.SegmentOpQuadTo: // TrueType has no others
			from, by, to := last, at(s.Args[0]), at(s.Args[1])
			const pieces = 4
			for i := 1; i <= pieces; i++ {
				t := float64(i) / pieces
				out[k] = append(out[k], place{(1-t)*(1-t)*from.x + 2*t*(1-t)*by.x + t*t*to.x, (1-t)*(1-t)*from.y + 2*t*(1-t)*by.y + t*t*to.y})
			}
			last = to
		}
	}
	return out
}

func (c *pixels) end() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, c.image); err != nil {
		return nil, err
	}
	const head = 8 + 4 + 4 + 13 + 4 // the signature and the first block, behind which others may stand
	perMetre := uint32(math.Round(96 * c.scale / 0.0254))
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, perMetre), perMetre)
	blocks := block("pHYs", append(size, 1))
	for _, said := range [][2]string{{"Title", c.of.title}, {"Description", c.of.alternative}} {
		blocks = append(blocks, block("iTXt", []byte(said[0]+"\x00\x00\x00en\x00\x00"+said[1]))...)
	}
	return slices.Concat(b.Bytes()[:head], blocks, b.Bytes()[head:]), nil
}

// block is one of the blocks that a PNG file consists of.
func block(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}
