package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// element is one element of a page with the text inside it.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

var (
	void   = regexp.MustCompile(`<(meta|br)([^>]*)>`)
	script = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// parse reads a page as XML, which our pages are but for two void elements and the script: a tag left open is an error.
func parse(t *testing.T, page string) []element {
	t.Helper()
	page = void.ReplaceAllString(script.ReplaceAllString(page, "<script></script>"), "<$1$2/>")
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	var all []element
	var open []int
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, i := range open {
				all[i].text += string(token)
			}
		}
	}
}

// texts are the texts of the elements of a name.
func texts(all []element, name string) []string {
	var out []string
	for _, e := range all {
		if e.name == name {
			out = append(out, e.text)
		}
	}
	return out
}

// checkClosed checks that a page runs its own script only, refers to nothing but what is there and has no broken anchor.
func checkClosed(t *testing.T, page, own string, files map[string]bool) []element {
	t.Helper()
	found := script.FindAllStringSubmatch(page, -1)
	if len(found) != 1 || found[0][1] != asset(own) {
		t.Errorf("%d scripts, or not ours", len(found))
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") && !strings.Contains(page, "default-src 'none'") {
		t.Error("no policy forbids to load")
	}
	all := parse(t, page)
	ids := map[string]bool{}
	for _, e := range all {
		if id := e.attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %q", id)
			}
			ids[id] = true
		}
	}
	for _, e := range all {
		for name, value := range e.attrs {
			anchor, isAnchor := strings.CutPrefix(value, "#")
			switch {
			case name == "src", name == "action", strings.HasPrefix(name, "on"), strings.Contains(value, "ZgotmplZ"):
				t.Errorf("<%s %s=%q>", e.name, name, value)
			case name != "href":
			case isAnchor && !ids[anchor], !isAnchor && !files[value]:
				t.Errorf("a link leads to %q", value)
			}
		}
	}
	for _, r := range page {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U is in the page", r)
			break
		}
	}
	return all
}

