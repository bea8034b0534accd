package run

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock, or fails at once. The range lies far behind what is written, so that the holder's line can
// still be read.
func lockFile(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: math.MaxInt32}
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
}
