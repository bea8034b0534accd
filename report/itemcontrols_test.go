package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// companioned is an item with all that stands beside its edits: controls, judges, margins and another item's chain. bad
// stands where a model, a judge or a file can put a text.
func companioned(bad string) Item {
	it := items()[0]
	answers := it.Answers.(percuss.AnswerMap)
	ask := func(id, content, reply string) {
		r := &percuss.Request{Model: "m", Messages: []percuss.Message{{Role: percuss.User, Content: content}}, Replicate: len(it.Trials)}
		it.Trials = append(it.Trials, percuss.Trial{ID: id, Fired: true, Request: r})
		answers[r.Key()] = percuss.Answer{Outcome: percuss.OK, Text: reply}
	}
	ask("sham", "Severe pain.", "Same again. "+bad)
	ask("shuffle", "Severe pain. Swapped.", "Swapped reply.")
	ask("F4"+chain.DonorSuffix, "A child vomits. "+bad, "Step 1: it vomits.")
	read := func(answer string) chain.Reading {
		return chain.Reading{State: chain.Read, Answer: answer, Via: chain.ViaText}
	}
	it.Record.Controls = []chain.ControlTrial{
		{ID: chain.Sham, Fired: true, Reading: read("A"), Flip: chain.Kept},
		{ID: chain.ShamChain, Why: "no chain " + bad},
		{ID: chain.Shuffle, Fired: true, Reading: read("B"), Flip: chain.Flipped, Shown: "A", Gold: "B"},
	}
	it.Record.Base.Margin = percuss.Num(1.5)
	m5 := &it.Record.Operators[0]
	m5.Reading.Margin = percuss.Num(-0.25)
	m5.Judged = []chain.Verdict{{Judge: "j1" + bad, Says: chain.SaysNotUpdated}, {Judge: "j2", Says: chain.SaysNothing, Why: "no form " + bad}}
	it.Record.Operators = append(it.Record.Operators, chain.OperatorTrial{ID: "F4", Reading: read("A"), Flip: chain.Kept})
	return it
}

// What was not answered before nor after is told once, in plain words.
func TestMovedInWords(t *testing.T) {
	lost := chain.Reading{State: chain.NoCall, Why: "no answer was stored"}
	read := chain.Reading{State: chain.Read, Answer: "A", Via: chain.ViaText, Correct: true}
	nothing := verdict(chain.OperatorTrial{})
	for want, got := range map[string]string{
		"before and after no answer was stored; cannot be compared, so it is counted in no rate":                moved(lost, lost, nothing),
		"A (right, read from the text) → no answer was stored: cannot be compared, so it is counted in no rate": moved(read, lost, nothing),
		"A (right, read from the text) → A (right, read from the text): stays":                                  moved(read, read, verdict(chain.OperatorTrial{Flip: chain.Kept})),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestItemShowsWhatStandsBesideEdits(t *testing.T) {
	var b bytes.Buffer
	if err := WriteItemText(&b, companioned(""), small().Findings.Battery, false); err != nil {
		t.Fatal(err)
	}
	page, beside := written(t, small(), slices.Values([]Item{companioned("")}), 1)
	for name, text := range map[string]string{"terminal": strings.Join(strings.Fields(b.String()), " "), "page": plainText(beside["items/0001.html"]), "fold": plainText(page)} {
		for _, want := range []string{"sham", "the same question again", "the options in another order", "The gold option stood under B; the model answered A, which is B of the question as it is.",
			"not asked: no chain", "j1: not updated", "j2: no verdict, no form", "1.50 → −0.25 (−1.75)", "A child vomits."} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
	}
	for _, want := range []string{"Same again.", "<ins> Swapped.</ins>", `<th scope="col">Judges</th>`, "<summary>shuffle: A (right, read from the text) → B (wrong, read from the text): flips</summary>"} {
		if !strings.Contains(beside["items/0001.html"], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// plainText is a page without its tags.
func plainText(page string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(page, "<") {
		_, text, _ := strings.Cut(part, ">")
		out.WriteString(text)
	}
	return strings.ReplaceAll(out.String(), "&#43;", "+")
}

// An item of a run without controls, judges and margins has no heads and columns of them.
func TestItemWithoutThem(t *testing.T) {
	_, beside := written(t, small(), slices.Values(items()[:1]), 1)
	for _, not := range []string{"Controls", "Judge", "Margin"} {
		if strings.Contains(beside["items/0001.html"], not) {
			t.Errorf("the page speaks of %q", not)
		}
	}
	var b bytes.Buffer
	if err := WriteItemText(&b, items()[0], small().Findings.Battery, false); err != nil || strings.Contains(b.String(), "controls") {
		t.Error(b.String(), err)
	}
}

func TestHostileCompanionsStayText(t *testing.T) {
	bad := "</td></table><img src=x onerror=alert(1)>\u202e\x1b[2J"
	page, beside := written(t, small(), slices.Values([]Item{companioned(bad)}), 1)
	checkClosed(t, page, "list.js", besideMain(beside))
	checkClosed(t, beside["items/0001.html"], "keys.js", besideItem(beside))
	for _, p := range []string{page, beside["items/0001.html"]} {
		if strings.Contains(p, "<img") || !strings.Contains(p, "&lt;img src=x") {
			t.Error("a tag got through, or the text is not shown")
		}
	}
	var b bytes.Buffer
	if err := WriteItemText(&b, companioned(bad), small().Findings.Battery, false); err != nil || strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("the terminal gets a control sign (%v)", err)
	}
}

func TestMarginOf(t *testing.T) {
	for _, c := range []struct {
		was, is percuss.Number
		want    string
	}{
		{percuss.Num(1), percuss.Num(2.5), "1.00 → 2.50 (+1.50)"}, {percuss.Num(0.5), percuss.Num(0.501), "0.50 → 0.50 (0.00)"},
		{percuss.Number{}, percuss.Num(1), ""}, {percuss.Num(1), percuss.Number{}, ""},
	} {
		if d := cmp.Diff(c.want, marginOf(chain.Reading{Margin: c.was}, chain.Reading{Margin: c.is})); d != "" {
			t.Error(d)
		}
	}
}
