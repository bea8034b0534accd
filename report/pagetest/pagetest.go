// Package pagetest reads pages for tests: what a page says, element by element, and what a real browser makes of it.
package pagetest

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// Element is one element of a page with the text inside it.
type Element struct {
	Name  string
	Attrs map[string]string
	Text  string
}

var (
	void   = regexp.MustCompile(`<(meta|br)([^>]*?)/?>`)
	script = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// Scripts are the texts of a page's scripts.
func Scripts(page string) []string {
	var out []string
	for _, found := range script.FindAllStringSubmatch(page, -1) {
		out = append(out, found[1])
	}
	return out
}

// Parse reads a page as XML, which our pages are but for two void elements and the script: a tag left open fails the
// test.
func Parse(t testing.TB, page string) []Element {
	t.Helper()
	page = void.ReplaceAllString(script.ReplaceAllString(page, "<script></script>"), "<$1$2/>")
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	var all []Element
	var open []int
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := Element{Name: token.Name.Local, Attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.Attrs[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, i := range open {
				all[i].Text += string(token)
			}
		}
	}
}

// Texts are the texts of the elements of a name.
func Texts(all []Element, name string) []string {
	var out []string
	for _, e := range all {
		if e.Name == name {
			out = append(out, e.Text)
		}
	}
	return out
}

// Closed checks that a page runs one script under its policy, refers to nothing but itself and the files, has no broken
// anchor and no id twice, and holds no sign that hides or turns a text. It returns the page's elements.
func Closed(t testing.TB, page string, files map[string]bool) []Element {
	t.Helper()
	if n := len(Scripts(page)); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") && !strings.Contains(page, "default-src 'none'") {
		t.Error("no policy forbids to load")
	}
	all := Parse(t, page)
	ids := map[string]bool{}
	for _, e := range all {
		if id := e.Attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %q", id)
			}
			ids[id] = true
		}
	}
	for _, e := range all {
		for name, value := range e.Attrs {
			anchor, isAnchor := strings.CutPrefix(value, "#")
			switch {
			case name == "src", name == "action", strings.HasPrefix(name, "on"), strings.Contains(value, "ZgotmplZ"):
				t.Errorf("<%s %s=%q>", e.Name, name, value)
			case name != "href":
			case isAnchor && !ids[anchor], !isAnchor && !files[value]:
				t.Errorf("a link leads to %q", value)
			}
		}
	}
	for _, r := range page {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U is in the page", r)
			break
		}
	}
	return all
}
