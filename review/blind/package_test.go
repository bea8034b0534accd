package blind

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample is a package with every way of showing and asking.
func sample(t *testing.T) Package {
	t.Helper()
	f, err := FormOf(Steps)
	if err != nil {
		t.Fatal(err)
	}
	return Package{Task: Steps, Title: f.Title, Instructions: f.Instructions, Questions: f.Questions, Practice: f.Practice, Items: []Item{
		{ID: "a1", Parts: []Part{{Show: ShowText, Head: "Question", Text: "<b>1 < 2</b>"}, {Show: ShowList, Rows: []Row{{Key: "1", Text: "One.", Marked: true}}}}},
		{ID: "a2", Asks: []string{"step"}, Parts: []Part{{Show: ShowChange, Before: "old", After: "new"}}}}}.Sealed([]byte("key"))
}

func TestPackageSurvivesItsFile(t *testing.T) {
	p := sample(t)
	var b bytes.Buffer
	if err := WritePackage(&b, p); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "<b>1 < 2</b>") {
		t.Error("a text is written with escapes")
	}
	got, err := ReadPackage(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p, got); d != "" {
		t.Error(d)
	}
	if p.ID == sample2(p).ID {
		t.Error("other items have the same id")
	}
}

func sample2(p Package) Package {
	p.Items = p.Items[:1]
	return p.Sealed([]byte("key"))
}

// A package that was changed by hand, is cut, or is something else is refused with what to do.
func TestBadPackages(t *testing.T) {
	var b bytes.Buffer
	if err := WritePackage(&b, sample(t)); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	for _, c := range []struct{ name, text, want string }{
		{"changed", strings.Replace(whole, "One.", "Two.", 1), "changed after"},
		{"cut", whole[:len(whole)/2], "percuss review create"},
		{"another field", strings.Replace(whole, `"round"`, `"model": "x", "round"`, 1), "model"},
		{"another schema", strings.Replace(whole, PackageSchema, "percuss.review.package/9", 1), "schema"},
		{"twice", whole + whole, "more than one"},
		{"empty", "", "percuss review create"},
	} {
		if _, err := ReadPackage(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*Package)
	}{
		{"no items", "no items", func(p *Package) { p.Items = nil }},
		{"an id twice", "twice", func(p *Package) { p.Items[1].ID = "a1" }},
		{"an id that is a path", "letters", func(p *Package) { p.Items[0].ID = "../x" }},
		{"shows nothing", "shows nothing", func(p *Package) { p.Items[0].Parts = nil }},
		{"asks what is not there", "no question", func(p *Package) { p.Items[0].Asks = []string{"other"} }},
		{"another way of showing", "shown as", func(p *Package) { p.Items[0].Parts[0].Show = "html" }},
		{"no UTF-8", "UTF-8", func(p *Package) { p.Items[0].Parts[0].Text = "\xff" }},
		{"a third round", "round", func(p *Package) { p.Round = 3 }},
	} {
		p := sample(t)
		c.change(&p)
		p = p.Sealed([]byte("key"))
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A question with a condition is asked after its answer only, and an item is done without it otherwise.
func TestAsked(t *testing.T) {
	p := sample(t)
	item := p.Items[0]
	for _, c := range []struct {
		labels map[string]string
		asked  int
		done   bool
		bad    string
	}{
		{nil, 1, false, ""},
		{map[string]string{"step": "correct"}, 1, true, ""},
		{map[string]string{"step": "error"}, 2, false, ""},
		{map[string]string{"step": "error", "error_kind": "factual"}, 2, true, ""},
		{map[string]string{"step": "correct", "error_kind": "factual"}, 1, true, "does not ask"},
		{map[string]string{"step": "other"}, 1, true, "no label"},
	} {
		err := p.CheckLabels(item, c.labels)
		if len(p.Asked(item, c.labels)) != c.asked || p.Done(item, c.labels) != c.done || (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%v: %d asked, done %v, %v", c.labels, len(p.Asked(item, c.labels)), p.Done(item, c.labels), err)
		}
	}
}
