package custom

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/dataset"
)

func TestBadRows(t *testing.T) {
	rows := []struct{ line, why string }{
		{`{"question":"q","options":["x","y"],"answer":"A"}`, ""},
		{`{"question":`, "not a JSON object"},
		{`["q"]`, "not a JSON object"},
		{`{"question":"q","question":"r","options":["x","y"],"answer":"A"}`, `field "question" stands twice`},
		{`{"question":["q"],"options":["x","y"],"answer":"A"}`, `"question" is no text`},
		{`{"options":["x","y"],"answer":"A"}`, "the question is empty"},
		{`{"question":"q","answer":"A"}`, `no options in "options"`},
		{`{"question":"q","options":[],"answer":"A"}`, "fewer than two options"},
		{`{"question":"q","options":["x"],"answer":"A"}`, "fewer than two options"},
		{`{"question":"q","options":["x",""],"answer":"A"}`, "option B is empty"},
		{`{"question":"q","options":["x","x \n"],"answer":"A"}`, "options A and B are the same"},
		{`{"question":"q","options":["x",["y"]],"answer":"A"}`, "item 2 is no text"},
		{`{"question":"q","options":{"A":"x","B":{}},"answer":"A"}`, `option "B" is not a text`},
		{`{"question":"q","options":{"A":"x"," ":"y"},"answer":"A"}`, "an option has no label"},
		{`{"question":"q","options":{"A":"x","A":"y"},"answer":"A"}`, `field "A" stands twice`},
		{`{"question":"q","options":{"text":["x","y"],"label":["A"]},"answer":"A"}`, "1 labels for 2 options"},
		{`{"question":"q","options":[{"text":"x","label":"A"},{"text":"y","label":"A"}],"answer":"A"}`, `label "A" stands twice`},
		{`{"question":"q","options":[{"text":"x"},{}],"answer":"A"}`, "option 2 has no text"},
		{`{"question":"q","options":"x y","answer":"A"}`, "no separator"},
		{`{"question":"q","options":"['x', 'y']","answer":"A"}`, "begins as JSON but is none"},
		{`{"question":"q","options":["x","y"],"answer":"C"}`, `answer "C" is no label, index or text of an option`},
		{`{"question":"q","options":["x","y"],"answer":9}`, "answer 9 where the file counts from 0"},
		{`{"question":"q","options":["x","y"],"answer":null}`, `no answer in "answer"`},
		{`{"question":"q","options":["x","y"],"answer":["A","B"]}`, "2 right answers"},
		{`{"question":"q","options":["x","y"],"answer":{"a":1}}`, "is an object"},
		{"{\"question\":\"\xff\",\"options\":[\"x\",\"y\"],\"answer\":\"A\"}", "not valid UTF-8"},
		{`{"question":"q","options":["x","y"],"answer":"A"}`, "duplicate of line 1"},
		{`{"question":"last","options":["x","y"],"answer":"A"}`, ""},
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, r.line)
	}
	questions, bad := load(t, "q.jsonl", strings.Join(lines, "\n"), nil)
	if len(questions) != 2 || questions[1].Source.Line != len(rows) {
		t.Errorf("%d questions", len(questions))
	}
	at := map[int]string{}
	for _, b := range bad {
		at[b.Line] = b.Why
	}
	for i, r := range rows {
		if got := at[i+1]; (got == "") != (r.why == "") || !strings.Contains(got, r.why) {
			t.Errorf("line %d %s: got %q, want %q", i+1, r.line, got, r.why)
		}
	}
}

// Whoever names a wrong column is told the ones that there are.
func TestRefusals(t *testing.T) {
	row := `{"q1":"q","opts":["x","y"],"gold":"A"}`
	fails(t, "q.jsonl", row, nil, `no column is named question, stem, prompt, query, vignette: say ?stem=COLUMN; no column is named options,`)
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q2"}, `no column "q2" for ?stem=; no column is named options,`)
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q1"}, "say ?options=COLUMN")
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q1", "options": "opts,more"}, `no column "more" for ?options=`)
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q1", "options": "opts,opts"}, "stands there twice")
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q1", "options": "opts", "answer": "key"}, `no column "key" for ?answer=`)
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q1", "options": "opts", "id": "nr"}, `no column "nr" for ?id=`)
	fails(t, "q.jsonl", row, dataset.Options{"stem": "q2", "options": "o", "answer": "key"}, `no column "q2" for ?stem=; no column "o" for ?options=; no column "key" for ?answer=; the file has "q1", "opts", "gold"`)
	fails(t, "q.csv", "Nr,Case,opt 1,opt 2,opt 3,Key\n", nil, "no rows")
	fails(t, "q.csv", "Nr,Case,opt 1,opt 2,opt 3,opt 5,Key\n1,c,x,y,z,u,A\n", nil, `say ?answer=COLUMN; the file has "Nr", "Case", "opt 1" to "opt 3", "opt 5", "Key"`)
	fails(t, "q.csv", "question,A,B,C,The key\nq,x,y,z,1\nr,x,y,z,2\n", dataset.Options{"answer": "The key"}, `"The key" has numbers, first in line 2: nothing tells whether it counts from 0 or from 1; say ?base=0 or ?base=1`)
	fails(t, "q.jsonl", `{"question":"q","options":["x","y"],"why":"A"}`, nil, "say ?answer=COLUMN")
	fails(t, "q.jsonl", "", nil, "no rows")
	fails(t, "q.jsonl", "{}\n{}\n", nil, "none of its 2 rows has a field")
	fails(t, "q.jsonl", "nonsense\n", nil, "q.jsonl:1: not a JSON object")
	fails(t, "q.csv", "question,A,B,answer\n", nil, "no rows")
	fails(t, "q.csv", "\xff\xfeq\x00", nil, "UTF-16")
	fails(t, "q.json", "{", nil, "not JSON")
	fails(t, "q.parquet", "PAR1 nonsense PAR1", nil, "not a Parquet file that can be read")
	fails(t, "q.txt", row, nil, "?format=")
	for want, o := range map[string]dataset.Options{
		"format=xml":             {"format": "xml"},
		"answers=colour":         {"answers": "colour"},
		"base=2":                 {"base": "2"},
		"name=My Set":            {"name": "My Set"},
		`has no option "column"`: {"column": "x"},
	} {
		fails(t, "q.jsonl", row, o, want)
	}
	if _, err := New("", nil); err == nil || !strings.Contains(err.Error(), "custom:FILE") {
		t.Error(err)
	}
	l, err := New(filepath.Join(t.TempDir(), "none.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := dataset.Collect(l); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Error(err)
	}
}

// Names of a series are told by the first and the last; two alone are no series, and a long list ends with how many remain.
func TestListed(t *testing.T) {
	for want, names := range map[string][]string{
		`"id", "A" to "D", "key"`:           {"id", "A", "B", "C", "D", "key"},
		`"o9" to "o11", "o13", ""`:          {"o9", "o10", "o11", "o13", ""},
		`"Z", "[", "z", "{"`:                {"Z", "[", "z", "{"},
		`"a 1", "a 2"`:                      {"a 1", "a 2"},
		`"n99999999999999999999", "é", "b"`: {"n99999999999999999999", "é", "b"},
	} {
		if got := strings.Join(listed(names), ", "); got != want {
			t.Errorf("%q: got %s, want %s", names, got, want)
		}
	}
	long := make([]string, mostListed+3)
	for i := range long {
		long[i] = "x" + strings.Repeat("y", i%2)
	}
	if got := listed(long); len(got) != mostListed+1 || got[mostListed] != "and 3 more" {
		t.Errorf("%d: %q", len(got), got)
	}
}
