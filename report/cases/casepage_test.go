package cases

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
)

func TestCasePages(t *testing.T) {
	_, beside := written(t, small(), slices.Values(someCases(3)), 1)
	if len(beside) != 3 {
		t.Fatalf("%d pages for 3 cases", len(beside))
	}
	for name, page := range beside {
		links := map[string]string{}
		for _, e := range pagetest.Closed(t, page, fromCase(beside)) {
			if e.Attrs["rel"] != "" {
				links[e.Attrs["rel"]] = e.Attrs["href"]
			}
		}
		if links["up"] != "../report.html#items" || (links["prev"] == "") != (name == "items/0001.html") || (links["next"] == "") != (name == "items/0003.html") {
			t.Errorf("%s leads to %v", name, links)
		}
	}
	first := beside["items/0001.html"]
	for _, want := range []string{"the model picks Pulmonary embolism, which is right", "7 combinations of findings", "2 of them are suspicious", "<span class=\"chip negated\">2 absent</span>", "split validation",
		"symptom of the right diagnosis", "60.7 %", "≤ −4.00", "model's choice", "suspicious: negated or absent evidence misuse",
		"above (1.18)", "wording holds, order holds, neutralization holds, family holds",
		"<del>Fever: no</del>", "<ins>Fever: yes</ins>", "the right diagnosis loses rank", "waiting: no answer yet", "1 → 2",
		"in a suspicious combination (high)", "questionnaire/o0/drop", "0.88", "0.37", "control</td>", "Pairs of findings", "1.31", "−0.27",
		"there are only 6 orders", "A scan showed emboli.", "Cough: dry", "1 more combination is below the threshold", "2 requests; ok: 2", "shown 63"} {
		if !strings.Contains(first, want) {
			t.Errorf("the page of a case lacks %q", want)
		}
	}
	if !strings.Contains(beside["items/0002.html"], "which is wrong: the right diagnosis is Pulmonary embolism") {
		t.Error("a wrong choice is not told")
	}
	if third := beside["items/0003.html"]; !strings.Contains(third, "in no table of combinations (censored)") || strings.Contains(third, "What moves the diagnosis") {
		t.Error("a case without scores is not told")
	}
}

// A narrative's units have no role, and its other sentences were not seen.
func TestNarrativeCase(t *testing.T) {
	c := oneCase(1)
	c.Record.Narrative, c.Subject.Case.Narrative = true, true
	for i := range c.Record.Units {
		c.Record.Units[i].Role, c.Record.Units[i].Flags = evidence.RoleOther, nil
	}
	_, beside := written(t, small(), slices.Values([]Case{c}), 0)
	page := beside["items/0001.html"]
	for _, want := range []string{`<span class="dim">Cough: dry</span>`, "1 sentence</span>", "in a narrative none can be called suspicious", "sentences 2 &#43; 3"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "1 other</span>") || strings.Contains(page, "<th>Is</th>") {
		t.Error("a sentence is given a role")
	}
}

