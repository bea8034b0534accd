package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// verify opens a damaged file for reading and returns all findings as text.
func verify(t *testing.T, path string) string {
	t.Helper()
	r, err := OpenReader(context.Background(), path)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	defer r.Close()
	found, err := r.Verify(context.Background())
	if err != nil {
		t.Fatalf("verify: %v", err)
	}
	var b strings.Builder
	for _, f := range found {
		if !errors.Is(f, store.ErrCorrupt) {
			t.Errorf("finding %v is no ErrCorrupt", f)
		}
		b.WriteString(f.Error() + "\n")
	}
	return b.String()
}

func TestVerifyFindsWhatWasChanged(t *testing.T) {
	key := string(storetest.Entry(1).Key)
	for _, c := range []struct{ name, change, say string }{
		{"request edited", `UPDATE requests SET body = replace(body, 'Question 1', 'Question 9') WHERE key = ?`, "its content has the key"},
		{"request no JSON", `UPDATE requests SET body = '{' WHERE key = ?`, "unexpected end of JSON"},
		{"answer no JSON", `UPDATE answers SET body = 'x' WHERE key = ?`, "answer " + key},
		{"outcome beside the body", `UPDATE answers SET outcome = 'ok' WHERE key = ?`, `outcome "truncated" in its body, "ok" beside it`},
		{"no outcome", `UPDATE answers SET outcome = 'weird', body = '{"outcome":"weird"}' WHERE key = ?`, "weird"},
		{"answer without request", `DELETE FROM requests WHERE key = ?`, "an answer without its request"},
		{"request without answer", `DELETE FROM answers WHERE key = ?`, "asked anew"},
		{"ledger key", `INSERT INTO ledger VALUES ('v', 'm', 's', 'i', 0, 'base', 1, '', substr(?, 2), '', NULL)`, "ledger of v/m/i, trial base"},
		{"ledger labels", `INSERT INTO ledger VALUES ('v', 'm', 's', 'i', 0, 'base', 1, '', ?, '', '{')`, "labels are no JSON"},
		{"attempt time", `INSERT INTO attempts VALUES (?, 'yesterday', 'server', '')`, "yesterday"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t, 3)
			execute(t, path, c.change, key)
			if said := verify(t, path); !strings.Contains(said, c.say) || strings.Count(said, "\n") != 1 {
				t.Errorf("findings:\n%swant one with %q", said, c.say)
			}
		})
	}
}

// TestDamagedRowIsNamed: reading what was changed fails with the file's name and the remedy, and other rows are read.
func TestDamagedRowIsNamed(t *testing.T) {
	path := filled(t, 3)
	key := storetest.Entry(1).Key
	execute(t, path, `UPDATE answers SET body = 'x' WHERE key = ?`, string(key))
	s := openFile(t, path)
	_, ok, err := s.Get(context.Background(), key)
	if ok || !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "asked anew") {
		t.Errorf("found %v, error %v", ok, err)
	}
	good, bad := 0, 0
	for _, err := range s.Entries(context.Background()) {
		if err != nil {
			bad++
		} else {
			good++
		}
	}
	if good != 2 || bad != 1 {
		t.Errorf("%d entries read, %d bad", good, bad)
	}
}

// TestOverwrittenPages destroys one page after the other: Verify finds each, and nothing panics. A page that only
// holds free space cannot be told from a whole one, so the file has none.
func TestOverwrittenPages(t *testing.T) {
	path := filled(t, 60)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	if len(whole) < 10*page {
		t.Fatalf("only %d bytes: too few pages to try", len(whole))
	}
	for at := page; at < len(whole); at += page {
		damaged := bytes.Clone(whole)
		copy(damaged[at:at+page], bytes.Repeat([]byte{0xa5}, page))
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if said := verify(t, path); said == "" {
			t.Errorf("page %d of %d overwritten: Verify found nothing", at/page+1, len(whole)/page)
		}
	}
}
