package recorded_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/recorded"
	"github.com/percuss/percuss/prompt"
)

func openLog(t testing.TB, content string, c recorded.Choice) *recorded.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := recorded.OpenLog(path, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func put(stem string, options ...string) percuss.Question {
	q := percuss.Question{ID: "s:" + stem, Set: "s", Stem: stem, Gold: "A"}
	for i, o := range options {
		q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: o})
	}
	return q
}

// putTo puts a question as an audit does; change edits the request.
func putTo(t testing.TB, m model.Model, q percuss.Question, change func(*percuss.Request)) (percuss.Answer, error) {
	t.Helper()
	chat, err := prompt.Default().Chat(q, "neutral", "", false)
	if err != nil {
		t.Fatal(err)
	}
	r := percuss.Request{Model: m.Capabilities().Identity, Messages: chat, Sampling: percuss.Greedy(512)}
	if change != nil {
		change(&r)
	}
	s, err := m.Open(t.Context(), "neutral/a/model/"+q.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var answer percuss.Answer
	fault := errors.New("never done")
	if err := s.Answer(t.Context(), []percuss.Request{r}, func(_ int, a percuss.Answer, err error) { answer, fault = a, err }); err != nil {
		t.Fatal(err)
	}
	return answer, fault
}

// refused asks and wants a fault of a kind that says something.
func refused(t testing.TB, m model.Model, q percuss.Question, change func(*percuss.Request), kind, say string) {
	t.Helper()
	a, err := putTo(t, m, q, change)
	var f *model.Fault
	if !errors.As(err, &f) || f.Kind != kind || f.Fatal || !f.Spent || !strings.Contains(f.Error(), say) {
		t.Errorf("%q: answer %+v, fault %v, want %s that says %q", q.Stem, a, err, kind, say)
	}
}

// row is a row of a benchmark's output.
func row(stem, completion string, options ...string) string {
	var parts []string
	for i, o := range options {
		parts = append(parts, fmt.Sprintf("%q:%q", percuss.Label(i), o))
	}
	return fmt.Sprintf(`{"question":%q,"options":{%s},"answer_idx":"A","completion":%q}`, stem, strings.Join(parts, ","), completion) + "\n"
}

const (
	rash  = "A 30-year-old man has a red rash on both arms. What is the most likely diagnosis?"
	rash2 = "A 30-year-old man has a red rash on both arms. He was in the woods. What is the most likely diagnosis?"
	what  = "What is the most likely diagnosis?"
)

func log(t testing.TB) *recorded.Log {
	return openLog(t, row(rash, "Step 1: B looks well.\n\nAnswer: B", "Measles", "Scabies", "Eczema")+
		row(what, "None of it fits. Answer: A", "Gout", "Flu")+
		row(what, "Once more. Answer: B", "Gout", "Flu")+
		row(what, "The same.\nAnswer: B", "Lupus", "Mumps")+
		row("Which drug stops the most common kind of seizure in a newborn child?", "One. Answer: A", "Phenobarbital", "Aspirin"), recorded.Choice{})
}

func TestLogAnswersBaseline(t *testing.T) {
	m := log(t)
	can := m.Capabilities()
	if !can.Given || !can.Text || can.Continue || can.Letters || !strings.HasPrefix(can.Identity, "recorded:log.jsonl#") || len(can.Identity) != len("recorded:log.jsonl#")+8 {
		t.Errorf("%+v", can)
	}
	if a, err := putTo(t, m, put(rash, "Measles", "Scabies", "Eczema"), nil); err != nil || a.Text != "Step 1: B looks well.\n\nAnswer: B" || a.Outcome != percuss.OK {
		t.Errorf("%+v, %v", a, err)
	}
	// The longest question that is shown is meant, not one that is part of it; layout and case do not matter.
	if a, err := putTo(t, m, put("A  30-year-old man has a RED rash on both arms.\nWhat is the most likely diagnosis?", "measles", "Scabies.", "Eczema"), nil); err != nil || !strings.Contains(a.Text, "B looks well") {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := putTo(t, m, put(what, "Lupus", "Mumps"), nil); err != nil || !strings.HasPrefix(a.Text, "The same") {
		t.Errorf("%+v, %v", a, err)
	}
}

// A letter means what it meant in the log: where the options stand in another order it is lettered anew, and the chain
// stays as it is.
func TestLogIsRelettered(t *testing.T) {
	m := log(t)
	a, err := putTo(t, m, put(rash, "Scabies", "Eczema", "Measles"), nil)
	if err != nil || a.Text != "Step 1: B looks well.\n\nAnswer: A" || !strings.Contains(a.Detail, "its answer B is A here") {
		t.Errorf("%+v, %v", a, err)
	}
	unread := openLog(t, row(rash, "I cannot tell.", "Measles", "Scabies"), recorded.Choice{})
	refused(t, unread, put(rash, "Scabies", "Measles"), nil, recorded.Unclear, "cannot be read")
	if a, err := putTo(t, unread, put(rash, "Measles", "Scabies"), nil); err != nil || a.Text != "I cannot tell." {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestLogRefuses(t *testing.T) {
	m := log(t)
	rashed := put(rash, "Measles", "Scabies", "Eczema")
	refused(t, m, put(what, "Gout", "Flu"), nil, recorded.Unclear, "2 questions of the log could be meant, among them line 2 and line 3")
	refused(t, m, put(rash, "Measles", "Scabies"), nil, recorded.Unclear, "other options (line 1)")
	refused(t, m, put(rash, "Measles", "Scabies", "Gout"), nil, recorded.Unclear, "other options")
	refused(t, m, put("Why is the sky blue?", "x", "y"), nil, recorded.NotRecorded, "-d log:FILE takes those that it has")
	refused(t, m, put("Why is the sea blue?", "x", "y"), nil, recorded.NotRecorded, "(5 so far without)")
	refused(t, m, put("Which drug causes the most common kind of seizure in an old man?", "Phenobarbital", "Aspirin"), nil, recorded.NotRecorded, "")
	refused(t, m, put("He fell ill at sea. "+what+" Or is it scurvy, which sailors got who ate no fruit?", "Scurvy", "Pellagra"), nil, recorded.NotRecorded, "")
	refused(t, m, rashed, func(r *percuss.Request) { r.Begin = "Step 1: I have seen it" }, recorded.NotAvailable, `to continue a chain after 6 words that end in "Step 1: I have seen it"`)
	refused(t, m, rashed, func(r *percuss.Request) { r.Want.Letters = []string{"A", "B"} }, recorded.NotAvailable, "for the letters A, B")
	refused(t, m, rashed, func(r *percuss.Request) { r.Replicate = 1 }, recorded.NotAvailable, "repetition 1")
}

// Batch output without its requests is found by our own ids.
func TestBatchById(t *testing.T) {
	m := openLog(t, `{"custom_id":"s:Why?","response":{"body":{"model":"m","choices":[{"message":{"content":"Answer: A"}}]}}}`, recorded.Choice{})
	if a, err := putTo(t, m, put("Why?", "x", "y"), nil); err != nil || a.Text != "Answer: A" {
		t.Errorf("%+v, %v", a, err)
	}
	refused(t, m, put("When?", "x", "y"), nil, recorded.NotRecorded, "(1 so far without)")
	if id := m.Capabilities().Identity; !strings.HasSuffix(id, "?model=m") {
		t.Error(id)
	}
}

func TestChoice(t *testing.T) {
	const rows = `{"question_text":"X [1] Q: Why?\nA) x\nB) y","completions":[{"trigger":"one","completion":"1. Answer: A"},{"trigger":"two","completion":"2. Answer: B"}]}`
	m := openLog(t, rows, recorded.Choice{Trigger: "two"})
	if a, err := putTo(t, m, put("Why?", "x", "y"), nil); err != nil || a.Text != "2. Answer: B" {
		t.Errorf("%+v, %v", a, err)
	}
	other := openLog(t, rows, recorded.Choice{Trigger: "one"})
	if a, b := m.Capabilities().Identity, other.Capabilities().Identity; a == b || !strings.HasSuffix(b, "?trigger=one") {
		t.Errorf("%s, %s", a, b)
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	for c, say := range map[recorded.Choice]string{
		{}:                               `choose one with ?trigger=: "one", "two"`,
		{Trigger: "three"}:               `no trigger "three": there is "one", "two"`,
		{Trigger: "one", Model: "m"}:     `no model "m"`,
		{Trigger: "one", Requests: path}: "requests",
	} {
		if _, err := recorded.OpenLog(path, c); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%+v: %v, want %q", c, err, say)
		}
	}
	if is, err := recorded.IsExport(path); is || err != nil {
		t.Error(is, err)
	}
	if is, err := recorded.IsExport(export(t, entries(t, 1), pair)); !is || err != nil {
		t.Error(is, err)
	}
	if _, err := recorded.IsExport(path + ".gone"); err == nil {
		t.Error("a file that is not there is an export or none")
	}
}

func TestClosedLog(t *testing.T) {
	m := log(t)
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := m.Open(t.Context(), "x"); !model.IsFatal(err) {
		t.Error(err)
	}
}

// TestSeveralReplies: a repetition gets the next reply, whatever the sampling, and one beyond the last is told.
func TestSeveralReplies(t *testing.T) {
	rows := `{"id": "1", "question": "Which dose is right for a child?", "options": ["10 mg", "20 mg"], "answer": "A", "model": "m", "chains": ["Ten. Answer: A", {"text": "Twenty. Answer: B", "model": "m"}]}
{"id": "1", "question": "Which dose is right for a child?", "options": ["10 mg", "20 mg"], "answer": "A", "model": "m", "chains": ["Ten again. Answer: A"]}
`
	m := openLog(t, rows, recorded.Choice{Trigger: recorded.All})
	if m.Replies() != 3 {
		t.Errorf("%d replies to a question, want 3", m.Replies())
	}
	q := put("Which dose is right for a child?", "10 mg", "20 mg")
	for i, want := range []string{"Ten. Answer: A", "Twenty. Answer: B", "Ten again. Answer: A"} {
		got, err := putTo(t, m, q, func(r *percuss.Request) {
			r.Replicate, r.Sampling.Temperature, r.Sampling.Seed = i, 0.7, uint64(i)
		})
		if err != nil || got.Text != want {
			t.Errorf("repetition %d: %q, %v, want %q", i, got.Text, err, want)
		}
	}
	if _, err := putTo(t, m, q, func(r *percuss.Request) { r.Replicate = 3 }); err == nil || !strings.Contains(err.Error(), "3 replies to this question") || !absent(err) {
		t.Errorf("a fourth reply: %v", err)
	}
}

// absent reports whether a fault says that the log holds no such reply, which fails nothing.
func absent(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Absent
}

// A question that the log does not have is a failure, a further reply is none.
func TestAbsentReplies(t *testing.T) {
	m := openLog(t, row(rash, "Answer: A", "Measles", "Scabies"), recorded.Choice{Trigger: recorded.All})
	for stem, want := range map[string]bool{rash: true, "Which drug stops a seizure in a newborn child?": false} {
		if _, err := putTo(t, m, put(stem, "Measles", "Scabies"), func(r *percuss.Request) { r.Replicate = 1 }); err == nil || absent(err) != want {
			t.Errorf("%q: %v", stem, err)
		}
	}
}
