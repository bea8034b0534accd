package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// Raters implements ratings.Book.
func (b *Book) Raters(ctx context.Context) ([]ratings.Rater, error) {
	rows, err := b.db.QueryContext(ctx, "SELECT id, name, added, pin FROM raters ORDER BY number")
	if err != nil {
		return nil, explain(b.path, "read", err)
	}
	defer rows.Close()
	var out []ratings.Rater
	for rows.Next() {
		var r ratings.Rater
		var added int64
		if err := rows.Scan(&r.ID, &r.Name, &added, &r.PIN); err != nil {
			return nil, explain(b.path, "read", err)
		}
		r.Added = time.UnixMilli(added).UTC()
		out = append(out, r)
	}
	return out, explain(b.path, "read", rows.Err())
}

// AddRater implements ratings.Book.
func (b *Book) AddRater(ctx context.Context, r ratings.Rater) error {
	if err := r.Check(); err != nil {
		return err
	}
	return b.write(ctx, "add a rater", func(ctx context.Context, c *sql.Conn) error {
		var same int
		if err := c.QueryRowContext(ctx, "SELECT count(*) FROM raters WHERE id = ? OR name = ?", r.ID, r.Name).Scan(&same); err != nil {
			return err
		}
		if same > 0 {
			return fmt.Errorf("there is a rater %q already: give this one another name", r.Name)
		}
		_, err := c.ExecContext(ctx, "INSERT INTO raters (id, name, added, pin) VALUES (?, ?, ?, ?)", r.ID, r.Name, r.Added.UnixMilli(), r.PIN)
		return err
	})
}

// SetPIN implements ratings.Book.
func (b *Book) SetPIN(ctx context.Context, rater string, hash []byte) error {
	return b.write(ctx, "set a PIN", func(ctx context.Context, c *sql.Conn) error {
		return one(c.ExecContext(ctx, "UPDATE raters SET pin = ? WHERE id = ?", hash, rater))
	})
}

// one is ratings.ErrUnknown where nothing was changed.
func one(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	return errors.Join(err, errIf(err == nil && n == 0, ratings.ErrUnknown))
}

// Issue implements ratings.Book. Passes that have expired are deleted with it, so that a book does not grow by them.
func (b *Book) Issue(ctx context.Context, p ratings.Pass) error {
	return b.write(ctx, "issue a pass", func(ctx context.Context, c *sql.Conn) error {
		if _, err := c.ExecContext(ctx, "DELETE FROM passes WHERE expires <= ?", b.now().UnixMilli()); err != nil {
			return err
		}
		return issue(ctx, c, p)
	})
}

func issue(ctx context.Context, c *sql.Conn, p ratings.Pass) error {
	if p.Rater != "" {
		var known int
		if err := c.QueryRowContext(ctx, "SELECT count(*) FROM raters WHERE id = ?", p.Rater).Scan(&known); err != nil || known == 0 {
			return errors.Join(err, errIf(known == 0, ratings.ErrUnknown))
		}
	}
	_, err := c.ExecContext(ctx, "INSERT INTO passes (hash, rater, session, expires) VALUES (?, ?, ?, ?)", p.Hash[:], p.Rater, p.Session, p.Expires.UnixMilli())
	return err
}

// Find implements ratings.Book.
func (b *Book) Find(ctx context.Context, secret string) (ratings.Pass, error) {
	return find(ctx, b.db, b.path, secret, b.now())
}

// asker is a connection or a pool of them.
type asker interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func find(ctx context.Context, db asker, path, secret string, now time.Time) (ratings.Pass, error) {
	p := ratings.Pass{Hash: sha256.Sum256([]byte(secret))}
	var expires int64
	err := db.QueryRowContext(ctx, "SELECT rater, session, expires FROM passes WHERE hash = ?", p.Hash[:]).Scan(&p.Rater, &p.Session, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return ratings.Pass{}, ratings.ErrUnknown
	}
	if err != nil {
		return ratings.Pass{}, explain(path, "read", err)
	}
	if p.Expires = time.UnixMilli(expires).UTC(); !now.Before(p.Expires) {
		return ratings.Pass{}, ratings.ErrUnknown
	}
	return p, nil
}

// Exchange implements ratings.Book.
func (b *Book) Exchange(ctx context.Context, link string, session ratings.Pass) error {
	return b.write(ctx, "begin a session", func(ctx context.Context, c *sql.Conn) error {
		p, err := find(ctx, c, b.path, link, b.now())
		switch {
		case err != nil:
			return err
		case p.Session || !session.Session || p.Rater != session.Rater:
			return ratings.ErrUnknown
		}
		if err := one(c.ExecContext(ctx, "DELETE FROM passes WHERE hash = ?", p.Hash[:])); err != nil {
			return err
		}
		return issue(ctx, c, session)
	})
}

// Revoke implements ratings.Book.
func (b *Book) Revoke(ctx context.Context, secret, rater string) error {
	return b.write(ctx, "revoke a pass", func(ctx context.Context, c *sql.Conn) error {
		if secret != "" {
			sum := sha256.Sum256([]byte(secret))
			return one(c.ExecContext(ctx, "DELETE FROM passes WHERE hash = ?", sum[:]))
		}
		_, err := c.ExecContext(ctx, "DELETE FROM passes WHERE rater = ?", rater)
		return err
	})
}

// Shut implements ratings.Book.
func (b *Book) Shut(ctx context.Context, shut bool) error {
	return b.write(ctx, "close or open the review", func(ctx context.Context, c *sql.Conn) error {
		_, err := c.ExecContext(ctx, "UPDATE review SET shut = ?", shut)
		return err
	})
}

// IsShut implements ratings.Book.
func (b *Book) IsShut(ctx context.Context) (bool, error) {
	shut, err := isShut(ctx, b.db)
	return shut, explain(b.path, "read", err)
}

func isShut(ctx context.Context, db asker) (shut bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT shut FROM review").Scan(&shut)
	return shut, err
}
