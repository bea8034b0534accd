package supply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// FindModel returns the path of a GGUF file: that of a catalogue model which
// was pulled, or nameOrPath itself where it names a file. Names of the
// catalogue come first; "./name" is always a path.
func (c *Cache) FindModel(ctx context.Context, nameOrPath string) (string, error) {
	if m, ok := c.model(nameOrPath); ok {
		path := c.modelPath(m)
		if err := c.verifyModel(ctx, path, m, false); err != nil {
			if ctx.Err() != nil {
				return "", err
			}
			return "", fmt.Errorf("%w: run `percuss model pull %s`, or give the path of a GGUF file", err, m.Name)
		}
		return path, nil
	}
	info, err := os.Stat(nameOrPath)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%w model %q: neither a file nor a name of the catalogue (%s): run `percuss model pull NAME`, or give the path of a GGUF file",
			ErrUnknown, nameOrPath, c.modelNames())
	}
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file: give the path of a GGUF file, or a name of the catalogue (%s)", nameOrPath, c.modelNames())
	}
	if err := checkGGUF(nameOrPath); err != nil {
		return "", err
	}
	return nameOrPath, nil
}

// checkGGUF looks at the first four bytes, which the GGUF format fixes.
func checkGGUF(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [4]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if string(head[:n]) != "GGUF" {
		return fmt.Errorf("%s is not a GGUF file: it begins with %q, not \"GGUF\"", path, head[:n])
	}
	return nil
}

// State says what is on this machine of a catalogue model.
type State string

// The states of a catalogue model.
const (
	Absent  State = "absent"
	Present State = "present"
	Damaged State = "damaged"
)

// Listed is a catalogue model and what is on this machine of it.
type Listed struct {
	Model Model
	// Path is where the file lies or would lie.
	Path  string
	State State
}

// List returns the catalogue, the default model first. A file without a
// remembered hash is read. It fails only when the context ends.
func (c *Cache) List(ctx context.Context) ([]Listed, error) {
	var out []Listed
	for _, m := range c.models {
		l := Listed{Model: m, Path: c.modelPath(m), State: Present}
		err := c.verifyModel(ctx, l.Path, m, false)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrNotInstalled):
			l.State = Absent
		case err != nil:
			l.State = Damaged
		}
		out = append(out, l)
	}
	return out, nil
}

// Build is an engine that this platform could have, and what is on this machine
// of it.
type Build struct {
	Engine Engine
	Dir    string // where it lies or would lie
	State  State
	// Used says that it is the one that FindEngine returns where the user names
	// none. Lacks names what its device needs and this machine has not.
	Used  bool
	Lacks []string
}

// Builds returns the engines of this platform, the CPU's first. It fails when
// the context ends, and with ErrUnknown where there is none for the platform.
func (c *Cache) Builds(ctx context.Context) ([]Build, error) {
	used, err := c.current()
	if err != nil {
		return nil, err
	}
	var out []Build
	for _, e := range c.rows() {
		b := Build{Engine: e, Dir: c.engineDir(e), State: Present, Used: e.Platform == used.Platform, Lacks: append(c.on.lacks(e.Needs), c.on.lacks(e.Driver)...)}
		err := c.verifyEngine(ctx, b.Dir, e, false)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, ErrNotInstalled):
			b.State, b.Used = Absent, false
		case err != nil:
			b.State = Damaged
		}
		out = append(out, b)
	}
	return out, nil
}
