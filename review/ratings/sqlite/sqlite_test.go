package sqlite

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/ratingstest"
)

const packageID = "0123456789abcdef"

func openAt(t testing.TB, path string, now func() time.Time) *Book {
	t.Helper()
	b, err := Open(context.Background(), path, packageID, now)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBook(t *testing.T) {
	ratingstest.Run(t, func(t *testing.T, path string, now func() time.Time) ratings.Book { return openAt(t, path, now) })
}

const childVariable = "PERCUSS_RATINGS_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		answer(path)
	}
	os.Exit(m.Run())
}

// answer is the child that is killed: it adds entries one by one and prints the number of each when it is acknowledged.
func answer(path string) {
	b, err := Open(context.Background(), path, packageID, time.Now)
	if err != nil {
		panic(err)
	}
	had := 0
	for range b.Entries(context.Background()) {
		had++
	}
	for n := had; ; n++ {
		if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", n)}); err != nil {
			panic(err)
		}
		fmt.Println(n)
	}
}

// A process is killed between two answers, again and again: all that it acknowledged is there, and what is sent again is there
// once.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now })
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	for range 4 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+path)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if _, err := fmt.Sscan(lines.Text(), &acknowledged); err != nil {
				t.Fatal(err)
			}
			if acknowledged%7 == 5 {
				_ = child.Process.Kill()
			}
		}
		if err := child.Wait(); err == nil {
			t.Fatal("the child ended by itself")
		}
	}
	b = openAt(t, path, func() time.Time { return ratingstest.Now.Add(time.Hour) })
	defer b.Close()
	var again []ratings.Entry
	for n := range acknowledged + 1 {
		again = append(again, ratingstest.Entry("r-a", n))
	}
	if fresh, err := b.Add(context.Background(), again); fresh != 0 || err != nil || acknowledged < 8 {
		t.Errorf("%d of %d acknowledged entries were lost, %v", fresh, acknowledged+1, err)
	}
}

// Nobody else may read the file, and another package's is not written into.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	openAt(t, path, time.Now).Close()
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := Open(context.Background(), path, "fedcba9876543210", time.Now); !errors.Is(err, ratings.ErrOther) || !strings.Contains(err.Error(), packageID) {
		t.Errorf("another package's: %v", err)
	}
	if _, err := OpenReader(context.Background(), filepath.Join(t.TempDir(), "none"), packageID); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	for name, change := range map[string]string{"update Percuss": "PRAGMA user_version=99", "another program": "PRAGMA application_id=7"} {
		other := filepath.Join(t.TempDir(), "answers.db")
		openAt(t, other, time.Now).Close()
		execute(t, other, change)
		if _, err := Open(context.Background(), other, packageID, time.Now); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), other) {
			t.Errorf("%s: %v", name, err)
		}
	}
	damaged := filepath.Join(t.TempDir(), "answers.db")
	if err := os.WriteFile(damaged, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), damaged, packageID, time.Now); err == nil || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("damaged: %v", err)
	}
	if _, err := Open(context.Background(), t.TempDir(), packageID, time.Now); err == nil || !strings.Contains(err.Error(), "no file") {
		t.Errorf("a folder: %v", err)
	}
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", address(path, "rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// Whoever opens the file by other means cannot change or delete an answer either.
func TestEntriesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now })
	defer b.Close()
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", 1)}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", address(path, "rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{"UPDATE entries SET body = '{}'", "DELETE FROM entries", "DELETE FROM raters"} {
		if _, err := db.Exec(statement); err == nil || !strings.Contains(err.Error(), "never") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// A body that is no entry is an error that names the file, and no empty entry.
func TestDamagedEntry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now })
	defer b.Close()
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	execute(t, path, "INSERT INTO entries (rater, id, item, at, body) VALUES ('r-a', 'e', 'i', 0, '{')")
	for _, err := range b.Entries(context.Background()) {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("read as %v", err)
		}
	}
}

// A reader sees what a writer adds, and writes nothing itself.
func TestReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now })
	defer b.Close()
	r, err := OpenReader(context.Background(), path, packageID)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.AddRater(context.Background(), ratingstest.Rater("a")); err == nil {
		t.Error("a reader wrote")
	}
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", 1)}); err != nil {
		t.Fatal(err)
	}
	if got := ratingstest.All(t, r); len(got) != 1 {
		t.Errorf("%d entries", len(got))
	}
}

// What comes after the end is refused, and what was handed in before it is kept.
func TestClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now })
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var kept sync.Map
	for n := range 40 {
		wait.Go(func() {
			if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", n)}); err == nil {
				kept.Store(n, true)
			}
		})
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", 99)}); err == nil {
		t.Error("kept after the end")
	}
	b = openAt(t, path, func() time.Time { return ratingstest.Now })
	defer b.Close()
	got := ratingstest.All(t, b)
	kept.Range(func(n, _ any) bool {
		if !slices.ContainsFunc(got, func(e ratings.Entry) bool { return e.ID == fmt.Sprint("e-", n) }) {
			t.Errorf("entry %v was acknowledged and is not there", n)
		}
		return true
	})
}

// BenchmarkAdd: answers a second of fifty raters at once, each on the disk when it is acknowledged. Target: 20 a second take hardly any time.
func BenchmarkAdd(b *testing.B) {
	book := openAt(b, filepath.Join(b.TempDir(), "answers.db"), func() time.Time { return ratingstest.Now.Add(time.Hour) })
	defer book.Close()
	if err := book.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		b.Fatal(err)
	}
	numbers := make(chan int)
	go func() {
		for n := range b.N {
			numbers <- n
		}
		close(numbers)
	}()
	b.ResetTimer()
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for n := range numbers {
				e := ratingstest.Entry("r-a", n)
				e.At = ratingstest.Now
				if _, err := book.Add(context.Background(), []ratings.Entry{e}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
}
