package explore

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/report/pagetest"
)

// A saved item is a page by itself: nothing in it leads to the server, and a note is in it only where that was asked for.
func TestSavedItem(t *testing.T) {
	s := newItemSite(t)
	at := "/item?r=a&id=i01&t=" + url.QueryEscape(edit)
	if _, page := s.page(at); strings.Contains(page, "save=note") || !strings.Contains(page, "save=page") {
		t.Error("the page does not offer to be saved, or with a note that is not there")
	}
	if got := s.do("POST", "/notes?r=a&id=i01&t="+url.QueryEscape(edit), url.Values{"text": {"for " + hostile}}); got.StatusCode != http.StatusSeeOther {
		t.Fatal(got.Status)
	}
	if _, page := s.page(at); !strings.Contains(page, "save=note") {
		t.Error("the page does not offer to be saved with its note")
	}
	for how, noted := range map[string]bool{"page": false, "note": true} {
		got := s.do("GET", at+"&save="+how, nil)
		raw, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		page := string(raw)
		if name := got.Header.Get("Content-Disposition"); name != `attachment; filename="m-i01-M2--script-percuss.html"` {
			t.Errorf("%s: it is named %s", how, name)
		}
		all := pagetest.Parse(t, page)
		for _, e := range all {
			if href := e.Attrs["href"]; href != "" && !strings.HasPrefix(href, "#") || e.Attrs["src"] != "" || e.Name == "form" || e.Name == "link" || e.Name == "script" {
				t.Errorf("%s: <%s %v>", how, e.Name, e.Attrs)
			}
		}
		for _, want := range []string{"From the run a of 1970-01-01", "<del>patient</del><ins>child</ins>", "default-src &#39;none&#39;", ".steps td"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the file lacks %q", how, want)
			}
		}
		if strings.Contains(page, "for &lt;script&gt;alert(1)") != noted || strings.Contains(page, "Keys: n next") {
			t.Errorf("%s: with a note is %t, or it tells of keys that lead nowhere", how, !noted)
		}
	}
}

// No id of an item or model makes a path, or ends the name of its file.
func TestFileName(t *testing.T) {
	for want, id := range map[string]percuss.SubjectID{
		"m-percuss.html":     {Model: "m", Item: "../.."},
		"percuss.html":       {Item: `"/\:;`},
		"a-b-c-percuss.html": {Model: "a", Item: "b:c"},
		strings.Repeat("x", mostFileName) + "-percuss.html": {Item: strings.Repeat("x", 300)},
	} {
		if got := fileName(id, ""); got != want {
			t.Errorf("%+v: %s, want %s", id, got, want)
		}
	}
}

// An item that a filter leads to has the trial in front that the filter is about, and names all that fit.
func TestTrialsOfAnItemWithinAFilter(t *testing.T) {
	s := newItemSite(t)
	s.page("/trials?r=a")
	_, page := s.page("/item?r=a&id=i01&flip=flip")
	if !strings.Contains(page, "Of this item: <a href=") || !strings.Contains(page, "Note on M2-") {
		t.Errorf("the trial within the filter is not in front:\n%s", page)
	}
	if _, page := s.page("/item?r=a&id=i01&flip=keep"); strings.Contains(page, "Of this item") || strings.Contains(page, "Note on M2-") {
		t.Error("a trial that the filter leaves out is in front")
	}
	_, page = s.page("/item?r=a&id=i01&right=yes")
	if !strings.Contains(page, ">base</a>") || !strings.Contains(page, "Note on this item") {
		t.Error("the baseline has a part of its own and is no edit to be put in front")
	}
	had := func(s int) bool { return s == 3 }
	for noted, want := range map[string]bool{"": true, "yes": true, "no": false} {
		if one := only(index.Ask{Filter: index.Filter{Noted: noted}, Noted: had}, 3); one.Noted(3) != want || one.Noted(2) || one.Filter.Noted != "yes" {
			t.Errorf("noted=%q is not kept of the one item alone", noted)
		}
	}
}

// A saved case has all its findings and no step that needs the server.
func TestSavedCase(t *testing.T) {
	status, page := pageAt(t, casesOf(t, 4)+caseAddress+"&save=page")
	if status != http.StatusOK || !strings.Contains(page, "From a run of") && !strings.Contains(page, "From the run") {
		t.Fatalf("%d\n%s", status, page)
	}
	for _, e := range pagetest.Parse(t, page) {
		if href := e.Attrs["href"]; href != "" && !strings.HasPrefix(href, "#") || e.Name == "form" || e.Name == "link" || e.Name == "script" {
			t.Errorf("<%s %v>", e.Name, e.Attrs)
		}
	}
	for _, want := range []string{"With some of the evidence</h2>", "What moves the diagnosis</h2>", ".lattice"} {
		if !strings.Contains(page, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
	if strings.Contains(page, "Walk through the evidence") {
		t.Error("the file offers steps that need the server")
	}
}
