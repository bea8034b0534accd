package steps

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/step"
)

func TestItemPages(t *testing.T) {
	m := world{items: 2}.make(t)
	_, beside := written(t, m.r, m.all(), 1)
	if len(beside) != 4 {
		t.Fatalf("%d pages for 4 items", len(beside))
	}
	for name, page := range beside {
		links := map[string]string{}
		for _, e := range pagetest.Closed(t, page, fromItem(beside)) {
			if e.Attrs["rel"] != "" {
				links[e.Attrs["rel"]] = e.Attrs["href"]
			}
		}
		if links["up"] != "../report.html#items" || (links["prev"] == "") != (name == "items/0001.html") || (links["next"] == "") != (name == "items/0004.html") {
			t.Errorf("%s leads to %v", name, links)
		}
	}
	page := beside["items/0001.html"]
	for _, want := range []string{"<h1>Item 1: mine:1</h1>", "Model old, prompt neutral, data set mine, mine.jsonl line 1", "A 30-year-old man has a cough.", `<li class="gold">B. tea (gold)</li>`, "Votes of the chains", "one says", "two says",
		"**Step 1:** Perhaps this is a", "Judges saw:</span> This is a", `<span class="label l-correct">correct</span>`, `<span class="label l-abstain">no claim</span>`, `<span class="chip">hedges</span>`,
		"1 wrong calculation", "age, sex or side other than in the question", "Shown as raw: 3 steps, ", "Shown as paraphrase: 3 steps, ", " called an error by one</summary>", "Put otherwise: a cough is common.", "and then:", "<h2>Other chains</h2>", `id="t-c1-markers-2"`, "c1/markers/1/judge:one"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if !strings.Contains(strings.Join([]string{beside["items/0001.html"], beside["items/0002.html"], beside["items/0003.html"], beside["items/0004.html"]}, ""), `<span class="label l-error">error: factual</span>`) {
		t.Error("no error is marked")
	}
}

// In the explorer a label leads to the request, and the chain that was asked for is open.
func TestItemPageWithAddresses(t *testing.T) {
	it := world{items: 1}.make(t).items[0]
	var b bytes.Buffer
	p := report.ItemPage{Number: 7, Trial: "c4", Timing: "It took a while.", Frame: web.Frame{Title: "t", Script: "keys.js"}, Raw: func(k percuss.Key) string { return "/request/" + string(k) }}
	if err := WriteItem(&b, it, p); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Item 7: mine:1", `<details id="t-c4" open="open">`, `<details id="t-c3">`, "It took a while.", `<a href="/request/`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for trial, wants := range map[string][]string{"c1/raw/2/judge:two": {`<a href="#t-c1-raw-2">Step 2 of chain 1, shown as raw</a> stands below.`, `<details open="open"><summary>Shown as raw`, `id="t-c1-raw-2"`},
		"c2": {`<a href="#t-c2">Chain 2</a> stands below.`, `id="t-c2"`}, "c9/raw/1": {"This page has no part of the trial c9/raw/1."}, "": {"<h2>Question</h2>"}} {
		var page bytes.Buffer
		if err := WriteItem(&page, it, report.ItemPage{Trial: trial, Frame: web.Frame{Title: "t", Script: "keys.js"}}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%q: the page lacks %q", trial, want)
			}
		}
		if opened := strings.Count(page.String(), `<details open="open">`); opened != map[bool]int{true: 1}[strings.Contains(trial, "c1/raw")] || trial == "" && strings.Contains(page.String(), `class="alert"`) {
			t.Errorf("%q opens %d parts", trial, opened)
		}
	}
	for _, trial := range it.Trials {
		if trial.ID == "c1/markers/1/judge:one" && !strings.Contains(b.String(), fmt.Sprintf(`<a href="/request/%s"><span class="label`, trial.Key())) {
			t.Error("the first label leads to another request")
		}
	}
}

