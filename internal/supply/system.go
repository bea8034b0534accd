package supply

import (
	"bytes"
	"os"
	"path/filepath"
)

// system is the machine as far as the choice of an engine looks at it.
type system struct {
	goos, goarch string
	root         string // of its files
	getenv       func(string) string
}

// lacks returns the shared libraries that the system's loader would not find.
func (s system) lacks(libraries []string) []string {
	var missing []string
	for _, name := range libraries {
		if !s.finds(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// finds looks where the loader does: on Linux in LD_LIBRARY_PATH, in the
// loader's cache, where a name stands by itself or as the end of a path, and in
// the folders that are always searched; on Windows in the system's folder and
// on the PATH.
func (s system) finds(name string) bool {
	for _, dir := range s.folders() {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	if s.goos != "linux" {
		return false
	}
	known, err := os.ReadFile(filepath.Join(s.root, "etc", "ld.so.cache"))
	return err == nil && (bytes.Contains(known, []byte("\x00"+name+"\x00")) || bytes.Contains(known, []byte("/"+name+"\x00")))
}

func (s system) folders() []string {
	if s.goos == "windows" {
		return append(filepath.SplitList(s.getenv("PATH")), filepath.Join(s.getenv("SystemRoot"), "System32"))
	}
	folders := filepath.SplitList(s.getenv("LD_LIBRARY_PATH"))
	for _, dir := range []string{"lib", "usr/lib", "lib64", "usr/lib64"} {
		folders = append(folders, filepath.Join(s.root, dir))
	}
	return folders
}

// searched names where a user can add folders of libraries.
func (s system) searched() string {
	if s.goos == "windows" {
		return "PATH"
	}
	return "LD_LIBRARY_PATH"
}
