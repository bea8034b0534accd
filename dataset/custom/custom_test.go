package custom

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

func load(t *testing.T, name, content string, o dataset.Options) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, name, content), o)
	return datasettest.Questions(t, l, err)
}

// fails reads a file that is refused as a whole.
func fails(t *testing.T, name, content string, o dataset.Options, want string) {
	t.Helper()
	l, err := New(datasettest.Write(t, name, content), o)
	if err == nil {
		_, _, err = dataset.Collect(l)
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s %v: got %v, want %q", name, o, err, want)
	}
}

// brief prints a question as "stem|A=x B=y|gold".
func brief(q percuss.Question) string {
	var options []string
	for _, o := range q.Options {
		options = append(options, o.Label+"="+o.Text)
	}
	return q.Stem + "|" + strings.Join(options, " ") + "|" + q.Gold
}

// Every way of writing the options gives the same question.
func TestLayouts(t *testing.T) {
	tests := []struct {
		name, file, content string
		o                   dataset.Options
	}{
		{"list", "q.jsonl", `{"question":"Why?","options":["w","x","y"],"answer":"C"}`, nil},
		{"object", "q.jsonl", `{"question":"Why?","options":{"C":"y","A":"w","B":"x"},"answer":"C"}`, nil},
		{"object of numbers", "q.jsonl", `{"question":"Why?","options":{"10":"y","8":"w","9":"x"},"answer":10}`, nil},
		{"object with gaps", "q.jsonl", `{"question":"Why?","options":{"A":"w","B":"x","C":"y","D":null},"answer":"C"}`, nil},
		{"list of objects", "q.jsonl", `{"question":"Why?","options":[{"key":"A","value":"w"},{"key":"B","value":"x"},{"key":"C","value":"y"}],"answer_idx":"C"}`, nil},
		{"list of texts in objects", "q.jsonl", `{"question":"Why?","choices":[{"text":"w"},{"text":"x"},{"text":"y"}],"answer":"y"}`, nil},
		{"two lists", "q.jsonl", `{"question":"Why?","choices":{"text":["w","x","y"],"label":["A","B","C"]},"answerKey":"C"}`, nil},
		{"columns named as MedMCQA's", "q.csv", "question,opa,opb,opc,cop\nWhy?,w,x,y,3\n", nil},
		{"columns A, B, C", "q.csv", "question,A,B,C,answer\nWhy?,w,x,y,C\n", nil},
		{"columns from 0", "q.csv", "Question,choice0,choice1,choice2,answer\nWhy?,w,x,y,C\n", nil},
		{"columns from 1", "q.csv", "stem,Option 1,Option 2,Option 3,Answer\nWhy?,w,x,y,Y\n", nil},
		{"series named as answers", "q.csv", "question,answer1,answer2,answer3,correct\nWhy?,w,x,y,3\n", nil},
		{"named columns", "q.csv", "vig,o1st,o2nd,o3rd,k\nWhy?,w,x,y,c\n", dataset.Options{"stem": "vig", "options": "o1st,o2nd,o3rd", "answer": "k"}},
		{"JSON in CSV", "q.csv", "question,options,answer\nWhy?,\"[\"\"w\"\",\"\"x\"\",\"\"y\"\"]\",(C)\n", nil},
		{"bars in CSV", "q.csv", "question,options,answer\nWhy?,w | x | y,C.\n", nil},
		{"lines in CSV", "q.csv", "question,options,answer\nWhy?,\"w\nx\ny\",y\n", nil},
		{"own separator", "q.csv", "question,options,answer\nWhy?,w/x/y,y\n", dataset.Options{"separator": "/"}},
		{"semicolons, mark, CRLF", "q.csv", "\ufeffquestion;A;B;C;answer\r\nWhy?;w;x;y;C\r\n", nil},
		{"tabs", "q.tsv", "question\tA\tB\tC\tanswer\nWhy?\tw\tx\ty\tC\n", nil},
		{"JSON array", "q.json", "[\n{\"question\":\"Why?\",\"options\":[\"w\",\"x\",\"y\"],\"answer\":\"C\"}]", nil},
		{"format said", "q.txt", `{"question":"Why?","options":["w","x","y"],"answer":"C"}`, dataset.Options{"format": "jsonl"}},
		{"answer in a list", "q.jsonl", `{"question":"Why?","options":["w","x","y"],"answer":["C"]}`, nil},
		{"index from 0", "q.jsonl", `{"question":"Why?","options":["w","x","y"],"answer":2}`, dataset.Options{"base": "0"}},
		{"index from 1", "q.jsonl", `{"question":"Why?","options":["w","x","y"],"answer":3.0}`, nil},
	}
	for _, c := range tests {
		questions, bad := load(t, c.file, c.content, c.o)
		if len(questions) != 1 || len(bad) != 0 || brief(questions[0]) != "Why?|A=w B=x C=y|C" {
			t.Errorf("%s: %v, bad %v", c.name, questions, bad)
		}
	}
}

