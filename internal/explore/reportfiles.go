package explore

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
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

// report serves the files of a run's report. They are pages by themselves, with style and script in them; only the scripts of
// this version may run, and a page of another one gets them in the place of its own.
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
	f, err := reportFile(filepath.Join(s.Root, filepath.FromSlash(names[at])), file)
	if err != nil {
		s.fail(w, http.StatusNotFound, err)
		return
	}
	defer f.Close()
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", web.Policy("list.js", "keys.js")+"; frame-ancestors 'none'")
	if path.Ext(file) != ".html" {
		_, _ = io.Copy(w, f) // whoever asked has gone
		return
	}
	page, err := io.ReadAll(f)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	_, _ = w.Write(withOurScript(page, scriptOf(file)))
}

// reportFile opens a file of the report of a run's folder. No link and no name leads out of the report, and no link that
// stands for it out of the run; what is no plain file is not opened, for that may wait for ever.
func reportFile(dir, file string) (*os.File, error) {
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	root, err := folder.OpenRoot(run.ReportFolder)
	if err != nil {
		return nil, errors.New("this run has no report yet: percuss report makes it")
	}
	defer root.Close()
	name := filepath.FromSlash(file)
	missing := fmt.Errorf("the report has no %s: percuss report makes it anew", file)
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, missing
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, missing
	}
	return f, nil
}

// scriptOf is the script of a page of a report.
func scriptOf(file string) string {
	if strings.HasPrefix(file, report.ItemFolder+"/") {
		return "keys.js"
	}
	return "list.js"
}

// What a page by itself holds once: its policy, and its script.
var (
	ownPolicy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">`)
	ownScript = regexp.MustCompile(`(?s)<script>.*?</script>`)
)

// withOurScript is a page with this version's script in the place of its own, and a policy that allows that one alone. A
// page without a script, or with several, stays as it is.
func withOurScript(page []byte, name string) []byte {
	policies, scripts := ownPolicy.FindAllIndex(page, 2), ownScript.FindAllIndex(page, 2)
	if len(policies) != 1 || len(scripts) != 1 || policies[0][1] > scripts[0][0] {
		return page
	}
	policy, script := policies[0], scripts[0]
	return slices.Concat(page[:policy[0]],
		[]byte(`<meta http-equiv="Content-Security-Policy" content="`+html.EscapeString(web.Policy(name))+`">`),
		page[policy[1]:script[0]], []byte("<script>"+web.Text(name)+"</script>"), page[script[1]:])
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
