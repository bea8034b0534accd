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
