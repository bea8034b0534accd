package supply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// InstallEngine makes sure that the llama.cpp library for this machine is in
// the cache, has FindEngine use it from now on, and returns its directory.
// device names what it is to compute on; empty: what was installed last, and
// before anything was, what Auto finds. An engine that is there and whole is
// left alone; a damaged one is replaced. Errors: ErrUnknown where there is no
// such build for this platform, ErrNoDevice where the machine lacks what the
// build needs.
func (c *Cache) InstallEngine(ctx context.Context, device string) (string, error) {
	e, err := c.choose(device)
	if err != nil {
		return "", err
	}
	if err := c.putEngine(ctx, e); err != nil {
		return "", err
	}
	return c.engineDir(e), c.use(e)
}

// putEngine installs an engine where it is not there whole.
func (c *Cache) putEngine(ctx context.Context, e Engine) error {
	dir := c.engineDir(e)
	if c.verifyEngine(ctx, dir, e, true) == nil {
		c.say("llama.cpp %s for %s is installed in %s", e.LlamaCPP, e.Platform, dir)
		return nil
	}
	work, err := c.openAside(ctx, filepath.Dir(dir))
	if err != nil {
		return err
	}
	defer work.close()
	// Another process may have installed it while this one waited.
	switch err := c.verifyEngine(ctx, dir, e, true); {
	case err == nil:
		c.say("llama.cpp %s for %s is installed in %s", e.LlamaCPP, e.Platform, dir)
		return nil
	case errors.Is(err, ErrDamaged):
		c.say("%v; installing it anew", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	fresh, err := c.buildEngine(ctx, e, work.dir)
	if err != nil {
		return err
	}
	if err := c.replaceDir(ctx, fresh, dir, work.dir, e); err != nil {
		return err
	}
	c.say("llama.cpp %s for %s installed in %s", e.LlamaCPP, e.Platform, dir)
	return nil
}

// buildEngine fetches, checks and unpacks the engine into a folder below work.
func (c *Cache) buildEngine(ctx context.Context, e Engine, work string) (string, error) {
	if !e.Tried {
		c.say("note: %s has not been tried with percuss (%s)", e.Package, e.Note)
	}
	fresh := filepath.Join(work, "engine")
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return "", err
	}
	if err := c.addPackage(ctx, e, e.Package, e.Integrity, e.wants, work, fresh); err != nil {
		return "", err
	}
	if x := e.Extension; x != nil {
		if err := c.addPackage(ctx, e, x.Package, x.Integrity, x.wants, work, fresh); err != nil {
			return "", err
		}
	}
	if err := e.link(fresh); err != nil {
		return "", err
	}
	if err := e.complete(fresh); err != nil {
		return "", fmt.Errorf("%w: %s: %w; name a directory that holds llama.cpp %s with --lib or PERCUSS_LIB",
			ErrMismatch, e.Package, err, e.LlamaCPP)
	}
	return fresh, writeManifest(ctx, fresh)
}

// addPackage fetches one package of the engine and unpacks what is wanted of
// it into fresh.
func (c *Cache) addPackage(ctx context.Context, e Engine, name, integrity string, wants func(string) (string, bool), work, fresh string) error {
	dir, err := os.MkdirTemp(work, "package-")
	if err != nil {
		return err
	}
	archive, err := c.packEngine(ctx, e, name, dir)
	if err != nil {
		return err
	}
	if integrity != "" {
		c.say("checking %s", filepath.Base(archive))
		if err := checkIntegrity(ctx, archive, integrity); err != nil {
			return err
		}
	}
	return unpackEngine(ctx, archive, wants, fresh, maxEngineBytes)
}

// link gives the libraries the names under which they are asked for. Where the
// system has no links for this user, the file is copied.
func (e Engine) link(dir string) error {
	names := make([]string, 0, len(e.Links))
	for name := range e.Links {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		target := filepath.Join(dir, e.Links[name])
		if _, err := os.Stat(target); err != nil {
			continue // complete says what is missing
		}
		if os.Symlink(e.Links[name], filepath.Join(dir, name)) == nil {
			continue
		}
		f, err := os.Open(target)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			err = writeFlushed(filepath.Join(dir, name), f, info.Size())
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// complete says which of the files that loading needs are missing.
func (e Engine) complete(dir string) error {
	var missing []string
	for _, name := range e.Require {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return fmt.Errorf("no %s in it", strings.Join(missing, ", no "))
	}
	return nil
}

// replaceDir puts fresh in the place of dir. A damaged dir is moved into work
// first, which its owner removes; where no lock kept others out and another
// process was faster, its engine is used.
func (c *Cache) replaceDir(ctx context.Context, fresh, dir, work string, e Engine) error {
	if err := os.Rename(dir, filepath.Join(work, "damaged")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("replacing %s: %w", dir, err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if c.verifyEngine(ctx, dir, e, false) == nil {
			return nil
		}
		return fmt.Errorf("installing into %s: %w", dir, err)
	}
	flushDir(filepath.Dir(dir))
	return nil
}

// FindEngine returns the directory of the library to load: the one the user
// names on the command line, else the one the environment names (the value of
// PERCUSS_LIB), else the one that was installed last. A directory that the user named and
// that does not hold the library is an error, never passed over.
func (c *Cache) FindEngine(ctx context.Context, flag, env string) (string, error) {
	e, err := c.current()
	for _, given := range []struct{ dir, from string }{{flag, "--lib"}, {env, "PERCUSS_LIB"}} {
		if given.dir != "" {
			if err := checkGiven(given.dir, given.from, e); err != nil {
				return "", err
			}
			return given.dir, nil
		}
	}
	if err != nil {
		return "", err
	}
	dir := c.engineDir(e)
	if err := c.verifyEngine(ctx, dir, e, false); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", fmt.Errorf("%w: run `percuss engine install`, or name a directory that holds llama.cpp %s with --lib or PERCUSS_LIB",
			err, e.LlamaCPP)
	}
	return dir, nil
}

// checkGiven checks a directory that the user named. Only the library itself
// is looked for: the loader knows best what else a foreign build needs.
func checkGiven(dir, from string, e Engine) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("%s %s: %w", from, dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s %s is not a directory: name the directory that holds the llama.cpp library", from, dir)
	}
	if len(e.Require) == 0 {
		return nil // a platform without a row
	}
	if _, err := os.Stat(filepath.Join(dir, e.Require[0])); err != nil {
		return fmt.Errorf("%s %s holds no %s: name the directory that holds the llama.cpp library", from, dir, e.Require[0])
	}
	return nil
}

func (c *Cache) engineDir(e Engine) string {
	return filepath.Join(c.root, "engine", "llama.cpp-"+e.LlamaCPP+"-"+e.Platform)
}