// A number counts from 0 or 1 as the file shows; where it does not, the user says so.
func TestBase(t *testing.T) {
	file := func(answers ...int) string {
		var b strings.Builder
		for i, a := range answers {
			fmt.Fprintf(&b, `{"question":"q%d","options":["w","x","y"],"answer":%d}`+"\n", i, a)
		}
		return b.String()
	}
	golds := func(content string, o dataset.Options) (out string) {
		questions, _ := load(t, "q.jsonl", content, o)
		for _, q := range questions {
			out += q.Gold
		}
		return out
	}
	if got := golds(file(0, 1, 2), nil); got != "ABC" {
		t.Error(got)
	}
	if got := golds(file(1, 3, 2), nil); got != "ACB" {
		t.Error(got)
	}
	if got := golds(file(1, 2), dataset.Options{"base": "1"}); got != "AB" {
		t.Error(got)
	}
	fails(t, "q.jsonl", file(1, 2), nil, "say ?base=0 or ?base=1")
	fails(t, "q.jsonl", file(1, 0, 3), nil, "answer is 0 in line 2 and 3 in line 3")
	// The last option differs from row to row.
	mixed := `{"question":"a","options":["w","x"],"answer":2}` + "\n" + `{"question":"b","options":["w","x","y","z"],"answer":3}`
	if got := golds(mixed, nil); got != "BC" {
		t.Error(got)
	}
}

// An answer that could mean two options is never guessed.
func TestAnswerInDoubt(t *testing.T) {
	content := `{"question":"q","options":["B","A"],"answer":"A"}` + "\n" + `{"question":"How many?","options":["2","3","1"],"answer":"2"}` + "\n" + `{"question":"r","options":["x","X"],"answer":"x"}`
	questions, bad := load(t, "q.jsonl", content, nil)
	if len(questions) != 1 || questions[0].Gold != "A" || len(bad) != 2 || !strings.Contains(bad[0].Why, "?answers=letter or ?answers=text") || !strings.Contains(bad[1].Why, "?answers=text or ?answers=index") {
		t.Error(questions, bad)
	}
	for mode, want := range map[string]string{"letter": "A", "text": "BAA", "index": "B"} {
		questions, _ := load(t, "q.jsonl", content, dataset.Options{"answers": mode, "base": "1"})
		got := ""
		for _, q := range questions {
			got += q.Gold
		}
		if got != want {
			t.Errorf("%s: %s, want %s", mode, got, want)
		}
	}
}

