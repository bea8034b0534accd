package screen

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// A terminal has colour unless the environment says no, and is as wide as it is now.
func TestTerminal(t *testing.T) {
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be opened here:", err)
	}
	defer f.Close()
	for _, c := range []struct {
		env              map[string]string
		terminal, colour bool
	}{
		{map[string]string{"TERM": "xterm"}, true, true}, {map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"NO_COLOR": ""}, true, true}, {map[string]string{"TERM": "dumb"}, false, false},
	} {
		if s := Of(f, func(name string) string { return c.env[name] }); s.Terminal != c.terminal || s.Colour != c.colour {
			t.Errorf("%v: %+v", c.env, s)
		}
	}
	s := Of(f, func(string) string { return "" })
	for _, want := range []int{120, 40} {
		if err := unix.IoctlSetWinsize(int(f.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: uint16(want)}); err != nil {
			t.Fatal(err)
		}
		if columns, height := s.Size(); columns != want || height != 50 {
			t.Errorf("%d × %d, want %d columns", columns, height, want)
		}
	}
}
