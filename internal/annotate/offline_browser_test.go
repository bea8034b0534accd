package annotate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// A rater without a server: answers stay over a reload, what is saved is read by the import's reader, and another browser
// goes on from it.
func offlineInABrowser(t *testing.T, b *pagetest.Browser) {
	const rater = "Dr \u200fÖ"
	p, dir := fixture(), t.TempDir()
	write := func(name string) string {
		var page strings.Builder
		if err := Offline(&page, p, rater, true); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return "file://" + path
	}
	one := b.Look(t, write("one.html")+"#1", pagetest.Look{})
	one.Press(t, "2", "1", "ArrowRight", "1")
	one.Press(t, leads("c")...)
	one.Press(t, "a <b>", "Escape")
	if got := one.Text(t, "#state"); got != "Kept in this browser, not in a file yet: 2 items" {
		t.Errorf("it says %q", got)
	}
	if !pagetest.Eval[bool](t, one, `(()=>{const e=new Event("beforeunload",{cancelable:true});dispatchEvent(e);return e.defaultPrevented})()`) {
		t.Error("nothing warns of leaving with answers in no file")
	}
	text := pagetest.Eval[string](t, one, savedText)
	if got := one.Text(t, "#state"); !strings.HasPrefix(got, "Saved to a file: 2 items") {
		t.Errorf("it says %q", got)
	}
	reload(t, one)
	one.Until(t, `document.getElementById("count").textContent==="2 of 5 answered"`) // what another process of the browser kept comes as an event
	file, err := ratings.ReadAnswers(strings.NewReader(text), time.Now())
	if err != nil || file.Package != p.ID || file.Rater != rater || len(file.Entries) != 2 {
		t.Fatalf("%v\n%s", err, text)
	}
	order := Order(p, rater)
	for i, want := range []map[string]string{{"shift": "yes", "why": "fact"}, {"shift": "no"}} {
		e := file.Entries[i]
		if e.Item != order[i] || cmp.Diff(want, e.Labels) != "" || p.CheckLabels(*p.Item(e.Item), e.Labels) != nil || (e.Comment == "a <b>") != (i == 1) {
			t.Errorf("entry %d is %+v", i+1, e)
		}
	}
	for _, says := range []string{"One thing is left: save your answers", "in a file among your downloads"} {
		pagetest.Eval[bool](t, one, `(["3","4","5"].forEach(p=>{go(p);isOpen(at)&&digitKey(1)}),go("end"),true)`)
		if got := one.Text(t, "#endwords"); !strings.Contains(got, says) {
			t.Errorf("the end says %q, want %q", got, says)
		}
		pagetest.Eval[string](t, one, savedText)
	}
	goesOn(t, b.Look(t, write("two.html"), pagetest.Look{}), p, rater, text)
}

// goesOn is a page in another browser that is given the text of a saved file, and others.
func goesOn(t *testing.T, two *pagetest.Page, p blind.Package, rater, text string) {
	t.Helper()
	pagetest.Eval[bool](t, two, `(Object.keys(localStorage).forEach(k=>localStorage.removeItem(k)),true)`)
	reload(t, two)
	for _, c := range []struct{ text, says string }{{"{", "This is no file of answers"}, {strings.Replace(text, p.ID, "0123456789abcdef", 1), "of another review"},
		{strings.Replace(text, rater, "Nobody", 1), "This file is of Nobody"}, {text, "Taken over: 2 items."}, {text, "Everything in this file is here already."}} {
		raw, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := pagetest.Eval[string](t, two, `loadFile(`+string(raw)+`)`); !strings.Contains(got, c.says) {
			t.Errorf("a file was taken with %q, want %q", got, c.says)
		}
	}
	if got := two.Text(t, "#count"); got != "2 of 5 answered" {
		t.Errorf("with the file loaded it has %s", got)
	}
}

// savedText is the text of the file that the page saves.
const savedText = `(async()=>{
	let blob;
	const make=URL.createObjectURL;
	URL.createObjectURL=b=>make(blob=b);
	document.querySelector("[data-do=file]").click();
	return blob.text()})()`