// Every label of a judge has a word, and what is no label is not taken for one.
func TestLabels(t *testing.T) {
	for says, want := range map[step.Says][2]string{step.Correct: {"correct", "l-correct"}, step.Factual: {"error: factual", "l-error"}, step.Contradicts: {"error: contradicts the case", "l-error"},
		step.Unsupported: {"error: unsupported", "l-error"}, step.Arithmetic: {"error: arithmetic or unit", "l-error"}, step.Erroneous: {"error: kind not named", "l-error"},
		step.Abstain: {"no claim", "l-abstain"}, step.Missing: {"no verdict", "l-missing"}, "": {"no verdict", "l-missing"}} {
		if got := newSayView(step.Verdict{Says: says, Why: "because"}); got.Word != want[0] || got.Class != want[1] || got.Why != "because" {
			t.Errorf("%s is %+v", says, got)
		}
	}
}

func TestVotes(t *testing.T) {
	chain := func(state step.State, answer string) step.Chain {
		return step.Chain{State: state, Answer: answer, Correct: answer == "B"}
	}
	for _, c := range []struct {
		chains []step.Chain
		winner string
		right  string
		says   string
	}{
		{nil, "", "–", "No chain was asked for."},
		{[]step.Chain{chain(step.Unparseable, "")}, "", "–", "Of 1 chain none has an answer that could be read."},
		{[]step.Chain{chain(step.Read, "B"), chain(step.Read, "B"), chain(step.Read, "A"), chain(step.Refused, "")}, "B", "yes", "2 of 3 chains with an answer say B, which is right. 1 chain without an answer that could be read."},
		{[]step.Chain{chain(step.Read, "A")}, "A", "no", "1 of 1 chain with an answer say A, which is wrong: the right answer is B."},
		{[]step.Chain{chain(step.Read, "A"), chain(step.Read, "B")}, "", "–", "The vote is tied: A and B have 1 of 2 votes each. The right answer is B."},
	} {
		v := newItemView(Item{Record: step.Record{Gold: "B", Chains: c.chains}}, nil, "")
		if v.Winner != c.winner || v.Right != c.right || v.Verdict[0] != c.says {
			t.Errorf("%+v: %q, %q, %q", c.chains, v.Winner, v.Right, v.Verdict[0])
		}
	}
	if b := BriefOf(step.Record{Gold: "B", Chains: []step.Chain{chain(step.Read, "A"), chain(step.Read, "B"), chain(step.NoCall, "")}}); !b.Tied || b.Right != 1 || b.Read != 2 || b.Chains != 3 || b.Judge != "" {
		t.Errorf("in a line %+v", b)
	}
}

// What the page counts of an item is what its record holds.
func TestTalliesAreTheRecords(t *testing.T) {
	for _, it := range (world{items: 4}).make(t).items {
		want, hedged, flagged := map[string]*judgeTally{"one": {}, "two": {}}, 0, 0
		for _, c := range it.Record.Chains {
			for _, s := range c.Views[0].Steps {
				if s.Hedged {
					hedged++
				}
				if a, b, c := s.Checks.Flags(); a || b || c {
					flagged++
				}
				for _, say := range s.Says {
					n := want[say.Judge]
					n.errors += map[bool]int{true: 1}[say.Says.IsError()]
					n.judged += map[bool]int{true: 1}[say.Says.Judges()]
					n.abstain += map[bool]int{true: 1}[say.Says == step.Abstain]
					n.missing += map[bool]int{true: 1}[say.Says == step.Missing]
				}
				if last := c.Views[0].Steps[len(c.Views[0].Steps)-1]; s.Blank && len(last.Says) > 0 {
					want["one"].abstain++
					want["two"].abstain++
				}
			}
		}
		v := newItemView(it, nil, "")
		for judge, n := range want {
			if *v.tally[judge] != *n {
				t.Errorf("%s: %+v, the record has %+v", judge, *v.tally[judge], *n)
			}
		}
		if n, of := v.hedged(); n != hedged || of != 12 {
			t.Errorf("hedged %d of %d", n, of)
		}
		if n, _ := v.flagged(); n != flagged {
			t.Errorf("flagged %d, the record has %d", n, flagged)
		}
	}
}
