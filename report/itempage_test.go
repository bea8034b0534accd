package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

func TestItemPages(t *testing.T) {
	page, beside := written(t, small(), slices.Values(items()), 1)
	if len(beside) != 3 {
		t.Fatalf("%d pages for 3 items", len(beside))
	}
	for i, name := range []string{"items/0001.html", "items/0002.html", "items/0003.html"} {
		if !strings.Contains(page, `href="`+name+`"`) {
			t.Errorf("the list does not lead to %s", name)
		}
		all := checkClosed(t, beside[name], "keys.js", besideItem(beside))
		links := map[string]string{}
		for _, e := range all {
			if e.Attrs["rel"] != "" {
				links[e.Attrs["rel"]] = e.Attrs["href"]
			}
			if e.Attrs["accesskey"] != "" {
				t.Errorf("%s has an access key, which the link of the other nav has too", e.Attrs["href"])
			}
		}
		want := map[string]string{"up": "../report.html#items"}
		if i > 0 {
			want["prev"] = itemFile(i)
		}
		if i < 2 {
			want["next"] = itemFile(i + 2)
		}
		if d := cmp.Diff(want, links); d != "" {
			t.Error(name, d)
		}
	}
	key := string(items()[0].Trials[1].Request.Key())
	for _, want := range []string{key, "<del>Severe</del><ins>Mild</ins>", "A → B", "So rest.", "A. Rest (gold)", "not fired: too short"} {
		if !strings.Contains(beside["items/0002.html"], want) {
			t.Errorf("the page of an item lacks %q", want)
		}
	}
}

// scored is an item whose letters were read before and after one edit.
func scored() Item {
	it := items()[0]
	answers := it.Answers.(percuss.AnswerMap)
	ask := func(id string, letters ...percuss.LetterScore) {
		r := &percuss.Request{Model: id, Want: percuss.Want{Letters: []string{"A", "B"}}}
		it.Trials = append(it.Trials, percuss.Trial{ID: id, Fired: true, Request: r})
		answers[r.Key()] = percuss.Answer{Outcome: percuss.OK, Letters: letters, Usage: percuss.Usage{Prompt: 71, Output: 1}}
	}
	ask("base/letters", percuss.LetterScore{Letter: "A", LogProb: percuss.Num(-0.5)}, percuss.LetterScore{Letter: "B", LogProb: percuss.Num(-2)})
	ask("M5-a/letters", percuss.LetterScore{Letter: "B", LogProb: percuss.Num(-0.25)}, percuss.LetterScore{Letter: "A", LogProb: percuss.Num(-3), Censored: true})
	ask("F4/letters", percuss.LetterScore{Letter: "A", LogProb: percuss.Num(-0.25)}, percuss.LetterScore{Letter: "B"})
	return it
}

func TestScores(t *testing.T) {
	want := []scoreRow{
		{"base", []scoreCell{{"−0.50", "", true}, {"−2.00", "", false}}},
		{"M5-a", []scoreCell{{"≤ −3.00", "", false}, {"−0.25", "+1.75", true}}},
		{"F4", []scoreCell{{"−0.25", "+0.25", true}, {"–", "", false}}},
	}
	if d := cmp.Diff(want, scores(scored()).Rows); d != "" {
		t.Error(d)
	}
	if rows := scores(items()[0]).Rows; len(rows) != 0 {
		t.Errorf("letters of an item that has none: %v", rows)
	}
}

func TestCallsOfAnItem(t *testing.T) {
	it := scored()
	missing := &percuss.Request{Model: "missing"}
	it.Trials = append(it.Trials, percuss.Trial{ID: "M1-a", Fired: true, Request: missing})
	rows := calls(it, func(k percuss.Key) string { return "/raw?key=" + string(k) })
	if n := len(rows); n != 7 {
		t.Fatalf("%d calls", n)
	}
	if last := rows[6]; last.Outcome != percuss.Failed || last.Key != missing.Key() || last.Href != "" {
		t.Errorf("a call without an answer: %+v", last)
	}
	if rows[3].Usage.Prompt != 71 || rows[0].Outcome != percuss.OK || rows[0].Href != "/raw?key="+string(rows[0].Key) {
		t.Errorf("calls %+v", rows)
	}
}

