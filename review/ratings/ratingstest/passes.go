package ratingstest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/review/ratings"
)

func pass(secret, rater string, session bool) ratings.Pass {
	return ratings.Pass{Hash: sha256.Sum256([]byte(secret)), Rater: rater, Session: session, Expires: Now.Add(time.Hour)}
}

// A link is used once and becomes a session of the same rater; what has expired or was revoked is unknown.
func passes(t *testing.T, open func(string) ratings.Book, at *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	ok(t, b.AddRater(ctx, Rater("b")))
	ok(t, b.Issue(ctx, pass("link", "r-a", false)))
	ok(t, b.Issue(ctx, pass("desk", "", false)))
	if err := b.Issue(ctx, pass("x", "r-nobody", false)); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a link of nobody: %v", err)
	}
	if err := b.Exchange(ctx, "link", pass("session", "r-b", true)); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a session of another rater: %v", err)
	}
	if err := b.Exchange(ctx, "other", pass("session", "r-a", true)); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a link that was never issued: %v", err)
	}
	ok(t, b.Exchange(ctx, "link", pass("session", "r-a", true)))
	if err := b.Exchange(ctx, "link", pass("again", "r-a", true)); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a link a second time: %v", err)
	}
	if err := b.Exchange(ctx, "session", pass("again", "r-a", true)); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a session as a link: %v", err)
	}
	got, err := b.Find(ctx, "session")
	ok(t, err)
	if d := cmp.Diff(pass("session", "r-a", true), got); d != "" {
		t.Error(d)
	}
	at.at = Now.Add(time.Hour)
	for _, secret := range []string{"session", "desk", "link", ""} {
		if _, err := b.Find(ctx, secret); !errors.Is(err, ratings.ErrUnknown) {
			t.Errorf("%q after its time: %v", secret, err)
		}
	}
	at.at = Now
	ok(t, b.Issue(ctx, pass("second", "r-a", true)))
	ok(t, b.Revoke(ctx, "session", ""))
	if _, err := b.Find(ctx, "session"); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("revoked: %v", err)
	}
	ok(t, b.Revoke(ctx, "", "r-a"))
	if _, err := b.Find(ctx, "second"); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("all revoked: %v", err)
	}
	if _, err := b.Find(ctx, "desk"); err != nil {
		t.Errorf("the coordinator's went with a rater's: %v", err)
	}
}

// Of many who use one link at once, one gets in.
func oneUse(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	ok(t, b.Issue(ctx, pass("link", "r-a", false)))
	var wait sync.WaitGroup
	var in sync.Map
	for i := range 20 {
		wait.Go(func() {
			if b.Exchange(ctx, "link", pass(fmt.Sprint("s", i), "r-a", true)) == nil {
				in.Store(i, true)
			}
		})
	}
	wait.Wait()
	n := 0
	in.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d got in by one link", n)
	}
}
