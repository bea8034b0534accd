package exchange

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/percuss/percuss/review/ratings"
)

// The kinds of columns that pandas, pyarrow, DuckDB, polars and Spark write times, numbers and texts as are read, in each compression, with and without nulls.
func TestParquetKinds(t *testing.T) {
	p := sample(t)
	at := time.Date(2026, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
	day := at.Truncate(24 * time.Hour)
	plain := map[string]parquet.Node{"rater": parquet.Encoded(parquet.String(), &parquet.RLEDictionary), "item": parquet.String(), "question": parquet.Optional(parquet.String()),
		"label": parquet.Optional(parquet.Encoded(parquet.String(), &parquet.DeltaByteArray)), "comment": parquet.Optional(parquet.String())}
	for name, c := range map[string]struct {
		at, seconds parquet.Node
		atV, secV   any
		want        time.Time
		sec         float64
	}{
		"milliseconds":      {parquet.Timestamp(parquet.Millisecond), parquet.Leaf(parquet.DoubleType), at.UnixMilli(), 1.5, at, 1.5},
		"microseconds":      {parquet.Optional(parquet.Timestamp(parquet.Microsecond)), parquet.Leaf(parquet.FloatType), at.UnixMicro(), float32(1.5), at, 1.5},
		"nanoseconds":       {parquet.TimestampAdjusted(parquet.Nanosecond, false), parquet.Int(16), at.UnixNano(), int32(2), at, 2},
		"days":              {parquet.Date(), parquet.Int(64), int32(day.Unix() / 86_400), int64(3), day, 3},
		"96 bits":           {parquet.Leaf(parquet.Int96Type), parquet.Decimal(2, 9, parquet.Int32Type), julian(at), int32(125), at, 1.25},
		"texts":             {parquet.String(), parquet.String(), "2026-02-03 04:05:06.789", "1,5", at, 1.5},
		"nothing":           {parquet.Optional(parquet.Timestamp(parquet.Microsecond)), parquet.Optional(parquet.Leaf(parquet.DoubleType)), nil, nil, time.Time{}, 0},
		"milliseconds only": {parquet.Int(64), parquet.Uint(8), at.UnixMilli(), int32(4), at, 4},
	} {
		group := parquet.Group(maps.Clone(plain))
		group["at"], group["seconds"] = c.at, c.seconds
		for i, codec := range []parquet.WriterOption{parquet.Compression(&parquet.Zstd), parquet.Compression(&parquet.Lz4Raw), parquet.Compression(&parquet.Brotli), parquet.DataPageVersion(1)} {
			path := oneRow(t, group, map[string]any{"rater": "Ann", "item": "item-1", "question": "shift", "label": "No shift", "comment": nil, "at": c.atV, "seconds": c.secV}, codec)
			r, err := ReadFile(path, "", p, now)
			if err != nil || len(r.Answers) != 1 {
				t.Errorf("%s, codec %d: %v, %v", name, i, r.Answers, err)
				continue
			}
			if a := r.Answers[0]; !a.At.Equal(c.want) || a.Seconds != c.sec || a.Labels["shift"] != "no_shift" || a.Comment != "" {
				t.Errorf("%s, codec %d: %+v", name, i, a.Entry)
			}
		}
	}
}

// oneRow writes a Parquet file of one row.
func oneRow(t *testing.T, columns parquet.Group, row map[string]any, codec parquet.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.NewSchema("a", columns), codec)
	if err := errors.Join(w.Write(row), w.Close()); err != nil {
		t.Fatal(err)
	}
	return file(t, "a.parquet", b.String())
}

// Records of Argilla keep their lists in Parquet, as its client and Hugging Face's data sets write them; a CSV file has lost them, and is refused with that.
func TestParquetRecords(t *testing.T) {
	p := sample(t)
	type record struct {
		ID      string   `parquet:"id,optional"`
		Shown   float64  `parquet:"shown_2,optional"`
		Package string   `parquet:"package,optional"`
		Shift   []string `parquet:"shift.responses,optional,list"`
		Users   []string `parquet:"shift.responses.users,optional,list"`
		Status  []string `parquet:"shift.responses.status,optional,list"`
		Comment []string `parquet:"comment.responses,optional,list"`
		By      []string `parquet:"comment.responses.users,optional,list"`
		Sent    []string `parquet:"comment.responses.status,optional,list"`
		Hazard  []string `parquet:"hazard.responses,optional,list"` // nobody answered it
		Of      []string `parquet:"hazard.responses.users,optional,list"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []record{{ID: "item-1", Shown: math.NaN(), Package: p.ID, Shift: []string{"shifted", "no_shift", "shifted"}, Users: []string{"u1", "u2", "u3"},
		Status: []string{"submitted", "submitted", "draft"}, Comment: []string{"so"}, By: []string{"u2"}, Sent: []string{"submitted"}}}); err != nil {
		t.Fatal(err)
	}
	r := read(t, file(t, "a.parquet", b.String()), p)
	said := map[string]ratings.Entry{}
	for _, a := range r.Answers {
		said[a.Rater] = a.Entry
	}
	if len(said) != 2 || said["u1"].Labels["shift"] != "shifted" || said["u2"].Comment != "so" || said["u2"].Labels["shift"] != "no_shift" || r.Passed[draft] != 1 {
		t.Errorf("%+v", r)
	}
	for want, most := range map[string]limits{"more than 20 bytes": {9, 20, 1 << 30}, "more than 0 rows": {0, 1 << 20, 1 << 30}} {
		g := newGather(file(t, "a.parquet", b.String()), p, now)
		g.most = most
		if err := g.parquet(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ReadFile(file(t, "a.csv", "id,shift.responses,shift.responses.users\nitem-1,['shifted'],['u1']\n"), "", p, now); err == nil || !strings.Contains(err.Error(), "as JSON or Parquet") {
		t.Error(err)
	}
}

// julian is a time as Spark wrote it: nanoseconds of a day, and the day counted as astronomers do.
func julian(at time.Time) deprecated.Int96 {
	day := at.Truncate(24 * time.Hour)
	nanos := at.Sub(day).Nanoseconds()
	return deprecated.Int96{uint32(nanos), uint32(nanos >> 32), uint32(day.Unix()/86_400 + 2_440_588)}
}
