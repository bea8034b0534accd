// Package web is what all our pages stand in: the frame of a page, its style and scripts, and the guard of a server
// that shows them. It knows nothing of runs, so that the review app may stand on it.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed frame.gohtml page.css list.js keys.js
var files embed.FS

// Frame is what stands around the content of a page. A page begins with {{template "top" .Frame}} and ends with
// {{template "foot" .Frame}}.
type Frame struct {
	Title  string
	Assets *Assets      // of the server that shows the page; nil: a file by itself, in which style and script stand
	Style  template.CSS // of a file by itself: what it needs beside page.css
	Sheets []string     // of a served page: the assets with its style beside page.css
	Script string       // the asset that the page runs; empty: none
	Code   template.JS  // of a file by itself: the text of its script where that is none of Text's
	Nav    []Link       // first in the page
	Label  string       // of Nav, unlike that of any other nav of the page
}

// Link is a link of a frame. Rel "next", "prev" and "up" are followed by the keys n, p and u.
type Link struct{ Rel, Href, Text string }

// Text returns an embedded file: page.css, list.js or keys.js.
func Text(name string) string {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic("web: " + err.Error()) // the name is a constant of a template, and the tests draw every page
	}
	return string(raw)
}

// Policy is the content security policy of a page that is a file by itself: nothing is loaded, and of all scripts only
// the named ones may run, so that a text that got past the escaping still does nothing. An empty name is none.
func Policy(scripts ...string) string {
	policy, before := "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'", "; script-src "
	for _, name := range scripts {
		if name == "" {
			continue
		}
		policy += before + digest(Text(name))
		before = " "
	}
	return policy
}

// digest is how a policy names a script by its text.
func digest(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Policy is that of the frame's page.
func (f Frame) Policy() string {
	if f.Code != "" {
		return Policy() + "; script-src " + digest(string(f.Code))
	}
	return Policy(f.Script)
}

// CSS is all style of a page that is a file by itself.
func (f Frame) CSS() template.CSS { return template.CSS(Text("page.css")) + f.Style }

// JS is the script of a page that is a file by itself.
func (f Frame) JS() template.JS {
	if f.Code != "" {
		return f.Code
	}
	return template.JS(Text(f.Script))
}

// Links are the addresses of a served page's style.
func (f Frame) Links() []string {
	var out []string
	for _, s := range append([]string{"page.css"}, f.Sheets...) {
		out = append(out, f.Assets.Address(s))
	}
	return out
}

// Source is the address of a served page's script.
func (f Frame) Source() string { return f.Assets.Address(f.Script) }

// Templates returns the templates "top" and "foot" and the function "unbroken", to be added to.
func Templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"unbroken": Unbroken}).ParseFS(files, "frame.gohtml"))
}

// Draw executes a template. What could hide or turn a text is replaced in the whole page, so that no field is forgotten.
func Draw(w io.Writer, t *template.Template, name string, data any) error {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("draw the page: %w", err)
	}
	if _, err := io.WriteString(w, Visible(b.String())); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
