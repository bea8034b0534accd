package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/percuss/percuss"
)

// format changes when the file's tables do, or what a row says.
const format = "percuss.index/2"

// blockRows is how many rows stand in one block: a megabyte.
const blockRows = 1 << 15

// The bytes of a row in the columns of a block.
const (
	wide   = 8 // a change: the bits of a float64, those of notANumber where it is missing
	narrow = 4 // a combination, a subject, the bits of an interaction
)

// schema are the tables. Rows stand in blocks, a column after another, so that a scan of a million takes milliseconds.
const schema = `
CREATE TABLE about (of TEXT NOT NULL, stats TEXT NOT NULL);
CREATE TABLE value (field INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (field, number)) WITHOUT ROWID;
CREATE TABLE cube (id INTEGER PRIMARY KEY, rows INTEGER NOT NULL, key BLOB NOT NULL);
CREATE TABLE block (id INTEGER PRIMARY KEY, combinations BLOB NOT NULL, subjects BLOB NOT NULL, changes BLOB NOT NULL, bits BLOB NOT NULL);
CREATE TABLE subject (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, candidates TEXT NOT NULL);
`

// Stats says what was built.
type Stats struct {
	Rows     int `json:"rows"`
	Subjects int `json:"subjects"`
}

// builder writes an index.
type builder struct {
	ctx                                   context.Context
	tx                                    *sql.Tx
	addBlock, addSubject                  *sql.Stmt
	subjects                              []percuss.Subject
	cube                                  cube
	number                                [fields]map[string]uint16
	cells                                 map[key]int
	combinations, subject, changes, block []byte // of the block that is filled; block are the bits
	last                                  int    // subject of the row before
	stats                                 Stats
}

// Build writes the index of a run to path: aside, and renamed when it is whole. of is what Open asks for. The rows come in
// the order of their subjects, which are those of the run.
func Build(ctx context.Context, path, of string, subjects []percuss.Subject, rows iter.Seq2[Row, error]) (Stats, error) {
	var stats Stats
	err := aside(ctx, path, schema, func(tx *sql.Tx) error {
		b := &builder{ctx: ctx, tx: tx, subjects: subjects, cells: map[key]int{}, last: -1}
		for at := range b.number {
			b.number[at] = map[string]uint16{}
		}
		err := b.fill(rows)
		if err == nil {
			err = b.finish(of)
		}
		stats = b.stats
		return err
	})
	if err != nil {
		return Stats{}, fmt.Errorf("build %s: %w", path, err)
	}
	return stats, nil
}

// aside makes a database beside path and gives it that name when write is done. What cannot be finished is removed.
func aside(ctx context.Context, path, schema string, write func(*sql.Tx) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	// Nothing is flushed or journalled: a file that is not whole never gets the name.
	db, err := sql.Open("sqlite", address(f.Name(), "rwc", "page_size(16384)", "journal_mode(OFF)", "synchronous(OFF)", "cache_size(-32000)"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	err = inTransaction(ctx, db, schema, write)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func inTransaction(ctx context.Context, db *sql.DB, schema string, write func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, schema); err == nil {
		err = write(tx)
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// address is the driver's name of a file.
func address(path, mode string, pragmas ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	q := url.Values{"mode": {mode}}
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	if mode == "ro" {
		q.Set("immutable", "1") // a new one is another file
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}

// fill adds all rows.
func (b *builder) fill(rows iter.Seq2[Row, error]) (err error) {
	if b.addBlock, err = b.tx.PrepareContext(b.ctx, "INSERT INTO block VALUES (NULL, ?, ?, ?, ?)"); err != nil {
		return err
	}
	if b.addSubject, err = b.tx.PrepareContext(b.ctx, "INSERT INTO subject VALUES (?, ?, ?)"); err != nil {
		return err
	}
	for r, err := range rows {
		if err == nil {
			err = b.ctx.Err()
		}
		if err == nil {
			err = b.add(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds one row, and its subject where it is the first of it.
func (b *builder) add(r Row) error {
	if r.Subject < b.last || r.Subject >= len(b.subjects) {
		return fmt.Errorf("a row of subject %d after one of subject %d, of %d", r.Subject, b.last, len(b.subjects))
	}
	s := &b.subjects[r.Subject]
	if r.Subject != b.last {
		b.last = r.Subject
		b.stats.Subjects++
		if _, err := b.addSubject.ExecContext(b.ctx, r.Subject, b.stats.Rows, candidates(s, r.Answer)); err != nil {
			return err
		}
	}
	r.Of[Model], r.Of[Set], r.Of[Prompt] = s.Model, s.Set, s.Variant
	cell, err := b.cell(r.Of)
	if err != nil {
		return err
	}
	b.cube.n[cell]++
	b.combinations = binary.LittleEndian.AppendUint32(b.combinations, uint32(cell))
	b.subject = binary.LittleEndian.AppendUint32(b.subject, uint32(r.Subject))
	b.changes = binary.LittleEndian.AppendUint64(b.changes, math.Float64bits(r.Change.Or(math.NaN())))
	b.block = binary.LittleEndian.AppendUint32(b.block, r.Bits)
	if b.stats.Rows++; b.stats.Rows%blockRows == 0 {
		return b.flush()
	}
	return nil
}

// candidates are the texts that the filter candidate looks in: the right answer and the one that was given.
func candidates(s *percuss.Subject, answer string) string {
	text := func(label string) string {
		if o, ok := s.Question.Option(label); ok {
			return o.Text
		}
		return label
	}
	gold := text(s.Question.Gold)
	if s.Case != nil {
		gold = s.Case.Gold
	}
	return strings.ToLower(gold + between + text(answer))
}

// cell is the place of a combination in the cube.
func (b *builder) cell(of [fields]string) (int, error) {
	var k key
	for at, value := range of {
		n, ok := b.number[at][value]
		if !ok {
			if len(b.cube.names[at]) > math.MaxUint16 {
				return 0, fmt.Errorf("there are more than %d values of %s", math.MaxUint16, fieldNames[at])
			}
			n = uint16(len(b.cube.names[at]))
			value = strings.Clone(value) // what it is a part of may be large
			b.number[at][value] = n
			b.cube.names[at] = append(b.cube.names[at], value)
		}
		k[at] = n
	}
	cell, ok := b.cells[k]
	if !ok {
		cell = len(b.cube.keys)
		b.cells[k] = cell
		b.cube.keys, b.cube.n = append(b.cube.keys, k), append(b.cube.n, 0)
	}
	return cell, nil
}

// flush writes the block that is filled.
func (b *builder) flush() error {
	if len(b.combinations) == 0 {
		return nil
	}
	_, err := b.addBlock.ExecContext(b.ctx, b.combinations, b.subject, b.changes, b.block)
	b.combinations, b.subject, b.changes, b.block = b.combinations[:0], b.subject[:0], b.changes[:0], b.block[:0]
	return err
}

// finish writes what is known when all rows are there.
func (b *builder) finish(of string) error {
	if err := b.flush(); err != nil {
		return err
	}
	put := func(query string, args ...any) error {
		_, err := b.tx.ExecContext(b.ctx, query, args...)
		return err
	}
	for at, values := range b.cube.names {
		for i, name := range values {
			if err := put("INSERT INTO value VALUES (?, ?, ?)", at, i, name); err != nil {
				return err
			}
		}
	}
	for i, k := range b.cube.keys {
		if err := put("INSERT INTO cube VALUES (?, ?, ?)", i, b.cube.n[i], k.bytes()); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(b.stats)
	if err != nil {
		return err
	}
	return put("INSERT INTO about VALUES (?, ?)", format+" "+of, string(raw))
}
