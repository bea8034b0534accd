package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"unicode"
)

// ErrNoTexts says that there is no full text to look in.
var ErrNoTexts = errors.New("the full text is not built")

// textSchema are the tables of the full text: what was asked, once an item however many models were asked it, and what
// was replied, a row each. Only the index of words is kept, none of the texts.
const textSchema = `
CREATE TABLE about (of TEXT NOT NULL);
CREATE TABLE span (item INTEGER NOT NULL, first INTEGER NOT NULL, rows INTEGER NOT NULL, PRIMARY KEY (item, first)) WITHOUT ROWID;
CREATE VIRTUAL TABLE question USING fts5(words, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE reply USING fts5(words, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2');
`

// Text is what is to be found of one subject.
type Text struct {
	Item    string   // names what was asked, whichever model was
	Asked   string   // its text
	First   int      // number of the subject's first row
	Replies []string // one for each of its rows; empty: it has none
}

// BuildTexts writes the full text of a run to path, as Build does the index.
func BuildTexts(ctx context.Context, path, of string, texts iter.Seq2[Text, error]) error {
	err := aside(ctx, path, textSchema, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO about VALUES (?)", format+" "+of); err != nil {
			return err
		}
		w := textWriter{ctx: ctx, questions: map[string]int{}}
		for query, to := range map[string]**sql.Stmt{
			"INSERT INTO span VALUES (?, ?, ?)":                 &w.span,
			"INSERT INTO question (rowid, words) VALUES (?, ?)": &w.question,
			"INSERT INTO reply (rowid, words) VALUES (?, ?)":    &w.reply,
		} {
			var err error
			if *to, err = tx.PrepareContext(ctx, query); err != nil {
				return err
			}
		}
		for t, err := range texts {
			if err == nil {
				err = w.add(t)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("build %s: %w", path, err)
	}
	return nil
}

// textWriter writes texts; questions are the numbers of the items, from 1.
type textWriter struct {
	ctx                   context.Context
	span, question, reply *sql.Stmt
	questions             map[string]int
}

func (w *textWriter) add(t Text) error {
	n, ok := w.questions[t.Item]
	if !ok {
		n = len(w.questions) + 1
		w.questions[t.Item] = n
		if _, err := w.question.ExecContext(w.ctx, n, t.Asked); err != nil {
			return err
		}
	}
	if _, err := w.span.ExecContext(w.ctx, n, t.First, len(t.Replies)); err != nil {
		return err
	}
	for i, s := range t.Replies {
		if s == "" {
			continue
		}
		if _, err := w.reply.ExecContext(w.ctx, t.First+i+1, s); err != nil {
			return err
		}
	}
	return w.ctx.Err()
}

// Texts is the full text of a run. Its methods may be called from several goroutines.
type Texts struct {
	db *sql.DB

	mu    sync.Mutex
	last  string // what was looked for last: the parts of one page ask for the same
	found bitmap
}

// OpenTexts opens the full text at path if it was built of that; an error wraps ErrStale as that of Open does.
func OpenTexts(path, of string) (*Texts, error) {
	db, err := openFile(path, of)
	if err != nil {
		return nil, err
	}
	return &Texts{db: db}, nil
}

// Close closes the file.
func (t *Texts) Close() error { return t.db.Close() }

// bitmap is a set of rows.
type bitmap []uint64

func (b bitmap) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

// add adds n rows from i on; those beyond the end are none of the run's.
func (b bitmap) add(i, n int) {
	for ; n > 0 && i >= 0 && i/64 < len(b); i, n = i+1, n-1 {
		b[i/64] |= 1 << (i % 64)
	}
}

// term is a word or phrase, which a row is to have, or not to have.
type term struct {
	words string // as FTS5 takes it: in quotes
	not   bool
}

// mostTerms bounds how many terms are looked for; the rest is left out.
const mostTerms = 16

// terms reads what a user looks for: words, a "phrase", and -word for what is not to be there. All else is words too: no
// operator of the engine gets through.
func terms(text string) []term {
	var out []term
	add := func(s string, not bool) {
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && len(out) < mostTerms {
			out = append(out, term{`"` + s + `"`, not})
		}
	}
	parts := strings.Split(strings.ReplaceAll(text, "\x00", " "), `"`)
	for i, part := range parts {
		if i%2 == 1 {
			add(part, strings.HasSuffix(parts[i-1], "-"))
			continue
		}
		for _, w := range strings.Fields(part) {
			word, not := strings.CutPrefix(w, "-")
			add(word, not)
		}
	}
	return out
}

// find returns the rows that have every term, each in the question or in the reply, and none of those that are not to be
// there. A text without a term is had by every row.
func (t *Texts) find(ctx context.Context, text string, rows int) (bitmap, error) {
	if t == nil {
		return nil, ErrNoTexts
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == text && len(t.found) == (rows+63)/64 {
		return t.found, nil
	}
	out := make(bitmap, (rows+63)/64)
	out.add(0, rows)
	for _, term := range terms(text) {
		has := make(bitmap, len(out))
		if err := t.having(ctx, term.words, has); err != nil {
			return nil, err
		}
		for i := range out {
			if term.not {
				out[i] &^= has[i]
			} else {
				out[i] &= has[i]
			}
		}
	}
	t.last, t.found = text, out
	return out, nil
}

// having adds the rows whose question or reply has a phrase.
func (t *Texts) having(ctx context.Context, phrase string, to bitmap) error {
	asked := "SELECT s.first, s.rows FROM question JOIN span s ON s.item = question.rowid WHERE question MATCH ?"
	err := each(ctx, t.db, asked, []any{phrase}, func(scan func(...any) error) error {
		var first, n int
		err := scan(&first, &n)
		to.add(first, n)
		return err
	})
	if err != nil {
		return err
	}
	return each(ctx, t.db, "SELECT rowid FROM reply WHERE reply MATCH ?", []any{phrase}, func(scan func(...any) error) error {
		var row int
		err := scan(&row)
		to.add(row-1, 1)
		return err
	})
}
