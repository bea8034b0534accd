//go:build !windows

package screen

import "os"

// understands reports whether a terminal takes the sequences that move the cursor: all do here.
func understands(*os.File) bool { return true }
