package explore

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/pagetest"
)

// changed is a run in which the first item went wrong, the second one's edit moves nothing any more and the third has no
// answer.
type changed struct{ *fakeRun }

func (c changed) Records(context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		for i := range c.subjects {
			r := c.record(i)
			switch i {
			case 0:
				r.Base.Answer, r.Base.Correct = "B", false
			case 1:
				r.Operators[0].Flip = chain.Kept
			case 2:
				r.Base = chain.Reading{State: chain.Unparseable}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// twoRuns are "a" and "b", the second one changed.
func twoRuns(t *testing.T) *site {
	s := newSite(t, "a", "b")
	open := s.Open
	s.Open = func(ctx context.Context, dir string) (Run, error) {
		r, err := open(ctx, dir)
		if err == nil && filepath.Base(dir) == "b" {
			return changed{r.(*fakeRun)}, nil
		}
		return r, err
	}
	return s
}

// rows are the items that a page lists, by id.
func listed(t *testing.T, page string) []string {
	t.Helper()
	var out []string
	for _, e := range pagetest.Parse(t, page) {
		if e.Name == "th" && e.Attrs["scope"] == "row" {
			out = append(out, e.Text[:3])
		}
	}
	return out
}

// The filters of a comparison live in its address, and each row leads to both items.
func TestCompareTwoRuns(t *testing.T) {
	s := twoRuns(t)
	edit := "M2-" + web.Visible(hostile)
	for query, want := range map[string]string{
		"":                      "i00 i02 i01 i03 i04 i05",
		"&kind=broke":           "i00",
		"&kind=lost":            "i02",
		"&kind=broke&kind=lost": "i00 i02",
		"&op=*":                 "i01",
		"&op=*&kind=broke":      "",
		"&from=4":               "i04 i05",
		"&from=99":              "",
		"&kind=":                "i00 i02 i01 i03 i04 i05",
	} {
		status, page := s.page("/compare?a=a&b=b" + query)
		if got := strings.Join(listed(t, page), " "); status != http.StatusOK || got != want {
			t.Errorf("%s: %d, items %q, want %q", query, status, got, want)
		}
	}
	_, page := s.page("/compare?a=a&b=b")
	for _, e := range pagetest.Parse(t, page) {
		if e.Name == "button" && e.Attrs["popovertarget"] != "" {
			t.Errorf("%s opens a definition that the page does not have", e.Text)
		}
	}
	for _, want := range []string{"6 items under a model and a prompt are in both runs", "Came right: 0; went wrong: 1", `href="/item?id=i00&amp;m=m&amp;p=neutral&amp;r=b&amp;s=s"`, edit[:3], "right before, wrong after"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(page, "<script>") || strings.ContainsRune(page, '\x1b') || strings.ContainsRune(page, '\u202e') {
		t.Error("a text of the run is not shown as text")
	}
}

// What an address may not say is answered with what it may.
func TestCompareBadAddresses(t *testing.T) {
	s := twoRuns(t)
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"":                       {200, "Compare"},
		"a=a":                    {200, "Compare"},
		"a=a&b=c":                {404, "no run"},
		"a=..&b=b":               {404, "no run"},
		"a=a&b=b&kind=worse":     {400, "stays-wrong"},
		"a=a&b=b&op=M9":          {400, "came out in another way"},
		"a=a&b=b&from=-1":        {400, "a count of items"},
		"a=a&b=b&from=1e99":      {400, "a count of items"},
		"a=a&b=b&ma=m&mb=nobody": {422, "nobody"},
	} {
		status, page := s.page("/compare?" + query)
		if status != want.status || !strings.Contains(page, want.says) {
			t.Errorf("%s: %d, want %d and %q in\n%s", query, status, want.status, want.says, page)
		}
	}
}

// While two runs are compared a page says so; a comparison holds until there are other answers.
func TestCompareIsKept(t *testing.T) {
	s := newSite(t, "a", "b")
	s.page("/compare?a=a&b=b")
	first := s.compared.made[0]
	s.page("/compare?a=a&b=b&kind=broke")
	if len(s.compared.made) != 1 || s.compared.made[0] != first {
		t.Error("the same runs were compared twice")
	}
	for _, f := range s.fakes {
		f.state.Add(1)
		f.wait = make(chan struct{})
	}
	got := s.do("GET", "/compare?a=a&b=b", nil)
	if got.StatusCode != http.StatusAccepted || got.Header.Get("Refresh") == "" {
		t.Errorf("%d while the records are read", got.StatusCode)
	}
	for _, f := range s.fakes {
		close(f.wait)
	}
	if status, _ := s.page("/compare?a=a&b=b"); status != http.StatusOK {
		t.Errorf("%d", status)
	}
}

// The page in a real browser: at all widths and schemes, by its filters, and without script.
func TestCompareInABrowser(t *testing.T) {
	s := twoRuns(t)
	server := httptest.NewServer(web.Guard{Hosts: web.Local()}.Wrap(s.Handler()))
	defer server.Close()
	b := pagetest.Open(t)
	address := server.URL + "/compare?a=a&b=b"
	for _, at := range pagetest.Looks() {
		p := b.Look(t, address, at)
		p.Narrow(t)
		if at.Dark {
			p.Axe(t, "color-contrast")
		} else {
			p.Axe(t)
		}
		p.Shot(t, "compare")
	}
	for _, at := range []pagetest.Look{{}, {NoScript: true}} {
		p := b.Look(t, address, at)
		p.Click(t, `input[name="kind"][value="broke"]`)
		if at.NoScript {
			p.Click(t, `form.filters button`)
		}
		p.Until(t, `location.search.includes("kind=broke") && document.querySelectorAll("tbody th").length == 1`)
		if got := p.Text(t, `[role="status"]`); got != "1 of 6 items" {
			t.Errorf("%s: %q", at, got)
		}
	}
}

// The figures are on the first page alone: on the others, which they would only make heavy, a link leads to them.
func TestFiguresOfAComparisonStandOnce(t *testing.T) {
	s := twoRuns(t)
	for query, want := range map[string]bool{"": true, "&kind=": true, "&from=0": true, "&from=4": false, "&kind=broke": false, "&op=*": false} {
		_, page := s.page("/compare?a=a&b=b" + query)
		if drawn := strings.Contains(page, `id="t-right"`); drawn != want {
			t.Errorf("%s: figures drawn %v, want %v", query, drawn, want)
		}
		if led := strings.Contains(page, `href="/compare?a=a&amp;b=b#figures"`); led == want {
			t.Errorf("%s: a link to the figures %v, want %v", query, led, !want)
		}
	}
}
