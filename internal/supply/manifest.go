package supply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// manifestName is the file in an engine's folder that describes it.
const manifestName = "percuss-files.json"

// manifestFile describes one file of an installed engine.
type manifestFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	MTime  int64  `json:"mtime_ns"`
	SHA256 string `json:"sha256"`
}

// writeManifest describes what is in dir, and flushes it.
func writeManifest(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var files []manifestFile
	for _, e := range entries {
		f, err := describe(ctx, dir, e.Name())
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	data, err := json.MarshalIndent(files, "", " ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, manifestName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	flushDir(dir)
	return err
}

func describe(ctx context.Context, dir, name string) (manifestFile, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return manifestFile{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return manifestFile{}, err
	}
	sum := sha256.New()
	if _, err := copyContext(ctx, sum, f); err != nil {
		return manifestFile{}, err
	}
	return manifestFile{name, info.Size(), info.ModTime().UnixNano(), hex.EncodeToString(sum.Sum(nil))}, nil
}

// verifyEngine compares the folder with its manifest. Files whose size and
// time of change are as written are taken to be the same, unless every byte is
// asked for. The error is ErrNotInstalled or ErrDamaged.
func (c *Cache) verifyEngine(ctx context.Context, dir string, e Engine, everyByte bool) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("llama.cpp %s for %s is %w", e.LlamaCPP, e.Platform, ErrNotInstalled)
	}
	damaged := func(why string, args ...any) error {
		return fmt.Errorf("the engine in %s is %w (%s)", dir, ErrDamaged, fmt.Sprintf(why, args...))
	}
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return damaged("no list of its files: %v", err)
	}
	var files []manifestFile
	if err := json.Unmarshal(data, &files); err != nil {
		return damaged("its list of files: %v", err)
	}
	if err := e.complete(dir); err != nil {
		return damaged("%v", err)
	}
	for _, want := range files {
		info, err := os.Stat(filepath.Join(dir, want.Name))
		if err != nil {
			return damaged("%v", err)
		}
		if info.Size() != want.Bytes {
			return damaged("%s has %d bytes, not %d", want.Name, info.Size(), want.Bytes)
		}
		if !everyByte && info.ModTime().UnixNano() == want.MTime {
			continue
		}
		got, err := describe(ctx, dir, want.Name)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return damaged("%v", err)
		}
		if got.SHA256 != want.SHA256 {
			return damaged("the content of %s is not as installed", want.Name)
		}
	}
	return nil
}
