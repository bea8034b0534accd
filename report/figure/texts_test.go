package figure

import (
	"math"
	"testing"
)

// textBoxes is a canvas that remembers where the ink of each text lies, in units of the view box.
type textBoxes struct {
	pixels
	texts []textBox
}

type textBox struct {
	text   string
	lo, hi place
}

func (c *textBoxes) write(l lettering) {
	b := textBox{text: l.text, lo: place{math.Inf(1), math.Inf(1)}, hi: place{math.Inf(-1), math.Inf(-1)}}
	for _, points := range c.letters(l) {
		for _, p := range points {
			x, y := p.x/c.scale-margin, p.y/c.scale-margin
			b.lo, b.hi = place{min(b.lo.x, x), min(b.lo.y, y)}, place{max(b.hi.x, x), max(b.hi.y, y)}
		}
	}
	if b.lo.x < b.hi.x {
		c.texts = append(c.texts, b)
	}
}

// No text of any figure runs out of it or lies on another.
func TestTextsHaveRoom(t *testing.T) {
	for _, d := range everyKind(t) {
		c := &textBoxes{pixels: pixels{scale: 1}}
		if _, err := d.paintOn(c); err != nil {
			t.Fatal(err)
		}
		for i, b := range c.texts {
			if b.lo.x < -margin || b.lo.y < -margin || b.hi.x > c.of.width+margin || b.hi.y > c.of.height+margin {
				t.Errorf("%s: %q runs out of the drawing, from %.0f to %.0f of %.0f", d.ID, b.text, b.lo, b.hi, c.of.width)
			}
			for _, o := range c.texts[:i] {
				if min(b.hi.x, o.hi.x)-max(b.lo.x, o.lo.x) > 0.5 && min(b.hi.y, o.hi.y)-max(b.lo.y, o.lo.y) > 0.5 {
					t.Errorf("%s: %q lies on %q", d.ID, b.text, o.text)
				}
			}
		}
		if len(c.texts) < 3 {
			t.Errorf("%s: %d texts", d.ID, len(c.texts))
		}
	}
}
