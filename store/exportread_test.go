package store_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/store"
)

// A line that cannot be used is named with file and line, and the others are given.
func TestReadExportBadLines(t *testing.T) {
	good := strings.SplitAfter(exported(t, filled(t, 4)), "\n")[:5]
	for name, c := range map[string]struct {
		edit func([]string) []string
		n    int // entries that are given
		say  string
	}{
		"no JSON":           {func(l []string) []string { l[2] = "{\"key\":\n"; return l }, 3, "a.jsonl:3: no answered request"},
		"key of another":    {func(l []string) []string { l[3] = l[3][:8] + l[2][8:72] + l[3][72:]; return l }, 3, "a.jsonl:4: the key is"},
		"request changed":   {func(l []string) []string { l[1] = strings.Replace(l[1], "54-year", "45-year", 1); return l }, 3, "a.jsonl:2: the key is"},
		"outcome unknown":   {func(l []string) []string { l[4] = outcome.Replace(l[4]); return l }, 3, `a.jsonl:5: the outcome "lost"`},
		"order":             {func(l []string) []string { l[1], l[2] = l[2], l[1]; return l }, 3, "a.jsonl:3: the key"},
		"twice":             {func(l []string) []string { l[3] = l[2]; return l }, 3, "a.jsonl:4: the key"},
		"a line too few":    {func(l []string) []string { return l[:4] }, 3, "a.jsonl ends after 3 of 4 answers: copy it again"},
		"a line too many":   {func(l []string) []string { l[0] = strings.Replace(l[0], `"count":4`, `"count":3`, 1); return l }, 4, "has 4 answers, its first line says 3"},
		"cut within a line": {func(l []string) []string { l[4] = l[4][:50]; return l }, 3, "a.jsonl:5: no answered request"},
	} {
		entries, errs := read(t, strings.Join(c.edit(slices.Clone(good)), ""))
		if len(entries) != c.n || len(errs) != 1 || !strings.Contains(errs[0].Error(), c.say) {
			t.Errorf("%s: %d entries, errors %v, want %d and one that says %q", name, len(entries), errs, c.n, c.say)
		}
	}
	_, errs := read(t, good[0])
	if len(errs) != 1 || !errors.Is(errs[0], io.ErrUnexpectedEOF) {
		t.Errorf("a header alone: %v", errs)
	}
}

var outcome = strings.NewReplacer(`"outcome":"ok"`, `"outcome":"lost"`, `"outcome":"truncated"`, `"outcome":"lost"`)

// Editors leave blank lines and other line ends; a file need not end in a line's end.
func TestReadExportLineEnds(t *testing.T) {
	file := exported(t, filled(t, 4))
	for name, f := range map[string]string{
		"CRLF":        strings.ReplaceAll(file, "\n", "\r\n"),
		"no last end": strings.TrimSuffix(file, "\n"),
		"blank lines": strings.ReplaceAll(file, "\n", "\n\n \n"),
	} {
		entries, errs := read(t, f)
		if len(entries) != 4 || len(errs) > 0 {
			t.Errorf("%s: %d entries, %v", name, len(entries), errs)
		}
		for _, e := range entries {
			if got, err := store.ParseExportLine([]byte(f[e.Offset : e.Offset+int64(e.Size)])); err != nil || got.Key != e.Key {
				t.Errorf("%s, line %d: offset %d leads to %s, %v", name, e.Line, e.Offset, got.Key, err)
			}
		}
	}
}

func TestReadExportHeader(t *testing.T) {
	for file, say := range map[string]string{
		"":                                 "percuss store export DIR -o FILE",
		"\n":                               "no export of answers",
		"GGUF\x03\x00":                     "no export of answers",
		`{"schema":"percuss.report/1"}`:    "no export of answers",
		`{"key":"x"}`:                      "no export of answers",
		`{"schema":"percuss.answers/2"}`:   store.ErrNewer.Error(),
		`{"schema":"percuss.answers/1","c`: "no export of answers",
		fmt.Sprintf(`{"schema":%q,"count":"4"}`, store.ExportSchema): "its first line is damaged",
		fmt.Sprintf(`{"schema":%q,"count":-1}`, store.ExportSchema):  "its first line is damaged",
	} {
		_, _, err := store.ReadExport(strings.NewReader(file), "a.jsonl")
		if err == nil || !strings.Contains(err.Error(), say) || !strings.Contains(err.Error(), "a.jsonl") {
			t.Errorf("%q: error %v, want one that says %q", file, err, say)
		}
	}
	_, _, err := store.ReadExport(strings.NewReader(`{"count":["x"],"schema":"percuss.answers/2"}`), "a.jsonl")
	if !errors.Is(err, store.ErrNewer) {
		t.Errorf("a newer header: %v", err)
	}
}