// written draws a report and the pages of its items.
func written(t *testing.T, r Report, all iter.Seq[Item], whole int) (page string, beside map[string]string) {
	t.Helper()
	beside = map[string]string{}
	var b bytes.Buffer
	err := WriteHTML(&b, r, HTML{Info: json.RawMessage(`{"wall_s":3}`), Items: all, Whole: whole,
		Beside: func(name string, page []byte) error {
			beside[name] = string(page)
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), beside
}

// besideMain and besideItem are the files that a page may link to.
func besideMain(pages map[string]string) map[string]bool {
	out := map[string]bool{}
	for name := range pages {
		out[name] = true
	}
	return out
}

func besideItem(pages map[string]string) map[string]bool {
	out := map[string]bool{"../report.html#items": true}
	for name := range pages {
		out[strings.TrimPrefix(name, "items/")] = true
	}
	return out
}

func TestPageSaysWhatItMust(t *testing.T) {
	page, beside := written(t, small(), slices.Values(items()), 2)
	all := checkClosed(t, page, "list.js", besideMain(beside))
	for _, want := range []string{"&lt;script&gt;", "<del>Severe</del><ins>Mild</ins>", "<del>severe</del><ins>absent</ins>", "So rest.",
		"flips", "The chain shows no trace of the edit.", "not fired: too short", `class="n">–</td>`, "ECR is below 0.30",
		"<title>AFR of destructive", "<title>Joint distribution", "Items shown: 2 of 3.", "wall_s", "&#34;seed&#34;: 7",
		"the interval of FCS lies above 0.55", "FCS from 0.45 to 0.55:", "This sample does not decide it", "a small sample", "prefers-color-scheme",
		"In 5 of 20 compared edits of age, sex, a negation or a word of severity (25 %)", "In 24 of 40 items (60 %) the answer after a chain of thought is right (95 % interval 45 to 74 %, n = 40 items)",
		"the folder <code>items</code> beside this file", "below 0 the model became less sure"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := len(texts(all, "details")); n != 2+2*3+2 {
		t.Errorf("%d fold-outs", n)
	}
	for _, e := range all {
		if e.name == "table" && !strings.Contains(e.text, "Groups") && e.text == "" {
			t.Error("an empty table")
		}
	}
}

// With one group its name opens the page and is not repeated at every table; with several, each can be reached.
func TestOneGroupIsNotRepeated(t *testing.T) {
	page, _ := written(t, small(), slices.Values(items()), 0)
	all := parse(t, page)
	title := "=cmd|' /C calc'!A0"
	heads := 0
	for _, name := range []string{"h1", "h2", "h3", "caption"} {
		for _, s := range texts(all, name) {
			if strings.Contains(s, title) {
				heads++
			}
		}
	}
	if heads != 1 || slices.Contains(texts(all, "caption"), "The groups side by side") || slices.Contains(texts(all, "caption"), "Groups") {
		t.Errorf("the only group stands in %d headings", heads)
	}
	r := small()
	other := r.Findings.Models[0]
	other.Name, other.Model = "second", "m2"
	other.Metrics = []chain.Metric{{ID: "acc", Estimate: est(0.9, 0.8, 0.95, 40)}, {ID: "dfg", Estimate: est(0.3, 0.2, 0.5, 9)}}
	r.Findings.Models = append(r.Findings.Models, other)
	r.Findings.Cells = r.Findings.Models
	page, beside := written(t, r, slices.Values(items()), 0)
	all = checkClosed(t, page, "list.js", besideMain(beside))
	for _, want := range []string{"The groups side by side", "Groups"} {
		if !slices.Contains(texts(all, "caption"), want) {
			t.Errorf("no table %q", want)
		}
	}
	for _, want := range []string{`href="#g2-t"`, `id="g2-t"`, `0.900<br><span class="dim small">0.800 to 0.950</span><br><span class="dim small">max</span>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, ">min</span>") {
		t.Error("the only figure of its kind is marked as an extreme")
	}
}

func TestMeanOfOneSetIsNotRepeated(t *testing.T) {
	r := small()
	g := r.Findings.Models[0]
	for _, c := range []struct {
		mean percuss.Estimate
		want bool
	}{{est(0.25, 0.1, 0.4, 20), false}, {est(0.26, 0.1, 0.4, 20), true}} {
		r.Findings.Models[0].Metrics = append(slices.Clone(g.Metrics), chain.Metric{ID: "cdr_mean", Estimate: c.mean})
		page, _ := written(t, r, nil, 0)
		if got := strings.Contains(page, `href="#def-cdr_mean"`); got != c.want {
			t.Errorf("mean %s shown: %v", c.mean.Value.Format(2), got)
		}
	}
}

func TestLowFiringIsMarked(t *testing.T) {
	for _, c := range []struct {
		warnings []string
		want     bool
	}{{nil, false}, {lowFiringWarning(t), true}} {
		r := small()
		e := est(0.3, 0.2, 0.5, 9)
		e.Warnings = c.warnings
		r.Findings.Models[0].Metrics = []chain.Metric{{ID: "dfg", Estimate: e}}
		page, _ := written(t, r, nil, 0)
		if got := strings.Contains(page, `<span class="tag">low firing</span>`); got != c.want {
			t.Errorf("marked %v with %q", got, c.warnings)
		}
	}
}

// lowFiringWarning is a warning by which chain says that few items stand behind a gap.
func lowFiringWarning(t *testing.T) []string {
	t.Helper()
	for _, w := range []string{"low firing", "low firing: 3 of 20 items"} {
		if m := (chain.Metric{Estimate: percuss.Estimate{Warnings: []string{w}}}); m.LowFiring() {
			return []string{w}
		}
	}
	t.Fatal("chain marks low firing in another way")
	return nil
}

func TestPageWithoutPagesBeside(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, small(), HTML{Items: slices.Values(items()), Whole: 9}); err != nil {
		t.Fatal(err)
	}
	checkClosed(t, b.String(), "list.js", nil)
	if strings.Contains(b.String(), "beside this file; the numbers") {
		t.Error("the page promises files that nobody writes")
	}
}

func TestFailureBesideIsTold(t *testing.T) {
	err := WriteHTML(io.Discard, small(), HTML{Items: slices.Values(items()), Beside: func(string, []byte) error { return io.ErrShortWrite }})
	if err == nil || !strings.Contains(err.Error(), "medqa/1") {
		t.Errorf("error %v", err)
	}
}
