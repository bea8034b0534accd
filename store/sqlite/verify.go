package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Verify implements store.Store. It reads the whole file: SQLite's own check of its pages and indexes, every request
// against its key, every answer, every row of the ledger and of the attempts.
func (s *Store) Verify(ctx context.Context) ([]error, error) { return s.Reader.Verify(ctx) }

// Verify is Store.Verify for a file that is only read.
func (r *Reader) Verify(ctx context.Context) ([]error, error) {
	v := verifier{file: r.file}
	for _, part := range []struct {
		name, query string
		row         func(*sql.Rows) error
	}{
		{"pages", "PRAGMA integrity_check", v.page},
		{"requests", "SELECT key, body FROM requests ORDER BY rowid", v.request},
		{"answers", "SELECT key, outcome, body FROM answers ORDER BY rowid", v.answer},
		{"answers without a request", "SELECT key FROM answers WHERE key NOT IN (SELECT key FROM requests)", v.orphan("an answer without its request")},
		{"requests without an answer", "SELECT key FROM requests WHERE key NOT IN (SELECT key FROM answers)", v.orphan("a request without its answer, to be asked anew")},
		{"attempts", "SELECT key, at FROM attempts", v.attempt},
		{"ledger", `SELECT variant, model, "set", item, position, trial, key, labels FROM ledger`, v.ledger},
	} {
		if err := v.read(ctx, r.db, part.query, part.row); err != nil {
			if ctx.Err() != nil || r.file.cause(err) != store.ErrCorrupt {
				return v.found, r.file.explain("verify", err)
			}
			v.add(fmt.Errorf("%s: %w", part.name, err))
		}
	}
	return v.found, nil
}

// verifier gathers findings.
type verifier struct {
	file  file
	found []error
}

func (v *verifier) add(err error) {
	v.found = append(v.found, fmt.Errorf("%s: %w (%w)", v.file.path, store.ErrCorrupt, err))
}

// read hands every row of a query to check, whose error is one of reading, not a finding.
func (v *verifier) read(ctx context.Context, db *sql.DB, query string, check func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := check(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (v *verifier) page(rows *sql.Rows) error {
	var said string
	if err := rows.Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		v.add(errors.New(said))
	}
	return nil
}

func (v *verifier) request(rows *sql.Rows) error {
	var key string
	var body sql.RawBytes
	if err := rows.Scan(&key, &body); err != nil {
		return err
	}
	if _, err := decodeRequest(percuss.Key(key), body); err != nil {
		v.add(err)
	}
	return nil
}

func (v *verifier) answer(rows *sql.Rows) error {
	var key, outcome string
	var body sql.RawBytes
	if err := rows.Scan(&key, &outcome, &body); err != nil {
		return err
	}
	a, err := decodeAnswer(percuss.Key(key), body)
	switch {
	case err != nil:
		v.add(err)
	case string(a.Outcome) != outcome || a.Outcome == percuss.Failed || !slices.Contains(percuss.Outcomes(), a.Outcome):
		v.add(fmt.Errorf("answer %s: outcome %q in its body, %q beside it", key, a.Outcome, outcome))
	}
	return nil
}

func (v *verifier) orphan(what string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var key string
		if err := rows.Scan(&key); err != nil {
			return err
		}
		v.add(fmt.Errorf("%s: %s", key, what))
		return nil
	}
}

func (v *verifier) attempt(rows *sql.Rows) error {
	var key, at string
	if err := rows.Scan(&key, &at); err != nil {
		return err
	}
	if _, err := time.Parse(time.RFC3339Nano, at); err != nil || !percuss.Key(key).Valid() {
		v.add(fmt.Errorf("attempt on %q at %q is not well-formed", key, at))
	}
	return nil
}

func (v *verifier) ledger(rows *sql.Rows) error {
	var id percuss.SubjectID
	var position int
	var trial, key string
	var labels sql.NullString
	if err := rows.Scan(&id.Variant, &id.Model, &id.Set, &id.Item, &position, &trial, &key, &labels); err != nil {
		return err
	}
	if key != "" && !percuss.Key(key).Valid() {
		v.add(fmt.Errorf("ledger of %s, trial %s: %q is no key", id, trial, key))
	}
	if labels.Valid && !json.Valid([]byte(labels.String)) {
		v.add(fmt.Errorf("ledger of %s, trial %s: labels are no JSON", id, trial))
	}
	return nil
}
