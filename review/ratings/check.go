package ratings

import (
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"
)

var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// MostLabels is how many labels an entry may have.
const MostLabels = 100

// MostAhead is how far ahead of the clock of who keeps it an entry may be: clocks of two machines differ.
const MostAhead = 24 * time.Hour

// Check says what is wrong with an entry, whatever its package is. now is the time of who keeps it.
func (e Entry) Check(now time.Time) error {
	switch {
	case !name.MatchString(e.ID):
		return fmt.Errorf("an entry's id %.80q: 1 to 64 letters, digits, _ and -", e.ID)
	case !name.MatchString(e.Item):
		return fmt.Errorf("entry %s: an item's id %.80q: 1 to 64 letters, digits, _ and -", e.ID, e.Item)
	case len(e.Labels) > MostLabels:
		return fmt.Errorf("entry %s: %d labels: at most %d", e.ID, len(e.Labels), MostLabels)
	case e.At.IsZero():
		return fmt.Errorf("entry %s has no time", e.ID)
	case e.At.After(now.Add(MostAhead)):
		return fmt.Errorf("entry %s is of %s, which is more than a day ahead: set the clock right", e.ID, e.At.UTC().Format(time.RFC3339))
	case !(e.Seconds >= 0 && e.Seconds < 1e9):
		return fmt.Errorf("entry %s: %v seconds", e.ID, e.Seconds)
	}
	for question, label := range e.Labels {
		if !name.MatchString(question) || !name.MatchString(label) {
			return fmt.Errorf("entry %s: %.80q = %.80q: ids are 1 to 64 letters, digits, _ and -", e.ID, question, label)
		}
	}
	for _, text := range []string{e.Comment, e.Flag, e.By} {
		if len(text) > MostComment || !utf8.ValidString(text) {
			return fmt.Errorf("entry %s: a text of %d bytes: at most %d, in UTF-8", e.ID, len(text), MostComment)
		}
	}
	return nil
}

// MostName is the length of the longest name of a rater, bytes.
const MostName = 200

// Check says what is wrong with a rater.
func (r Rater) Check() error {
	switch {
	case !name.MatchString(r.ID):
		return fmt.Errorf("a rater's id %.80q: 1 to 64 letters, digits, _ and -", r.ID)
	case r.Name == "" || len(r.Name) > MostName || !utf8.ValidString(r.Name):
		return fmt.Errorf("a rater's name of %d bytes: from 1 to %d, in UTF-8", len(r.Name), MostName)
	case r.Added.IsZero():
		return fmt.Errorf("rater %s: no time", r.ID)
	}
	return nil
}

// Latest keeps, of entries in the order in which they came, the one that counts for each item of each rater: that of the latest At,
// of equal ones the last to come.
type Latest map[string]map[string]Entry

// Add enters one.
func (l Latest) Add(e Entry) {
	if l[e.Rater] == nil {
		l[e.Rater] = map[string]Entry{}
	}
	if old, ok := l[e.Rater][e.Item]; !ok || !e.At.Before(old.At) {
		l[e.Rater][e.Item] = e
	}
}
