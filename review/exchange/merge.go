package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Fresh is what a book lacks of some files.
type Fresh struct {
	Raters  []ratings.Rater
	Entries []ratings.Entry // in the order of the files
	Same    int             // answers that the book has already
}

// Merge finds what a book, whose raters and entries are given in their order, lacks of what was read. An entry's id is a hash of what it says, so what is imported
// again is found again. An answer without a time is of now, and new where it differs from what counts for its rater and item. Two of them that
// contradict each other are an error.
func Merge(p blind.Package, raters []ratings.Rater, entries []ratings.Entry, reads []Read, now time.Time) (Fresh, error) {
	m := merge{p: p, now: now.UTC().Truncate(time.Millisecond), latest: ratings.Latest{}, ids: map[[2]string]ratings.Entry{}, known: map[[2]string]bool{}, untimed: map[[2]string]string{},
		names: map[string]string{}, folded: map[string][]string{}}
	for _, r := range raters {
		m.names[r.Name] = r.ID
		m.folded[strings.ToLower(r.Name)] = append(m.folded[strings.ToLower(r.Name)], r.ID)
	}
	for _, e := range entries {
		m.keep(e)
	}
	for _, read := range reads {
		for _, a := range read.Answers {
			if err := m.answer(a); err != nil {
				return Fresh{}, err
			}
		}
	}
	return m.out, nil
}

type merge struct {
	p       blind.Package
	now     time.Time
	latest  ratings.Latest
	ids     map[[2]string]ratings.Entry // by rater and id
	known   map[[2]string]bool          // rater, and hash of what was said when
	untimed map[[2]string]string        // where an answer without a time was read, by rater and item
	names   map[string]string           // raters' ids
	folded  map[string][]string         // the same without regard to capitals
	out     Fresh
}

// keep enters what the book has, or will have.
func (m *merge) keep(e ratings.Entry) {
	m.latest.Add(e)
	m.ids[[2]string{e.Rater, e.ID}] = e
	m.known[[2]string{e.Rater, m.hash(e, "")}] = true
}

// answer enters one that was read.
func (m *merge) answer(a Answer) error {
	e := a.Entry
	e.Rater = m.rater(a.Rater)
	last, some := m.latest[e.Rater][e.Item]
	place := [2]string{e.Rater, e.Item}
	if e.At.IsZero() {
		if some && same(last, e) {
			m.out.Same++
			return nil
		}
		if other, ok := m.untimed[place]; ok {
			return fmt.Errorf("%s: %q says something else of item %s than in %s, and neither has a time: leave one of the two", a.Where, a.Rater, e.Item, other)
		}
		m.untimed[place] = a.Where
		e.ID = m.hash(e, last.ID)
		if e.At = m.now; some && last.At.After(e.At) {
			e.At = last.At // it is the later one, whatever a clock said
		}
	} else if hash := m.hash(e, ""); m.known[[2]string{e.Rater, hash}] {
		m.out.Same++
		return nil
	} else if _, taken := m.ids[[2]string{e.Rater, e.ID}]; taken || e.ID == "" {
		e.ID = hash
	}
	m.keep(e)
	m.out.Entries = append(m.out.Entries, e)
	return nil
}

// rater is the id of a rater of a name, who is added where there is none.
func (m *merge) rater(name string) string {
	if id, ok := m.names[name]; ok {
		return id
	}
	if ids := m.folded[strings.ToLower(name)]; len(ids) == 1 {
		return ids[0]
	}
	sum := sha256.Sum256([]byte(m.p.ID + "\x00" + name))
	id := "r-" + hex.EncodeToString(sum[:8])
	m.names[name] = id
	m.folded[strings.ToLower(name)] = append(m.folded[strings.ToLower(name)], id)
	m.out.Raters = append(m.out.Raters, ratings.Rater{ID: id, Name: name, Added: m.now})
	return id
}

// same says whether two entries say the same.
func same(a, b ratings.Entry) bool {
	return maps.Equal(given(a.Labels), given(b.Labels)) && ends(a.Comment) == ends(b.Comment) && ends(a.Flag) == ends(b.Flag) && a.Flagged == b.Flagged
}

// given are the labels without open questions.
func given(labels map[string]string) map[string]string {
	out := map[string]string{}
	for question, label := range labels {
		if label != "" {
			out[question] = label
		}
	}
	return out
}

// ends makes the line ends of a text one sign each: a CSV file does not tell them apart.
func ends(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// hash is the id of what an entry says: with its time or, where it has none, after the entry of the given id.
func (m *merge) hash(e ratings.Entry, after string) string {
	at := ""
	if !e.At.IsZero() {
		at = e.At.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)
	}
	raw, err := json.Marshal([]any{m.p.ID, e.Rater, e.Item, given(e.Labels), ends(e.Comment), ends(e.Flag), e.Flagged, at, after})
	if err != nil {
		panic("exchange: an entry does not become JSON: " + err.Error()) // it holds texts and truth values only
	}
	sum := sha256.Sum256(raw)
	return "f-" + hex.EncodeToString(sum[:16])
}
