//go:build unix

package run

import (
	"os"
	"syscall"
)

// lockFile takes the lock, or fails at once.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
