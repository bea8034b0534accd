package exchange

import (
	"strings"

	"github.com/percuss/percuss/review/ratings"
)

// pending is an entry of the long form, of which some rows were read.
type pending struct {
	where string
	entry ratings.Entry
	at    map[string]string // where each question was answered
}

// longRow takes a row with one question and its label. Rows of one rater, item, entry and time are one entry.
func (g *gather) longRow(r row) error {
	g.history = true
	e, err := g.entry(r)
	if err != nil {
		return err
	}
	if strings.TrimSpace(r.cells[colItem]) != "" {
		e.ID = strings.TrimSpace(r.cells[colID])
	}
	key := strings.Join([]string{strings.ToLower(e.Rater), e.Item, e.ID, e.At.String()}, "\x00")
	old, ok := g.long[key]
	if !ok {
		old = &pending{r.where, e, map[string]string{}}
		g.long[key] = old
		g.order = append(g.order, old)
	} else if was := old.entry; was.Comment != e.Comment || was.Flag != e.Flag || was.Flagged != e.Flagged || was.Seconds != e.Seconds {
		return r.fault("comment, flag or seconds differ from those of the same answer (%s): a rater says one thing of an item at one time", old.where)
	}
	word, label := strings.TrimSpace(r.cells[colQuestion]), strings.TrimSpace(r.cells[colLabel])
	switch {
	case word == "" && label == "":
		return nil
	case word == "":
		return r.fault("a label without a question: name it in the column %q", colQuestion)
	}
	q := g.p.Question(g.header.column(word))
	if q == nil {
		return r.fault("the package has no question %.80q: it asks %s", word, g.questions())
	}
	if other, ok := old.at[q.ID]; ok {
		return r.fault("%q has answered %s of item %s already (%s): leave one of the two", e.Rater, q.ID, e.Item, other)
	}
	if label != "" {
		if label, err = labelOf(*q, label); err != nil {
			return r.fault("%v", err)
		}
	}
	old.at[q.ID], old.entry.Labels[q.ID] = r.where, label
	return nil
}

// flush takes the entries whose rows were read.
func (g *gather) flush() error {
	for _, p := range g.order {
		if err := g.add(p.where, p.entry); err != nil {
			return err
		}
	}
	g.order, g.long = nil, map[string]*pending{}
	return nil
}

// questions are the ids of the package's questions, in words.
func (g *gather) questions() string {
	var ids []string
	for _, q := range g.p.Questions {
		ids = append(ids, q.ID)
	}
	return strings.Join(ids, ", ")
}
