package index

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
)

// bitmap is a set of rows.
type bitmap []uint64

func (b bitmap) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

// add adds n rows from i on; those beyond the end are none of the run's.
func (b bitmap) add(i, n int) {
	for ; n > 0 && i >= 0 && i/64 < len(b); i, n = i+1, n-1 {
		b[i/64] |= 1 << (i % 64)
	}
}

func (b bitmap) empty() bool {
	for _, word := range b {
		if word != 0 {
			return false
		}
	}
	return true
}

// narrow leaves the rows that another set has, or those that it does not have.
func (b bitmap) narrow(other bitmap, not bool) {
	for i := range b {
		if not {
			b[i] &^= other[i]
		} else {
			b[i] &= other[i]
		}
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
	all := terms(text)
	out, asked := make(bitmap, (rows+63)/64), make([]bitmap, len(all))
	out.add(0, rows)
	for i, term := range all {
		asked[i] = make(bitmap, len(out))
		if err := t.asked(ctx, term.words, asked[i]); err != nil {
			return nil, err
		}
	}
	err := inStretches(rows, func(from, to int) error {
		here := out[from/64 : (to+63)/64]
		for i, term := range all {
			if here.empty() {
				return nil // no further term brings a row back
			}
			has := asked[i][from/64 : (to+63)/64]
			if err := t.replied(ctx, term.words, from, to, has); err != nil {
				return err
			}
			here.narrow(has, term.not)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.last, t.found = text, out
	return out, nil
}

// asked adds the rows whose question has a phrase.
func (t *Texts) asked(ctx context.Context, phrase string, to bitmap) error {
	return each(ctx, t.db, "SELECT rowid FROM question WHERE question MATCH ?", []any{phrase}, func(scan func(...any) error) error {
		var item int
		err := scan(&item)
		for _, s := range t.spans[item] {
			to.add(s.first, s.rows)
		}
		return err
	})
}

// replied adds the rows of a stretch whose reply has a phrase. The engine lists them in one text, for handing over a row
// takes it several times as long as finding one.
func (t *Texts) replied(ctx context.Context, phrase string, from, to int, has bitmap) error {
	var list []byte
	err := t.db.QueryRowContext(ctx, "SELECT group_concat(rowid) FROM reply WHERE reply MATCH ? AND rowid BETWEEN ? AND ?", phrase, from+1, to).Scan(&list)
	if err != nil || len(list) == 0 {
		return err
	}
	row := 0
	for _, c := range append(list, ',') {
		if c != ',' {
			row = 10*row + int(c-'0')
			continue
		}
		has.add(row-1-from, 1)
		row = 0
	}
	return nil
}

// stretch is how many rows are looked through at a time: what is found in them is a megabyte of text at most. It is a multiple
// of the bits of a bitmap's word, so that no two stretches write the same one.
const stretch = 1 << 17

// inStretches calls see for every stretch of so many rows, several at once, and returns what failed.
func inStretches(rows int, see func(from, to int) error) error {
	var all sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, min(connections, runtime.GOMAXPROCS(0)))
	for worker := range errs {
		all.Go(func() {
			for errs[worker] == nil {
				from := int(next.Add(stretch)) - stretch
				if from >= rows {
					return
				}
				errs[worker] = see(from, min(from+stretch, rows))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
