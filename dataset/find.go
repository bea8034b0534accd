package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// DataVariable is the environment variable that names the folder with one folder a set.
const DataVariable = "PERCUSS_DATA"

// Known says under which names a set's file is looked for, and where to get it.
type Known struct {
	Set     string
	Folders []string // names of the set's folder below a data directory, in order
	Files   []string // names of the file in it, in order
	Obtain  string   // a sentence for whoever does not have the file
}

// NotFoundError says where a set's file was looked for. errors.Is(err, fs.ErrNotExist) holds.
type NotFoundError struct {
	Known  Known
	Looked []string // the places, in order
	Put    string   // where the file would be found next time
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("data set %s: no file %s; looked in %s. %s Put it at %s, set %s to the folder above %s, or name it: %s:PATH",
		e.Known.Set, strings.Join(e.Known.Files, " or "), strings.Join(e.Looked, ", "), e.Known.Obtain,
		e.Put, DataVariable, e.Known.Folders[0], e.Known.Set)
}

// Unwrap returns fs.ErrNotExist.
func (e *NotFoundError) Unwrap() error { return fs.ErrNotExist }

// Find returns the path of a set's file. A path that the user named comes first and alone: a file is taken whatever
// its name, a folder is searched for the known names. Else the folder in DataVariable is searched, then
// cacheDir/data (cacheDir is the folder in which Percuss keeps what it fetched, empty when there is none). env is
// os.Getenv or like it. A file that is there but cannot be looked at is an error, not a reason to search on.
func Find(k Known, path string, env func(string) string, cacheDir string) (string, error) {
	if path != "" {
		return findNamed(k, path)
	}
	var roots []string
	if dir := env(DataVariable); dir != "" {
		roots = append(roots, dir)
	}
	if cacheDir != "" {
		roots = append(roots, filepath.Join(cacheDir, "data"))
	}
	missing := &NotFoundError{Known: k, Put: filepath.Join(k.Folders[0], k.Files[0])}
	for _, root := range roots {
		for _, folder := range k.Folders {
			dir := filepath.Join(root, folder)
			if p, err := firstFile(dir, k.Files); p != "" || err != nil {
				return p, err
			}
			missing.Looked = append(missing.Looked, dir)
		}
	}
	if len(roots) == 0 {
		missing.Looked = []string{"no folder (" + DataVariable + " is not set and there is no cache folder)"}
	} else {
		missing.Put = filepath.Join(roots[len(roots)-1], k.Folders[0], k.Files[0])
	}
	return "", missing
}

func findNamed(k Known, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("data set %s: %w", k.Set, err)
	}
	if !info.IsDir() {
		return path, nil
	}
	missing := &NotFoundError{Known: k, Put: filepath.Join(path, k.Files[0])}
	for _, folder := range append([]string{"."}, k.Folders...) {
		dir := filepath.Join(path, folder)
		if p, err := firstFile(dir, k.Files); p != "" || err != nil {
			return p, err
		}
		missing.Looked = append(missing.Looked, dir)
	}
	return "", missing
}

// firstFile returns the first of the names that is a file in dir, or "" when none is.
func firstFile(dir string, names []string) (string, error) {
	for _, name := range names {
		p := filepath.Join(dir, name)
		info, err := os.Stat(p)
		switch {
		case err == nil && !info.IsDir():
			return p, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("looking for data: %w", err)
		}
	}
	return "", nil
}
