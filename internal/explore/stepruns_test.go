package explore

import (
	"context"
	"iter"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/step"
)

// stepRun is a step audit of made-up items of two chains. Of every second one a judge calls the second step wrong, and the
// vote is tied.
type stepRun struct{ *fakeRun }

func (f stepRun) Manifest() run.Manifest {
	m := f.fakeRun.Manifest()
	m.Spec.Steps = &spec.Steps{K: 2}
	return m
}

func (f stepRun) record(at int) step.Record {
	second, says := "A", step.Correct
	if at%2 == 1 {
		second, says = "B", step.Factual
	}
	judged := []step.Step{{Says: []step.Verdict{{Judge: hostile, Says: step.Correct}}}, {Says: []step.Verdict{{Judge: hostile, Says: says}}, Hedged: true, Checks: step.Checks{Sums: 1, WrongSums: 1}}}
	return step.Record{Subject: f.subjects[at].SubjectID, Gold: "A", Chains: []step.Chain{
		{State: step.Read, Outcome: percuss.OK, Answer: "A", Correct: true, Views: []step.Viewed{{View: "markers", Steps: judged}}},
		{State: step.Read, Outcome: percuss.Truncated, Answer: second, Correct: second == "A", Views: []step.Viewed{{View: "markers", Steps: []step.Step{{}}}}}}}
}

func (f stepRun) View(_ context.Context, at int) (run.View, error) {
	return run.View{Subject: f.subjects[at], Record: f.record(at), Answers: percuss.AnswerMap{}}, nil
}

func (f stepRun) Views(ctx context.Context) iter.Seq2[run.View, error] {
	return func(yield func(run.View, error) bool) {
		for i := range f.subjects {
			if v, err := f.View(ctx, i); !yield(v, err) {
				return
			}
		}
	}
}

func (f stepRun) Records(context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		for i := range f.subjects {
			if !yield(f.record(i), nil) {
				return
			}
		}
	}
}

func (f stepRun) StepItem(v run.View) steps.Item {
	r, _ := v.Record.(step.Record)
	cut := func(of ...string) []step.ViewText {
		out := step.ViewText{View: "markers"}
		for _, s := range of {
			out.Steps = append(out.Steps, step.StepText{Written: s, Shown: s})
		}
		return []step.ViewText{out}
	}
	return steps.Item{Subject: v.Subject, Record: r, Answers: v.Answers, Texts: []step.Text{
		{Chain: "lactate rises " + hostile, Answer: "answer first", Views: cut("lactate rises", "pressure falls "+hostile)},
		{Chain: "fever alone", Answer: "answer second", Views: cut("fever alone")}}}
}

// newStepSite is a site of one step audit of six items.
func newStepSite(t *testing.T) *site {
	s := newSite(t, "a")
	fake := stepRun{s.fakes[filepath.Join(s.Root, "a")]}
	s.Open = func(context.Context, string) (Run, error) { return fake, nil }
	return s
}

// An item has a row, each of its two chains, and the two steps of the judged one.
func TestFiltersOfAStepAudit(t *testing.T) {
	s := newStepSite(t)
	for query, want := range map[string]string{"": "30 of 30 trials</strong>, of 6 ", "&op=item&vote=tied": "3 of 30 trials</strong>, of 3 ", "&op=item&vote=right": "3 of 30 ", "&vote=split": "15 of 30 ",
		"&op=chain&right=no": "3 of 30 ", "&op=step+markers&error=any+judge": "3 of 30 ", "&says=factual": "3 of 30 ", "&op=item&error=none": "3 of 30 ", "&op=chain&found=sum": "6 of 30 ",
		"&outcome=truncated": "6 of 30 ", "&error=" + url.QueryEscape(hostile): "9 of 30 "} {
		if status, page := s.page("/trials?r=a" + query); status != 200 || !strings.Contains(page, "<strong>"+want) {
			t.Errorf("%q: status %d, not %s", query, status, want)
		}
	}
	_, page := s.page("/trials?r=a&op=step+markers&says=factual")
	for _, want := range []string{"chain 1, step 2, markers", "error: factual", "wrong calculation", "hedges", "chains disagree", "t=c1%2Fmarkers%2F2"} {
		if !strings.Contains(page, want) {
			t.Errorf("the list lacks %s", want)
		}
	}
	if strings.Contains(page, "Change, nats") || strings.Contains(page, "largest changes first") {
		t.Error("steps have no change of a margin")
	}
}

