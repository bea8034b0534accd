package agreement

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/stat"
)

// quick are options for tests that look at values.
var quick = stat.Options{Seed: 1, Replicates: 100}

// asked is a question with the labels of a text.
func asked(id, labels string, ordinal bool) blind.Question {
	q := blind.Question{ID: id, Text: "What of " + id + "?", Ordinal: ordinal}
	for _, l := range strings.Fields(labels) {
		q.Labels = append(q.Labels, blind.Label{ID: l, Name: strings.ToUpper(l)})
	}
	return q
}

// reviewOf is a review of one question: a word an item, a digit what a rater says, a dot nothing.
func reviewOf(task blind.Kind, q blind.Question, text string) Review {
	r := Review{Package: blind.Package{Task: task, Title: "A review", Questions: []blind.Question{q}}, Names: map[string]string{}, Said: ratings.Latest{}}
	for i, word := range strings.Fields(text) {
		item := fmt.Sprintf("item%03d", i)
		r.Package.Items = append(r.Package.Items, blind.Item{ID: item})
		for j, c := range word {
			r.Names[fmt.Sprint("r", j)] = fmt.Sprintf("Rater %02d", j)
			if c != '.' {
				r.say(fmt.Sprint("r", j), item, map[string]string{q.ID: q.Labels[c-'0'].ID})
			}
		}
	}
	return r
}

// say adds an answer.
func (r Review) say(rater, item string, labels map[string]string) {
	r.Said.Add(ratings.Entry{ID: rater + item, Rater: rater, Item: item, Labels: labels, At: time.Unix(1, 0)})
}

// table finds a table.
func table(t *testing.T, r Results, id string) percuss.Table {
	t.Helper()
	for _, one := range r.Tables {
		if one.ID == id {
			for i, row := range one.Rows {
				if len(row.Cells) != len(one.Columns) {
					t.Fatalf("%s: row %d has %d cells of %d", id, i, len(row.Cells), len(one.Columns))
				}
			}
			return one
		}
	}
	t.Fatalf("there is no table %s", id)
	return percuss.Table{}
}

// says writes the rows of a table, a line each: words, counts, k/n of rates, and other numbers to the thousandth.
func says(t percuss.Table) string {
	var b strings.Builder
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if i > 0 {
				b.WriteString(" | ")
			}
			switch e := c.Estimate; {
			case t.Columns[i].Scale == percuss.Words:
				b.WriteString(c.Text)
			case e.Num.OK() && e.Num.Or(0) == math.Trunc(e.Num.Or(0)):
				b.WriteString(e.Num.Format(0) + "/" + e.Den.Format(0))
			case t.Columns[i].Scale == percuss.Whole:
				b.WriteString(e.Value.Format(0))
			default:
				b.WriteString(e.Value.Format(3))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimLeft(want, "\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