// A record that does not fit its case is shown as far as it goes.
func TestOddRecords(t *testing.T) {
	for name, change := range map[string]func(*Case){
		"nothing":              func(c *Case) { *c = Case{} },
		"refused":              func(c *Case) { c.Record = evidence.Record{Why: "20 candidates"} },
		"no case":              func(c *Case) { c.Subject.Case = nil },
		"no answers":           func(c *Case) { c.Answers = nil },
		"units beyond":         func(c *Case) { c.Record.Units = c.Record.Units[:1] },
		"foreign labels":       func(c *Case) { c.Trials[0].Labels, c.Trials[1].Labels = []byte("{"), nil },
		"a trial left waiting": func(c *Case) { c.Trials[0].Request = nil },
		"no gold":              func(c *Case) { c.Record.Gold, c.Record.Candidates = "", nil },
		"no strength":          func(c *Case) { c.Record.Base.Interactions = []evidence.Interaction{{Set: 0, Value: 0}} },
	} {
		c := oneCase(1)
		change(&c)
		_, beside := written(t, small(), slices.Values([]Case{c}), 1)
		pagetest.Closed(t, beside["items/0001.html"], fromCase(beside))
		var b bytes.Buffer
		if err := WriteCaseText(&b, c, false); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A threshold of the findings is that of the case pages.
func TestThresholdOfTheReport(t *testing.T) {
	for threshold, want := range map[float64]int{0: 7, 0.25: 8, 0.5: 7, 1: 3, 5: 0} {
		if got := len(newCaseView(oneCase(1), threshold, nil).Rows); got != want {
			t.Errorf("threshold %g: %d combinations, want %d", threshold, got, want)
		}
	}
}

func TestFloorIsTheLarger(t *testing.T) {
	rows := []evidence.FloorRow{{Source: "order", Order: 2, Floor: percuss.Num(0.9)}, {Source: "batch", Order: 2, Floor: percuss.Num(0.1)},
		{Source: "batch", Order: 3}, {Source: "order", Order: 3, Floor: percuss.Num(0.7)}}
	for order, want := range map[int]string{1: "–", 2: "0.90", 3: "0.70"} {
		if got := floorOf(rows, order).Format(2); got != want {
			t.Errorf("order %d: %s, want %s", order, got, want)
		}
	}
}

const evil = `<script>alert("x")</script>`

// hostile puts texts that attack a page wherever a model, a server or a file can put one.
func hostile() (Report, []Case) {
	bad := evil + "</td></table></style>\"'><img src=x onerror=alert(1)>\u202eright-to-left\u2066\x00\x1b[2J\u200b\U000e0041&#8238; {{.}} ;|:"
	long := bad + strings.Repeat("x", 100_000) + bad
	c := oneCase(1)
	of := c.Subject.Case
	c.Subject.Item, c.Subject.Model, c.Subject.Variant, c.Subject.Set = bad, bad, bad, bad
	of.Facts, of.Note, of.Flags, of.Source.File, of.Source.Split = []string{bad, long}, long, []string{bad}, bad, bad
	of.LeftOut[0] = percuss.LeftOut{Text: long, Why: bad}
	r := &c.Record
	r.Gold, r.Why, r.Base.Why, r.Base.Prediction, r.Unasked = bad, "", bad, bad, []string{bad}
	r.Candidates = []string{bad, long[:200], "C"}
	for i := range r.Units {
		r.Units[i].Text, r.Units[i].Family, r.Units[i].Role, r.Units[i].Flags = bad, bad, evidence.Role(bad), []evidence.Flag{evidence.Flag(bad)}
		of.Units[i].Text = long
	}
	for i := range r.Base.Interactions {
		r.Base.Interactions[i].Label, r.Base.Interactions[i].Rule = bad, bad
	}
	r.Others[0].Name, r.Variants[0].Prediction, r.Variants[0].Setting.Wording = bad, bad, bad
	r.Changes[0].Before, r.Changes[0].After, r.Changes[0].Competitor, r.Changes[0].Edit = []string{bad, long}, []string{bad, bad, long}, bad, evidence.Edit(bad)
	r.Changes[2].Why, r.Families[0].Strata = bad, []evidence.Stratum{evidence.Stratum(bad)}
	out := small()
	out.Audit, out.Notes, out.Versions = bad, []string{bad}, map[string]string{bad: bad}
	out.Models[0] = report.Model{ID: bad, Identity: bad, Layout: bad}
	out.Data[0].BadRows = []string{bad}
	f := &out.Findings
	cell := &f.Cells[0]
	cell.Model, cell.Set, cell.Variant, cell.Cautions = bad, bad, bad, []string{bad}
	cell.Reasons[0].Name, cell.Gold.Mechanisms[0].Name, cell.Gold.Coarse[0].Name, cell.Stability[1].Name, cell.Cascade[0].Step = bad, bad, bad, bad, bad
	cell.Accuracy, cell.Examples[0].Item, cell.Examples[0].Outcome, cell.Review[0].Bucket = percuss.Absent(bad), bad, bad, bad
	f.Decisions[0] = percuss.Decision{ID: bad, Text: bad}
	f.Labels.Rules[0].Label, f.Labels.Rules[0].All = bad, []evidence.Flag{evidence.Flag(bad)}
	f.Ranks = &evidence.Ranks{Rows: []evidence.RankRow{{Set: bad, Models: []evidence.RankedModel{{Model: bad}}}}}
	f.Panel = &evidence.Panel{Models: []evidence.PanelModel{{Model: bad}}, Accuracy: percuss.Absent(bad), Sets: []evidence.PanelSet{{Set: bad, Of: 2,
		Shares: []evidence.PanelShare{{Name: bad, Share: percuss.Absent(bad)}}}}, Pairs: []evidence.PanelPair{{Set: bad, A: bad, B: bad, Accuracy: percuss.Absent(bad)}}}
	return out, []Case{c, c}
}

func TestHostileTextStaysText(t *testing.T) {
	r, all := hostile()
	page, beside := written(t, r, slices.Values(all), 1)
	pagetest.Closed(t, page, fromMain(beside))
	for _, p := range append([]string{page}, beside["items/0001.html"], beside["items/0002.html"]) {
		if strings.Contains(p, "<img") || strings.Contains(p, "\U000e0041") || strings.Contains(p, "\u200b") || !strings.Contains(p, "&lt;img src=x") {
			t.Error("a tag or an invisible sign got through, or the text is not shown as it is")
		}
		if len(p) > 2<<20 {
			t.Errorf("a page has %d bytes", len(p))
		}
	}
	pagetest.Closed(t, beside["items/0001.html"], fromCase(beside))
	var b bytes.Buffer
	err := WriteCaseText(&b, all[0], false)
	if e := WriteText(&b, r, true); err != nil || e != nil || strings.ContainsAny(b.String(), "\x1b\x00\u202e") {
		t.Errorf("the terminal gets a control sign (%v, %v)", err, e)
	}
}

// The pages beside a report as a browser shows them, the hostile one too: narrow and wide, light and dark.
func TestCasePagesInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	r, all := hostile()
	all = append(all[:1], oneCase(2))
	_, beside := written(t, r, slices.Values(all), 0)
	dir := t.TempDir()
	for name, page := range beside {
		path := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, look := range pagetest.Looks() {
			p := b.Look(t, "file://"+path, look)
			p.Narrow(t)
			p.Shot(t, "static-case-"+strings.TrimSuffix(filepath.Base(name), ".html"))
			if !look.Dark {
				p.Axe(t)
			}
		}
	}
}
