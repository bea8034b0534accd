package report

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report/pagetest"
)

func TestLongWordsAreFolded(t *testing.T) {
	tower := strings.Repeat("ä", 2001)
	fold := "<details><summary>one word of 2,001 letters</summary>" + tower + "</details>"
	for s, want := range map[string]string{
		"a & b":                     "a &amp; b",
		strings.Repeat("ä", 2000):   strings.Repeat("ä", 2000),
		strings.Repeat("ab <", 900): strings.Repeat("ab &lt;", 900),
		"see " + tower + " and <b>": "see " + fold + " and &lt;b&gt;",
		tower + "\u2003" + tower:    fold + "\u2003" + fold,
	} {
		if got := string(words(s)); got != want {
			t.Errorf("%.60q… becomes %.120q…", s, got)
		}
	}
}

// No letter of a text is lost, doubled or taken for markup by the fold.
func TestFoldKeepsTheText(t *testing.T) {
	fold := regexp.MustCompile(`<details><summary>one word of [0-9,]+ letters</summary>|</details>`)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			b.WriteString(strings.Repeat(rapid.SampledFrom([]string{"x", "<", "&", "ä", "\xff", " ", "\u2003"}).Draw(t, "letter"), rapid.SampledFrom([]int{1, 40, 1999, 2000, 2001}).Draw(t, "times")))
		}
		s := b.String()
		if got := html.UnescapeString(fold.ReplaceAllString(string(words(s)), "")); got != s {
			t.Fatalf("%d bytes became %d", len(s), len(got))
		}
	})
}

// A word of 100,000 letters is folded wherever an item's page shows it: question, edit, chain, reply.
func TestItemPageFoldsLongWords(t *testing.T) {
	tower := strings.Repeat("Q", 50_000)
	it := companioned("")
	it.Subject.Question.Stem += " " + tower
	answers := it.Answers.(percuss.AnswerMap)
	for k, a := range answers {
		a.Text = "Step 1: " + tower + " and so on. " + a.Text
		answers[k] = a
	}
	_, beside := written(t, small(), slices.Values([]Item{it}), 1)
	page := beside["items/0001.html"]
	pagetest.Parse(t, page)
	left := regexp.MustCompile(`(?s)<details><summary>one word of [0-9,]+ letters</summary>.*?</details>`).ReplaceAllString(page, "")
	if folds := strings.Count(page, "<summary>one word of 50,000 letters"); folds < 4 {
		t.Errorf("%d folds", folds)
	}
	if i := strings.Index(left, strings.Repeat("Q", 2001)); i >= 0 {
		t.Errorf("a tower stands open after %q", left[max(0, i-200):i])
	}
}
