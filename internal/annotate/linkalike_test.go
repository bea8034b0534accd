package annotate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// counted counts what is asked of a book.
type counted struct {
	ratings.Book
	calls *[]string
}

func (c counted) Find(ctx context.Context, secret string) (ratings.Pass, error) {
	*c.calls = append(*c.calls, "find")
	return c.Book.Find(ctx, secret)
}

func (c counted) Raters(ctx context.Context) ([]ratings.Rater, error) {
	*c.calls = append(*c.calls, "raters")
	return c.Book.Raters(ctx)
}

// Links that let nobody in are answered alike, by the same work: nobody learns whether one was ever good, or whose it was.
func TestUselessLinksAreAlike(t *testing.T) {
	s := start(t, sample(1), Options{})
	ada := s.add(t, "Ada")
	expired, revoked := s.link(t, ada.ID), s.link(t, ada.ID)
	s.at.move(LinkLife)
	if err := s.Book.Revoke(ctx, revoked, ""); err != nil {
		t.Fatal(err)
	}
	used := s.link(t, ada.ID)
	b := s.browser()
	b.form("/in", "secret", used).want(t, "a good link", 303)
	var calls []string
	s.again(t, s.Package, counted{s.Book, &calls}, s.Options)
	first := map[string]string{}
	for name, secret := range map[string]string{"never one": strings.Repeat("x", 43), "used": used, "expired": expired, "revoked": revoked, "a session": b.cookies[s.cookie(false)]} {
		for way, ask := range map[string]func() answered{
			"shown": func() answered { return s.browser().get("/in/" + secret) },
			"sent":  func() answered { return s.browser().form("/in", "secret", secret) },
		} {
			calls = nil
			got := ask()
			now := fmt.Sprint(got.code, got.header, got.body, calls)
			if first[way] == "" {
				first[way] = now
			}
			if now != first[way] || got.code != 410 || len(calls) != 1 {
				t.Errorf("%s, %s: %.600s\nanother one: %.600s", name, way, now, first[way])
			}
		}
	}
}

// A rater without a session is told how to get in again, and that nothing is lost.
func TestLostLinkIsHelped(t *testing.T) {
	s := start(t, sample(1), Options{})
	s.browser().get("/").want(t, "a stranger", 401, "ask the coordinator for a new link: your answers are kept")
	s.browser().get("/in/"+s.link(t, s.add(t, "Ada").ID)).want(t, "a link", 200, "for another device")
	ada := s.link(t, s.add(t, "Bea").ID)
	s.at.move(LinkLife + time.Second)
	s.browser().get("/in/"+ada).want(t, "late", 410, "ask the coordinator for a new link")
}
