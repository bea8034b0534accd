//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the largest resident size of a process that has ended or of one that it waited for, in bytes.
func peak(p *os.ProcessState) int64 {
	r, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(r.Maxrss) // bytes there, kibibytes elsewhere
	}
	return int64(r.Maxrss) << 10
}
