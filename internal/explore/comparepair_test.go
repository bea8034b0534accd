package explore

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// otherReplies is a run of the same items in which the baselines of items with an odd number went wrong.
type otherReplies struct{ itemRun }

func (o otherReplies) View(ctx context.Context, at int) (run.View, error) {
	v, err := o.itemRun.View(ctx, at)
	if at%2 == 1 {
		v.Answers.(percuss.AnswerMap)[v.Trials[0].Key()] = percuss.Answer{Outcome: percuss.OK, Text: "Step 1: a parent.\nAnswer: B"}
	}
	return v, err
}

func (o otherReplies) Records(ctx context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		at := 0
		for r, err := range o.itemRun.Records(ctx) {
			c := r.(chain.Record)
			if at++; at%2 == 0 {
				c.Base = chain.Reading{State: chain.Read, Answer: "B"}
				c.Operators[0].Flip = chain.Kept
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// pairSite has the runs a and b, which differ in every second item.
func pairSite(t *testing.T) *site {
	s := newSite(t, "a", "b")
	s.Open = func(_ context.Context, dir string) (Run, error) {
		if r := (itemRun{s.fakes[dir]}); filepath.Base(dir) == "a" {
			return r, nil
		} else {
			return otherReplies{r}, nil
		}
	}
	return s
}

// An item of a comparison shows both replies side by side, and its neighbours within the filter.
func TestItemInTwoRuns(t *testing.T) {
	s := pairSite(t)
	_, list := s.page("/compare?a=a&b=b&kind=broke")
	at := "/compare/item?a=a&b=b&id=i03&kind=broke&m=m&p=neutral&s=s"
	if !strings.Contains(list, `href="`+strings.ReplaceAll(at, "&", "&amp;")+`"`) {
		t.Fatalf("the list does not lead to %s:\n%s", at, list)
	}
	status, page := s.page(at)
	if status != http.StatusOK {
		t.Fatalf("%d\n%s", status, page)
	}
	pagetest.Parse(t, page)
	for _, want := range []string{"i03 in two runs", "right before, wrong after", "Without an edit</h2>", "a <del>patient</del>.", "a <ins>parent</ins>.", "Answer: <del>A</del>", "moves before, stays after", "A. Sepsis (gold)", "/assets/item.css?v="} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	for _, never := range []string{"<script>", "\x1b", "\u202e"} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	got := links(page)
	if !strings.Contains(got["prev"], "id=i01") || !strings.Contains(got["next"], "id=i05") || got["up"] != "/compare?a=a&b=b&kind=broke#items" {
		t.Errorf("links %q", got)
	}
	_, page = s.page(at + "&t=" + url.QueryEscape(edit))
	if !strings.Contains(page, "M2-&lt;script&gt; swap</h2>") || !strings.Contains(page, "The replies are the same") || !strings.Contains(page, ">Without an edit</a>") {
		t.Errorf("the edit:\n%s", page)
	}
	if _, chosen := s.page(at + "&op=*"); !strings.Contains(chosen, "M2-&lt;script&gt; swap</h2>") {
		t.Error("the edit that the filter is about does not come by itself")
	}
}

func TestBadAddressesOfAPair(t *testing.T) {
	s := pairSite(t)
	s.page("/compare?a=a&b=b")
	for query, want := range map[string]int{
		"a=a&b=b":                                    404,
		"a=a&b=b&id=i99&m=m&p=neutral&s=s":           404,
		"a=a&b=..&id=i01&m=m&p=neutral&s=s":          404,
		"a=a&b=b&id=i01&m=m&p=neutral&s=s&kind=odd":  400,
		"a=a&b=b&id=i01&m=m&p=neutral&s=s&op=M9":     400,
		"a=a&b=b&id=i01&m=m&p=neutral&s=s&t=nothing": 200,
		"a=a": 200,
	} {
		if status, page := s.page("/compare/item?" + query); status != want || !strings.Contains(page, "<h1>") {
			t.Errorf("%s was answered %d, want %d", query, status, want)
		}
	}
}

// The page of an item in two runs in a real browser, and on to the next one by a key.
func TestItemInTwoRunsInABrowser(t *testing.T) {
	s := pairSite(t)
	s.page("/compare?a=a&b=b")
	at := s.served(t) + "/compare/item?a=a&b=b&id=i01&kind=broke&m=m&p=neutral&s=s"
	b := pagetest.Open(t)
	for _, look := range []pagetest.Look{{Width: 375, Dark: true}, {}} {
		p := b.Look(t, at, look)
		p.Narrow(t)
		p.Axe(t)
		p.Shot(t, "pair")
		p.Press(t, "n")
		p.Until(t, `location.search.includes("id=i03") && location.search.includes("kind=broke")`)
	}
}

// Beside a first run only others of its audit are offered.
func TestPartnersOfARun(t *testing.T) {
	s := newSite(t, "a", "b", "c")
	m := s.fakes[filepath.Join(s.Root, "b")].Manifest()
	cases := spec.DefaultEvidence()
	m.Spec.Evidence = &cases
	if err := run.WriteManifest(filepath.Join(s.Root, "b"), m); err != nil {
		t.Fatal(err)
	}
	offered := func(address string) string {
		_, page := s.page(address)
		_, page, _ = strings.Cut(page, `name="b"`)
		page, _, _ = strings.Cut(page, "</select>")
		return strings.Join(pagetest.Texts(pagetest.Parse(t, "<select"+page+"</select>"), "option"), " ")
	}
	if got := offered("/compare?a=a"); got != "c" {
		t.Errorf("beside a chain audit %q are offered", got)
	}
	if _, page := s.page("/compare?a=b"); !strings.Contains(page, "no other run of this audit") {
		t.Error("that there is no partner is not said")
	}
	_, page := s.page("/")
	var chosen []string
	for _, e := range pagetest.Parse(t, page) {
		if e.Name == "option" && e.Attrs["selected"] != "" {
			chosen = append(chosen, e.Text)
		}
	}
	if strings.Join(chosen, " ") != "a c" {
		t.Errorf("the list of runs proposes to compare %q", chosen)
	}
	if got := offered("/compare"); got != "a b c" {
		t.Errorf("%q are offered", got)
	}
	if _, page := s.page("/run?r=a"); !strings.Contains(page, `href="/compare?a=a"`) {
		t.Error("the page of a run does not lead to a comparison")
	}
}
