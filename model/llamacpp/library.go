package llamacpp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unsafe"

	"github.com/hybridgroup/yzma/pkg/llama"
	"github.com/hybridgroup/yzma/pkg/loader"
	"github.com/jupiterrider/ffi"

	"github.com/percuss/percuss/model"
)

// LibraryVersion is the version of llama.cpp whose structs the bindings describe. Another version may lay them out
// differently, which would crash or, worse, compute something else.
const LibraryVersion = "0.5.0"

// library is the shared library of this process. The operating system loads a library once, so this is the one
// thing here that is global.
var library struct {
	sync.Mutex
	dir      string // where it was loaded from, empty: not yet
	version  string // as the library says it
	tokenize ffi.Fun
}

// loadLibrary loads the library from dir, once a process, and returns the version that it reports. Nothing is passed
// to it before its version is known to fit.
func loadLibrary(dir string, log io.Writer) (string, error) {
	library.Lock()
	defer library.Unlock()
	dir, err := libraryDir(dir)
	if err != nil {
		return "", err
	}
	if library.dir != "" {
		if library.dir != dir {
			return "", fmt.Errorf("the engine library was already loaded from %s; a process can load only one", library.dir)
		}
		engineLog.to(log)
		return library.version, nil
	}
	version, err := checkVersion(loader.GetLibraryFilename(dir, "llama"))
	if err != nil {
		return "", err
	}
	if err := llama.Load(dir); err != nil {
		return "", fmt.Errorf("loading the engine library from %s: %w; it does not fit version %s", dir, err, LibraryVersion)
	}
	lib, err := loader.LoadLibrary(dir, "llama")
	if err != nil {
		return "", err
	}
	library.tokenize, err = lib.Prep("llama_tokenize", &ffi.TypeSint32, &ffi.TypePointer, &ffi.TypePointer,
		&ffi.TypeSint32, &ffi.TypePointer, &ffi.TypeSint32, &ffi.TypeUint8, &ffi.TypeUint8)
	if err != nil {
		return "", err
	}
	if err := engineLog.install(log); err != nil {
		return "", err
	}
	llama.Init()
	if llama.GGMLBackendDeviceCount() == 0 {
		return "", fmt.Errorf("%s holds no compute back-end (libggml-cpu-*): the directory is incomplete", dir)
	}
	library.dir, library.version = dir, version
	return version, nil
}

// libraryDir checks that dir holds the files that will be loaded, and makes it absolute.
func libraryDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no engine library: give its directory with --lib, or run `percuss engine install`")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for _, name := range []string{"llama", "ggml", "ggml-base"} {
		file := loader.GetLibraryFilename(abs, name)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		base := filepath.Base(file)
		ext := filepath.Ext(base)
		if found, _ := filepath.Glob(filepath.Join(abs, strings.TrimSuffix(base, ext)+".v*"+ext)); len(found) > 0 {
			return "", fmt.Errorf("%s has %s but no %s: add the link, e.g. `ln -s %[2]s %[3]s`", abs, filepath.Base(found[0]), base)
		}
		return "", fmt.Errorf("%s holds no %s: give the directory of llama.cpp %s with --lib, or run `percuss engine install`",
			abs, base, LibraryVersion)
	}
	return abs, nil
}

var numericVersion = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)\b`)

// checkVersion asks the library at file for its version. A library that does not fit is closed again, so that a
// later try with the right one is not served from the wrong one.
func checkVersion(file string) (string, error) {
	lib, err := ffi.Load(file)
	if err != nil {
		return "", fmt.Errorf("%s cannot be loaded: %w; is it built for this platform? `percuss engine install` installs one that is", file, err)
	}
	ask, err := lib.Prep("llama_version", &ffi.TypePointer)
	if err != nil {
		lib.Close()
		return "", fmt.Errorf("%s does not say its version, so it is not llama.cpp %s, which is needed: run `percuss engine install`",
			file, LibraryVersion)
	}
	var text *byte
	ask.Call(unsafe.Pointer(&text))
	version := cString(text)
	m := numericVersion.FindStringSubmatch(version)
	if m == nil || m[1] != LibraryVersion {
		lib.Close()
		return "", fmt.Errorf("%s is llama.cpp %q, but %s is needed: run `percuss engine install`, or give another directory with --lib",
			file, version, LibraryVersion)
	}
	return version, nil
}

// cString copies a zero-terminated string of the library, at most 4 KiB of it.
func cString(p *byte) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	for i := 0; i < 4096; i++ {
		c := *(*byte)(unsafe.Add(unsafe.Pointer(p), i))
		if c == 0 {
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}

// fatal wraps an error that no further request can get round.
func fatal(kind string, err error) error {
	if err == nil {
		return nil
	}
	var f *model.Fault
	if errors.As(err, &f) {
		return err
	}
	return &model.Fault{Kind: kind, Fatal: true, Err: err}
}

// backends names the devices that the library computes on, the CPU last, e.g. "CPU" or "CUDA0, CPU".
func backends() string {
	var names []string
	for i := range llama.GGMLBackendDeviceCount() {
		names = append(names, llama.GGMLBackendDeviceName(llama.GGMLBackendDeviceGet(i)))
	}
	return strings.Join(names, ", ")
}
