package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Lock keeps a second writer out of a run's folder. The operating system lets go of it when the process ends, however
// it ends. The error of a folder that is held names the holder.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, LockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the run's folder cannot be written: %w", err)
	}
	if err := lockFile(f); err != nil {
		holder, _ := os.ReadFile(path)
		f.Close()
		return nil, fmt.Errorf("%s is in use by %s: wait for it, stop it, or choose another folder", dir, strings.TrimSpace(string(holder)))
	}
	host, _ := os.Hostname()
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "process %d on %s since %s\n", os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
	}
	return func() { f.Close() }, nil
}
