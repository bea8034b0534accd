//go:build !linux

package sqlite

import "testing"

func mounted(t *testing.T, kind, options string) string {
	t.Skip("mounting is tested on Linux")
	return ""
}

func readOnly(t *testing.T, dir string) string {
	t.Skip("read-only mounts are tested on Linux")
	return ""
}
