package steps

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
)

// written draws a report and the pages of its items.
func written(t *testing.T, r Report, all iter.Seq[Item], whole int) (page string, beside map[string]string) {
	t.Helper()
	beside = map[string]string{}
	var b bytes.Buffer
	err := WriteHTML(&b, r, HTML{Info: json.RawMessage(`{"wall_s":3}`), Items: all, Whole: whole, Beside: func(name string, page []byte) error {
		beside[name] = string(page)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), beside
}

// fromItem are the files that an item's page may link to.
func fromItem(pages map[string]string) map[string]bool {
	out := map[string]bool{"../report.html#items": true}
	for name := range pages {
		out[strings.TrimPrefix(name, "items/")] = true
	}
	return out
}

func fromMain(pages map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range pages {
		out[name] = true
	}
	return out
}

func TestPageSaysWhatItMust(t *testing.T) {
	m := world{items: 12}.make(t)
	page, beside := written(t, m.r, m.all(), 2)
	all := pagetest.Closed(t, page, fromMain(beside))
	said := strings.ReplaceAll(page, "\u00a0", " ")
	for _, want := range []string{"old → new", "Did answers and steps move together?", "Answers up, trace down: accuracy of one chain &#43;", "12 items, judge one.", "Corrected for what is known of the judge: error rate &#43;",
		"How far can judge one be trusted?", "A judge of unknown quality: raw rates are what a judge says, not how often steps are wrong.", "It finds 90 % of the errors and passes 95 % of the correct steps (expert labels; they tell as much as 50 erroneous steps and 100 correct steps drawn one by one).",
		"12 items: a small sample.", "Judge one gave no verdict in the form that was asked for on", "prefers-color-scheme", "wall_s", "a choice", "No claim (abstain)", "Rogan and Gladen 1978",
		"<title>What changed from before to after", "<title>Error rate of steps", "<title>Accuracy of the vote against the number of chains", "<title>Reliability diagram", "<title>Errors by kind",
		"Items shown: 2 of 24.", "the folder <code>items</code> beside this file", "Of each item 4 chains are sampled", "What this report cannot say", "Does this run support its own claims?"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	captions := pagetest.Texts(all, "caption")
	for _, table := range Tables(m.r) {
		if table.ID != "claims" && len(table.Rows) > 0 && !slices.ContainsFunc(captions, func(s string) bool { return strings.HasPrefix(s, table.Title) }) {
			t.Errorf("no table %q", table.Title)
		}
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "%!") {
		t.Error("a number is none, or a sentence is broken")
	}
}

// A page goes from the answer to a summary, then figures, claims, tables, calls, method, items and limits.
func TestOrderOfSections(t *testing.T) {
	m := world{items: 3}.make(t)
	page, _ := written(t, m.r, m.all(), 0)
	last := 0
	for _, id := range []string{`aria-label="The answer"`, `aria-label="Contents"`, `<h2 id="summary"`, `<h2 id="figures"`, `<h2 id="claims"`, `<h2 id="s-pairs"`, `<h2 id="s-answers"`, `<h2 id="s-trace"`, `<h2 id="calls"`,
		`<h2 id="method"`, `<h2 id="definitions"`, `<h2 id="made"`, `<h2 id="items"`, `<h2 id="limits"`} {
		at := strings.Index(page, id)
		if at <= last {
			t.Errorf("%s stands at %d, after %d", id, at, last)
		}
		last = at
	}
}

// Columns that all rows share are left out; the file keeps them.
func TestColumnsThatSayNothingAreLeftOut(t *testing.T) {
	m := world{items: 3}.make(t)
	heads := func(table percuss.Table) (out []string) {
		for _, c := range table.Columns {
			out = append(out, c.ID)
		}
		return out
	}
	table := summaryTables(m.r.Findings)[1]
	if got := heads(trimmed(table)); !slices.Contains(got, "model") || !slices.Contains(got, "judge") || slices.Contains(got, "set") || slices.Contains(got, "prompt") {
		t.Errorf("columns %v", got)
	}
	if got := heads(table); !slices.Contains(got, "set") {
		t.Errorf("the file has %v", got)
	}
	for _, r := range trimmed(table).Rows {
		if len(r.Cells) != len(trimmed(table).Columns) {
			t.Fatal("a row has lost a cell")
		}
	}
}

func TestListOfItems(t *testing.T) {
	m := world{items: 12}.make(t)
	page, _ := written(t, m.r, m.all(), 0)
	var kinds string
	var is []string
	for _, e := range pagetest.Parse(t, page) {
		if e.Attrs["id"] == "list" {
			kinds = e.Attrs["data-kinds"]
		}
		if v, ok := e.Attrs["data-is"]; ok {
			is = append(is, v)
		}
	}
	if len(is) != 24 || !strings.Contains(kinds, "all models|m0:old|m1:new") {
		t.Fatalf("%d rows, kinds %q", len(is), kinds)
	}
	for i, v := range is {
		rec, words := m.items[i].Record, strings.Fields(v)
		right := 0
		for _, c := range rec.Chains {
			if c.Correct {
				right++
			}
		}
		want := "tied"
		if 2*right > len(rec.Chains) {
			want = "right"
		} else if 2*right < len(rec.Chains) {
			want = "wrong"
		}
		if !slices.Contains(words, want) || !slices.Contains(words, "flagged") || slices.Contains(words, "split") != (right > 0 && right < 4) || slices.Contains(words, "error") == slices.Contains(words, "clean") {
			t.Errorf("item %d with %d right chains is %q", i+1, right, v)
		}
		for _, word := range words {
			if !strings.Contains(kinds, "|"+word+":") && word != "s0" { // there is one set
				t.Errorf("no filter for %s", word)
			}
		}
	}
}

func TestReportsOfLittle(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, Report{}, HTML{}); err != nil || !strings.Contains(b.String(), "There are no findings.") {
		t.Error(err, b.Len())
	}
	pagetest.Closed(t, b.String(), nil)
	for name, c := range map[string]struct {
		world
		want []string
	}{"no judge": {world{items: 2, plain: true}, []string{"Not known: the run has no judge.", "Not available: the run has no judge"}},
		"no answer": {world{items: 2, quiet: true}, []string{"of 8 chains, 0 have an answer that could be read", "Cannot be told"}}} {
		m := c.make(t)
		page, beside := written(t, m.r, m.all(), 1)
		pagetest.Closed(t, page, fromMain(beside))
		for _, want := range c.want {
			if !strings.Contains(strings.ReplaceAll(page, "\u00a0", " "), want) {
				t.Errorf("%s: the page lacks %q", name, want)
			}
		}
		if strings.Contains(page, "NaN") {
			t.Errorf("%s: a number is none", name)
		}
	}
}

func TestFailureBesideIsTold(t *testing.T) {
	m := world{items: 2}.make(t)
	err := WriteHTML(io.Discard, m.r, HTML{Items: m.all(), Beside: func(string, []byte) error { return io.ErrShortWrite }})
	if err == nil || !strings.Contains(err.Error(), "mine:1") {
		t.Errorf("error %v", err)
	}
	var b bytes.Buffer
	if err := WriteHTML(&b, m.r, HTML{Items: m.all(), Whole: 9}); err != nil {
		t.Fatal(err)
	}
	pagetest.Closed(t, b.String(), nil)
	if strings.Contains(b.String(), "beside this file; the numbers") {
		t.Error("the page promises files that nobody writes")
	}
}

// Files and models may hold anything: on a page it stays text, on a terminal it steers nothing.
func TestHostileTextStaysText(t *testing.T) {
	m := world{items: 2, bad: hostile + strings.Repeat("x", 3000)}.make(t)
	page, beside := written(t, m.r, m.all(), 1)
	pagetest.Closed(t, page, fromMain(beside))
	for _, p := range []string{page, beside["items/0001.html"], beside["items/0003.html"]} {
		if strings.Contains(p, "<img") || strings.Contains(p, "\U000e0041") || strings.Contains(p, "\u200b") || !strings.Contains(p, "&lt;img src=x") {
			t.Error("a tag or an invisible sign got through, or the text is not shown as it is")
		}
	}
	pagetest.Closed(t, beside["items/0001.html"], fromItem(beside))
	var b bytes.Buffer
	err := WriteItemText(&b, m.items[0], false)
	if e := WriteText(&b, m.r, true); err != nil || e != nil || strings.ContainsAny(b.String(), "\x1b\x00\u202e") {
		t.Errorf("the terminal gets a control sign (%v, %v)", err, e)
	}
	if err := report.WriteTex(t.TempDir(), "steps", Tables(m.r)); err != nil {
		t.Error(err)
	}
	if err := WriteCSV(t.TempDir(), m.r); err != nil {
		t.Error(err)
	}
}

// hostile is what acts where it is taken for markup, codes of a terminal, a formula, or a filter of the list.
const hostile = "</td></table></style>\"'><img src=x onerror=alert(1)><script>window.hostile=1</script>\u202eright-to-left\u2066\x00\x1b[2J\u200b\U000e0041&#8238; {{.}} ;|:=1+1"
