package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// NotesFile holds what readers of a run wrote down, in the run's folder. Lines are only ever added; of several on the same
// item or trial the last one holds.
const NotesFile = "notes.jsonl"

// Note is what a reader wrote of an item under one model and prompt, or of one trial of it.
type Note struct {
	percuss.SubjectID
	Trial  string    `json:"trial,omitempty"` // empty: the whole item
	Text   string    `json:"text"`
	Marked bool      `json:"marked"` // a bookmark
	At     time.Time `json:"at"`
}

// empty says that nothing is left of a note.
func (n Note) empty() bool { return n.Text == "" && !n.Marked }

// noteKey is what a note is of.
type noteKey struct {
	percuss.SubjectID
	trial string
}

// notes are those of a run, read again when the file has changed.
type notes struct {
	mu    sync.Mutex
	stamp string
	order []noteKey // of the first line of each
	of    map[noteKey]Note
	has   map[percuss.SubjectID]bool
	torn  []string // lines that are no notes: the file, the line and why
}

// read returns the notes of a run in the order in which they were begun.
func (n *notes) read(dir string) ([]Note, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.load(filepath.Join(dir, NotesFile)); err != nil {
		return nil, err
	}
	var out []Note
	for _, k := range n.order {
		if note := n.of[k]; !note.empty() {
			out = append(out, note)
		}
	}
	return out, nil
}

// load reads the file where it is another one than before. A line that is no note, such as one that a crash cut, is passed over
// and named: the others hold. Notes are locked.
func (n *notes) load(path string) error {
	info, err := plain(path)
	if errors.Is(err, fs.ErrNotExist) {
		n.stamp, n.order, n.of, n.has, n.torn = "none", nil, nil, nil, nil
		return nil
	} else if err != nil {
		return err
	}
	stamp := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	if stamp == n.stamp {
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n.stamp, n.order, n.of, n.has, n.torn = stamp, nil, map[noteKey]Note{}, map[percuss.SubjectID]bool{}, nil
	at := 0
	for line := range bytes.Lines(raw) {
		at++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var note Note
		if err := json.Unmarshal(line, &note); err != nil {
			n.torn = append(n.torn, fmt.Sprintf("%s, line %d: %v", path, at, err))
			continue
		}
		k := noteKey{note.SubjectID, note.Trial}
		if _, ok := n.of[k]; !ok {
			n.order = append(n.order, k)
		}
		n.of[k] = note
	}
	for _, note := range n.of {
		n.has[note.SubjectID] = n.has[note.SubjectID] || !note.empty()
	}
	return nil
}

// damage names the lines of the file that are no notes, as read last found them.
func (n *notes) damage() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.torn // the next load makes another slice
}

// plain describes a file, or says that it is none of a folder's own: a link would be followed out of the folder, and a pipe
// waits for ever.
func plain(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file: put one in its place", path)
	}
	return info, err
}

// add writes a note down, on a line of its own: what a crash left of the last one stays as it is.
func (n *notes) add(dir string, note Note) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	raw, err := json.Marshal(note)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, NotesFile)
	if _, err := plain(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("%w: notes are kept in the run's folder, which must be writable", err)
	}
	cut, err := unended(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if cut {
		raw = append([]byte{'\n'}, raw...)
	}
	_, err = f.Write(append(raw, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// unended reports whether the last line of a file has no end.
func unended(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return false, fmt.Errorf("read the end of the notes: %w", err)
	}
	return last[0] != '\n', nil
}
