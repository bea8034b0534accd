package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// unanswered counts, among what was left out, rows, tasks and records that nobody answered.
const unanswered = "without an answer"

// gather collects and checks the answers of a file.
type gather struct {
	path    string
	p       blind.Package
	items   map[string]blind.Item
	header  *header
	asks    map[string]string // questions by their names in Argilla
	now     time.Time
	history bool // the file may hold several answers of one rater to one item
	program bool // what is read comes from a program that shows every question of every item, and leaves out what was not answered
	rows    int
	some    bool  // a row of an item was read, whatever it says
	size    int64 // bytes of the cells
	most    limits
	long    map[string]*pending // entries of the long form whose rows are still being read
	order   []*pending
	out     Read
}

func newGather(path string, p blind.Package, now time.Time) *gather {
	g := &gather{path: path, p: p, header: newHeader(p), now: now, items: map[string]blind.Item{}, long: map[string]*pending{}, asks: map[string]string{},
		most: limits{mostRows, MostBytes, mostUnpacked}, out: Read{Path: path, Passed: map[string]int{}}}
	for _, item := range p.Items {
		g.items[item.ID] = item
	}
	g.header.quieten(p)
	for id, name := range askNames(p) {
		g.asks[id], g.asks[name] = id, id
	}
	return g
}

// samePackage is an error where a file says that it is another package's.
func (g *gather) samePackage(where, id string) error {
	if id = strings.TrimSpace(id); id != "" && id != g.p.ID {
		return fmt.Errorf("%s: it answers package %.80q, this one is %s: give the package that was sent out, or its folder", where, id, g.p.ID)
	}
	return nil
}

// add checks an answer and keeps it. Its labels are words as somebody wrote them.
func (g *gather) add(where string, e ratings.Entry) error {
	item, ok := g.items[e.Item]
	switch {
	case e.Item == "":
		return fmt.Errorf("%s: it does not say of which item: give the id that the exported sheet has", where)
	case !ok && g.p.Item(e.Item) != nil:
		return fmt.Errorf("%s: %s is a practice item, whose answers count nowhere: leave it out", where, e.Item)
	case !ok:
		return fmt.Errorf("%s: there is no item %.80q in package %s: it may belong to another package; give that one", where, e.Item, g.p.ID)
	}
	labels, err := g.labels(e.Labels)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	e.Labels = labels
	if g.program {
		g.leave(item, labels)
	}
	if len(labels) == 0 && strings.TrimSpace(e.Comment+e.Flag) == "" && !e.Flagged {
		g.out.Passed[unanswered]++
		return nil
	}
	if err := g.asked(item, labels); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if e.By == "" {
		e.By = strings.ToValidUTF8(filepath.Base(g.path), "?")
	}
	e.At = e.At.UTC().Truncate(time.Millisecond)
	check := e
	check.ID = cmp.Or(e.ID, e.Item)
	if e.At.IsZero() {
		check.At = g.now
	}
	if err := check.Check(g.now); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	g.out.Answers = append(g.out.Answers, Answer{e, where})
	return nil
}

// labels are the labels that words mean, by question.
func (g *gather) labels(words map[string]string) (map[string]string, error) {
	out := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(words)) {
		if strings.TrimSpace(words[id]) == "" {
			continue
		}
		q := g.p.Question(id)
		if q == nil {
			return nil, fmt.Errorf("the package has no question %.80q: it asks %s", id, g.questions())
		}
		label, err := labelOf(*q, words[id])
		if err != nil {
			return nil, err
		}
		out[id] = label
	}
	return out, nil
}

// labelOf is the label that a word means: its id, or what raters see, whatever its capitals, blanks and hyphens.
func labelOf(q blind.Question, word string) (string, error) {
	word = strings.TrimSpace(word)
	if q.Has(word) {
		return word, nil
	}
	var found, ids []string
	for _, l := range q.Labels {
		if ids = append(ids, l.ID); fold(l.ID) == fold(word) || fold(l.Name) == fold(word) {
			found = append(found, l.ID)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s %.80q: write one of %s", q.ID, word, strings.Join(ids, ", "))
	}
	return found[0], nil
}

// unasked counts, among what was left out, labels that rightly are not there.
const unasked = "for what an item does not ask"

// leave takes out the labels that answer what the item does not ask: whoever was shown the question could not know.
func (g *gather) leave(item blind.Item, labels map[string]string) {
	for n := -1; n != len(labels); {
		n = len(labels)
		asked := g.p.Asked(item, labels)
		maps.DeleteFunc(labels, func(id, _ string) bool {
			return !slices.ContainsFunc(asked, func(q blind.Question) bool { return q.ID == id })
		})
		if n > len(labels) {
			g.out.Passed[unasked] += n - len(labels)
		}
	}
}

// asked says which of the labels answers what the item does not ask.
func (g *gather) asked(item blind.Item, labels map[string]string) error {
	asked := g.p.Asked(item, labels)
	for _, q := range g.p.Questions {
		if labels[q.ID] == "" || slices.ContainsFunc(asked, func(a blind.Question) bool { return a.ID == q.ID }) {
			continue
		}
		if q.When != nil && labels[q.When.Question] != q.When.Label {
			return fmt.Errorf("%s is asked only after %s = %s: leave it empty, or answer %s so", q.ID, q.When.Question, q.When.Label, q.When.Question)
		}
		return fmt.Errorf("item %s does not ask %s: leave it empty", item.ID, q.ID)
	}
	return nil
}

// finish names the raters and looks for what was said twice.
func (g *gather) finish(rater string) (Read, error) {
	if !g.some {
		return Read{}, fmt.Errorf("%s: it holds no row of an item: give the sheet that was filled in, or what was exported", g.path)
	}
	if len(g.header.passed) > 0 {
		g.out.Notes = append(g.out.Notes, fmt.Sprintf("passed over, for the package asks no such thing: the columns %.200q", strings.Join(g.header.passed, ", ")))
	}
	if err := g.name(strings.TrimSpace(rater)); err != nil {
		return Read{}, err
	}
	seen := map[[4]string]string{}
	for _, a := range g.out.Answers {
		key := [4]string{strings.ToLower(a.Rater), a.Item}
		if g.history && !a.At.IsZero() {
			key[2], key[3] = a.At.Format(time.RFC3339Nano), a.ID
		}
		if other, ok := seen[key]; ok {
			return Read{}, fmt.Errorf("%s: %q has answered item %s already (%s): leave one of the two, or give each rater a name", a.Where, a.Rater, a.Item, other)
		}
		seen[key] = a.Where
	}
	return g.out, nil
}

// name gives every answer its rater.
func (g *gather) name(rater string) error {
	names := map[string]string{}
	for _, a := range g.out.Answers {
		if a.Rater != "" {
			names[strings.ToLower(a.Rater)] = a.Rater
		}
	}
	if rater != "" && len(names) > 1 {
		return fmt.Errorf("%s: it holds answers of %d raters (%.200q): leave out --rater", g.path, len(names), strings.Join(slices.Sorted(maps.Values(names)), ", "))
	}
	for i := range g.out.Answers {
		a := &g.out.Answers[i]
		if rater != "" {
			a.Rater = rater
		}
		if a.Rater == "" {
			return fmt.Errorf("%s: it does not say who the rater is: fill in the column %q, or say --rater NAME", a.Where, colRater)
		}
		if err := (ratings.Rater{ID: "r", Name: a.Rater, Added: g.now}).Check(); err != nil {
			return fmt.Errorf("%s: %w", a.Where, err)
		}
	}
	return nil
}
