package review

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// Folder is where a run keeps its reviews, a folder each.
const Folder = "review"

// The files of a review's folder.
const (
	PackageFile    = "package.json"     // what raters see; may be copied anywhere alone
	KeyFile        = "key.jsonl"        // what each item is; for the user's eyes only
	BookFile       = "answers.db"       // what raters answered
	LabelsFile     = "labels.jsonl"     // after unsealing: labels joined to the trials of a chain audit
	JudgementsFile = "judgements.jsonl" // after unsealing: judgements joined to the interactions of an evidence audit
	StepsFile      = "steps.jsonl"      // after unsealing: labels joined to the steps of a step audit
	JoinedFile     = "joined.jsonl"     // after unsealing: what was answered and no report reads, joined to what it is of
	SecondRound    = "round2"           // the folder of an adjudication
)

// PackagePath is the package that a path of a command line names: a file, or the folder that holds one.
func PackagePath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, PackageFile)
	}
	return path
}

// OpenPackage reads the package that a path names.
func OpenPackage(path string) (blind.Package, error) {
	path = PackagePath(path)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if there, _ := filepath.Glob(filepath.Join(globbed(filepath.Dir(path)), Folder, "*", PackageFile)); len(there) > 0 {
			return blind.Package{}, fmt.Errorf("%s holds reviews and is none itself: give the folder of one: %s", filepath.Dir(path), strings.Join(foldersOf(there), ", "))
		}
		return blind.Package{}, fmt.Errorf("%s: there is no such file: give the %s that `percuss review create` wrote, or its folder", path, PackageFile)
	} else if err != nil {
		return blind.Package{}, err
	}
	defer f.Close()
	p, err := blind.ReadPackage(f)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// foldersOf are the folders that files stand in.
func foldersOf(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, filepath.Dir(f))
	}
	return out
}

// OpenKeys reads the key of a package, which stands beside it, and holds it against the package's seal.
func OpenKeys(path string, p blind.Package) ([]Key, error) {
	path = filepath.Join(filepath.Dir(PackagePath(path)), KeyFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the key is not there: put the file that `percuss review create` wrote with the package beside it: %w", path, fs.ErrNotExist)
	} else if err != nil {
		return nil, err
	}
	if seal := blind.SealOf(raw); seal != p.Seal {
		return nil, fmt.Errorf("%s: its SHA-256 is %s, the package was sealed with %s: it is another sample's key, or was changed after the sample was drawn; restore it from a copy",
			path, seal[:12], p.Seal[:12])
	}
	_, keys, err := parseKeys(path, raw)
	return keys, err
}

// Save writes a package and its key, which only the user may read, into a folder, which is made. Neither is written where one of
// them is there with another content, unless force says so; what is there already to the byte is left alone. With force a book of answers that is
// there is an error all the same: answers are never thrown away.
func Save(folder string, p blind.Package, key []byte, force bool) error {
	var raw bytes.Buffer
	if err := blind.WritePackage(&raw, p); err != nil {
		return err
	}
	files := []struct {
		path string
		text []byte
		mode fs.FileMode
	}{{filepath.Join(folder, KeyFile), key, 0o600}, {filepath.Join(folder, PackageFile), raw.Bytes(), 0o644}}
	other := ""
	for _, file := range files {
		old, err := os.ReadFile(file.path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && bytes.Equal(old, file.text):
		case err != nil:
			return err
		default:
			other = file.path
		}
	}
	if book := filepath.Join(folder, BookFile); other != "" {
		if _, err := os.Stat(book); err == nil {
			return fmt.Errorf("%s holds answers to another sample in this folder: give the new one another --name", book)
		}
		if !force {
			return fmt.Errorf("%s is there already and holds another sample: give another --name, or --force to replace it and its key", other)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		if err := write(file.path, file.text, file.mode); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file aside and renames it: whoever reads sees the old one or the new one, and nobody a key that is
// readable for a moment.
func write(path string, text []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // it is the user's alone from the first
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(text); err != nil {
		return err
	}
	if err = errors.Join(f.Chmod(mode), f.Sync()); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// SaveRound writes the package of a second round into its folder within that of the first. One that is there with other items is replaced only
// while nobody has answered it.
func SaveRound(folder string, p blind.Package) (string, error) {
	folder = filepath.Join(folder, SecondRound)
	path := filepath.Join(folder, PackageFile)
	if old, err := OpenPackage(folder); err == nil && old.ID != p.ID {
		if _, err := os.Stat(filepath.Join(folder, BookFile)); err == nil {
			return "", fmt.Errorf("%s: an adjudication of other items was begun there: finish it, or move the folder away", folder)
		}
	}
	var raw bytes.Buffer
	if err := blind.WritePackage(&raw, p); err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return path, write(path, raw.Bytes(), 0o644)
}
