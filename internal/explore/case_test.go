package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/stat/lattice"
)

// caseRun is an evidence audit of one case: all subsets of its findings are asked.
type caseRun struct {
	dir string
	c   cases.Case
}

const caseBase = "clinical-summary/o0/drop"

// newCaseRun makes a case of n findings. Finding 1 raises the right diagnosis by 2 nats, each other one lowers it by 0.3.
func newCaseRun(dir string, n int) *caseRun {
	of := percuss.Case{ID: "c1", Set: "s", Facts: []string{"Age: 46"}, Gold: "Embolism", Candidates: []string{"Embolism", hostile}}
	r := evidence.Record{Subject: percuss.SubjectID{Model: "m", Variant: "clinical-summary", Set: "s", Item: "c1"}, Gold: of.Gold, Candidates: of.Candidates, Order: n}
	answers := percuss.AnswerMap{}
	out := &caseRun{dir: dir}
	for i := range n {
		text := fmt.Sprintf("Finding %d %s", i+1, hostile)
		if i == 1 {
			text = strings.Repeat("Pneumonoultramicroscopicsilicovolcanoconiosis", 3)
		}
		of.Units = append(of.Units, percuss.Unit{ID: fmt.Sprint("u", i), Text: text})
		r.Units = append(r.Units, evidence.UnitRecord{ID: fmt.Sprint("u", i), Text: text, Role: evidence.RoleSupporting})
	}
	margins := make([]percuss.Number, 1<<n)
	for s := range lattice.Set(1 << n) {
		margin := -1.0
		for i := range s.Units() {
			if margin -= 0.3; i == 0 {
				margin += 2.3
			}
		}
		margins[s] = percuss.Num(margin)
		raw, err := json.Marshal(map[string]any{"kind": "subset", "in": caseBase, "shown": s})
		if err != nil {
			panic(err)
		}
		t := percuss.Trial{ID: fmt.Sprintf("%s/%0*b", caseBase, n, s), Fired: true, Labels: raw}
		t.Ask(percuss.Request{Model: "m", Messages: []percuss.Message{{Role: percuss.User, Content: fmt.Sprintf("prompt %b %s", s, hostile)}}, Want: percuss.Want{Letters: []string{"A", "B"}}})
		out.c.Trials = append(out.c.Trials, t)
		answers[t.Key()] = percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(-1 + margin/4)}, {Letter: "B", LogProb: percuss.Num(-3), Censored: true}}}
	}
	game, err := lattice.FromValues(margins, n)
	if err != nil {
		panic(err)
	}
	r.Base = evidence.Measured{Setting: evidence.Setting{Wording: "clinical-summary", Hide: evidence.Drop}, State: evidence.Scored, Letter: "A", Answered: true,
		Prediction: hostile, Margin: margins[len(margins)-1], Empty: margins[0]}
	for s := lattice.Set(1); int(s) < len(margins); s++ {
		r.Base.Interactions = append(r.Base.Interactions, evidence.Interaction{Set: s, Value: game.Interaction(s).Or(0), Label: "faithful"})
	}
	out.c.Subject, out.c.Record, out.c.Answers = percuss.Subject{SubjectID: r.Subject, Case: &of}, r, answers
	return out
}

func (r *caseRun) StepItem(run.View) steps.Item { return steps.Item{} }

func (r *caseRun) Dir() string { return r.dir }
func (r *caseRun) Manifest() run.Manifest {
	return run.Manifest{Spec: spec.Specification{Evidence: &spec.Evidence{}}}
}
func (r *caseRun) Subjects() []percuss.Subject           { return []percuss.Subject{r.c.Subject} }
func (r *caseRun) State(context.Context) (string, error) { return "as it is", nil }
func (r *caseRun) Close() error                          { return nil }
func (r *caseRun) Item(run.View) (report.Item, battery.Battery) {
	return report.Item{}, battery.Battery{}
}
func (r *caseRun) View(context.Context, int) (run.View, error) {
	return run.View{Subject: r.c.Subject, Trials: r.c.Trials, Record: r.c.Record, Answers: r.c.Answers}, nil
}
func (r *caseRun) Views(ctx context.Context) iter.Seq2[run.View, error] {
	return func(yield func(run.View, error) bool) { yield(r.View(ctx, 0)) }
}
func (r *caseRun) Records(context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) { yield(r.c.Record, nil) }
}
func (r *caseRun) Case(context.Context, run.View, bool) (cases.Case, float64, cases.Noise, error) {
	return r.c, 0.5, cases.Noise{}, nil
}
func (r *caseRun) Answer(_ context.Context, k percuss.Key) (percuss.Request, percuss.Answer, bool, error) {
	for _, t := range r.c.Trials {
		if t.Key() == k {
			a, ok := r.c.Answers.Answer(k)
			return *t.Request, a, ok, nil
		}
	}
	return percuss.Request{}, percuss.Answer{}, false, nil
}

// casesOf serves a run of one case of n findings.
func casesOf(t *testing.T, n int) (address string) {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := run.WriteManifest(filepath.Join(root, "run"), run.Manifest{Begun: time.Unix(0, 0)}); err != nil {
		t.Fatal(err)
	}
	s := &Server{Root: root, Now: time.Now, NoTexts: true, Open: func(_ context.Context, dir string) (Run, error) { return newCaseRun(dir, n), nil }}
	server := httptest.NewServer(web.Guard{Hosts: web.Local()}.Wrap(s.Handler()))
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL
}

