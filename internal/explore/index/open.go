package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/percuss/percuss"
)

// ErrStale is the error of an index that is not there, not whole, or of other answers: it is to be built anew.
var ErrStale = errors.New("the index is to be built anew")

// Index is an index opened for reading. Its methods may be called from several goroutines.
type Index struct {
	Stats Stats

	db   *sql.DB
	cube cube
}

// Open opens the index at path if it was built of that.
func Open(path, of string) (*Index, error) {
	db, err := openFile(path, of)
	if err != nil {
		return nil, err
	}
	x := &Index{db: db}
	if err := x.load(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrStale, errors.Join(err, db.Close()))
	}
	return x, nil
}

// connections is how many questions at a time a file answers; each has a cache of 8 MB.
const connections = 4

// openFile opens a file of ours for reading.
func openFile(path, of string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStale, err)
	}
	db, err := sql.Open("sqlite", address(path, "ro", "query_only(1)", "cache_size(-8000)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	var is string
	switch err := db.QueryRow("SELECT of FROM about").Scan(&is); {
	case err != nil:
		err = fmt.Errorf("%s: %w: %w", path, ErrStale, err)
		return nil, errors.Join(err, db.Close())
	case is != format+" "+of:
		return nil, errors.Join(fmt.Errorf("%s: %w: it is of other answers", path, ErrStale), db.Close())
	}
	return db, nil
}

// Close closes the file.
func (x *Index) Close() error { return x.db.Close() }

// load reads what is kept in memory: the values and the cube.
func (x *Index) load() error {
	var raw string
	if err := x.db.QueryRow("SELECT stats FROM about").Scan(&raw); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(raw), &x.Stats); err != nil {
		return err
	}
	err := each(context.Background(), x.db, "SELECT field, name FROM value ORDER BY field, number", nil, func(scan func(...any) error) error {
		var at int
		var name string
		if err := scan(&at, &name); err != nil {
			return err
		}
		if at < 0 || at >= int(fields) {
			return fmt.Errorf("there is no field %d", at)
		}
		x.cube.names[at] = append(x.cube.names[at], name)
		return nil
	})
	if err != nil {
		return err
	}
	return each(context.Background(), x.db, "SELECT rows, key FROM cube ORDER BY id", nil, func(scan func(...any) error) error {
		var n int
		var raw []byte
		if err := scan(&n, &raw); err != nil {
			return err
		}
		k, err := keyOf(raw, x.cube.names)
		x.cube.keys, x.cube.n = append(x.cube.keys, k), append(x.cube.n, n)
		return err
	})
}

// each calls see for every row of a query.
func each(ctx context.Context, db *sql.DB, query string, args []any, see func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := see(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// block is a block of rows as it is read.
type block struct {
	first                                 int // number of its first row
	combinations, subjects, changes, bits sql.RawBytes
}

func (b *block) rows() int         { return len(b.combinations) / narrow }
func (b *block) cell(i int) uint32 { return binary.LittleEndian.Uint32(b.combinations[narrow*i:]) }
func (b *block) subject(i int) int { return int(binary.LittleEndian.Uint32(b.subjects[narrow*i:])) }
func (b *block) set(i int) uint32  { return binary.LittleEndian.Uint32(b.bits[narrow*i:]) }
func (b *block) change(i int) percuss.Number {
	return percuss.Num(math.Float64frombits(binary.LittleEndian.Uint64(b.changes[wide*i:]))) // what is no number is missing
}

// check says whether all columns have as many rows, of combinations that there are.
func (b *block) check(whole bool, combinations int) error {
	n := b.rows()
	bad := n == 0 || len(b.combinations) != narrow*n || len(b.subjects) != narrow*n || whole && (len(b.changes) != wide*n || len(b.bits) != narrow*n)
	for i := 0; i < n && !bad; i++ {
		bad = b.cell(i) >= uint32(combinations)
	}
	if bad {
		return fmt.Errorf("%w: the block of row %d is damaged", ErrStale, b.first)
	}
	return nil
}

// blocks calls see for every block from that of row first on, until it returns false. whole: with changes and bits, which
// most scans do not want.
func (x *Index) blocks(ctx context.Context, first int, whole bool, see func(*block) bool) error {
	query := "SELECT id, combinations, subjects FROM block WHERE id > ? ORDER BY id"
	if whole {
		query = "SELECT id, combinations, subjects, changes, bits FROM block WHERE id > ? ORDER BY id"
	}
	stop := errors.New("stop")
	err := each(ctx, x.db, query, []any{first / blockRows}, func(scan func(...any) error) error {
		var b block
		id, to := 0, []any{nil, &b.combinations, &b.subjects, &b.changes, &b.bits}
		to[0] = &id
		if !whole {
			to = to[:3]
		}
		if err := scan(to...); err != nil {
			return err
		}
		b.first = (id - 1) * blockRows
		if err := b.check(whole, len(x.cube.keys)); err != nil {
			return err
		}
		if !see(&b) {
			return stop
		}
		return nil
	})
	if errors.Is(err, stop) {
		return nil
	}
	return err
}
