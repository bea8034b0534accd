package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A Parquet file whose end tells of more than the file has is refused before the library makes room for it, and so is one that is cut anywhere.
func TestParquetFooter(t *testing.T) {
	type line struct{ Text string }
	var whole bytes.Buffer
	if err := parquet.Write(&whole, []line{{"a"}, {"b"}}); err != nil {
		t.Fatal(err)
	}
	open := func(file *parquet.File) ParquetRows[line] {
		rows := parquet.NewGenericReader[line](file)
		return ParquetRows[line]{Close: rows.Close, Next: func() (line, error) {
			one := make([]line, 1)
			if n, err := rows.Read(one); n == 0 {
				return line{}, errors.Join(err, io.EOF)
			}
			return one[0], nil
		}}
	}
	read := func(raw []byte) (n int, last error) {
		for r, err := range Parquet(bytes.NewReader(raw), "x", open, func(line) error { return nil }) {
			if last = err; err == nil {
				n += len(r.Value.Text)
			}
		}
		return n, last
	}
	if n, err := read(whole.Bytes()); n != 2 || err != nil {
		t.Fatalf("%d rows, %v", n, err)
	}
	for at := range whole.Len() {
		if _, err := read(whole.Bytes()[:at]); err == nil || !strings.Contains(err.Error(), "Parquet") {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
	large := bytes.Clone(whole.Bytes())
	binary.LittleEndian.PutUint32(large[len(large)-8:], 0xffffffff)
	if _, err := read(large); err == nil || !strings.Contains(err.Error(), "its footer has 4294967295 bytes") {
		t.Errorf("a footer of 4 GB: %v", err)
	}
}