// hostile puts texts that attack a page wherever a model, a server or a file can put one.
func hostile() (Report, []Item) {
	bad := evil + "</td></table></style>\"'><img src=x onerror=alert(1)>\u202eright-to-left\u2066\x00\x1b[2J\u200b\U000e0041" + "&#8238; {{.}} "
	long := bad + strings.Repeat("x", 300_000) + strings.Repeat(" many words", 30_000) + bad
	it := scored()
	q := &it.Subject.Question
	q.Stem, q.Context, q.Note, q.Flags, q.Source.File = long, []string{bad}, bad, []string{bad}, bad
	q.Options = []percuss.Option{{Label: "A", Text: bad}, {Label: "B", Text: long}}
	it.Subject.Item, it.Subject.Model, it.Subject.Variant, it.Subject.Set = bad, bad, bad, bad
	it.Record.Base.Why, it.Record.Base.State = bad, chain.NoCall
	answers := percuss.AnswerMap{}
	for i, trial := range it.Trials {
		it.Trials[i].Why = bad
		if trial.Request != nil {
			r := *trial.Request
			r.Messages = []percuss.Message{{Role: percuss.User, Content: fmt.Sprint(long, i)}}
			it.Trials[i].Request = &r
			answers[r.Key()] = percuss.Answer{Outcome: percuss.OK, Text: long + "\r\nAnswer: " + bad, Reasoning: bad, Detail: bad, Reported: bad,
				Letters: []percuss.LetterScore{{Letter: bad, LogProb: percuss.Num(-1)}}}
		}
	}
	it.Answers = answers
	r := small()
	r.Notes = []string{bad}
	r.Versions = map[string]string{bad: bad}
	r.Models[0], r.Data[0].BadRows = Model{bad, bad, bad, bad, bad, bad, true, bad}, []string{bad}
	g := &r.Findings.Models[0]
	g.Name, g.Remarks, g.Dropped[0].Name, g.Operators[0].Title = bad, []string{bad}, bad, bad
	g.Families = g.Operators
	r.Findings.Decisions = []percuss.Decision{{ID: bad, Text: bad}}
	tally := NewTally()
	tally.Add(it)
	r.Calls = tally.Calls()
	return r, []Item{it, it}
}

func TestHostileTextStaysText(t *testing.T) {
	r, all := hostile()
	page, beside := written(t, r, slices.Values(all), 1)
	checkClosed(t, page, "list.js", besideMain(beside))
	for _, p := range beside {
		checkClosed(t, p, "keys.js", besideItem(beside))
		if len(p) > 4<<20 {
			t.Errorf("the page of an item has %d bytes", len(p))
		}
	}
	for _, p := range append([]string{page}, beside["items/0001.html"]) {
		if strings.Contains(p, "<img") || strings.Contains(p, "\U000e0041") || strings.Contains(p, "\u200b") {
			t.Error("a tag or an invisible sign got through")
		}
		if !strings.Contains(p, "&lt;img src=x") || !strings.Contains(p, "more bytes") {
			t.Error("the text is not shown as it is, or its cut not told")
		}
	}
	if len(page) > 2<<20 {
		t.Errorf("the main page has %d bytes", len(page))
	}
	var b bytes.Buffer
	if err := WriteItemText(&b, all[0], r.Findings.Battery, false); err != nil || strings.ContainsAny(b.String(), "\x1b\x00\u202e") {
		t.Errorf("the terminal gets a control sign (%v)", err)
	}
}

// many is n items with the number of edits and the length of chains of a full battery on MedQA.
func many(n int) []Item {
	chainText := strings.Repeat("Step 1: The patient has a fever of 38.5 and a cough that began two days ago.\n", 12)
	out := make([]Item, n)
	for k := range out {
		it := items()[0]
		it.Subject.Item = fmt.Sprintf("medqa/%d", k)
		answers := percuss.AnswerMap{}
		base := &percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: fmt.Sprint(chainText, k)}}}
		answers[base.Key()] = percuss.Answer{Outcome: percuss.OK, Text: chainText + "Answer: A"}
		it.Trials = []percuss.Trial{{ID: "base", Fired: true, Request: base}}
		it.Record.Operators = nil
		for i := range 30 {
			r := *base
			r.Begin = strings.Replace(chainText, "38.5", fmt.Sprintf("%d.5", 30+i), i%3+1)
			id := fmt.Sprintf("F%d", i)
			it.Trials = append(it.Trials, percuss.Trial{ID: id, Fired: true, Request: &r})
			answers[r.Key()] = percuss.Answer{Outcome: percuss.OK, Text: chainText + "Answer: B"}
			it.Record.Operators = append(it.Record.Operators, chain.OperatorTrial{ID: id, Flip: chain.Flipped, Reading: chain.Reading{State: chain.Read, Answer: "B"}})
		}
		it.Answers = answers
		out[k] = it
	}
	return out
}

// A thousand items are written in seconds, and the main page can still be mailed.
func TestThousandItems(t *testing.T) {
	const n = 1000
	all, files := many(n), atomic.Int64{}
	var page bytes.Buffer
	began := time.Now()
	err := WriteHTML(&page, small(), HTML{Items: slices.Values(all), Whole: 25, Beside: func(string, []byte) error {
		files.Add(1)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("drawn in %v", time.Since(began).Round(time.Millisecond))
	if rows := strings.Count(page.String(), "<tr data-is="); rows != n || files.Load() != n {
		t.Errorf("%d rows in the list and %d pages", rows, files.Load())
	}
	if page.Len() > 4<<20 {
		t.Errorf("the main page has %d bytes", page.Len())
	}
}

func BenchmarkThousandItems(b *testing.B) {
	all := many(1000)
	for b.Loop() {
		var size atomic.Int64
		err := WriteHTML(io.Discard, small(), HTML{Items: slices.Values(all), Whole: 25, Beside: func(_ string, page []byte) error {
			size.Add(int64(len(page)))
			return nil
		}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size.Load())/1000, "bytes/page")
	}
}
