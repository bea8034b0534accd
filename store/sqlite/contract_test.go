package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/sqlite"
	"github.com/percuss/percuss/store/storetest"
)

func TestContract(t *testing.T) {
	paths := map[store.Store]string{}
	open := func(t testing.TB, path string) store.Store {
		s, err := sqlite.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		paths[s] = path
		return s
	}
	storetest.Run(t,
		func(t testing.TB) store.Store { return open(t, filepath.Join(t.TempDir(), "answers.db")) },
		func(t testing.TB, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, paths[s])
		})
}
