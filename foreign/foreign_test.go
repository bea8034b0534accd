package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func ok(text string) percuss.Answer { return percuss.Answer{Outcome: percuss.OK, Text: text} }

var three = []percuss.Option{{Label: "A", Text: "yes"}, {Label: "B", Text: "no"}, {Label: "C", Text: "maybe"}}

// One small file of each format, and the entry that it holds.
func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		file, content, format string
		want                  Entry
	}{
		"lm-eval": {"samples_medqa_x.jsonl",
			`{"doc_id":7,"doc":{"question":"Why?","choices":["yes","no","maybe"],"answer":"no"},"target":"B","resps":[["Step 1.\nAnswer: B"]],"filtered_resps":["B"]}`,
			"an lm-eval sample log",
			Entry{Line: 1, ID: "7", Set: "medqa", Stem: "Why?", Options: three, Gold: "B", Replies: []Reply{{Answer: ok("Step 1.\nAnswer: B")}}}},
		"lm-eval, repeated": {"samples_medqa_x.jsonl",
			`{"doc_id":7,"doc":{"question":"Why?","choices":["yes","no","maybe"],"answer":"no"},"target":"B","resps":[["One. Answer: B","Two. Answer: C"]]}`,
			"an lm-eval sample log",
			Entry{Line: 1, ID: "7", Set: "medqa", Stem: "Why?", Options: three, Gold: "B", Replies: []Reply{{Answer: ok("One. Answer: B")}, {Answer: ok("Two. Answer: C")}}}},
		"chains": {"chains.jsonl",
			`{"id":"c1","question":"Why?","options":{"A":"yes","B":"no","C":"maybe"},"answer":"B","model":"m","chains":["One. Answer: B",{"text":"Two. Answer: C","model":"n"}]}`,
			"a list of chains by question",
			Entry{Line: 1, ID: "c1", Stem: "Why?", Options: three, Gold: "B", Replies: []Reply{{Model: "m", Answer: ok("One. Answer: B")}, {Model: "n", Answer: ok("Two. Answer: C")}}}},
		"lm-eval, gold in the target": {"samples.jsonl",
			`{"doc_id":"x","doc":{"query":"Why?","choices":{"text":["yes","no","maybe"],"label":["1","2","3"]}},"target":"3","filtered_resps":["so C"]}`,
			"an lm-eval sample log",
			Entry{Line: 1, ID: "x", Stem: "Why?", Options: three, Gold: "C", Replies: []Reply{{Answer: ok("so C")}}}},
		"lm-eval, a number": {"samples_gsm8k.jsonl",
			`{"doc_id":0,"doc":{"question":"How many?","answer":"1 + 1\n#### 2"},"resps":[["2"]]}`, "an lm-eval sample log",
			Entry{Line: 1, ID: "0", Set: "gsm8k", Stem: "How many?", Gold: "2", Replies: []Reply{{Answer: ok("2")}}}},
		"batch": {"out.jsonl",
			`{"custom_id":"medqa:1","response":{"status_code":200,"body":{"model":"m-1","choices":[{"finish_reason":"length","message":{"content":"So","reasoning_content":"Hm"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}}}`,
			"OpenAI batch output",
			Entry{Line: 1, ID: "medqa:1", Replies: []Reply{{Model: "m-1", Answer: percuss.Answer{Outcome: percuss.Truncated, Text: "So",
				Reasoning: "Hm", Reported: "m-1", Usage: percuss.Usage{Prompt: 5, Output: 2}}}}}},
		"chat": {"chat.jsonl",
			`{"request":{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"Question: Why?\n\nOptions:\nA. yes\nB. no\nC. maybe\nThink."}]}]},"response":{"model":"m-2","choices":[{"message":{"content":null,"reasoning":"Hm"}}]}}`,
			"a record of chat completions",
			Entry{Line: 1, Stem: "Why?", Options: three, Prompt: "Question: Why?\n\nOptions:\nA. yes\nB. no\nC. maybe\nThink.",
				Replies: []Reply{{Model: "m-2", Answer: percuss.Answer{Outcome: percuss.ReasoningOnly, Reasoning: "Hm", Reported: "m-2"}}}}},
		"conversation": {"chat.jsonl",
			`{"id":3,"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Answer: A"}]}`, "a record of chat completions",
			Entry{Line: 1, ID: "3", Stem: "Why?", Prompt: "Why?", Replies: []Reply{{Answer: ok("Answer: A")}}}},
		"benchmark": {"m-pubmedqa-x.json",
			`[{"realidx":"9","question":"Why?","options":{"B":"no","C":"maybe","A":"yes"},"answer_idx":"A","completion":"","raw_response":"Answer: A","thinking":"a summary","token_usage":{"prompt_tokens":3,"completion_tokens":4}}]`,
			"MedAgents benchmark output",
			Entry{Line: 1, ID: "9", Set: "pubmedqa", Stem: "Why?", Options: three, Gold: "A",
				Replies: []Reply{{Answer: percuss.Answer{Outcome: percuss.OK, Text: "Answer: A", Usage: percuss.Usage{Prompt: 3, Output: 4}}}}}},
		"thoughtsource": {"ts.json",
			`{"med_qa":{"test":[{"id":"t1","question":"Why?","choices":["yes","no","maybe"],"context":"","answer":["maybe"],"cot":["Because."],"generated_cot":[{"cot":"First.\n","cot_trigger":"z","model":"{'name': 'gpt-4', 'temperature': 0}","answers":[{"answer":" C) maybe"}]},{"cot":"Second. Answer: A","model":"plain","answers":[]}]}]}}`,
			"ThoughtSource",
			Entry{Line: 1, ID: "t1", Set: "medqa", Stem: "Why?", Options: three, Gold: "C", Note: "Because.",
				Replies: []Reply{{Model: "gpt-4", Trigger: "z", Answer: ok("First.\n\nAnswer: C) maybe")}, {Model: "plain", Answer: ok("Second. Answer: A")}}}},
		"triggers": {"t.jsonl",
			`{"dataset":"pubmedqa_l_test","qid":"q","question_text":"PubMedQA-L [test:1] Context: A trial. Aim: x.\n\nQuestion: Does it?\n\nA) yes\nB) no\nC) maybe","gold":null,"completions":[{"trigger":"--","completion":"B"},{"trigger":"go","completion":" "}]}`,
			"a table of completions by trigger",
			Entry{Line: 1, ID: "q", Set: "pubmedqa", Context: []string{"A trial. Aim: x."}, Stem: "Does it?", Options: three,
				Replies: []Reply{{Trigger: "--", Answer: ok("B")}, {Trigger: "go", Answer: percuss.Answer{Outcome: percuss.Empty, Text: " "}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			log, err := Read(write(t, c.file, c.content+"\n"), "")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]Entry{c.want}, log.Entries); d != "" || len(log.Bad) != 0 || log.Format != c.format || len(log.SHA256) != 64 {
				t.Errorf("%s, bad %v, format %s", d, log.Bad, log.Format)
			}
		})
	}
}

