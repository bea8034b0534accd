//go:build !linux

package storetest

import "testing"

// Mounted skips the test: it needs Linux.
func Mounted(t *testing.T, kind, options string) string {
	t.Skip("mounting is tested on Linux")
	return ""
}

// ReadOnly skips the test: it needs Linux.
func ReadOnly(t *testing.T, dir string) string {
	t.Skip("read-only mounts are tested on Linux")
	return ""
}