// pageAt is what an address answers.
func pageAt(t *testing.T, address string) (status int, page string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

const caseAddress = "/item?r=run&id=c1&m=m&p=clinical-summary&s=s"

// Every link of the walk leads to a page that stands where it says, and back to where it came from.
func TestWalkByLinks(t *testing.T) {
	at := casesOf(t, 4)
	status, page := pageAt(t, at+caseAddress)
	if status != http.StatusOK || !strings.Contains(page, "Shown: all; hidden: none.") {
		t.Fatalf("status %d: the walk does not begin with all findings", status)
	}
	rapid.Check(t, func(rt *rapid.T) {
		_, page := pageAt(t, at+caseAddress)
		shown := lattice.Full(4)
		for range 3 {
			step := rapid.IntRange(0, 3).Draw(rt, "finding")
			href := ""
			for _, e := range pagetest.Parse(t, page) {
				if e.Attrs["data-finding"] == fmt.Sprint(step+1) {
					href = e.Attrs["href"]
				}
			}
			if !strings.HasSuffix(href, "#walk") {
				rt.Fatalf("finding %d leads to %q", step+1, href)
			}
			shown ^= 1 << step
			if status, page = pageAt(t, at+href); status != http.StatusOK || !strings.Contains(page, `aria-current="true" data-set="`+fmt.Sprint(shown)+`"`) ||
				!strings.Contains(page, fmt.Sprintf("prompt %b &lt;script&gt;", shown)) {
				rt.Fatalf("%s: status %d, not at %b, or not its prompt", href, status, shown)
			}
		}
	})
}

func TestPlacesOfACase(t *testing.T) {
	at := casesOf(t, 3)
	for _, c := range []struct {
		more   string
		status int
		want   string
	}{
		{"&t=set-5", 200, "Shown: 1, 3; hidden: 2."},
		{"&t=set-5&shown=10", 200, "Shown: 2; hidden: 1, 3."},
		{"&t=remove:u1", 200, "Shown: all"},
		{"&t=set-99999999999", 200, "Shown: all"},
		{"&shown=0", 200, "Shown: none"},
		{"&shown=11111111", 200, "Shown: all"},
		{"&shown=2", 400, "one binary digit a finding"},
		{"&shown=111111111111111111111111111", 400, "one binary digit a finding"},
		{"&of=nobody", 200, "Margin of Embolism"},
		{"&calls=all", 200, caseBase + "/011"},
		{"&size=loud", 400, "size"},
		{"&id=c2", 200, "Shown: all"}, // the first id holds
	} {
		status, page := pageAt(t, at+caseAddress+c.more)
		if status != c.status || !strings.Contains(page, c.want) {
			t.Errorf("%s: status %d, want %d; %q in it: %v", c.more, status, c.status, c.want, strings.Contains(page, c.want))
		}
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "\u202e") {
			t.Errorf("%s: a text of the run is no text", c.more)
		}
	}
	if status, _ := pageAt(t, at+"/item?r=run&id=c2"); status != http.StatusNotFound {
		t.Errorf("a case that there is not: status %d", status)
	}
}

// The requests of a case lead to their pages.
func TestRequestsOfACase(t *testing.T) {
	at := casesOf(t, 2)
	_, page := pageAt(t, at+caseAddress+"&shown=10")
	n := 0
	for _, e := range pagetest.Parse(t, page) {
		if href := e.Attrs["href"]; strings.HasPrefix(href, "/raw?") {
			n++
			if status, raw := pageAt(t, at+href); status != http.StatusOK || !strings.Contains(raw, "prompt 10 ") {
				t.Errorf("%s: status %d, or another request", href, status)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d requests of a prompt that was asked once", n)
	}
}

// The page in a real browser: every look, its keys, and that a step by script stands where the link would have led.
func TestCaseInABrowser(t *testing.T) {
	b := pagetest.Open(t)
	for n, then := range map[int]string{3: "Shown: all;", 8: "Shown: 1, 2, 3;"} {
		at := casesOf(t, n)
		for _, look := range pagetest.Looks() {
			p := b.Look(t, at+caseAddress+"&shown=101", look)
			p.Narrow(t)
			p.Shot(t, fmt.Sprintf("case-%d", n))
			if look.Dark {
				p.Axe(t, "color-contrast")
			} else {
				p.Axe(t)
			}
		}
		p := b.Look(t, at+caseAddress+"&shown=101", pagetest.Look{})
		p.Press(t, "2")
		p.Until(t, `document.querySelector("#walk .says").textContent.startsWith("`+then+`")`)
		if got := p.Address(t); !strings.Contains(got, "shown=111#walk") {
			t.Errorf("%d findings: the address is %s", n, got)
		}
		if got := pagetest.Eval[string](t, p, `document.activeElement.dataset.finding`); got != "2" {
			t.Errorf("%d findings: the focus is at %q", n, got)
		}
		pagetest.Eval[bool](t, p, `(document.querySelector("#walk a[aria-current]").focus(),true)`)
		p.Press(t, "ArrowDown", "ArrowRight")
		p.Until(t, `document.querySelector("p[role=status]").textContent==document.activeElement.dataset.says`)
		label := pagetest.Eval[string](t, p, `document.activeElement.dataset.says`)
		p.Press(t, "Enter")
		p.Until(t, `document.querySelector("#walk .says").textContent==`+fmt.Sprintf("%q", label))
		none := b.Look(t, at+caseAddress+"&shown=101", pagetest.Look{NoScript: true})
		none.Click(t, `#walk a[data-finding="2"]`)
		none.Until(t, `document.querySelector("#walk .says").textContent.startsWith("`+then+`")`)
	}
}
