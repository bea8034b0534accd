package explore

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/run"
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

// A filter in the address is the page: the same rows, checked and counted, and leads to items within it.
func TestFilterLivesInTheAddress(t *testing.T) {
	s := newSite(t, "a")
	status, page := s.page("/trials?r=a&flip=flip")
	if status != 200 || !strings.Contains(page, "<strong>3 of 12 trials</strong>") {
		t.Fatalf("%d\n%s", status, page)
	}
	for _, want := range []string{`name="flip" value="flip" checked="checked"`, `moves <span class="dim">3</span>`, `stays <span class="dim">3</span>`,
		"/item?flip=flip&amp;id=i01&amp;m=m&amp;p=neutral&amp;r=a&amp;s=s&amp;t=M2-"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if _, page := s.page("/trials?r=a&candidate=asthma"); !strings.Contains(page, "No trial fits") {
		t.Error("an empty list is not said")
	}
}

// The neighbours of an item are those of its filter.
func TestNeighboursWithinAFilter(t *testing.T) {
	s := newSite(t, "a")
	s.page("/trials?r=a")
	v := s.shelf.open[0]
	for at, want := range map[int]string{0: "next i01", 1: "next i03", 3: "prev i01 next i05", 5: "prev i03"} {
		var got []string
		for _, l := range s.besideLinks(t.Context(), v, at, index.Filter{Flip: []string{"flip"}}) {
			u, err := url.Parse(l.Href)
			if err != nil || u.Query().Get("flip") != "flip" {
				t.Fatalf("%+v %v", l, err)
			}
			got = append(got, l.Rel, u.Query().Get(atItem))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("beside item %d: %s, want %s", at, got, want)
		}
	}
}

func TestPagesOfALongList(t *testing.T) {
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	s.fakes[dir] = newFake(dir, 60)
	seen, address := 0, "/trials?r=a&by=size"
	for range 10 {
		_, page := s.page(address)
		seen += strings.Count(page, `<th scope="row">`)
		_, rest, more := strings.Cut(page, `rel="next" href="`)
		if !more {
			break
		}
		href, _, _ := strings.Cut(rest, `"`)
		address = strings.ReplaceAll(href, "&amp;", "&")
	}
	if seen != 120 {
		t.Errorf("%d rows on all pages, want 120", seen)
	}
}

func TestPageWhileTheIndexIsBuilt(t *testing.T) {
	s := newSite(t, "a")
	fake := s.fakes[filepath.Join(s.Root, "a")]
	fake.wait = make(chan struct{})
	got := s.do("GET", "/trials?r=a", nil)
	if got.StatusCode != http.StatusAccepted || got.Header.Get("Refresh") == "" {
		t.Fatalf("answered %d, %v", got.StatusCode, got.Header)
	}
	close(fake.wait)
	if status, page := s.page("/trials?r=a"); status != 200 || !strings.Contains(page, "12 of 12") {
		t.Errorf("%d\n%s", status, page)
	}
	if !strings.Contains(s.log.String(), "index of 12 rows of 6 items built in") {
		t.Errorf("the log: %s", s.log.String())
	}
}

// New answers are said at once and shown when the last index is a minute old.
func TestNewAnswers(t *testing.T) {
	s := newSite(t, "a")
	fake := s.fakes[filepath.Join(s.Root, "a")]
	if _, page := s.page("/trials?r=a"); strings.Contains(page, "newer answers") {
		t.Error("there are none yet")
	}
	fake.state.Add(1)
	s.clock.Add(10)
	s.settle()
	if _, page := s.page("/trials?r=a"); !strings.Contains(page, "newer answers") {
		t.Error("new answers are not said")
	}
	s.clock.Add(120)
	s.page("/trials?r=a")
	s.settle()
	if _, page := s.page("/trials?r=a"); strings.Contains(page, "newer answers") {
		t.Error("new answers are not shown after a minute")
	}
}

// settle waits until nothing is built.
func (s *site) settle() {
	s.shelf.mu.Lock()
	open := append([]*volume{}, s.shelf.open...)
	s.shelf.mu.Unlock()
	for _, v := range open {
		for {
			v.made.mu.Lock()
			building := v.made.building
			v.made.mu.Unlock()
			if building == nil {
				break
			}
			<-building
		}
	}
}

func TestFullTextOfARun(t *testing.T) {
	s := newSite(t, "a")
	s.page("/trials?r=a")
	s.settle()
	for text, want := range map[string]string{`"reply of i03"`: "1 of 12", "patient": "12 of 12", "patient -reply": "6 of 12", "sepsis": "12 of 12"} {
		if _, page := s.page("/trials?r=a&text=" + url.QueryEscape(text)); !strings.Contains(page, "<strong>"+want+" trials") {
			t.Errorf("%s: not %s", text, want)
		}
	}
	without := newSite(t, "a")
	without.NoTexts = true
	if _, page := without.page("/trials?r=a&text=patient"); !strings.Contains(page, "--no-texts") || !strings.Contains(page, "12 of 12") {
		t.Error("a filter that cannot be used is not said")
	}
}

// A folder that cannot be written is shown all the same.
func TestRunThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	if status, _ := s.page("/trials?r=a"); status != 200 {
		t.Errorf("answered %d", status)
	}
	if got := s.do("POST", "/notes?r=a&id=i01", url.Values{"text": {"x"}}); got.StatusCode != 500 {
		t.Errorf("a note that cannot be kept was answered %d", got.StatusCode)
	}
}

