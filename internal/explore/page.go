package explore

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/http"
	"path/filepath"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/report/steps"
)

//go:embed *.gohtml explore.css explore.js
var files embed.FS

var pages = template.Must(web.Templates().Funcs(template.FuncMap{"grouped": percuss.Grouped}).ParseFS(files, "*.gohtml"))

// errNoPage is what an address without a page is answered with.
var errNoPage = errors.New("there is no such page: the list of runs leads to all that there are")

// sheets are the styles and scripts of our pages beside those of package web, by the name of their asset.
func sheets() map[string]string {
	out := map[string]string{"figure.css": figure.CSS(), itemSheet: report.ItemStyle(), stepSheet: steps.CSS()}
	maps.Copy(out, caseAssets())
	for _, name := range []string{"explore.css", "explore.js"} {
		raw, err := files.ReadFile(name)
		if err != nil {
			panic("explore: " + err.Error()) // the file is embedded
		}
		out[name] = string(raw)
	}
	return out
}

// frame is the frame of one of our pages. Its nav begins with the list of runs; label names the nav.
func (s *Server) frame(title, script, label string, nav ...web.Link) web.Frame {
	return web.Frame{Title: title + " · Percuss", Assets: s.assets, Sheets: []string{"figure.css", "explore.css"}, Script: script,
		Nav: append([]web.Link{{Href: "/", Text: "Runs"}}, nav...), Label: label}
}

// ofRun is the nav's link to the page of a run.
func (s *Server) ofRun(v *volume) web.Link {
	return web.Link{Rel: "up", Href: runAddress("/run", v.Name, noFilter), Text: "Run " + s.called(v.Name)}
}

// called is what a page calls a run: its name, or that of its folder where the server shows that one alone.
func (s *Server) called(name string) string {
	if name != "." {
		return name
	}
	if root, err := filepath.Abs(s.Root); err == nil {
		return filepath.Base(root)
	}
	return name
}

// draw answers with one of our templates. data must have a field Frame.
func (s *Server) draw(w http.ResponseWriter, status int, name string, data any) {
	s.send(w, status, func(to io.Writer) error { return web.Draw(to, pages, name, data) })
}

// send answers with a page that is made whole before the first byte is sent, so that a fault is answered as one.
func (s *Server) send(w http.ResponseWriter, status int, page func(io.Writer) error) {
	var b bytes.Buffer
	if err := page(&b); err != nil {
		s.note(err)
		http.Error(w, "This page cannot be made: "+web.Visible(err.Error()), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // whoever asked has gone
}

// failedPage says what is wrong.
type failedPage struct {
	web.Frame
	Heading, Text string
}

// fail answers with a page that says what is wrong.
func (s *Server) fail(w http.ResponseWriter, status int, err error) {
	if status >= http.StatusInternalServerError {
		s.note(err)
	}
	s.draw(w, status, "failed", failedPage{s.frame("Not shown", "", "Pages"), http.StatusText(status), err.Error()})
}

// note writes a fault down. What ended because the server does is none.
func (s *Server) note(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.say("%v", err)
	}
}

// say writes a line for whoever runs the server.
func (s *Server) say(format string, args ...any) {
	s.logging.Lock()
	defer s.logging.Unlock()
	if s.Log != nil {
		fmt.Fprintln(s.Log, web.Visible(fmt.Sprintf(format, args...)))
	}
}
