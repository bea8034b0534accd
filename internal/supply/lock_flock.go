//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package supply

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock without waiting. The system frees it when the process
// ends, however it ends. supported is false where the file system has no locks.
func tryLock(f *os.File) (taken, supported bool) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return true, true
	case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		return false, true
	}
	return false, false
}
