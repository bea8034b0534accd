package sqlite

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/ratingstest"
)

// A pass that has expired leaves the file with the next one that is issued; one that holds stays.
func TestExpiredPassesGo(t *testing.T) {
	now := ratingstest.Now
	b := openAt(t, filepath.Join(t.TempDir(), "answers.db"), func() time.Time { return now })
	defer b.Close()
	for i, life := range []time.Duration{time.Hour, 3 * time.Hour, 5 * time.Hour} {
		if i == 2 {
			now = now.Add(time.Hour)
		}
		if err := b.Issue(context.Background(), ratings.Pass{Hash: [32]byte{byte(i)}, Expires: ratingstest.Now.Add(life)}); err != nil {
			t.Fatal(err)
		}
	}
	var left string
	if err := b.db.QueryRow("SELECT group_concat(hex(substr(hash, 1, 1))) FROM (SELECT hash FROM passes ORDER BY hash)").Scan(&left); err != nil || left != "01,02" {
		t.Errorf("passes %s are left, %v", left, err)
	}
}

// Two programs that serve one book lose nothing of one another, keep what both were sent once, and let one in by a link.
func TestTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	now := func() time.Time { return ratingstest.Now }
	books := []*Book{openAt(t, path, now), openAt(t, path, now)}
	defer books[0].Close()
	defer books[1].Close()
	if err := books[0].AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	if err := books[1].Issue(context.Background(), ratings.Pass{Hash: sha256.Sum256([]byte("link")), Rater: "r-a", Expires: now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var fresh, in atomic.Int64
	for i, b := range books {
		wait.Go(func() {
			for n := range 30 {
				got, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", n), ratingstest.Entry("r-a", 100*(i+1)+n)})
				if err != nil {
					t.Error(err)
				}
				fresh.Add(int64(got))
			}
		})
		wait.Go(func() {
			session := ratings.Pass{Hash: [32]byte{byte(i)}, Rater: "r-a", Session: true, Expires: now().Add(time.Hour)}
			if err := b.Exchange(context.Background(), "link", session); err == nil {
				in.Add(1)
			}
		})
	}
	wait.Wait()
	if kept := len(ratingstest.All(t, books[0])); kept != 90 || fresh.Load() != 90 || in.Load() != 1 {
		t.Errorf("%d entries are kept, %d were called new, of 90; %d got in by one link", kept, fresh.Load(), in.Load())
	}
}
