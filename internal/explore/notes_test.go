package explore

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/run"
)

// A folder that cannot be written is shown all the same.
func TestRunThatCannotBeWritten(t *testing.T) {
	s := newSite(t, "a")
	dir := filepath.Join(s.Root, "a")
	if err := os.RemoveAll(filepath.Join(dir, run.DerivedFolder)); err != nil {
		t.Fatal(err)
	}
	// Not by permissions, for root writes everywhere: a file stands where the folder would, and a link into nowhere where the
	// notes would.
	if err := os.WriteFile(filepath.Join(dir, run.DerivedFolder), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere", "x"), filepath.Join(dir, NotesFile)); err != nil {
		t.Fatal(err)
	}
	if status, body := s.page("/trials?r=a"); status != 200 {
		t.Errorf("answered %d: %s", status, body)
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

// What a crash cut, or a hand spoilt, is named and left as it is: the other notes hold, and the next one has a line of its own.
func TestDamagedNotes(t *testing.T) {
	s := newSite(t, "a")
	path := filepath.Join(s.Root, "a", NotesFile)
	write := func(item, text string) {
		t.Helper()
		if got := s.do("POST", "/notes?"+url.Values{"r": {"a"}, "id": {item}, "m": {"m"}}.Encode(), url.Values{"text": {text}}); got.StatusCode != 303 {
			t.Fatalf("a note was answered %d", got.StatusCode)
		}
	}
	write("i01", "kept whole")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := "\nno JSON\n" + string(whole[:len(whole)/2])
	if err := os.WriteFile(path, append(whole, cut...), 0o644); err != nil {
		t.Fatal(err)
	}
	write("i02", "after the crash")
	status, page := s.page("/notes?r=a")
	for _, want := range []string{"kept whole", "after the crash", "notes.jsonl, line 3:", "notes.jsonl, line 4:"} {
		if status != 200 || !strings.Contains(page, want) {
			t.Errorf("%d, %q is not in\n%s", status, want, page)
		}
	}
	if strings.Count(page, "cannot be read.") != 2 {
		t.Errorf("the damaged lines:\n%s", page)
	}
	if now, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(now), string(whole)+cut+"\n{") {
		t.Errorf("what was written is not what stands there now: %q, %v", now, err)
	}
	if _, raw := s.page("/notes.jsonl?r=a"); strings.Count(raw, "\n") != 2 {
		t.Errorf("handed out: %q", raw)
	}
	if status, _ := s.page("/run?r=a"); status != 200 {
		t.Errorf("the run's page was answered %d", status)
	}
}

// A link in the place of the notes is not followed: a folder from elsewhere could have any file of this machine written to.
func TestNotesFollowNoLink(t *testing.T) {
	s := newSite(t, "a")
	outside := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.Root, "a", NotesFile)); err != nil {
		t.Skip(err)
	}
	if got := s.do("POST", "/notes?r=a&id=i01", url.Values{"text": {"mine"}}); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("the note was answered %s", got.Status)
	}
	if status, page := s.page("/notes?r=a"); status != http.StatusInternalServerError || !strings.Contains(page, "no plain file") {
		t.Errorf("%d %s", status, page)
	}
	if raw, err := os.ReadFile(outside); err != nil || string(raw) != "{}\n" {
		t.Errorf("the file outside holds %q (%v)", raw, err)
	}
}
