package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/ratingstest"
	"github.com/percuss/percuss/store/storetest"
)

// A disk that fills takes no answer that was acknowledged, says what to do, and goes on once there is space.
func TestFullDisk(t *testing.T) {
	dir := storetest.Mounted(t, "tmpfs", "size=1m")
	path := filepath.Join(dir, "answers.db")
	b := openAt(t, path, func() time.Time { return ratingstest.Now.Add(24 * time.Hour) })
	defer b.Close()
	if err := b.AddRater(context.Background(), ratingstest.Rater("a")); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	storetest.Fill(t, ballast, 128<<10)
	kept, full := 0, error(nil)
	for n := 0; n < 5000 && full == nil; n++ {
		e := ratingstest.Entry("r-a", n)
		e.Comment = strings.Repeat("x", 2000)
		if _, full = b.Add(context.Background(), []ratings.Entry{e}); full == nil {
			kept++
		}
	}
	if full == nil || kept == 0 || !strings.Contains(full.Error(), "what was acknowledged is kept") {
		t.Fatalf("%d kept, %v", kept, full)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(context.Background(), []ratings.Entry{ratingstest.Entry("r-a", 9000)}); err != nil {
		t.Error(err)
	}
	if got := ratingstest.All(t, b); len(got) != kept+1 {
		t.Errorf("%d entries, %d were acknowledged", len(got), kept+1)
	}
}