// The requests of a batch give its output the questions.
func TestBatchWithRequests(t *testing.T) {
	requests := write(t, "in.jsonl", `{"custom_id":"r1","method":"POST","body":{"model":"m","messages":[{"role":"user","content":"Q: Why?\n(A) yes\n(B) no\n(C) maybe"}]}}`)
	out := write(t, "out.jsonl", `{"custom_id":"r1","response":{"body":{"choices":[{"message":{"content":"Answer: B"}}]}}}
{"custom_id":"r2","response":{"body":{"error":{"message":"busy"}}}}
{"custom_id":"r3","response":null,"error":{"code":"expired"}}`)
	log, err := Read(out, requests)
	if err != nil || len(log.Entries) != 1 || len(log.Bad) != 2 {
		t.Fatal(log, err)
	}
	for _, b := range log.Bad {
		if !strings.Contains(b.Why, "the request failed") {
			t.Error(b)
		}
	}
	if e := log.Entries[0]; e.Stem != "Why?" || cmp.Diff(three, e.Options) != "" || e.ID != "r1" {
		t.Errorf("%+v", e)
	}
	for _, wrong := range []string{write(t, "none.jsonl", "{}\n"), filepath.Join(t.TempDir(), "gone")} {
		if _, err := Read(out, wrong); err == nil || !strings.Contains(err.Error(), "requests") && !strings.Contains(err.Error(), "gone") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for content, say := range map[string]string{
		"":               "is empty",
		"{}\n":           "no log of a known format",
		"[1, 2]":         "no log of a known format",
		"no JSON":        "neither a JSON array nor an object",
		`[{"a":1}, {]`:   "not JSON",
		`{"med_qa":[1]}`: "no log of a known format",
	} {
		_, err := Read(write(t, "x.json", content), "")
		if err == nil || !strings.Contains(err.Error(), say) && !(say == "neither a JSON array nor an object" && strings.Contains(err.Error(), "JSON")) {
			t.Errorf("%q: %v, want %q", content, err, say)
		}
	}
	if _, err := Read(write(t, "x.jsonl", "{}\n"), ""); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	// A row that does not fit is told with its line; the others are read.
	log, err := Read(write(t, "x.jsonl", `{"doc_id":1,"doc":{"question":"Why?"},"resps":[["so"]]}
{"doc_id":2,"doc":{"question":"Why?"},"resps":[[[-1.5,false]]]}
{"doc_id":3,"doc":{},"resps":[["so"]]}
{"question":"Why?","options":{"A":"x"},"completion":"so"}
`), "")
	if err != nil || len(log.Entries) != 1 || len(log.Bad) != 3 {
		t.Fatal(log, err)
	}
	for i, say := range []string{"scores options", "no question", "not a row of an lm-eval sample log"} {
		if b := log.Bad[i]; b.Line != i+2 || !strings.Contains(b.Why, say) {
			t.Errorf("%+v, want %q", b, say)
		}
	}
}

func TestParse(t *testing.T) {
	for prompt, want := range map[string]struct{ context, stem, last string }{
		"Question: Why?\n\nOptions:\nA. x\nB. y\n\nThink.":                         {"", "Why?", "B"},
		"Some passage.\n\nQuestion: Why?\n\nOptions:\n(A) x\n\n(B) y\n\n(C) z\n":   {"Some passage.", "Why?", "C"},
		"A. an example\nB. another\nQ: First?\n\nQ: Second?\nA) x\nB) y\nAnswer:":  {"A. an example\nB. another\nQ: First?", "Second?", "B"},
		"Question: How many are 2 and 3?\n\nThink through it in steps.":            {"", "How many are 2 and 3?\n\nThink through it in steps.", ""},
		"Context: A trial.\nQuestion: Is it?\nA) yes\nB) no\nC) no, as D. said so": {"A trial.", "Is it?", "C"},
		"": {"", "", ""},
	} {
		context, stem, options := Parse(prompt)
		last := ""
		if len(options) > 0 {
			last = options[len(options)-1].Label
		}
		if strings.Join(context, "|") != want.context || stem != want.stem || last != want.last {
			t.Errorf("%q: %q, %q, %v", prompt, context, stem, options)
		}
	}
}

// No content makes the reader panic, and what it reads has an outcome.
func TestReadAnything(t *testing.T) {
	dir := t.TempDir()
	keys := []string{"doc", "resps", "custom_id", "response", "question_text", "completions", "generated_cot", "question", "options",
		"completion", "messages", "request", "choices", "answer", "gold", "body"}
	values := []string{`"x"`, `1`, `null`, `[]`, `{}`, `[["a"]]`, `{"question":"q"}`, `{"A":"x","B":"y"}`, `[{"trigger":"t","completion":"c"}]`,
		`{"body":{"choices":[{}]}}`, `[{"role":"user","content":[1]}]`, `[{"role":"user","content":"A. x\nB. y"}]`, `"Q [a] A) x\nB) y"`, `true`}
	rapid.Check(t, func(t *rapid.T) {
		var rows []string
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			var parts []string
			for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 5, rapid.ID).Draw(t, "keys") {
				parts = append(parts, `"`+k+`":`+rapid.SampledFrom(values).Draw(t, "value"))
			}
			rows = append(rows, "{"+strings.Join(parts, ",")+"}")
		}
		content := strings.Join(rows, "\n")
		if rapid.Bool().Draw(t, "array") {
			content = "[" + strings.Join(rows, ",\n") + "]"
		}
		path := filepath.Join(dir, "x.json")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		log, err := Read(path, "")
		if err != nil {
			return
		}
		for _, e := range log.Entries {
			for _, r := range e.Replies {
				if r.Answer.Outcome == "" {
					t.Fatalf("%s: a reply without an outcome: %+v", content, e)
				}
			}
		}
	})
}
