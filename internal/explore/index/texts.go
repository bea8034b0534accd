package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"
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
	db    *sql.DB
	spans map[int][]span // by the number of the question

	mu    sync.Mutex
	last  string // what was looked for last: the parts of one page ask for the same
	found bitmap
}

// span are the rows of a subject.
type span struct{ first, rows int }

// OpenTexts opens the full text at path if it was built of that; an error wraps ErrStale as that of Open does.
func OpenTexts(path, of string) (*Texts, error) {
	db, err := openFile(path, of)
	if err != nil {
		return nil, err
	}
	t := &Texts{db: db, spans: map[int][]span{}}
	err = each(context.Background(), db, "SELECT item, first, rows FROM span", nil, func(scan func(...any) error) error {
		var item int
		var s span
		err := scan(&item, &s.first, &s.rows)
		t.spans[item] = append(t.spans[item], s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrStale, errors.Join(err, db.Close()))
	}
	return t, nil
}

// Close closes the file.
func (t *Texts) Close() error { return t.db.Close() }
