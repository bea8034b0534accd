package explore

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/run"
)

// served is a site of one run with its index, as a browser reaches it.
func (s *site) served(t *testing.T) string {
	t.Helper()
	s.page("/trials?r=a")
	s.settle()
	server := httptest.NewServer(web.Guard{Hosts: web.Local()}.Wrap(s.Handler()))
	t.Cleanup(server.Close)
	return server.URL
}

// The pages of runs and lists in every look: nothing sticks out, no rule of access is broken, nothing is said on the
// console and nothing loaded from elsewhere.
func TestListsInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	s := newSite(t, "a", "b")
	dir := filepath.Join(s.Root, "a")
	s.fakes[dir] = newFake(dir, 60)
	s.do("POST", "/notes?r=a&id=i01", map[string][]string{"text": {strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4)}})
	if err := run.WriteStanding(dir, run.Standing{At: s.Now(), Progress: run.Progress{Subjects: 60, Done: 12, Model: "m"}}); err != nil {
		t.Fatal(err)
	}
	at := s.served(t)
	for name, address := range map[string]string{"runs": "/", "run": "/run?r=a", "trials": "/trials?r=a&flip=flip", "items": "/items?r=a", "none": "/trials?r=a&candidate=asthma", "notes": "/notes?r=a"} {
		for _, look := range pagetest.Looks() {
			p := b.Look(t, at+address, look)
			p.Narrow(t)
			p.Shot(t, name)
			if look.Dark {
				p.Axe(t, "color-contrast")
			} else {
				p.Axe(t)
			}
		}
	}
}

// A choice is shown at once, and the address holds it and nothing that is empty; keys lead through the pages.
func TestFilterByHandAndKeys(t *testing.T) {
	b := pagetest.Open(t)
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	s.fakes[dir] = newFake(dir, 60)
	at := s.served(t)
	said := `document.querySelector("p[role=status]").textContent`
	p := b.Look(t, at+"/trials?r=a", pagetest.Look{})
	p.Until(t, said+`.startsWith("120 of 120")`)
	p.Click(t, `summary`)
	pagetest.Eval[bool](t, p, `(document.querySelector("input[name=flip][value=flip]").click(),true)`)
	p.Until(t, said+`.startsWith("30 of 120")`)
	if got := p.Address(t); !strings.HasSuffix(got, "/trials?r=a&flip=flip") {
		t.Errorf("the address is %s", got)
	}
	p = b.Look(t, at+"/trials?r=a", pagetest.Look{})
	p.Press(t, "n")
	p.Until(t, `location.search.includes("after=50") && document.readyState=="complete"`)
	p.Press(t, "u")
	p.Until(t, `location.pathname=="/run"`)
	none := b.Look(t, at+"/trials?r=a", pagetest.Look{NoScript: true})
	pagetest.Eval[bool](t, none, `(document.querySelector("input[name=flip][value=keep]").checked=true)`)
	none.Click(t, "form.filters button")
	none.Until(t, said+`.startsWith("30 of 120")`)
}

// A run that goes on is followed without loading the page again.
func TestProgressIsFollowed(t *testing.T) {
	b := pagetest.Open(t)
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	put := func(done int, ended string) {
		if err := run.WriteStanding(dir, run.Standing{At: s.Now().Add(-time.Second), Ended: ended, Progress: run.Progress{Subjects: 6, Done: done, Model: "m"}}); err != nil {
			t.Fatal(err)
		}
	}
	put(1, "")
	p := b.Look(t, s.served(t)+"/", pagetest.Look{})
	p.Until(t, `document.querySelector("td.state").textContent.includes("1 of 6")`)
	pagetest.Eval[bool](t, p, `(window.same=true)`)
	put(3, "")
	p.Until(t, `document.querySelector("td.state").textContent.includes("3 of 6")`)
	put(6, run.Done)
	p.Until(t, `window.same && document.querySelector("td.state").textContent.trim()=="finished"`)
}