// PrairieLearn#3133: 27 options; what comes after Z is AA, in the row and as an answer.
func TestManyOptions(t *testing.T) {
	var texts []string
	for i := range 27 {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	for _, answer := range []string{"AA", "aa", "text 26", "27"} {
		line, err := json.Marshal(map[string]any{"question": "q", "options": texts, "answer": answer})
		if err != nil {
			t.Fatal(err)
		}
		questions, bad := load(t, "q.jsonl", string(line), nil)
		if len(questions) != 1 || questions[0].Gold != "AA" || questions[0].Options[26] != (percuss.Option{Label: "AA", Text: "text 26"}) {
			t.Errorf("%s: %v, %v", answer, questions, bad)
		}
	}
	header, row := "question,answer", "q,AA"
	for i := range 27 {
		header += ",option_" + percuss.Label(i)
		row += fmt.Sprint(",text ", i)
	}
	if questions, bad := load(t, "q.csv", header+"\n"+row+"\n", nil); len(questions) != 1 || questions[0].Gold != "AA" {
		t.Error(questions, bad)
	}
}

func TestIDAndContext(t *testing.T) {
	questions, bad := load(t, "q.jsonl", strings.Join([]string{
		`{"id":7,"question":"q","options":["x","y"],"answer":"A","context":"p"}`,
		`{"id":"8","question":"q","options":["x","y"],"answer":"A","context":["p","r"]}`,
		`{"question":"q","options":["x","y"],"answer":"A"}`,
		`{"id":7,"question":"other","options":["x","y"],"answer":"A"}`,
		`{"id":9,"question":"q","options":["x","y"],"answer":"A","context":{"a":"b"}}`,
	}, "\n"), dataset.Options{"name": "mine"})
	if len(questions) != 3 || len(bad) != 2 {
		t.Fatal(questions, bad)
	}
	if questions[0].ID != "mine:7" || questions[1].ID != "mine:8" || !dataset.Hashed(questions[2].ID) || questions[0].Set != "mine" {
		t.Error(questions)
	}
	if d := cmp.Diff([][]string{{"p"}, {"p", "r"}, nil}, [][]string{questions[0].Context, questions[1].Context, questions[2].Context}); d != "" {
		t.Error(d)
	}
	if bad[0].Repeats != "mine:7" || !strings.Contains(bad[1].Why, "is an object") {
		t.Error(bad)
	}
}

// A row may have fewer options than there are columns, but none in between may be missing.
func TestBlankCells(t *testing.T) {
	questions, bad := load(t, "q.csv", "question,A,B,C,D,answer\nq,w,x,,,B\nr,w,x,,z,B\ns,w,x,y,z,\n\"t\nt\",w,x,y,z,E\n", nil)
	if len(questions) != 1 || brief(questions[0]) != "q|A=w B=x|B" {
		t.Error(questions)
	}
	want := []string{"q.csv:3: option C is empty", `q.csv:4: no answer in "answer"`, `q.csv:5: answer "E" is no label, index or text of an option`}
	var got []string
	for _, b := range bad {
		got = append(got, b.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A question written in any order of options, with its answer by label, index or text, is read with that answer.
func TestAnswerProperty(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{2,6} [a-z]{3}`), 2, 30, rapid.ID).Draw(t, "texts")
		gold := rapid.IntRange(0, len(texts)-1).Draw(t, "gold")
		base := rapid.IntRange(0, 1).Draw(t, "base")
		answer := rapid.SampledFrom([]any{percuss.Label(gold), gold + base, texts[gold], strings.ToUpper(texts[gold])}).Draw(t, "answer")
		line, err := json.Marshal(map[string]any{"question": "q", "options": texts, "answer": answer})
		if err != nil {
			t.Fatal(err)
		}
		n++
		path := filepath.Join(dir, fmt.Sprint(n, ".jsonl"))
		writeFile(t, path, line)
		l, err := New(path, dataset.Options{"base": fmt.Sprint(base)})
		if err != nil {
			t.Fatal(err)
		}
		questions, bad, err := dataset.Collect(l)
		if err != nil || len(questions) != 1 || questions[0].Gold != percuss.Label(gold) {
			t.Fatal(questions, bad, err)
		}
	})
}

// Whatever stands on a line, reading it neither panics nor makes a question without a right option.
func FuzzRow(f *testing.F) {
	f.Add([]byte(`{"question":"q","options":["x","y"],"answer":"A"}`), "")
	f.Add([]byte(`{"question":"q","options":[{"text":"x","label":"A"}],"answer":[2],"context":["p"]}`), "|")
	f.Add([]byte(`{"question":"q","options":"{\"B\":\"x\"}","answer":1.0,"id":7}`), "")
	c := columns{stem: "question", answer: "answer", options: []string{"options"}, id: "id", context: "context"}
	f.Fuzz(func(t *testing.T, line []byte, separator string) {
		in, err := rowOfJSON(line)
		if err != nil {
			return
		}
		q, err := reader{columns: c, set: "s", separator: separator}.question(in)
		if err != nil {
			return
		}
		if o, ok := q.Option(q.Gold); !ok || o.Text == "" || q.Stem == "" || len(q.Options) < 2 {
			t.Errorf("%+v", q)
		}
	})
}
