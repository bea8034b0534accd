package blind

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Check says what is wrong with a package, and where.
func (p Package) Check() error {
	switch {
	case p.Schema != PackageSchema:
		return fmt.Errorf("schema %q: this version of Percuss reads %q; make the package with `percuss review create`", p.Schema, PackageSchema)
	case len(p.Items) == 0:
		return errors.New("it has no items")
	case len(p.Items) > MostItems:
		return fmt.Errorf("%d items: at most %d", len(p.Items), MostItems)
	case p.Round < 1 || p.Round > 2:
		return fmt.Errorf("round %d: 1, or 2 for an adjudication", p.Round)
	case !hash.MatchString(p.Seal):
		return errors.New("its seal is no SHA-256 of 64 hex digits")
	case p.ID != p.identity():
		return fmt.Errorf("its content is not that of package %s: it was changed after it was made; take the file that `percuss review create` wrote", p.ID)
	}
	if err := CheckQuestions(p.Questions); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, part := range []struct {
		name  string
		items []Item
	}{{"item", p.Items}, {"practice item", p.Practice}} {
		for i, item := range part.items {
			if err := p.checkItem(item, seen); err != nil {
				return fmt.Errorf("%s %d: %w", part.name, i+1, err)
			}
		}
	}
	return nil
}

var (
	hash = regexp.MustCompile(`^[0-9a-f]{64}$`)
	name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) // of an item, question or label: it stands in addresses, files and columns
)

// MostLabels is how many labels a question may have: a digit each.
const MostLabels = 9

// CheckQuestions says what is wrong with the questions of a form.
func CheckQuestions(questions []Question) error {
	if len(questions) == 0 {
		return errors.New("there are no questions")
	}
	for i, q := range questions {
		if err := checkQuestion(q, questions[:i]); err != nil {
			return fmt.Errorf("question %d (%s): %w", i+1, q.ID, err)
		}
	}
	return nil
}

func checkQuestion(q Question, earlier []Question) error {
	switch {
	case !name.MatchString(q.ID):
		return errors.New("its id is not 1 to 64 letters, digits, _ and -")
	case reserved[q.ID]:
		return fmt.Errorf("its id is the name of a column of its own: choose another than %s", q.ID)
	case strings.TrimSpace(q.Text) == "":
		return errors.New("it has no text")
	case len(q.Labels) < 2 || len(q.Labels) > MostLabels:
		return fmt.Errorf("%d labels: from 2 to %d, for a digit chooses each", len(q.Labels), MostLabels)
	case slices.ContainsFunc(earlier, func(e Question) bool { return e.ID == q.ID }):
		return errors.New("another one has the same id")
	}
	for i, l := range q.Labels {
		switch {
		case !name.MatchString(l.ID):
			return fmt.Errorf("label %q: an id is 1 to 64 letters, digits, _ and -", l.ID)
		case slices.ContainsFunc(q.Labels[:i], func(e Label) bool { return e.ID == l.ID }):
			return fmt.Errorf("label %q stands there twice", l.ID)
		case strings.TrimSpace(l.Name) == "":
			return fmt.Errorf("label %q has no name for raters", l.ID)
		}
	}
	if q.When == nil {
		return nil
	}
	for _, e := range earlier {
		if e.ID == q.When.Question && slices.ContainsFunc(e.Labels, func(l Label) bool { return l.ID == q.When.Label }) {
			return nil
		}
	}
	return fmt.Errorf("it is asked after %s = %s, and no question before it has that label", q.When.Question, q.When.Label)
}

// reserved are the columns of sheets besides the questions.
var reserved = map[string]bool{"id": true, "rater": true, "reviewer": true, "item": true, "comment": true, "flag": true, "flagged": true, "seconds": true, "at": true, "by": true,
	"question": true, "label": true, "package": true}

func (p Package) checkItem(item Item, seen map[string]bool) error {
	switch {
	case !name.MatchString(item.ID):
		return fmt.Errorf("id %q is not 1 to 64 letters, digits, _ and -", item.ID)
	case item.ID == GuideRow:
		return fmt.Errorf("id %s is that of the row that explains a sheet", GuideRow)
	case seen[item.ID]:
		return fmt.Errorf("id %s stands there twice", item.ID)
	case len(item.Parts) == 0:
		return fmt.Errorf("%s shows nothing", item.ID)
	}
	seen[item.ID] = true
	for _, id := range item.Asks {
		if p.Question(id) == nil {
			return fmt.Errorf("%s asks %q, which is no question of the package", item.ID, id)
		}
	}
	for id, label := range item.Expected {
		if q := p.Question(id); q == nil || !q.Has(label) {
			return fmt.Errorf("%s expects %s = %q, which cannot be answered", item.ID, id, label)
		}
	}
	for _, part := range item.Parts {
		if err := part.check(); err != nil {
			return fmt.Errorf("%s: %w", item.ID, err)
		}
	}
	return nil
}

func (p Part) check() error {
	if p.Show != ShowText && p.Show != ShowChange && p.Show != ShowList {
		return fmt.Errorf("a part is shown as %q: %s, %s or %s", p.Show, ShowText, ShowChange, ShowList)
	}
	texts := []string{p.Head, p.Text, p.Before, p.After}
	for _, r := range p.Rows {
		texts = append(texts, r.Key, r.Text, r.Note)
	}
	for _, t := range texts {
		if len(t) > MostText || !utf8.ValidString(t) {
			return fmt.Errorf("a text of %d bytes: at most %d, in UTF-8", len(t), MostText)
		}
	}
	return nil
}
