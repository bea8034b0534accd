package explore

import (
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/versus"
)

// comparePages shares the tables of reports. Its columns are named in full and need no definitions.
var comparePages = template.Must(report.Templates().Funcs(template.FuncMap{
	"grouped": percuss.Grouped,
	"defined": func(c percuss.Column) report.Term { return report.Term{Head: c.Head} },
}).ParseFS(files, "compare.gohtml"))

// perComparison is how many items a page of a comparison lists.
const perComparison = 50

// anyOperator stands for all operators: items of which some trial came out in another way.
const anyOperator = "*"

// mostTrials is how many trials of an item are named in the list.
const mostTrials = 12

// comparePage is what the template needs.
type comparePage struct {
	web.Frame
	A, B             string
	Runs, RunsB      []string // to choose from, before and after
	ModelsA, ModelsB []string // where they have to be told apart
	ModelA, ModelB   string
	Problem          string // why there is no comparison
	Waiting          bool
	C                versus.Comparison
	Of               string // the one group that there is
	Tables           []percuss.Table
	Figures          string // where the tables are, on a page that does not draw them
	Kinds            []choiceLine
	Operators        []choiceLine
	Chosen           string // the operator
	Found            string
	Lines            []comparedLine
	First, Next      string
	Swap             string
}

// comparedLine is an item in the list.
type comparedLine struct {
	Item, Stem, Group string
	Kind              string
	Was, Is           string
	Href              string // of both side by side
	HrefA, HrefB      string
	Turns             []comparedTurn
	More              int // trials that are not named
}

// comparedTurn are the trials that came out in one way before and in another after.
type comparedTurn struct {
	Was, Is string
	Trials  []comparedTrial
}

// comparedTrial is a trial whose outcome differs.
type comparedTrial struct {
	Name, Detail string // its cell of the joint table, or its strength, in both runs
	Href         string // of both replies side by side; a case has no replies:
	HrefA, HrefB string // of its trial in each run
}

// kindWords say what a kind of item is.
var kindWords = map[versus.Kind]string{versus.Broke: "right before, wrong after", versus.Fixed: "wrong before, right after", versus.Lost: "no answer any more",
	versus.Gained: "an answer where there was none", versus.StaysWrong: "wrong in both", versus.StaysRight: "right in both", versus.Unread: "no answer in either"}

// compare shows two runs item by item.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	s.withComparison(w, r, func(p *comparePage, c *comparison, a, b *volume) {
		if err := p.fill(r.URL.Query(), c, a, b); err != nil {
			s.fail(w, http.StatusBadRequest, err)
			return
		}
		s.drawComparison(w, http.StatusOK, *p)
	})
}

func (s *Server) drawComparison(w http.ResponseWriter, status int, p comparePage) {
	s.send(w, status, func(to io.Writer) error { return web.Draw(to, comparePages, "compare", p) })
}

// modelsOf are the models of a run, in its order.
func modelsOf(v *volume) []string {
	var out []string
	for _, m := range v.Manifest().Spec.Models {
		out = append(out, m.ID)
	}
	return out
}

// address is the address of this page with other values; empty ones are left out.
func (p *comparePage) address(with url.Values) string {
	q := url.Values{"a": {p.A}, "b": {p.B}, "ma": {p.ModelA}, "mb": {p.ModelB}}
	for name, values := range with {
		q[name] = values
	}
	for name, values := range q {
		if q[name] = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" }); len(q[name]) == 0 {
			delete(q, name)
		}
	}
	return "/compare?" + q.Encode()
}

// fill puts into the page what the address asks for.
func (p *comparePage) fill(q url.Values, c *comparison, a, b *volume) error {
	p.C = c.c
	if len(c.c.Groups) == 1 {
		p.Of = c.c.Groups[0].Name()
	}
	kinds, found, err := p.found(q, c)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(firstOr(q.Get("from"), "0"))
	if err != nil || from < 0 {
		return fmt.Errorf("from=%q: it is a count of items", q.Get("from"))
	}
	if from == 0 && len(kinds) == 0 && p.Chosen == "" {
		p.Tables = c.c.Shown()
	} else {
		p.Figures = p.address(nil) + "#figures" // of a panel they are megabytes, and a filter changes none of them
	}
	titles := a.titles()
	p.Operators = []choiceLine{{Value: anyOperator, Text: "any edit", N: number(c.moved), Chosen: p.Chosen == anyOperator}}
	for _, op := range c.ops {
		p.Operators = append(p.Operators, choiceLine{Value: op, Text: strings.TrimSpace(op + " " + titles[op]), N: number(c.op[op]), Chosen: op == p.Chosen})
	}
	p.Found = number(len(found)) + " of " + number(len(c.c.Items))
	p.list(found, from, kinds, a, b)
	return nil
}

