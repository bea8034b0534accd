package figure

import "fmt"

// scene is a drawing put together mark by mark, in the order in which they cover each other.
type scene struct {
	Class, Title, Alternative string
	Width, Height             string
	Marks                     []sceneMark
}

// sceneMark is one mark or text of a scene.
type sceneMark struct {
	Kind, Class, Whole string // Kind: "text", "rect", "circle", "line"; Whole: what it says of itself, in words
	X, Y, X2, Y2, R    string
	Width, Height      string
	Depth              string // opacity of a filling; empty: the class says it
	Anchor, Text       string
}

func (s *scene) text(class, anchor string, x, y float64, words string) {
	s.Marks = append(s.Marks, sceneMark{Kind: "text", Class: class, Anchor: anchor, X: at(x), Y: at(y), Text: words})
}

func (s *scene) line(class string, x1, y1, x2, y2 float64) {
	s.Marks = append(s.Marks, sceneMark{Kind: "line", Class: class, X: at(x1), Y: at(y1), X2: at(x2), Y2: at(y2)})
}

func (s *scene) circle(class string, x, y, r float64, whole string) {
	s.Marks = append(s.Marks, sceneMark{Kind: "circle", Class: class, X: at(x), Y: at(y), R: at(r), Whole: whole})
}

// rect fills by a depth over 0, else as its class says.
func (s *scene) rect(class string, x, y, w, h, depth float64, whole string) {
	m := sceneMark{Kind: "rect", Class: class, X: at(x), Y: at(y), Width: at(w), Height: at(h), Whole: whole}
	if depth > 0 {
		m.Depth = fmt.Sprintf("%.2f", depth)
	}
	s.Marks = append(s.Marks, m)
}

// shades explains the colours of cells from (x, y) on.
func (s *scene) shades(k shades) {
	s.Marks = append(s.Marks, sceneMark{Kind: "text", Class: "small", X: "0", Y: k.TextY, Text: k.What})
	for _, c := range k.Cells {
		s.Marks = append(s.Marks, sceneMark{Kind: "rect", Class: "cell", X: c.X, Y: c.Y, Width: k.Width, Height: "16", Depth: c.Depth},
			sceneMark{Kind: "rect", Class: "bar", X: c.X, Y: c.BarTop, Width: c.Bar, Height: "3"},
			sceneMark{Kind: "text", Class: "small", Anchor: "middle", X: c.Mid, Y: c.Y1, Text: c.Shown})
	}
}
