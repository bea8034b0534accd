package supply

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// asidePrefix begins the name of every working directory. Nothing whose name
// begins so is ever taken for an installed thing.
const asidePrefix = ".partial-"

// abandoned is the age at which a working directory is taken to be left over
// where the file system has no locks to tell.
const abandoned = 24 * time.Hour

// aside is a working directory beside the place of the finished thing, so that
// the last step is a rename within one file system.
type aside struct {
	dir  string
	lock *os.File
}

// openAside waits until no other process works in parent, removes what an
// interrupted one left there, and makes a fresh working directory. The caller
// must look again at what is installed: another process may just have done it.
func (c *Cache) openAside(ctx context.Context, parent string) (*aside, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("making room for the download: %w; PERCUSS_CACHE can name another place", err)
	}
	lock, held, err := c.waitLock(ctx, filepath.Join(parent, ".lock"))
	if err != nil {
		return nil, err
	}
	removeLeftovers(parent, held, time.Now())
	dir, err := os.MkdirTemp(parent, asidePrefix)
	if err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("making room for the download: %w; PERCUSS_CACHE can name another place", err)
	}
	return &aside{dir: dir, lock: lock}, nil
}

// close removes the working directory and frees the lock.
func (a *aside) close() {
	_ = os.RemoveAll(a.dir)
	_ = a.lock.Close()
}

// waitLock opens the lock file and waits for the lock. held is false where the
// file system has none.
func (c *Cache) waitLock(ctx context.Context, path string) (f *os.File, held bool, err error) {
	f, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, false, fmt.Errorf("making room for the download: %w; PERCUSS_CACHE can name another place", err)
	}
	told := false
	for {
		taken, supported := tryLock(f)
		if taken || !supported {
			return f, taken, nil
		}
		if !told {
			c.say("waiting for another percuss that works in %s", filepath.Dir(path))
			told = true
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, false, fmt.Errorf("waiting for another percuss: %w", ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// removeLeftovers removes working directories of processes that are gone: all
// of them under the lock, only old ones without.
func removeLeftovers(parent string, held bool, now time.Time) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), asidePrefix) {
			continue
		}
		if !held {
			info, err := e.Info()
			if err != nil || now.Sub(info.ModTime()) < abandoned {
				continue
			}
		}
		_ = os.RemoveAll(filepath.Join(parent, e.Name()))
	}
}

// flushDir makes a rename in dir survive a power cut. Not every system can
// flush a directory, and the rename is whole without it.
func flushDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
