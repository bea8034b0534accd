package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store/storetest"
)

// wantAbsent checks that the entries with these numbers are not there.
func wantAbsent(t testing.TB, s *Store, numbers ...int) {
	t.Helper()
	for _, i := range numbers {
		if _, ok, err := s.Get(context.Background(), storetest.Entry(i).Key); ok || err != nil {
			t.Fatalf("entry %d: found %v, error %v", i, ok, err)
		}
	}
}

// TestAbsentWithoutTheFile: after the first key that is not there, the file is asked for those alone that may be.
func TestAbsentWithoutTheFile(t *testing.T) {
	for name, n := range map[string]int{"new": 0, "begun before": 20} {
		t.Run(name, func(t *testing.T) {
			s := openFile(t, filled(t, n))
			wantAbsent(t, s, 1000)
			storetest.Put(t, s, storetest.Entry(500))
			if err := s.answers.row.Close(); err != nil { // from here on the file cannot be asked
				t.Fatal(err)
			}
			wantAbsent(t, s, 1000, 1001, 1002)
			for _, i := range append(upTo(n), 500) {
				if _, _, err := s.Get(context.Background(), storetest.Entry(i).Key); err == nil {
					t.Errorf("entry %d, which is there, was not looked for", i)
				}
			}
		})
	}
}

// TestAbsentIsNotSure: where others wrote, or a write failed, the file is asked again.
func TestAbsentIsNotSure(t *testing.T) {
	for name, happen := range map[string]func(s, other *Store){
		"another wrote": func(s, other *Store) {
			storetest.Put(t, other, storetest.Entry(1))
			storetest.Put(t, s, storetest.Entry(2))
		},
		"a write failed": func(s, other *Store) {
			planted := errors.New("planted")
			if err := s.w.do(context.Background(), "fail", func(context.Context, *connection) error { return planted }); !errors.Is(err, planted) {
				t.Fatal(err)
			}
			storetest.Put(t, other, storetest.Entry(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "answers.db")
			s, other := openFile(t, path), openFile(t, path)
			storetest.Put(t, s, storetest.Entry(0))
			wantAbsent(t, s, 1)
			if !s.w.keys.sure(storetest.Entry(1).Key) {
				t.Fatal("not sure after the keys were read")
			}
			happen(s, other)
			wantEntries(t, other.Reader, 0, 1)
			if _, ok, err := s.Get(context.Background(), storetest.Entry(1).Key); !ok || err != nil {
				t.Errorf("the other's entry: found %v, error %v", ok, err)
			}
		})
	}
}

// TestReadersAskTheFile: a reader beside the writer sees every row as soon as it is acknowledged.
func TestReadersAskTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	s := openFile(t, path)
	r, err := OpenReader(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range 20 {
		if _, ok, err := r.Get(context.Background(), storetest.Entry(i).Key); ok || err != nil {
			t.Fatalf("entry %d before it was put: found %v, error %v", i, ok, err)
		}
		wantAbsent(t, s, i)
		storetest.Put(t, s, storetest.Entry(i))
		wantEntries(t, r, i)
	}
}

// TestAbsentOfDamage: keys that are none do no harm, and what has not the form of a key is left to the file.
func TestAbsentOfDamage(t *testing.T) {
	path := filled(t, 3)
	execute(t, path, `INSERT INTO requests VALUES ('short', '{}')`)
	execute(t, path, `INSERT INTO answers VALUES ('short', 'ok', '{"outcome":"ok"}')`)
	s := openFile(t, path)
	wantAbsent(t, s, 5)
	wantEntries(t, s.Reader, 0, 1, 2)
	for k, want := range map[percuss.Key]bool{"short": true, "": false, "xyz": false} {
		if _, ok, err := s.Get(context.Background(), k); ok != want || err != nil {
			t.Errorf("key %q: found %v, error %v", k, ok, err)
		}
	}
}

// TestAbsentOfAMillion: the file is seldom asked in vain, however large a run is.
func TestAbsentOfAMillion(t *testing.T) {
	const n, asked = 1_000_000, 20_000
	a := newAbsent()
	a.whole.Store(true)
	rng := rand.New(rand.NewPCG(1, 2))
	key := func() string {
		return fmt.Sprintf("%016x%016x%016x%016x", rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64())
	}
	for i := range n {
		k := key()
		a.add(k)
		if i%1000 == 0 && a.sure(percuss.Key(k)) {
			t.Fatalf("key %s is said not to be there", k)
		}
	}
	vain := 0
	for range asked {
		if !a.sure(percuss.Key(key())) {
			vain++
		}
	}
	if vain > asked/100 {
		t.Errorf("%d of %d absent keys are looked for", vain, asked)
	}
	t.Logf("%d of %d absent keys are looked for", vain, asked)
}

// BenchmarkAbsent asks for keys that are not there.
func BenchmarkAbsent(b *testing.B) {
	s := openFile(b, filled(b, 1000))
	k := storetest.Entry(5000).Key
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, err := s.Get(b.Context(), k); ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
