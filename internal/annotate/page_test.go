package annotate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// nasty is a text that would run, hide or turn something if it were not escaped.
const nasty = "<script>document.title='run'</script> \u202eturned\x1b[31m 'quoted\" &amp; --> {{.}}"

// fixture is a package of five items with two questions, the second of which is asked after one answer, and an optional one.
func fixture() blind.Package {
	yes := []blind.Label{{ID: "no", Name: "No shift", Help: "the marked option is still the right one"}, {ID: "yes", Name: "Shifted", Help: "another option is now right"}}
	p := blind.Package{
		Task: blind.Own, Title: "Changed exam questions", Instructions: []string{"Read the question with its change.", "Judge " + nasty},
		Questions: []blind.Question{
			{ID: "shift", Text: "Does the change move the right answer?", Help: "Judge the changed question alone.", Labels: yes},
			{ID: "why", Text: "What moves it?", When: &blind.When{Question: "shift", Label: "yes"}, Labels: []blind.Label{{ID: "fact", Name: "A fact"}, {ID: "word", Name: "A word"}}},
			{ID: "sure", Text: "How sure are you?", Optional: true, Labels: []blind.Label{{ID: "high", Name: "High"}, {ID: "low", Name: "Low"}}},
		},
		Practice: []blind.Item{{ID: "practice-1", Asks: []string{"shift"}, Expected: map[string]string{"shift": "yes"}, Feedback: "An allergy moves it.",
			Parts: []blind.Part{{Show: blind.ShowText, Head: "Question", Text: "He is allergic."}}}},
	}
	for i := range 5 {
		p.Items = append(p.Items, blind.Item{ID: fmt.Sprintf("x%d", i), Parts: []blind.Part{
			{Show: blind.ShowChange, Head: "Question", Before: fmt.Sprintf("A man of 4%d has had a fever for two days. What is next?", i), After: fmt.Sprintf("A woman of 4%d has had a fever for two days. What is next?", i)},
			{Show: blind.ShowText, Head: "Text", Text: nasty + strings.Repeat("long", 40)},
			{Show: blind.ShowList, Head: "Options", Rows: []blind.Row{{Key: "A", Text: "Antibiotics " + nasty, Marked: true, Note: "right answer before the change"}, {Key: "B", Text: "CT", Marked: true}, {Key: "C", Text: "Rest"}}},
		}})
	}
	return p.Sealed([]byte("key"))
}

func drawPage(t *testing.T, in PageInput) string {
	t.Helper()
	var b strings.Builder
	if err := WritePage(&b, web.NewAssets(PageAssets()), in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page holds every item in the rater's order, as texts and never as markup, and no expected answer of an item.
func TestPageHoldsItems(t *testing.T) {
	p := fixture()
	p.Items[0].Expected, p.Items[0].Feedback = map[string]string{"shift": "yes"}, "betrayed"
	order := Order(p, "A")
	page := drawPage(t, PageInput{Package: p, Order: order, Rater: "Dr " + nasty, Practice: true,
		Saved: map[string]ratings.Entry{"x1": {ID: "e", Item: "x1", Comment: "שלום\u200f </script>", At: time.Unix(0, 0)}}})
	all := pagetest.Parse(t, page)
	var items []string
	for _, e := range all {
		if item := e.Attrs["data-item"]; item != "" {
			items = append(items, item)
			if saved := e.Attrs["data-saved"]; (item == "x1") != strings.Contains(saved, `\u05e9\u05dc\u05d5\u05dd\u200f`) {
				t.Errorf("of %s is saved %q", item, saved)
			}
		}
	}
	if got, want := strings.Join(items, " "), "practice-1 "+strings.Join(order, " "); got != want {
		t.Errorf("items %s, want %s", got, want)
	}
	for _, never := range []string{"<script>document", "\u202e", "\x1b", "betrayed", "style=", "ZgotmplZ"} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	if n := strings.Count(page, "data-expects"); n != 1 {
		t.Errorf("%d expected answers for one practice item", n)
	}
	if strings.Contains(drawPage(t, PageInput{Package: p, Order: order, Rater: "A"}), "An allergy") {
		t.Error("practice items are there although none were wanted")
	}
}

func TestPageOfOtherOrderIsRefused(t *testing.T) {
	err := WritePage(&strings.Builder{}, web.NewAssets(PageAssets()), PageInput{Package: fixture(), Order: []string{"x9"}})
	if err == nil || !strings.Contains(err.Error(), "x9") {
		t.Errorf("error %v", err)
	}
}

func TestPageTemplate(t *testing.T) {
	pagetest.Fields(t, pageTemplate, nil, "rater", page{})
}

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{`"a"`: `"a"`, "é\u202e": `\u00e9\u202e`, "😀": `\ud83d\ude00`, "\x7f": `\u007f`} {
		if got := ascii(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// The file of a rater loads nothing, runs its own script alone, and is the same for the same rater.
func TestOfflineFile(t *testing.T) {
	var one, again strings.Builder
	for _, b := range []*strings.Builder{&one, &again} {
		if err := Offline(b, fixture(), "Dr Ö", true); err != nil {
			t.Fatal(err)
		}
	}
	pagetest.Closed(t, one.String(), nil)
	if one.String() != again.String() {
		t.Error("written again it is another file")
	}
	for _, never := range []string{"/device", "action=", "http:", "https:"} {
		if strings.Contains(strings.Replace(one.String(), pageScript, "", 1), never) {
			t.Errorf("the file holds %q", never)
		}
	}
	if !strings.Contains(one.String(), "save the file and open it in a browser") {
		t.Error("nothing says that a preview does not do")
	}
	if err := Offline(&again, fixture(), "", true); err == nil {
		t.Error("a file of nobody was written")
	}
}