// found are the items that the filter in an address lets through; the kinds to choose from are counted.
func (p *comparePage) found(q url.Values, c *comparison) (kinds []string, found []versus.Moved, err error) {
	kinds = slices.DeleteFunc(slices.Clone(q["kind"]), func(k string) bool { return k == "" })
	for _, k := range kinds {
		if !slices.Contains(versus.Kinds(), versus.Kind(k)) {
			return nil, nil, fmt.Errorf("kind=%q: it may be %v", k, versus.Kinds())
		}
	}
	if p.Chosen != "" && p.Chosen != anyOperator && c.op[p.Chosen] == 0 {
		return nil, nil, fmt.Errorf("op=%q: no trial of it came out in another way in these runs", p.Chosen)
	}
	counts := map[versus.Kind]int{}
	for _, m := range c.c.Items {
		if p.Chosen != "" && !slices.ContainsFunc(m.Trials, p.of) {
			continue
		}
		if counts[m.Kind]++; len(kinds) == 0 || slices.Contains(kinds, string(m.Kind)) {
			found = append(found, m)
		}
	}
	for _, k := range versus.Kinds() {
		if chosen := slices.Contains(kinds, string(k)); chosen || counts[k] > 0 {
			p.Kinds = append(p.Kinds, choiceLine{Value: string(k), Text: kindWords[k], N: number(counts[k]), Chosen: chosen})
		}
	}
	return kinds, found, nil
}

// of says whether a trial is of the chosen operator.
func (p *comparePage) of(t versus.MovedTrial) bool {
	return p.Chosen == "" || p.Chosen == anyOperator || t.Operator == p.Chosen
}

// list puts one page of the items into the page.
func (p *comparePage) list(found []versus.Moved, from int, kinds []string, a, b *volume) {
	here := url.Values{"kind": kinds, "op": {p.Chosen}}
	if from > 0 {
		p.First = p.address(here)
	}
	stems := map[percuss.SubjectID]percuss.Subject{}
	page := found[min(from, len(found)):min(from+perComparison, len(found))]
	for _, m := range page {
		stems[m.Before] = percuss.Subject{}
	}
	for _, s := range a.Subjects() {
		if _, wanted := stems[s.SubjectID]; wanted {
			stems[s.SubjectID] = s
		}
	}
	for _, m := range page {
		p.Lines = append(p.Lines, p.line(m, stems[m.Before], kinds, a, b, mostTrials))
	}
	if next := from + perComparison; next < len(found) {
		here["from"] = []string{strconv.Itoa(next)}
		p.Next = p.address(here)
	}
}

// line is one item of the list, with so many of its trials at most.
func (p *comparePage) line(m versus.Moved, s percuss.Subject, kinds []string, a, b *volume, most int) comparedLine {
	l := comparedLine{Item: m.Before.Item, Stem: begin(stemOf(s), 90), Kind: kindWords[m.Kind], Was: m.Was, Is: m.Is, Href: p.pairAddress(m.Before, "", kinds),
		HrefA: itemAddress(a.Name, m.Before, "", noFilter), HrefB: itemAddress(b.Name, m.After, "", noFilter)}
	g := versus.Group{Set: m.Before.Set, BeforeModel: m.Before.Model, AfterModel: m.After.Model, BeforePrompt: m.Before.Variant, AfterPrompt: m.After.Variant}
	if len(p.C.Groups) != 1 {
		l.Group = g.Name()
	}
	named := 0
	for _, t := range m.Trials {
		if !p.of(t) {
			continue
		}
		if named == most {
			l.More++
			continue
		}
		named++
		at := slices.IndexFunc(l.Turns, func(o comparedTurn) bool { return o.Was == string(t.Was) && o.Is == string(t.Is) })
		if at < 0 {
			at = len(l.Turns)
			l.Turns = append(l.Turns, comparedTurn{Was: string(t.Was), Is: string(t.Is)})
		}
		one := comparedTrial{Name: trialName(t), Detail: detailOf(t)}
		if a.chain() {
			one.Href = p.pairAddress(m.Before, t.ID, kinds)
		} else {
			one.HrefA, one.HrefB = itemAddress(a.Name, m.Before, t.ID, noFilter), itemAddress(b.Name, m.After, t.ID, noFilter)
		}
		l.Turns[at].Trials = append(l.Turns[at].Trials, one)
	}
	return l
}

// trialName is what a page calls a trial.
func trialName(t versus.MovedTrial) string {
	set, is := strings.CutPrefix(t.ID, "set-")
	bits, err := strconv.ParseUint(set, 10, 32)
	if !is || err != nil {
		return t.ID
	}
	return findings(uint32(bits))
}

// detailOf is a trial's cell of the joint table, or its strength, in both runs; empty: it has neither.
func detailOf(t versus.MovedTrial) string {
	switch {
	case t.Cell != "" || t.CellIs != "":
		return firstOr(t.Cell, "–") + " → " + firstOr(t.CellIs, "–")
	case t.Strength.OK() || t.NowAt.OK():
		return signed(t.Strength) + " → " + signed(t.NowAt)
	}
	return ""
}

func firstOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
