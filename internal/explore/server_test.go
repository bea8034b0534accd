package explore

import (
	"github.com/percuss/percuss/run"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRunsAreFoundTwoFoldersDown(t *testing.T) {
	s := newSite(t, "a", "b/c", "b/d", "e/f/g", "a/inner", ".hidden")
	names, err := s.Names()
	if err != nil || strings.Join(names, " ") != "a b/c b/d" {
		t.Errorf("%q %v", names, err)
	}
	if _, err := (&Server{Root: filepath.Join(s.Root, "none")}).Names(); err == nil {
		t.Error("a folder that is not there has runs")
	}
	status, page := s.page("/")
	if status != 200 || strings.Count(page, "/run?r=") != 3 || !strings.Contains(page, "/run?r=b%2Fc") {
		t.Errorf("%d\n%s", status, page)
	}
}

// Nothing of what an address holds becomes a path, and nothing wrong in it a fault.
func TestBadAddresses(t *testing.T) {
	s := newSite(t, "a")
	secret := filepath.Join(s.Root, "secret.html")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(s.Root, "a", run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(folder, "link.html")); err != nil {
		t.Skip(err)
	}
	for address, want := range map[string]int{
		"/nothing":                          404,
		"/run":                              404,
		"/run?r=":                           404,
		"/run?r=..":                         404,
		"/run?r=a/..":                       404,
		"/run?r=" + url.QueryEscape(s.Root): 404,
		"/run?r=..%2fa":                     404,
		"/run?r=a%00":                       404,
		"/trials?r=a&text=" + strings.Repeat("x", 1000): 400,
		"/trials?r=a&size=3":                            400,
		"/trials?r=a&after=x":                           400,
		"/trials?r=a&after=-1":                          400,
		"/items?r=a&after=x":                            400,
		"/items?r=a&after=-1":                           400,
		"/trials?r=a&by=size&after=1":                   400,
		"/trials?r=a&op=%ff":                            400,
		"/report/a/..%2f..%2fsecret.html":               404,
		"/report/a/link.html":                           404,
		"/report/a/report.html":                         404,
		"/report/a/run.json":                            404,
		"/report/a/":                                    404,
		"/report/b/report.html":                         404,
		"/progress?r=b":                                 404,
		"/notes?r=b":                                    404,
	} {
		status, page := s.page(address)
		// The multiplexer leads a path with dots to the clean one first.
		if status == http.StatusMovedPermanently || status == http.StatusTemporaryRedirect {
			status = 404
		}
		if status != want || strings.Contains(page, "secret.html") && strings.Contains(page, "secret\n") {
			t.Errorf("%s was answered %d, want %d", address, status, want)
		}
	}
}

func TestRunThatCannotBeOpened(t *testing.T) {
	s := newSite(t, "a", "b")
	delete(s.fakes, filepath.Join(s.Root, "b"))
	if status, page := s.page("/run?r=b"); status != 422 || !strings.Contains(page, "cannot be opened") {
		t.Errorf("%d\n%s", status, page)
	}
	if err := os.WriteFile(filepath.Join(s.Root, "b", run.ManifestFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, page := s.page("/"); status != 200 || !strings.Contains(page, "cannot be read") || !strings.Contains(page, "/run?r=a") {
		t.Errorf("the list: %d\n%s", status, page)
	}
}

// What a file or a model wrote is text on every page.
func TestHostileTextStaysText(t *testing.T) {
	s := newSite(t, "a")
	form := url.Values{"text": {hostile}, "marked": {"yes"}}
	if got := s.do("POST", "/notes?r=a&id=i01&t="+url.QueryEscape(hostile), form); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the note was answered %d", got.StatusCode)
	}
	for _, address := range []string{"/", "/run?r=a", "/trials?r=a", "/trials?r=a&text=" + url.QueryEscape("<script>alert(1)</script>"), "/notes?r=a",
		"/trials?r=a&op=" + url.QueryEscape("M2-<script>alert(1)</script>"), "/nothing?<script>"} {
		_, page := s.page(address)
		for _, never := range []string{"<script>", "\x1b", "\u202e", " on" + "error="} {
			if strings.Contains(page, never) {
				t.Errorf("%s holds %q", address, never)
			}
		}
	}
	if _, page := s.page("/trials?r=a"); strings.Count(page, "&lt;script&gt;alert(1)") < 6 {
		t.Errorf("the texts are not shown:\n%s", page)
	}
}

func TestRunningRun(t *testing.T) {
	s := newSite(t, "a", "b")
	put := func(name, ended string, age time.Duration) {
		if err := run.WriteStanding(filepath.Join(s.Root, name), run.Standing{At: s.Now().Add(-age), Ended: ended,
			Progress: run.Progress{Subjects: 2000, Done: 860, Answered: 4312, Model: "m" + hostile,
				Parts: []run.Part{{Model: "m", Set: hostile, Subjects: 1000, Done: 250, Waiting: "asked to wait 8 s"}}}}); err != nil {
			t.Fatal(err)
		}
	}
	put("a", "", time.Second)
	_, page := s.page("/")
	if !strings.Contains(page, `data-poll="/progress?r=a"`) || !strings.Contains(page, "43 %") || !strings.Contains(page, "860 of 2,000") {
		t.Errorf("the list:\n%s", page)
	}
	status, piece := s.page("/progress?r=a")
	if status != 200 || !strings.HasPrefix(piece, "<progress") || !strings.Contains(piece, "4,312 answers") || strings.Contains(piece, "<script>") {
		t.Errorf("%d %s", status, piece)
	}
	if _, piece := s.page("/progress?r=a&parts=yes"); !strings.Contains(piece, "250 of 1,000") || !strings.Contains(piece, "asked to wait 8 s") || strings.Contains(piece, "<script>") {
		t.Errorf("the parts: %s", piece)
	}
	if _, page := s.page("/run?r=a"); !strings.Contains(page, "has not come to its end") {
		t.Error("that there are trials not asked yet is not said")
	}
	put("b", run.Done, time.Hour)
	if _, page := s.page("/run?r=b"); strings.Contains(page, "has not come to its end") {
		t.Error("a finished run is said not to be")
	}
	for ended, want := range map[string]string{run.Done: "finished", run.Interrupted: "interrupted", "disk full": "ended with an error: disk full", "401 twice\n401 twice\nno key": "ended with an error: 401 twice; no key (", "": "stopped without a word"} {
		put("b", ended, time.Hour)
		if _, piece := s.page("/progress?r=b"); !strings.Contains(piece, want) || strings.Contains(piece, "<progress") {
			t.Errorf("%q: %s", ended, piece)
		}
	}
}

// A run that was extended is opened anew, and no more than a few stay open.
func TestShelf(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	s := newSite(t, names...)
	for range 2 {
		s.page("/notes?r=a")
	}
	if s.opens != 1 {
		t.Errorf("opened %d times", s.opens)
	}
	dir := filepath.Join(s.Root, "a")
	m := s.fakes[dir].Manifest()
	m.Extensions = append(m.Extensions, run.Extension{What: "-n 7"})
	if err := run.WriteManifest(dir, m); err != nil {
		t.Fatal(err)
	}
	s.page("/notes?r=a")
	if s.opens != 2 || s.fakes[dir].closed.Load() != 1 {
		t.Errorf("after an extension it was opened %d and closed %d times", s.opens, s.fakes[dir].closed.Load())
	}
	for _, n := range names {
		s.page("/notes?r=" + n)
	}
	if len(s.shelf.open) != mostOpen {
		t.Errorf("%d runs are open", len(s.shelf.open))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for dir, f := range s.fakes {
		if want := map[bool]int64{true: 2, false: 1}[filepath.Base(dir) == "a"]; f.closed.Load() < want {
			t.Errorf("%s was closed %d times, want %d", dir, f.closed.Load(), want)
		}
	}
}

func TestReportOfARun(t *testing.T) {
	s := newSite(t, "b/a run")
	folder := filepath.Join(s.Root, "b", "a run", run.ReportFolder, "items")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"../report.html": "<p>whole</p>", "0001.html": "<p>one</p>", "../lone.exe": "no"} {
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, page := s.page("/run?r=b/a+run")
	if !strings.Contains(page, `href="/report/b/a%20run/report.html"`) || strings.Contains(page, "card.html") {
		t.Errorf("the run's page does not lead to its report:\n%s", page)
	}
	for path, want := range map[string]string{"report.html": "whole", "items/0001.html": "one"} {
		got := s.do("GET", "/report/b/a%20run/"+path, nil)
		policy := got.Header.Get("Content-Security-Policy")
		if got.StatusCode != 200 || !strings.Contains(policy, "style-src 'unsafe-inline'") || strings.Contains(policy, "script-src 'unsafe-inline'") || !strings.Contains(policy, "sha256-") {
			t.Errorf("%s: %d %s, want %s", path, got.StatusCode, policy, want)
		}
	}
	if status, _ := s.page("/report/b/a%20run/lone.exe"); status != 404 {
		t.Errorf("a file that is none of a report's was answered %d", status)
	}
}

func TestRootThatIsARun(t *testing.T) {
	s := newSite(t, ".")
	if _, page := s.page("/trials?r=."); !strings.Contains(page, ">Run "+filepath.Base(s.Root)+"</a>") || strings.Contains(page, "Run .<") {
		t.Error("the link to the run does not say which folder it is")
	}
	for _, address := range []string{"/", "/run?r=.", "/trials?r=.", "/notes?r=."} {
		if status, page := s.page(address); status != 200 || !strings.Contains(page, "this ") {
			t.Errorf("%s: %d", address, status)
		}
	}
	if err := os.MkdirAll(filepath.Join(s.Root, run.ReportFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Root, run.ReportFolder, "report.html"), []byte("whole"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, page := s.page("/run?r=."); !strings.Contains(page, `"/report/~/report.html"`) {
		t.Error("the run's page does not lead to its report")
	}
	if status, page := s.page("/report/~/report.html"); status != 200 || page != "whole" {
		t.Errorf("%d %s", status, page)
	}
}
