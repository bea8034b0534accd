package screen

import (
	"os"

	"golang.org/x/sys/windows"
)

// understands makes a console take the sequences that move the cursor, and reports whether it does: before Windows 10 none
// did.
func understands(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
