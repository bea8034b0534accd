package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// Folder is where a run keeps its samples.
const Folder = "review"

// keySchema names the format of a key file.
const keySchema = "percuss.review.key/1"

// keyHead is the first line of a key file.
type keyHead struct {
	Schema  string  `json:"schema"`
	Run     string  `json:"run"`
	Design  Design  `json:"design"`
	Seed    uint64  `json:"seed"`
	Salient float64 `json:"salient"` // nats
}

// keyEnding ends the name of a key file.
const keyEnding = "-key.jsonl"

// KeyFile is the place of the key of a blinded file: beside it.
func KeyFile(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + keyEnding
}

// Save writes the blinded file, and its key beside it, which only the user may read. Neither is written where the place
// of one is taken by another file, unless force says so; a file that is there already to the byte is left alone.
func (s Sample) Save(path string, f blind.Format, force bool) error {
	var tasks, keys bytes.Buffer
	if err := blind.Write(&tasks, f, s.Tasks); err != nil {
		return err
	}
	e := json.NewEncoder(&keys)
	if err := e.Encode(keyHead{keySchema, s.Options.Run, s.Options.Design, s.Options.Seed, s.Options.Salient}); err != nil {
		return err
	}
	for _, k := range s.Keys {
		if err := e.Encode(k); err != nil {
			return err
		}
	}
	files := []struct {
		path string
		text []byte
		mode fs.FileMode
	}{{KeyFile(path), keys.Bytes(), 0o600}, {path, tasks.Bytes(), 0o644}}
	for _, file := range files {
		old, err := os.ReadFile(file.path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && (force || bytes.Equal(old, file.text)):
		case err != nil:
			return err
		default:
			return fmt.Errorf("%s is there already and holds something else, perhaps judgements: give another -o, or --force to replace it and its key", file.path)
		}
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

// readKeys reads key files into one table by id. An id that two of them give to different interactions is an error.
func readKeys(paths []string) (map[string]Key, error) {
	keys := map[string]Key{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
			if i == 0 {
				var head keyHead
				if err := json.Unmarshal(line, &head); err != nil || head.Schema != keySchema {
					return nil, fmt.Errorf("%s: line 1: no key file of this version of Percuss (it would say %q); `percuss review create` writes one", path, keySchema)
				}
				continue
			}
			var k Key
			if err := json.Unmarshal(line, &k); err != nil || k.ID == "" || len(k.Units) == 0 {
				return nil, fmt.Errorf("%s: line %d: damaged; restore the file from a copy, or make it again with `percuss review create` and the same seed", path, i+1)
			}
			if old, ok := keys[k.ID]; ok && old.name() != k.name() {
				return nil, fmt.Errorf("%s: line %d: id %s stands for another interaction in another key file: keep the keys of one run only", path, i+1, k.ID)
			}
			keys[k.ID] = k
		}
	}
	return keys, nil
}
