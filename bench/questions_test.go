package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/chain/battery"
)

func TestQuestions(t *testing.T) {
	few, many := questions(3), questions(1000)
	seen := map[string]bool{}
	length := 0
	for i, q := range many {
		if i < len(few) && q.prompt() != few[i].prompt() {
			t.Errorf("question %d is another one of three than of a thousand", i)
		}
		if seen[q.id] || seen[q.stem] || len(q.options) != 4 || !strings.Contains(q.stem, marker) || !strings.Contains("ABCD", q.answer) {
			t.Errorf("%+v", q)
		}
		seen[q.id], seen[q.stem] = true, true
		length += len(q.stem)
	}
	if mean := length / len(many); mean < 500 || mean > 900 {
		t.Errorf("a stem has %d bytes on average, one of MedQA about 700", mean)
	}
}

// Percuss is asked for one edit that needs a word of a patient's sex: with one, it would ask a question twice.
func TestNoQuestionNamesASex(t *testing.T) {
	chosen, err := battery.Parse("M2-sex")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions(200) {
		for _, o := range chosen.Operators {
			if e := o.Apply(q.stem, 1, q.id); e.Fired {
				t.Fatalf("%s fires on %q", o.ID, q.stem)
			}
		}
	}
}

func TestFilesOfQuestions(t *testing.T) {
	for name, c := range map[string]struct {
		form   func(made) any
		fields []string
	}{
		"Percuss":   {made.forPercuss, []string{"id", "question", "options", "answer"}},
		"Inspect":   {made.forInspect, []string{"id", "input", "choices", "target"}},
		"lm-eval":   {made.forLMEval, []string{"prompt", "answer"}},
		"promptfoo": {made.forPromptfoo, []string{"vars", "assert"}},
	} {
		path := filepath.Join(t.TempDir(), "q.jsonl")
		if err := writeQuestions(path, 5, c.form); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); n++ {
			var row map[string]any
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			for _, f := range c.fields {
				if row[f] == nil {
					t.Errorf("%s: no %s in %v", name, f, row)
				}
			}
		}
		if n != 5 || !bytes.Contains(raw, []byte(marker)) {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}
