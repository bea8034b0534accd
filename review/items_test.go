package review

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/review/blind"
)

// A file of items is read as it stands; what is wrong with it is told with its line.
func TestReadItems(t *testing.T) {
	dir := t.TempDir()
	item := func(id string) string { return `{"id":"` + id + `","parts":[{"show":"text","text":"x"}]}` + "\n" }
	got, err := ReadItems(file(t, dir, "good.jsonl", item("a")+"\n"+item("b")))
	if err != nil || len(got) != 2 || got[1].ID != "b" || got[1].Parts[0].Text != "x" {
		t.Errorf("%+v, %v", got, err)
	}
	for text, say := range map[string]string{item("a") + item("b") + item("a"): `line 3: an item "a" stands in line 1 already`, item("a") + "{": "line 2", "": "no items", item(""): "line 1"} {
		if _, err := ReadItems(file(t, dir, "bad.jsonl", text)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v, want %s", text, err, say)
		}
	}
	if _, err := ReadItems(filepath.Join(dir, "none.jsonl")); err == nil || !strings.HasSuffix(err.Error(), "none.jsonl: there is no such file: name the one that holds the items") {
		t.Errorf("no file: %v", err)
	}
}

// Practice is refused where the form has none: who asks for it would send raters a review without.
func TestNoPractice(t *testing.T) {
	s, err := Own(blind.Own, []blind.Item{{ID: "a", Parts: []blind.Part{{Show: blind.ShowText, Text: "x"}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	form := blind.Form{Title: "Mine", Questions: []blind.Question{{ID: "q", Text: "Good?", Labels: []blind.Label{{ID: "y", Name: "Yes"}, {ID: "n", Name: "No"}}}}}
	if _, _, err := s.Compose(Composing{Form: form}); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Compose(Composing{Form: form, Practice: true}); err == nil || !strings.Contains(err.Error(), "the form has no practice items") {
		t.Errorf("%v", err)
	}
}

// The folder of a run is no package, and says which ones it has.
func TestOpenPackageOfARun(t *testing.T) {
	run := t.TempDir()
	saved(t, filepath.Join(run, Folder, "pilot"), Options{Design: Buckets})
	for _, path := range []string{run, filepath.Join(run, "package.json")} {
		if _, err := OpenPackage(path); err == nil || !strings.HasSuffix(err.Error(), "give the folder of one: "+filepath.Join(run, Folder, "pilot")) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := OpenPackage(filepath.Join(run, Folder, "nosuch")); err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Errorf("%v", err)
	}
}
