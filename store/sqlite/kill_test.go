package sqlite

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/percuss/percuss/store/storetest"
)

// TestKill kills a writing process at random moments. Whatever it acknowledged is there: for a reader that opens
// before anybody has written again, and for the next writer.
func TestKill(t *testing.T) {
	kills := 8
	if testing.Short() {
		kills = 2
	}
	path := filepath.Join(t.TempDir(), "answers.db")
	rng := rand.New(rand.NewPCG(1, 2))
	acknowledged := map[int]bool{}
	for range kills {
		for _, i := range putUntilKilled(t, path, time.Duration(20+rng.IntN(180))*time.Millisecond) {
			acknowledged[i] = true
		}
		if len(acknowledged) == 0 {
			continue
		}
		r, err := OpenReader(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range acknowledged {
			wantEntries(t, r, i)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) == 0 {
		t.Fatal("no child lived long enough to put anything")
	}
	s := openFile(t, path)
	for i := range acknowledged {
		wantEntries(t, s.Reader, i)
	}
	if found, err := s.Verify(context.Background()); len(found) > 0 || err != nil {
		t.Errorf("Verify = %v, %v", found, err)
	}
	storetest.Put(t, s, storetest.Entry(1<<20))
	t.Logf("%d acknowledged over %d kills", len(acknowledged), kills)
}

// putUntilKilled runs a child that puts, kills it some time after its first acknowledgement, and returns all that it
// acknowledged.
func putUntilKilled(t *testing.T, path string, after time.Duration) (numbers []int) {
	t.Helper()
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
	lines := bufio.NewScanner(out)
	var timer *time.Timer
	for lines.Scan() {
		if timer == nil {
			timer = time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		// A line is one short write to a pipe, which a kill does not cut.
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	return numbers
}
