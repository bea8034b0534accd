package storetest

import (
	"os"
	"syscall"
	"testing"
)

// Mounted mounts a small file system for the time of the test, or skips it.
func Mounted(t *testing.T, kind, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount(kind, dir, kind, 0, options); err != nil {
		t.Skipf("mounting a %s needs root: %v", kind, err)
	}
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

// ReadOnly shows a folder read-only under another path, or skips the test; chmod does not bind root.
func ReadOnly(t *testing.T, dir string) string {
	t.Helper()
	at := t.TempDir()
	if err := syscall.Mount(dir, at, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("a read-only bind mount needs root: %v", err)
	}
	t.Cleanup(func() { unmount(t, at) })
	if err := syscall.Mount("", at, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("a read-only bind mount needs root: %v", err)
	}
	if err := os.WriteFile(at+"/probe", nil, 0o644); err == nil {
		t.Skip("the mount is not read-only here")
	}
	return at
}

func unmount(t *testing.T, dir string) {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
		t.Errorf("unmount %s: %v", dir, err)
	}
}
