package pagetest

import (
	"html/template"
	"io"
	"reflect"
	"strings"
	"testing"
)

type shelf struct {
	Name  string
	Books []*book
	By    map[string]book
	Any   any
	inner string
}

type book struct{ Title string }

func (b *book) Long() string { return b.Title }
func (shelf) First() book    { return book{} }

// TestFields says which faults of a template are found, and that what is right, or cannot be known, is none.
func TestFields(t *testing.T) {
	_ = shelf{}.inner
	funcs := template.FuncMap{"first": shelf.First}
	for _, c := range []struct{ text, fault string }{
		{`{{.Name}} {{.First.Title}} {{range $i, $b := .Books}}{{$i}} {{$b.Title}} {{.Long}} {{$.Name}}{{end}}`, ""},
		{`{{range .By}}{{.Title}}{{end}}{{(index .Books 0).Title}}{{with index .By "a"}}{{.Title}}{{end}}`, ""},
		{`{{.Any.Whatever}}{{(printf "a").Whatever}}`, ""},
		{`{{with or .Name .Name}}{{.}}{{end}}{{template "t" .First}}{{define "t"}}{{.Title}}{{end}}`, ""},
		{`{{define "again"}}{{range .Books}}{{.Title}}{{end}}{{template "again" .}}{{end}}{{template "again" .}}`, ""},
		{`{{.Nmae}}`, "no field or method Nmae"},
		{`{{.inner}}`, "no field or method inner"},
		{`{{.Name.Of}}`, "string has no field or method Of"},
		{`{{if .Name}}{{else}}{{.Hidden}}{{end}}`, "Hidden"},
		{`{{if .Hidden}}{{end}}`, "Hidden"},
		{`{{with .First}}{{.Titel}}{{else}}{{.Name}}{{end}}`, "Titel"},
		{`{{with .First}}{{else}}{{.Title}}{{end}}`, "Title"},
		{`{{range .Books}}{{.Titel}}{{else}}{{.Name}}{{end}}`, "Titel"},
		{`{{range $i, $b := .Books}}{{$b.Titel}}{{end}}`, "Titel"},
		{`{{$b := .First}}{{if .Name}}{{$b.Titel}}{{end}}`, "Titel"},
		{`{{printf "%s" .Hidden | len}}`, "Hidden"},
		{`{{template "t" .First}}{{define "t"}}{{.Name}}{{end}}`, "template t of pagetest.book: .Name"},
		{`{{with first .}}{{.Titel}}{{end}}`, "Titel"},
		{`{{with . | first}}{{.Titel}}{{end}}{{(first .).Title}}`, "Titel"},
		{`{{template "t"}}`, `no template "t"`},
	} {
		all := template.Must(template.New("page").Funcs(funcs).Parse(c.text))
		found := strings.Join(faults(all, funcs, "page", reflect.TypeFor[shelf]()), "; ")
		if (c.fault == "") != (found == "") || !strings.Contains(found, c.fault) {
			t.Errorf("%s: found %q, want %q", c.text, found, c.fault)
		}
	}
}

// A set that was drawn calls copies of its templates, escaped for their places: it is read as it was written.
func TestFieldsOfADrawnSet(t *testing.T) {
	all := template.Must(template.New("page").Parse(`<a title="{{template "t" .}}"></a>{{define "t"}}{{if .Name}}{{else}}{{.Hidden}}{{end}}{{end}}`))
	if err := all.Execute(io.Discard, shelf{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if found := faults(all, nil, "page", reflect.TypeFor[shelf]()); len(found) != 1 || !strings.Contains(found[0], "Hidden") {
		t.Errorf("found %q", found)
	}
}