func TestNotes(t *testing.T) {
	s := newSite(t, "a")
	write := func(item, trial, text, marked, back string) *http.Response {
		return s.do("POST", "/notes?"+url.Values{"r": {"a"}, "id": {item}, "m": {"m"}, "t": {trial}}.Encode(), url.Values{"text": {text}, "marked": {marked}, "back": {back}})
	}
	if got := write("i01", "", " first ", "", "/item?r=a&id=i01&flip=flip"); got.StatusCode != 303 || got.Header.Get("Location") != "/item?r=a&id=i01&flip=flip" {
		t.Errorf("answered %d, to %q", got.StatusCode, got.Header.Get("Location"))
	}
	for _, back := range []string{"https://evil.example/item", "//evil.example/item", "javascript:alert(1)", "/run?r=a"} {
		if got := write("i01", "", "=second", "", back); !strings.HasPrefix(got.Header.Get("Location"), "/item?") {
			t.Errorf("%q leads to %q", back, got.Header.Get("Location"))
		}
	}
	write("i02", "base", "", "yes", "")
	write("i03", "", "gone", "", "")
	write("i03", "", "", "", "")
	if got := write("i99", "", "x", "", ""); got.StatusCode != 404 {
		t.Errorf("a note on no item was answered %d", got.StatusCode)
	}
	if got := write("i01", "", strings.Repeat("x", mostNote+1), "", ""); got.StatusCode != 413 {
		t.Errorf("a long note was answered %d", got.StatusCode)
	}
	_, page := s.page("/notes?r=a")
	if !strings.Contains(page, "=second") || strings.Contains(page, "first") || strings.Contains(page, "gone") || strings.Count(page, "bookmark</span>") != 1 {
		t.Errorf("the list:\n%s", page)
	}
	if _, page := s.page("/trials?r=a&noted=yes"); !strings.Contains(page, "<strong>4 of 12 trials") {
		t.Error("the trials of noted items are not found")
	}
	_, raw := s.page("/notes.csv?r=a")
	rows, err := csv.NewReader(strings.NewReader(raw)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][6] != "'=second" || rows[2][5] != "true" {
		t.Errorf("%q %v", rows, err)
	}
	_, raw = s.page("/notes.jsonl?r=a")
	var note Note
	if err := json.Unmarshal([]byte(strings.Split(raw, "\n")[0]), &note); err != nil || note.Text != "=second" || note.Item != "i01" {
		t.Errorf("%+v %v", note, err)
	}
	form, err := s.noteForm(s.shelf.open[0], note.SubjectID, "", `"><script>`)
	if err != nil || !strings.Contains(string(form), "=second") || strings.Contains(string(form), "<script>") {
		t.Errorf("the form: %s %v", form, err)
	}
}

func TestDamagedNotes(t *testing.T) {
	s := newSite(t, "a")
	if err := os.WriteFile(filepath.Join(s.Root, "a", NotesFile), []byte("{\"text\":\"x\"}\nno JSON\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, page := s.page("/notes?r=a"); status != 500 || !strings.Contains(page, "line 2") {
		t.Errorf("%d\n%s", status, page)
	}
	if status, _ := s.page("/run?r=a"); status != 200 {
		t.Errorf("the run's page was answered %d", status)
	}
}

func TestRunningRun(t *testing.T) {
	s := newSite(t, "a", "b")
	put := func(name, ended string, age time.Duration) {
		if err := run.WriteStanding(filepath.Join(s.Root, name), run.Standing{At: s.Now().Add(-age), Ended: ended,
			Progress: run.Progress{Subjects: 2000, Done: 860, Answered: 4312, Model: "m" + hostile}}); err != nil {
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
	for ended, want := range map[string]string{run.Done: "finished", run.Interrupted: "interrupted", "disk full": "ended with an error: disk full", "": "stopped without a word"} {
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

func TestNumbersForReaders(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := number(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"short": "short", "two\nlines": "two lines", strings.Repeat("é", 20): strings.Repeat("é", 10) + " …"} {
		if got := begin(text, 10); got != want {
			t.Errorf("%q begins %q, want %q", text, got, want)
		}
	}
	if got := findings(0b10000101); got != "1, 3, 8" {
		t.Errorf("findings %q", got)
	}
	f := index.Filter{Flip: []string{"flip"}}
	if got := fmt.Sprintf("%v|%v|%s|%s|%v", f.With("flip", "keep").Flip, f.With("flip", "flip").Flip, f.With("size", "1").Size, f.With("size", "1").With("size", "1").Size, f.Flip); got != "[flip keep]|[]|1||[flip]" {
		t.Error(got)
	}
}
