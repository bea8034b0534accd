// Package run is a run's folder and the loop that fills it: what is asked, in which order, and what is written down.
package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/spec"
)

// Format is the format of a run's folder. A newer one is refused.
const Format = "percuss.run/1"

// Manifest is run.json: everything that was settled when the run was begun.
type Manifest struct {
	Format       string                          `json:"format"`
	Spec         spec.Specification              `json:"spec"`
	Versions     map[string]string               `json:"versions"`
	Fingerprints map[string]string               `json:"fingerprints"` // battery, prompts, splitter
	Capabilities map[string]percuss.Capabilities `json:"capabilities"` // by model id, frozen
	Data         []DataInfo                      `json:"data"`
	Begun        time.Time                       `json:"begun"`
	Extensions   []Extension                     `json:"extensions,omitempty"`
}

// DataInfo says what was read of a data set.
type DataInfo struct {
	Set     string   `json:"set"`
	Split   string   `json:"split,omitempty"` // of the published set, where the loader knows it
	File    string   `json:"file,omitempty"`
	SHA256  string   `json:"sha256,omitempty"`
	Rows    int      `json:"rows"` // usable ones
	Bad     int      `json:"bad"`
	BadRows []string `json:"bad_rows,omitempty"` // the first hundred, with file, line and reason
	Drawn   int      `json:"drawn"`
	// Of the drawn items: how many have each remark of their loader, and how many units were left out for each reason.
	Remarks map[string]int `json:"remarks,omitempty"`
	LeftOut map[string]int `json:"left_out,omitempty"`
}

// Extension is one later widening of a run.
type Extension struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
}

// The files of a run's folder.
const (
	ManifestFile = "run.json"
	SubjectsFile = "subjects.jsonl"
	AnswersFile  = "answers.db"
	LockFile     = "lock"
	ReportFolder = "report"
	InfoFile     = "runinfo.json"
)

// ReadManifest reads run.json. An error that wraps fs.ErrNotExist says that dir is no run yet.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("%s is damaged (%w): restore it from a copy, or begin a new run in another folder", path, err)
	}
	if m.Format != Format {
		return m, fmt.Errorf("%s has format %q, this version reads %q: use the version of Percuss that wrote it, or a newer one", path, m.Format, Format)
	}
	return m, nil
}

// WriteManifest replaces run.json in one step.
func WriteManifest(dir string, m Manifest) error {
	m.Format = Format
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, ManifestFile), func(w io.Writer) error {
		_, err := w.Write(append(raw, '\n'))
		return err
	})
}

// WriteFile writes a file aside, flushes it and renames it, so that a reader sees the old one or the new one.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err = write(b); err != nil {
		return err
	}
	if err = errors.Join(b.Flush(), f.Chmod(0o644), f.Sync()); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
