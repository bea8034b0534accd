package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/run"
)

// itemRun is a fake run whose items have a baseline and one edit, each with a reply.
type itemRun struct{ *fakeRun }

// edit is the edit of all its items.
const edit = "M2-<script>"

// renamed is the record of an item with the name of its edit.
func renamed(r percuss.Record) percuss.Record {
	c := r.(chain.Record)
	c.Operators = slices.Clone(c.Operators)
	c.Operators[0].ID = edit
	return c
}

func (f itemRun) Records(ctx context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		for r, err := range f.fakeRun.Records(ctx) {
			if !yield(renamed(r), err) {
				return
			}
		}
	}
}

func (f itemRun) View(ctx context.Context, at int) (run.View, error) {
	v, err := f.fakeRun.View(ctx, at)
	v.Record = renamed(v.Record)
	ask := func(id, content, reply string) percuss.Trial {
		t := percuss.Trial{ID: id, Fired: true}
		t.Ask(percuss.Request{Model: f.subjects[at].Item, Messages: []percuss.Message{{Role: percuss.User, Content: content}}})
		v.Answers.(percuss.AnswerMap)[t.Key()] = percuss.Answer{Outcome: percuss.OK, Text: reply}
		return t
	}
	stem := f.subjects[at].Question.Stem
	v.Trials = []percuss.Trial{ask(chain.BaseTrial, stem, "Step 1: a patient.\nAnswer: A"), ask(edit, strings.Replace(stem, "patient", "child", 1), "Step 1: a child.\u202e\nAnswer: B")}
	return v, err
}

func (f itemRun) Item(v run.View) (report.Item, battery.Battery) {
	r, _ := v.Record.(chain.Record)
	return report.Item{Subject: v.Subject, Trials: v.Trials, Record: r, Answers: v.Answers}, battery.Battery{Operators: []battery.Operator{{ID: edit, Block: battery.M, Title: "swap"}}}
}

func (f itemRun) Answer(ctx context.Context, k percuss.Key) (percuss.Request, percuss.Answer, bool, error) {
	for at := range f.subjects {
		v, err := f.View(ctx, at)
		if err != nil {
			return percuss.Request{}, percuss.Answer{}, false, err
		}
		for _, t := range v.Trials {
			if a, ok := v.Answers.Answer(k); t.Key() == k {
				return *t.Request, a, ok, nil
			}
		}
	}
	return percuss.Request{}, percuss.Answer{}, false, nil
}

func newItemSite(t *testing.T) *site {
	s := newSite(t, "a")
	s.Server.Open = func(_ context.Context, dir string) (Run, error) { return itemRun{s.fakes[dir]}, nil }
	return s
}

