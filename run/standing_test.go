package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStanding(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadStanding(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none there: %v", err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, ended := range []string{"", Interrupted, "the disk is full"} {
		want := Standing{At: now, Process: 7, Ended: ended, Progress: Progress{Subjects: 10, Done: 4, Answered: 99, Model: "m"}}
		if err := WriteStanding(dir, want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadStanding(dir)
		if err != nil || !got.At.Equal(now) || got.Process != 7 || got.Ended != ended || got.Done != 4 || got.Answered != 99 || got.Model != "m" {
			t.Errorf("%+v, %v", got, err)
		}
		if going := got.Going(now.Add(20 * time.Second)); going != (ended == "") {
			t.Errorf("ended %q: it goes on: %t", ended, going)
		}
		if got.Going(now.Add(time.Hour)) {
			t.Error("an hour later it still goes on")
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(dir, ProgressFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadStanding(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a damaged one: %v", err)
	}
}
