package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/store/storetest"
	"go.uber.org/goleak"
)

// childVariable makes the test binary put answers into the named file until it is killed.
const childVariable = "PERCUSS_TEST_PUT_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		putForever(path)
	}
	goleak.VerifyTestMain(m)
}

// putForever puts from several goroutines and prints the number of every entry whose Put returned.
func putForever(path string) {
	s, err := Open(context.Background(), path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	const writers = 8
	for w := range writers {
		go func() {
			for i := w; ; i += writers {
				if err := s.Put(context.Background(), storetest.Entry(i)); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Fprintln(os.Stdout, i)
			}
		}()
	}
	select {}
}

// openFile opens a store that is closed when the test ends.
func openFile(t testing.TB, path string, pragmas ...string) *Store {
	t.Helper()
	s, err := open(context.Background(), path, pragmas...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// filled makes a closed store of n entries and returns its path.
func filled(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.db")
	s := openFile(t, path)
	for i := range n {
		storetest.Put(t, s, storetest.Entry(i))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantEntries checks that the entries with these numbers are there.
func wantEntries(t testing.TB, r *Reader, numbers ...int) {
	t.Helper()
	for _, i := range numbers {
		if _, ok, err := r.Get(context.Background(), storetest.Entry(i).Key); !ok || err != nil {
			t.Fatalf("entry %d: found %v, error %v", i, ok, err)
		}
	}
}

// upTo returns 0 to n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