// links are the addresses of a page's links by their rel.
func links(page string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`<a rel="(\w+)" href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		out[m[1]] = strings.ReplaceAll(m[2], "&amp;", "&")
	}
	return out
}

func TestItemPage(t *testing.T) {
	s := newItemSite(t)
	if err := os.WriteFile(filepath.Join(s.Root, "a", run.TimesFile), []byte(`{"variant":"neutral","model":"m","set":"s","item":"i01","asked":"m","requests":2,"seconds":1.5}`+"\n{cut"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, page := s.page("/item?r=a&id=i01&t=" + url.QueryEscape(edit))
	if status != http.StatusOK {
		t.Fatalf("%d\n%s", status, page)
	}
	pagetest.Parse(t, page)
	for _, want := range []string{"Item 2: i01", "<del>patient</del><ins>child</ins>", "m: 2 requests in 1.5 s", "The exact request and the raw answer", "/assets/item.css?v=", "Note on M2-"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<script>", "\x1b", "\u202e", " style=", "accesskey"} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	got := links(page)
	if got["prev"] != "/item?id=i00&m=m&p=neutral&r=a&s=s" || !strings.HasPrefix(got["next"], "/item?id=i02&") || !strings.HasPrefix(got["up"], "/run?r=a") {
		t.Errorf("links %q", got)
	}
	if _, page := s.page("/item?r=a&id=i05"); links(page)["next"] != "" {
		t.Error("there is an item behind the last")
	}
}

// Next and previous are those that the filter lets through, and keep it.
func TestNeighboursWithinTheFilter(t *testing.T) {
	s := newItemSite(t)
	_, page := s.page("/item?r=a&id=i03&flip=flip") // every second item flips
	got := links(page)
	if got["prev"] != "/item?flip=flip&id=i01&m=m&p=neutral&r=a&s=s" || got["next"] != "/item?flip=flip&id=i05&m=m&p=neutral&r=a&s=s" || got["up"] != "/trials?flip=flip&r=a" {
		t.Errorf("links %q", got)
	}
	if !strings.Contains(page, "Next and previous stay within the filter. Answer: moves.") {
		t.Error("the filter is not told")
	}
	_, page = s.page("/item?r=a&id=i03&op=" + url.QueryEscape(edit)) // the only edit of the filter comes first, here and on the next page
	at, err := url.Parse(links(page)["next"])
	_, behind := s.page(at.String())
	if err != nil || at.Query().Get("id") != "i04" || strings.Index(page, "swap</h2>") > strings.Index(page, "<h2>Question") || strings.Index(behind, "swap</h2>") > strings.Index(behind, "<h2>Question") {
		t.Errorf("next is %v, or the edit of the filter does not come first", at)
	}
	if _, page = s.page("/item?r=a&id=i03&text=child"); !strings.Contains(page, "Next and previous") {
		t.Errorf("nothing is said of the full text")
	}
}

func TestBadItemAddresses(t *testing.T) {
	s := newItemSite(t)
	for address, want := range map[string]int{
		"/item?r=a":                               404,
		"/item?r=a&id=i99":                        404,
		"/item?r=a&id=i01&m=other":                404,
		"/item?r=b&id=i01":                        404,
		"/item?r=a&id=i01&size=3":                 400,
		"/item?r=a&id=i01&t=%ff":                  200,
		"/raw?r=a":                                400,
		"/raw?r=a&key=..%2f":                      400,
		"/raw?r=a&key=" + fmt.Sprintf("%064d", 0): 404,
		"/raw?r=b&key=" + fmt.Sprintf("%064d", 0): 404,
	} {
		if status, page := s.page(address); status != want || !strings.Contains(page, "<h1>") {
			t.Errorf("%s was answered %d, want %d", address, status, want)
		}
	}
}

// An address of a request that was never answered, such as an old one, leads back to its item.
func TestRawOfNothing(t *testing.T) {
	s := newItemSite(t)
	id := s.fakes[filepath.Join(s.Root, "a")].subjects[1].SubjectID
	own := itemAddress("a", id, edit, noFilter)
	status, page := s.page(rawOf(own, percuss.Key(fmt.Sprintf("%064d", 0))))
	if up := links(page)["up"]; status != http.StatusNotFound || up != own || !strings.Contains(page, "Nothing is stored") {
		t.Errorf("%d, up is %q, not %q:\n%s", status, up, own, page)
	}
}

func TestRawRequest(t *testing.T) {
	s := newItemSite(t)
	f := itemRun{s.fakes[filepath.Join(s.Root, "a")]}
	v, err := f.View(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	address := rawOf(itemAddress("a", v.Subject.SubjectID, edit, noFilter), v.Trials[1].Key())
	status, page := s.page(address)
	if status != http.StatusOK || strings.Contains(page, "<script>") || strings.Contains(page, "\u202e") {
		t.Fatalf("%d, or the texts are not escaped", status)
	}
	pagetest.Parse(t, page)
	for _, want := range []string{"Step 1: a child.", "A child &lt;script&gt;", "Some characters cannot be seen", "percuss.request/1", string(v.Trials[1].Key())} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if up := links(page)["up"]; up != itemAddress("a", v.Subject.SubjectID, edit, noFilter) {
		t.Errorf("up is %q", up)
	}
	if strings.Count(page, "<a ") != 5 { // skip, runs, run, item, file
		t.Errorf("%d links: nothing of a request may be one", strings.Count(page, "<a "))
	}
	got := s.do("GET", address+"&download=1", nil)
	body := make([]byte, 1<<16)
	n, _ := got.Body.Read(body)
	if !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment;") || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/plain") ||
		!strings.Contains(string(body[:n]), `\u202e`) || strings.Contains(string(body[:n]), "\u202e") || strings.Contains(string(body[:n]), "\x1b") {
		t.Errorf("the file: %v\n%s", got.Header, body[:n])
	}
}

// What the file of a request holds is the answer, whatever is in it.
func TestEscapedJSONIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune{'\u202e', '\U000e0041', '\u200b', '\x1b', 0, '"'}))).Draw(t, "text")
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		shown := escaped(string(raw))
		if err := json.Unmarshal([]byte(shown), &back); err != nil || back != text || !web.IsVisible(shown) {
			t.Errorf("%q becomes %s: %q %v", text, shown, back, err)
		}
	})
}