// Each number of the run's page leads to as many trials.
func TestNumbersOfAStepAuditLeadToWhatTheyCount(t *testing.T) {
	s := newStepSite(t)
	s.page("/run?r=a")
	v, err := s.take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer s.leave(v)
	x, err := s.index(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range v.tables(x) {
		for _, l := range table.Lines {
			for i, c := range l.Cells {
				got = append(got, table.Counts[i]+" "+c.N+" "+c.Rate)
				if c.Href == "" {
					continue
				}
				if _, page := s.page(c.Href); !strings.Contains(page, "<strong>"+c.N+" of 30 ") {
					t.Errorf("%s %s leads to another number: %s", table.Counts[i], c.N, c.Href)
				}
			}
		}
	}
	want := "Vote right 3 50.0 % of 6|Vote tied 3 50.0 % of 6|Chains right 9 75.0 % of 12|Chains with an error 3 50.0 % of 6|Labelled 12 |Called wrong 3 25.0 % of 12|Without a verdict 0 0.0 % of 12|Flagged without a judge 6 "
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// What nobody was asked has no count.
func TestShareOfNothing(t *testing.T) {
	if c := (&volume{}).share(0, 0, noFilter); c.N != "–" || c.Href != "" || c.Rate != "" {
		t.Errorf("%+v", c)
	}
}

// Words of a step find it and its chain, words of the question all.
func TestFullTextOfAStepAudit(t *testing.T) {
	s := newStepSite(t)
	s.page("/trials?r=a")
	s.settle()
	for text, want := range map[string]string{"pressure": "6 of 30", "lactate": "12 of 30", "fever": "6 of 30", `"answer first"`: "6 of 30", "patient": "30 of 30"} {
		if _, page := s.page("/trials?r=a&text=" + url.QueryEscape(text)); !strings.Contains(page, "<strong>"+want+" ") {
			t.Errorf("%s: not %s", text, want)
		}
	}
}

// The page of an item begins with what the filter asks for, and its neighbours are those of the filter.
func TestItemOfAStepAudit(t *testing.T) {
	s := newStepSite(t)
	s.page("/run?r=a")
	_, page := s.page("/item?r=a&id=i03&op=step+markers&says=factual")
	for _, want := range []string{"Step 2 of chain 1, shown as markers", "id=i01", "id=i05", "Note on c1/markers/2 of this item", "error: factual", "pressure falls", "steps.css"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "id=i02") {
		t.Error("a text is not escaped, or the neighbours are not those of the filter")
	}
	if _, page := s.page("/item?r=a&id=i03&vote=tied"); !strings.Contains(page, "the item as a whole") || !strings.Contains(page, "chain 2") && !strings.Contains(page, "c2") {
		t.Error("the rows of the item that fit are not named")
	}
	if status, page := s.page("/item?r=a&id=i03&save=page"); status != 200 || strings.Contains(page, `href="/`) || !strings.Contains(page, ".l-error") {
		t.Errorf("status %d: the saved page leads to the server or lacks its style", status)
	}
}

// The pages of a step audit in every look.
func TestStepAuditInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	s := newStepSite(t)
	at := s.served(t)
	for name, address := range map[string]string{"steprun": "/run?r=a", "steptrials": "/trials?r=a&error=any+judge", "stepitem": "/item?r=a&id=i03&says=factual"} {
		for _, look := range pagetest.Looks() {
			p := b.Look(t, at+address, look)
			p.Narrow(t)
			p.Shot(t, name)
			if look.Dark {
				p.Axe(t, "color-contrast")
			} else {
				p.Axe(t)
			}
		}
	}
	p := b.Look(t, at+"/item?r=a&id=i03&says=factual", pagetest.Look{})
	p.Press(t, "n")
	p.Until(t, `location.search.includes("id=i05") && location.search.includes("says=factual")`)
}
