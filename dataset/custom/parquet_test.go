package custom

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

// writeFile writes a file that the test's folder takes away.
func writeFile(t interface{ Fatal(...any) }, path string, content []byte) {
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

type lists struct {
	Question string   `parquet:"question"`
	Options  []string `parquet:"options,list"`
	Answer   int64    `parquet:"answer"`
	Context  *string  `parquet:"context,optional"`
}

type structs struct {
	Question string `parquet:"question"`
	Choices  struct {
		Text  []string `parquet:"text,list"`
		Label []string `parquet:"label,list"`
	} `parquet:"choices"`
	AnswerKey string `parquet:"answerKey"`
}

type lettered struct {
	Question string `parquet:"question"`
	Options  struct {
		A string  `parquet:"A"`
		B string  `parquet:"B"`
		C *string `parquet:"C,optional"`
	} `parquet:"options"`
	Answer string `parquet:"answer_idx"`
}

type mapped struct {
	Question string            `parquet:"question"`
	Options  map[string]string `parquet:"options"`
	Answer   string            `parquet:"answer"`
}

func parquetOf[T any](t *testing.T, rows ...T) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestParquet(t *testing.T) {
	passage := "It was tried."
	var two structs
	two.Question, two.AnswerKey = "Why?", "2"
	two.Choices.Text, two.Choices.Label = []string{"w", "x"}, []string{"1", "2"}
	var letters lettered
	letters.Question, letters.Answer = "Why?", "B"
	letters.Options.A, letters.Options.B = "w", "x"
	files := map[string]string{
		"lists":   parquetOf(t, lists{"Why?", []string{"w", "x"}, 1, &passage}, lists{"How?", []string{"w", "x"}, 0, nil}, lists{" ", []string{"w", "x"}, 0, nil}),
		"structs": parquetOf(t, two),
		"letters": parquetOf(t, letters),
		"maps":    parquetOf(t, mapped{"Why?", map[string]string{"B": "x", "A": "w"}, "B"}),
	}
	for name, content := range files {
		questions, bad := load(t, "q.parquet", content, nil)
		if len(questions) == 0 || brief(questions[0]) != "Why?|A=w B=x|B" {
			t.Errorf("%s: %v, %v", name, questions, bad)
			continue
		}
		if name != "lists" {
			continue
		}
		if len(questions) != 2 || len(questions[0].Context) != 1 || questions[1].Context != nil || questions[1].Source.Line != 2 || len(questions[0].Source.SHA256) != 64 {
			t.Errorf("%+v", questions)
		}
		if len(bad) != 1 || bad[0].Error() != "q.parquet:3: the question is empty" {
			t.Error(bad)
		}
	}
}

// A damaged file is an error, whatever its damage makes of it, and never a panic.
func TestParquetDamaged(t *testing.T) {
	whole := []byte(parquetOf(t, lists{"Why?", []string{"w", "x"}, 1, nil}, lists{"How?", []string{"w", "x"}, 0, nil}))
	path := datasettest.Write(t, "q.parquet", "")
	read := func(content []byte) error {
		writeFile(t, path, content)
		l, err := New(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = dataset.Collect(l)
		return err
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 3 {
		if err := read(whole[:n]); err == nil || !strings.Contains(err.Error(), "q.parquet") {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		damaged := bytes.Clone(whole)
		damaged[n] ^= 0xff
		_ = read(damaged) // some damage goes unseen; none may panic
	}
	if err := read(nil); err == nil {
		t.Error("an empty file is no error")
	}
}
