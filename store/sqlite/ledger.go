package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Ledger implements store.Reader.
func (r *Reader) Ledger(ctx context.Context, s percuss.SubjectID) ([]store.Row, error) {
	placed, err := ledgerOf(ctx, r.ledger, s)
	if err != nil {
		return nil, r.file.explain("read the ledger", err)
	}
	var out []store.Row
	for _, row := range placed {
		out = append(out, row.Row)
	}
	return out, nil
}

// SetLedger implements store.Store.
func (s *Store) SetLedger(ctx context.Context, id percuss.SubjectID, rows []store.Row) error {
	for _, r := range rows {
		switch {
		case r.Key != "" && !r.Key.Valid():
			return fmt.Errorf("answer store: ledger of %s, trial %s: %q is no key", id, r.Trial, r.Key)
		case len(r.Labels) > 0 && !json.Valid(r.Labels):
			return fmt.Errorf("answer store: ledger of %s, trial %s: labels are no JSON", id, r.Trial)
		}
	}
	// A refusal is this caller's alone: it must not fail the commit that others share.
	var refused error
	err := s.w.do(ctx, "write the ledger", func(ctx context.Context, c *connection) (err error) {
		refused, err = c.setLedger(ctx, id, rows)
		return err
	})
	if err == nil && refused != nil {
		err = fmt.Errorf("answer store: ledger of %s: %w", id, refused)
	}
	return err
}

// placed is a row of the ledger with its place among those of its subject.
type placed struct {
	store.Row
	position int
}

// selectLedger finds the rows of a subject in order.
const selectLedger = `SELECT position, trial, fired, why, key, version, labels FROM ledger
	WHERE variant = ? AND model = ? AND "set" = ? AND item = ? ORDER BY position`

// ledgerOf reads the rows of a subject with the statement of selectLedger.
func ledgerOf(ctx context.Context, from *sql.Stmt, s percuss.SubjectID) (out []placed, err error) {
	rows, err := from.QueryContext(ctx, s.Variant, s.Model, s.Set, s.Item)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row placed
		var labels sql.NullString
		if err := rows.Scan(&row.position, &row.Trial, &row.Fired, &row.Why, &row.Key, &row.Version, &labels); err != nil {
			return nil, err
		}
		if labels.Valid {
			row.Labels = json.RawMessage(labels.String)
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// setLedger writes the rows of a subject that are not there yet, or returns why they are refused.
func (c *connection) setLedger(ctx context.Context, id percuss.SubjectID, rows []store.Row) (refused, err error) {
	there, err := ledgerOf(ctx, c.ledger, id)
	if err != nil {
		return nil, err
	}
	old := make([]store.Row, len(there))
	for i, r := range there {
		old[i] = r.Row
	}
	if refused := store.CheckLedger(old, rows); refused != nil {
		return refused, nil
	}
	for i, r := range rows {
		if i < len(there) && there[i].position == i && there[i].Equal(r) {
			continue
		}
		var labels any
		if len(r.Labels) > 0 {
			labels = string(r.Labels)
		}
		if _, err := c.row.ExecContext(ctx, id.Variant, id.Model, id.Set, id.Item,
			i, r.Trial, r.Fired, r.Why, string(r.Key), r.Version, labels); err != nil {
			return nil, err
		}
	}
	if n := len(there); n > 0 && there[n-1].position >= len(rows) {
		_, err = c.rest.ExecContext(ctx, id.Variant, id.Model, id.Set, id.Item, len(rows))
	}
	return nil, err
}
