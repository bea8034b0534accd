package explore

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/run"
)

// rootName stands for the root's own run in a path, for "." is cleaned away there.
const rootName = "~"

// reportPath is the address of the folder of a run's report.
func reportPath(name string) string {
	if name == "." {
		name = rootName
	}
	return "/report/" + (&url.URL{Path: name}).EscapedPath() + "/"
}

// reportTypes are the endings of the files that a report has, with their types.
var reportTypes = map[string]string{".html": "text/html", ".json": "application/json", ".csv": "text/csv", ".tex": "text/plain", ".svg": "image/svg+xml",
	".pdf": "application/pdf", ".png": "image/png"}

// report serves the files of a run's report. They are pages by themselves, with style and script in them, so that their
// policy allows exactly those of this version; scripts of others do not run.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	rest := strings.TrimPrefix(r.URL.Path, "/report/")
	names := s.names()
	at := slices.IndexFunc(names, func(n string) bool {
		if n == "." {
			n = rootName
		}
		return strings.HasPrefix(rest, n+"/")
	})
	if at < 0 {
		s.fail(w, http.StatusNotFound, errNoPage)
		return
	}
	file := strings.TrimPrefix(rest, rest[:len(names[at])]+"/")
	kind, known := reportTypes[path.Ext(file)]
	if !known {
		s.fail(w, http.StatusNotFound, errNoPage)
		return
	}
	root, err := os.OpenRoot(filepath.Join(s.Root, filepath.FromSlash(names[at]), run.ReportFolder))
	if err != nil {
		s.fail(w, http.StatusNotFound, fmt.Errorf("this run has no report yet: percuss report makes it"))
		return
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(file)) // a link cannot lead out of the folder
	if err != nil {
		s.fail(w, http.StatusNotFound, fmt.Errorf("the report has no %s: percuss report makes it anew", file))
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		s.fail(w, http.StatusNotFound, errNoPage)
		return
	}
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", web.Policy("list.js", "keys.js")+"; frame-ancestors 'none'")
	_, _ = io.Copy(w, f) // whoever asked has gone
}

// reportLinks are the pages of a run's report that are there.
func (v *volume) reportLinks() []web.Link {
	var out []web.Link
	for _, l := range []web.Link{{Href: "report.html", Text: "Report"}, {Href: "card.html", Text: "Model card"}} {
		if info, err := os.Stat(filepath.Join(v.Dir(), run.ReportFolder, l.Href)); err == nil && info.Mode().IsRegular() {
			out = append(out, web.Link{Href: reportPath(v.Name) + l.Href, Text: l.Text})
		}
	}
	return out
}
