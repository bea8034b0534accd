// Package screen is what a command prints to: whether it is a terminal, whether it may have colour, how wide it is, and how
// many columns a text takes there.
package screen

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Columns is the width for which everything is laid out that is not rewritten, and the one of a terminal that does not say.
const Columns = 80

// rows is the height of a terminal that does not say.
const rows = 24

// Screen is an output.
type Screen struct {
	W        io.Writer
	Terminal bool // lines can be rewritten
	Colour   bool
	size     func() (columns, rows int, err error)
}

// Of finds out what w is. env reads the environment: a NO_COLOR that is not empty, and TERM=dumb, turn colour off, and lines
// on a dumb terminal are not rewritten. A console of Windows is asked to understand the usual sequences; one that does not
// is taken as dumb.
func Of(w io.Writer, env func(string) string) Screen {
	s := Screen{W: w}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || env("TERM") == "dumb" || !understands(f) {
		return s
	}
	s.Terminal, s.Colour = true, env("NO_COLOR") == ""
	s.size = func() (int, int, error) { return term.GetSize(int(f.Fd())) }
	return s
}

// Size is the width and height now. It is asked at every drawing, so that a change of the window needs no signal.
func (s Screen) Size() (columns, height int) {
	if s.size != nil {
		if columns, height, err := s.size(); err == nil && columns > 0 && height > 0 {
			return columns, height
		}
	}
	return Columns, rows
}
