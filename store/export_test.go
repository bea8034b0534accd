package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
	"github.com/percuss/percuss/store/storetest"
)

var same = cmp.Options{cmp.Comparer(func(a, b percuss.Number) bool { return a == b }), cmpopts.EquateEmpty()}

var models = map[string]percuss.Capabilities{"test": {Identity: "test:model", Text: true, Engine: "<1>"}}

// filled is a store with the first n of the suite's entries, put in backwards.
func filled(t testing.TB, n int) *memory.Store {
	t.Helper()
	s := memory.New()
	for i := n - 1; i >= 0; i-- {
		storetest.Put(t, s, storetest.Entry(i))
	}
	return s
}

func exported(t testing.TB, s store.Reader) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := store.Export(context.Background(), &b, s, models); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read collects what a file gives: its entries, and its errors.
func read(t testing.TB, file string) (entries []store.ExportedEntry, errs []error) {
	t.Helper()
	_, seq, err := store.ReadExport(strings.NewReader(file), "a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range seq {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		entries = append(entries, e)
	}
	return entries, errs
}

func TestExportReadsBack(t *testing.T) {
	file := exported(t, filled(t, 30))
	header, _, err := store.ReadExport(strings.NewReader(file), "a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := store.ExportHeader{Schema: "percuss.answers/1", Count: 30, Models: models}
	if d := cmp.Diff(want, header); d != "" {
		t.Error(d)
	}
	entries, errs := read(t, file)
	if len(errs) > 0 || len(entries) != 30 {
		t.Fatalf("%d entries, %v", len(entries), errs)
	}
	byKey := map[percuss.Key]store.Entry{}
	for i := range 30 {
		byKey[storetest.Entry(i).Key] = storetest.Entry(i)
	}
	lines := strings.Split(file, "\n")
	for i, e := range entries {
		if d := cmp.Diff(byKey[e.Key], e.Entry, same); d != "" {
			t.Errorf("line %d: %s", e.Line, d)
		}
		if e.Line != i+2 || file[e.Offset:e.Offset+int64(e.Size)] != lines[i+1] {
			t.Errorf("entry %d: line %d, offset %d, size %d do not lead to its line", i, e.Line, e.Offset, e.Size)
		}
		delete(byKey, e.Key)
	}
	if len(byKey) > 0 {
		t.Errorf("%d entries are missing", len(byKey))
	}
}

// A stranger's program reads the file: plain names, and each line stands for itself.
func TestExportLine(t *testing.T) {
	lines := strings.Split(exported(t, filled(t, 3)), "\n")
	if len(lines) != 5 || lines[4] != "" {
		t.Fatalf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if want := `{"schema":"percuss.answers/1","count":3,"models":{"test":{"identity":"test:model",`; !strings.HasPrefix(lines[0], want) {
		t.Errorf("first line %s", lines[0])
	}
	for _, line := range lines[1:4] {
		var v struct {
			Key     string
			Request struct {
				Messages []struct{ Role, Content string }
			}
			Answer struct{ Outcome string }
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if len(v.Key) != 64 || len(v.Request.Messages) != 2 || v.Answer.Outcome == "" || !strings.Contains(line, "<b>&amp;</b>") {
			t.Errorf("line %s", line)
		}
	}
}

// Two stores with the same answers export the same bytes, whatever the order in which they came.
func TestExportIsDeterministic(t *testing.T) {
	s := memory.New()
	for i := range 30 {
		storetest.Put(t, s, storetest.Entry(i))
	}
	if exported(t, s) != exported(t, filled(t, 30)) {
		t.Error("the order of putting changed the file")
	}
	if file := exported(t, memory.New()); strings.Count(file, "\n") != 1 || !strings.Contains(file, `"count":0`) {
		t.Errorf("an empty store gives %q", file)
	}
}

// TestExportOfAnyText: whatever can be stored reads back, lines longer than every buffer included.
func TestExportOfAnyText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := memory.New()
		for i := range rapid.IntRange(0, 6).Draw(r, "entries") {
			e := storetest.Entry(i)
			e.Request.Begin = rapid.String().Draw(r, "begin")
			e.Answer.Text = strings.Repeat(rapid.String().Draw(r, "text"), rapid.SampledFrom([]int{1, 1, 20000}).Draw(r, "times"))
			e.Answer.Letters = []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(rapid.Float64().Draw(r, "logprob"))}, {Letter: "B"}}
			e.Key = e.Request.Key()
			storetest.Put(t, s, e)
		}
		entries, errs := read(t, exported(t, s))
		n, _ := s.Count(context.Background())
		if len(errs) > 0 || len(entries) != n {
			r.Fatalf("%d of %d entries, %v", len(entries), n, errs)
		}
		for _, e := range entries {
			a, ok, err := s.Get(context.Background(), e.Key)
			if d := cmp.Diff(a, e.Answer, same); d != "" || !ok || err != nil {
				r.Fatalf("%s: found %v, %v, %s", e.Key, ok, err, d)
			}
		}
	})
}

// flawed is a store that does not do what it says.
type flawed struct {
	store.Reader
	count   int
	entries []store.Entry
	err     error
}

func (f flawed) Count(context.Context) (int, error) { return f.count, nil }
func (f flawed) Entries(context.Context) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for _, e := range f.entries {
			if !yield(e, nil) {
				return
			}
		}
		if f.err != nil {
			yield(store.Entry{}, f.err)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	changed := func(f func(*store.Entry)) []store.Entry {
		e := storetest.Entry(1)
		f(&e)
		return []store.Entry{e}
	}
	for name, c := range map[string]struct {
		from flawed
		say  string
	}{
		"answers added meanwhile": {flawed{count: 1, entries: []store.Entry{storetest.Entry(0), storetest.Entry(1)}}, "when its run has ended"},
		"answer without request":  {flawed{count: 1}, "percuss store verify"},
		"failing store":           {flawed{count: 2, entries: []store.Entry{storetest.Entry(0)}, err: errors.New("disk gone")}, "disk gone"},
		"wrong key":               {flawed{count: 1, entries: changed(func(e *store.Entry) { e.Key = storetest.Entry(2).Key })}, "cannot be kept exactly"},
		"text that is not UTF-8":  {flawed{count: 1, entries: changed(func(e *store.Entry) { e.Answer.Text = "a\xff" })}, "not UTF-8"},
		"spaced extras": {flawed{count: 1, entries: changed(func(e *store.Entry) {
			e.Request.Extra = json.RawMessage(`{ "a": 1 }`)
			e.Key = e.Request.Key()
		})}, "compact JSON"},
		"failed": {flawed{count: 1, entries: changed(func(e *store.Entry) { e.Answer.Outcome = percuss.Failed })}, "not final"},
	} {
		if _, err := store.Export(context.Background(), io.Discard, c.from, models); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.say)
		}
	}
}

// full is a writer that fails once it holds some bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, store.ErrFull
	}
	return len(p), nil
}

func TestExportToAFullDisk(t *testing.T) {
	s := filled(t, 300)
	size := len(exported(t, s))
	for _, room := range []int{0, 70000, size - 1} {
		if _, err := store.Export(context.Background(), &full{room}, s, models); !errors.Is(err, store.ErrFull) {
			t.Errorf("room for %d of %d bytes: %v", room, size, err)
		}
	}
	if _, err := store.Export(context.Background(), &full{size}, s, models); err != nil {
		t.Error(err)
	}
}
