package explore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/run"
)

// filePage is a page by itself, as a report has them.
func filePage(policy, script string) string {
	return `<html><head><meta http-equiv="Content-Security-Policy" content="` + policy + `"></head><body><p>said</p><script>` + script + `</script></body></html>`
}

// putReport writes a file of the report of run a.
func (s *site) putReport(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.Root, "a", run.ReportFolder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// A page of another version's report runs the script of this one, which its policies allow, and never its own.
func TestReportOfAnotherVersion(t *testing.T) {
	s := newSite(t, "a")
	s.putReport("report.html", filePage("script-src &#39;sha256-old&#39;", "steal()"))
	s.putReport("items/0001.html", filePage("none", "steal()"))
	s.putReport("card.html", strings.Replace(filePage("none", ""), "<script></script>", "", 1))
	s.putReport("odd.html", filePage("none", "a()</script><script>b()"))
	for name, script := range map[string]string{"report.html": "list.js", "items/0001.html": "keys.js"} {
		_, page := s.page("/report/a/" + name)
		if want := filePage(strings.ReplaceAll(web.Policy(script), "'", "&#39;"), web.Text(script)); page != want {
			t.Errorf("%s is served as %s", name, page)
		}
	}
	for _, name := range []string{"card.html", "odd.html"} {
		raw, err := os.ReadFile(filepath.Join(s.Root, "a", run.ReportFolder, name))
		if _, page := s.page("/report/a/" + name); err != nil || page != string(raw) {
			t.Errorf("%s is changed: %s", name, page)
		}
	}
}

// No name of a file leads out of the report, be the way up written in any way.
func TestReportNamesStayInTheReport(t *testing.T) {
	s := newSite(t, "a")
	s.putReport("report.html", "whole")
	s.putReport("items/0001.html", "one")
	for _, name := range []string{"..%2frun.json", "%2e%2e/run.json", "%2e%2e%2frun.json", "items/..%2f..%2frun.json", "items/%2e%2e/%2e%2e/run.json", "..%5crun.json", "%2frun.json", "..%2f..%2fa%2frun.json", ".%2f..%2frun.json"} {
		if status, page := s.page("/report/a/" + name); status == 200 || strings.Contains(page, "percuss.run/1") {
			t.Errorf("%s: %d %s", name, status, page)
		}
	}
	if status, page := s.page("/report/a/items/..%2freport.html"); status != 200 || page != "whole" {
		t.Errorf("a way up within the report: %d %s", status, page)
	}
}

// No link of a run's folder leads out of it, be it a file's or that of the whole report.
func TestReportLinksStayInTheFolder(t *testing.T) {
	s := newSite(t, "a")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "report.html"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(s.Root, "a", run.ReportFolder)
	for _, target := range []string{outside, "../../../" + filepath.Base(outside)} {
		if err := os.Symlink(target, folder); err != nil {
			t.Skip(err)
		}
		if status, page := s.page("/report/a/report.html"); status != 404 || strings.Contains(page, "secret") {
			t.Errorf("%s: %d %s", target, status, page)
		}
		if err := os.Remove(folder); err != nil {
			t.Fatal(err)
		}
	}
	s.putReport("items/0001.html", "one")
	if err := os.Symlink("items/0001.html", filepath.Join(folder, "inner.html")); err != nil {
		t.Fatal(err)
	}
	if status, page := s.page("/report/a/inner.html"); status != 200 || page != "one" {
		t.Errorf("a link within the folder: %d %s", status, page)
	}
}
