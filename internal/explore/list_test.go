package explore

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/run"
)

// A filter in the address is the page: the same rows, checked and counted, and leads to items within it.
func TestFilterLivesInTheAddress(t *testing.T) {
	s := newSite(t, "a")
	status, page := s.page("/trials?r=a&flip=flip")
	if status != 200 || !strings.Contains(page, "<strong>3 of 12 trials</strong>") {
		t.Fatalf("%d\n%s", status, page)
	}
	for _, want := range []string{`name="flip" value="flip" checked="checked"`, `moves <span class="dim">3</span>`, `stays <span class="dim">3</span>`,
		"/item?flip=flip&amp;id=i01&amp;m=m&amp;p=neutral&amp;r=a&amp;s=s&amp;t=M2-"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for value, want := range map[string]string{"a": "registers, answer stays", "b": "registers, answer moves", "c": "no trace, answer stays", "d": "no trace, answer moves"} {
		if _, page := s.page("/trials?r=a&joint=" + value); !strings.Contains(page, "Joint table: "+value+": "+want) {
			t.Errorf("joint=%s is not said to be %q", value, want)
		}
	}
	if _, page := s.page("/trials?r=a&candidate=asthma"); !strings.Contains(page, "No trial fits") {
		t.Error("an empty list is not said")
	}
}

// The neighbours of an item are those of its filter.
func TestNeighboursWithinAFilter(t *testing.T) {
	s := newSite(t, "a")
	s.page("/trials?r=a")
	v := s.shelf.open[0]
	for at, want := range map[int]string{0: "next i01", 1: "next i03", 3: "prev i01 next i05", 5: "prev i03"} {
		var got []string
		around := s.around(httptest.NewRequestWithContext(t.Context(), "GET", "/item", nil), v, at, index.Filter{Flip: []string{"flip"}})
		if around.remark != "" {
			t.Error(around.remark)
		}
		for _, l := range around.links {
			if l.Rel != "prev" && l.Rel != "next" {
				continue
			}
			u, err := url.Parse(l.Href)
			if err != nil || u.Query().Get("flip") != "flip" {
				t.Fatalf("%+v %v", l, err)
			}
			got = append(got, l.Rel, u.Query().Get(atItem))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("beside item %d: %s, want %s", at, got, want)
		}
	}
}

func TestPagesOfALongList(t *testing.T) {
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	s.fakes[dir] = newFake(dir, 60)
	for address, want := range map[string]int{"/trials?r=a&by=size": 120, "/trials?r=a": 120, "/trials?r=a&flip=flip": 30, "/items?r=a": 60, "/items?r=a&flip=flip": 30} {
		first, seen := address, 0
		for range 10 {
			_, page := s.page(address)
			seen += strings.Count(page, `<th scope="row">`)
			_, rest, more := strings.Cut(page, `rel="next" href="`)
			if !more {
				break
			}
			href, _, _ := strings.Cut(rest, `"`)
			address = strings.ReplaceAll(href, "&amp;", "&")
		}
		if seen != want {
			t.Errorf("%s: %d rows on all pages, want %d", first, seen, want)
		}
	}
}

func TestPageWhileTheIndexIsBuilt(t *testing.T) {
	s := newSite(t, "a")
	fake := s.fakes[filepath.Join(s.Root, "a")]
	fake.wait = make(chan struct{})
	got := s.do("GET", "/trials?r=a", nil)
	if got.StatusCode != http.StatusAccepted || got.Header.Get("Refresh") == "" {
		t.Fatalf("answered %d, %v", got.StatusCode, got.Header)
	}
	close(fake.wait)
	if status, page := s.page("/trials?r=a"); status != 200 || !strings.Contains(page, "12 of 12") {
		t.Errorf("%d\n%s", status, page)
	}
	if !strings.Contains(s.log.String(), "index of 12 rows of 6 items built in") {
		t.Errorf("the log: %s", s.log.String())
	}
}

// New answers are said at once and shown when the last index is a minute old.
func TestNewAnswers(t *testing.T) {
	s := newSite(t, "a")
	fake := s.fakes[filepath.Join(s.Root, "a")]
	if _, page := s.page("/trials?r=a"); strings.Contains(page, "newer answers") {
		t.Error("there are none yet")
	}
	s.settle()
	fake.state.Add(1)
	s.clock.Add(10)
	s.settle()
	if _, page := s.page("/trials?r=a"); !strings.Contains(page, "newer answers") {
		t.Error("new answers are not said")
	}
	s.clock.Add(120)
	s.page("/trials?r=a")
	s.settle()
	if _, page := s.page("/trials?r=a"); strings.Contains(page, "newer answers") {
		t.Error("new answers are not shown after a minute")
	}
}

// settle waits until nothing is built.
func (s *site) settle() {
	s.shelf.mu.Lock()
	open := append([]*volume{}, s.shelf.open...)
	s.shelf.mu.Unlock()
	for _, v := range open {
		for {
			v.made.mu.Lock()
			building := v.made.building
			v.made.mu.Unlock()
			if building == nil {
				break
			}
			<-building
		}
	}
}

func TestFullTextOfARun(t *testing.T) {
	s := newSite(t, "a")
	s.page("/trials?r=a")
	s.settle()
	for text, want := range map[string]string{`"reply of i03"`: "1 of 12", "patient": "12 of 12", "patient -reply": "6 of 12", "sepsis": "12 of 12"} {
		if _, page := s.page("/trials?r=a&text=" + url.QueryEscape(text)); !strings.Contains(page, "<strong>"+want+" trials") {
			t.Errorf("%s: not %s", text, want)
		}
	}
	without := newSite(t, "a")
	without.NoTexts = true
	if _, page := without.page("/trials?r=a&text=patient"); !strings.Contains(page, "--no-texts") || !strings.Contains(page, "12 of 12") {
		t.Error("a filter that cannot be used is not said")
	}
}

func TestNumbersForReaders(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := number(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"short": "short", "two\nlines": "two lines", strings.Repeat("é", 20): strings.Repeat("é", 10) + " …"} {
		if got := begin(text, 10); got != want {
			t.Errorf("%q begins %q, want %q", text, got, want)
		}
	}
	for set, want := range map[uint32]string{0b10000101: "findings 1, 3, 8", 0b100: "finding 3"} {
		if got := findings(set); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for n, want := range map[int]string{0: "0 answers", 1: "1 answer", 2000: "2,000 answers"} {
		if got := counts(n, "answer"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f := index.Filter{Flip: []string{"flip"}}
	if got := fmt.Sprintf("%v|%v|%s|%s|%v", f.With("flip", "keep").Flip, f.With("flip", "flip").Flip, f.With("size", "1").Size, f.With("size", "1").With("size", "1").Size, f.Flip); got != "[flip keep]|[]|1||[flip]" {
		t.Error(got)
	}
}

// What a filter asks for and the run has nowhere is said, whatever else the filter leaves.
func TestValueThatTheRunHasNot(t *testing.T) {
	s := newSite(t, "a")
	for query, want := range map[string][]string{
		"":                        nil,
		"&flip=flip":              nil,
		"&model=m":                nil,
		"&model=nobody":           {"Model: nobody"},
		"&op=M99&set=absent":      {"Edit: M99", "Data set: absent"},
		"&model=m&op=base&op=M99": {"Edit: M99"},
	} {
		for _, list := range []string{"/trials", "/items"} {
			_, page := s.page(list + "?r=a" + query)
			if n := strings.Count(page, "No trial of this run has"); n != len(want) {
				t.Errorf("%s%s: %d values are said to be absent, want %q", list, query, n, want)
			}
			for _, w := range want {
				if !strings.Contains(page, "No trial of this run has “"+w+"”") {
					t.Errorf("%s%s: no word of %s", list, query, w)
				}
			}
		}
	}
}

// Nothing is written through a derived folder that leads out of the run: the index is built elsewhere.
func TestDerivedFolderThatIsALink(t *testing.T) {
	s := newSite(t, "a")
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(s.Root, "a", run.DerivedFolder)); err != nil {
		t.Skip(err)
	}
	if _, page := s.page("/trials?r=a"); len(listed(t, page)) == 0 {
		t.Errorf("no trial is listed:\n%s", page)
	}
	s.work.Wait() // for the full text
	left, err := os.ReadDir(elsewhere)
	if err != nil || len(left) > 0 {
		t.Errorf("written through the link: %v, %v", left, err)
	}
	if log := s.log.String(); !strings.Contains(log, "is a link out of the run") {
		t.Errorf("it is not said: %s", log)
	}
}
