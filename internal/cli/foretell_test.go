package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// narrow is a server whose model has a context of so many tokens, by its own list.
func narrow(t *testing.T, tokens int) *openaitest.Server {
	t.Helper()
	s, handler := openaitest.New(t, "vllm")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			openaitest.JSON(w, 200, map[string]any{"object": "list", "data": []any{
				map[string]any{"id": openaitest.Name, "owned_by": "vllm", "max_model_len": tokens}}})
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// plainly are arguments of an evidence audit without checks.
func plainly(model, data, n, dir string, more ...string) []string {
	return append([]string{"evidence", "-m", model, "-d", data, "-n", n, "--stability", "0", "--neutralize", "0", "--selectors", "0",
		"--counterfactuals", "0", "--floor", "0", "-o", dir}, more...)
}

// twoSizes is a file with a case that is short and one that is long.
func twoSizes(t *testing.T) string {
	t.Helper()
	of := func(id, more string) string {
		return `{"id":"` + id + `","units":["The toe hurts.","The toe is red.` + more + `"],"candidates":["Gout","Sepsis","Fracture"],"gold":"Gout"}`
	}
	return "custom:" + datasettest.Write(t, "sizes.jsonl", of("short", "")+"\n"+of("long", strings.Repeat(" It hurts at night, on the stairs and in bed.", 200))+"\n")
}

// What cannot be asked is told before the run, by the run itself and by the plan of a run that was begun; the list says
// why, and so does the case.
func TestWhatDoesNotFitIsTold(t *testing.T) {
	s := narrow(t, 1000)
	dir, data := filepath.Join(t.TempDir(), "run"), twoSizes(t)
	args := plainly(served(s, ""), data, "2", dir)
	plan := append([]string{"plan"}, args...)
	status, out, errs := command(t, plan[:len(plan)-2]...)
	if status != exitDone || !regexp.MustCompile(`the longest prompt has about 3\d{3} tokens.* not known before a run is begun`).MatchString(unfolded(out)) {
		t.Errorf("a plan of nothing begun: status %d\n%s\n%s", status, out, errs)
	}
	if status, out, errs = command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	want := regexp.MustCompile(`(?s)1 of 2 cases cannot be asked, and will be counted as refused:.*custom:long: a prompt of about 3\d{3} tokens does not fit into a context of 1000`)
	if !want.MatchString(unfolded(errs)) {
		t.Errorf("before the run: %s", errs)
	}
	if status, out, errs = command(t, plan...); status != exitDone || !want.MatchString(unfolded(out)) || !strings.Contains(unfolded(out), "the model's context has 1000") {
		t.Errorf("the plan: status %d\n%s\n%s", status, out, errs)
	}
	_, out, _ = command(t, append(plan, "--json")...)
	var p struct{ Models []planned }
	if err := json.Unmarshal([]byte(out), &p); err != nil || p.Models[0].Refused != 1 || p.Models[0].Context != 1000 || p.Models[0].Longest < 3000 || len(p.Models[0].Why) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, out, _ = command(t, "show", dir); !strings.Contains(out, "refused: a prompt of about 3") {
		t.Errorf("the list: %s", out)
	}
	if _, out, _ = command(t, "show", dir, "custom:long"); !strings.HasPrefix(out, "Refused, nothing of it was asked: a prompt of about 3") {
		t.Errorf("the case: %s", out)
	}
}

// unfolded is a text in one line.
func unfolded(s string) string { return strings.Join(strings.Fields(s), " ") }

// A server that refuses the probe because it is too long is not said to have no log-probabilities.
func TestAContextTooSmallForTheProbe(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		text, _ := json.Marshal(body["messages"])
		if len(text) < 900 {
			return false
		}
		openaitest.JSON(w, 400, map[string]any{"error": map[string]any{"code": "context_length_exceeded",
			"message": "This model's maximum context length is 300 tokens. However, you requested 400 tokens."}})
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, plainly(served(s, ""), twoSizes(t), "2", dir)...)
	if status != exitDone || strings.Contains(errs, "--samples") || !strings.Contains(unfolded(errs), "does not fit into the context") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// A prompt without scores is an outcome that is counted; the rest is asked.
func TestPromptsWithoutScoresDoNotEndARun(t *testing.T) {
	for name, value := range map[string]string{"NaN": "NaN", "null": "null"} {
		s := openaitest.Start(t, "vllm")
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			if text, _ := json.Marshal(body["messages"]); !strings.Contains(string(text), "The toe hurts") {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"choices":[{"index":0,"finish_reason":"length","message":{"content":"A"},"logprobs":{"content":[{"token":"A","logprob":` + value +
				`,"top_logprobs":[{"token":"A","logprob":` + value + `},{"token":"B","logprob":` + value + `}]}]}}]}`))
			return true
		}
		dir := filepath.Join(t.TempDir(), "run")
		status, out, errs := command(t, plainly(served(s, ""), twoSizes(t), "2", dir)...)
		if status != exitDone || !strings.Contains(out, "empty: 4.") || !strings.Contains(out, "ok: 4.") || strings.Contains(out, "failed") {
			t.Errorf("%s: status %d\n%s\n%s", name, status, out, errs)
		}
		if _, out, _ := command(t, "show", dir); strings.Count(out, "unscored: an answer is empty") != 2 {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// Requests that a run never came to are not shown as failed without a word.
func TestUnsentRequestsAreToldApart(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if text, _ := json.Marshal(body["messages"]); !strings.Contains(string(text), "The toe") {
			return false
		}
		openaitest.Error(w, 402, "pay first")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, plainly(served(s, ""), twoSizes(t), "2", dir, "--concurrency", "1")...); status == exitDone {
		t.Fatal(errs)
	}
	_, out, errs := command(t, "report", dir)
	out = strings.Join(strings.Fields(out), " ")
	if !regexp.MustCompile(`Of the \d+ calls that are counted as failed, at least \d+ were never sent`).MatchString(out) {
		t.Errorf("%s\n%s", out, errs)
	}
}

// A file of appropriate findings says of how many of its cases it speaks in vain.
func TestAppropriateCasesThatAreNotDrawn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	data := datasettest.Write(t, "f.jsonl", `{"id":"short","units":[{"text":"Toe: red"},{"text":"Toe: hot"}],"candidates":["Gout","Sepsis"],"gold":"Gout"}`)
	if err := os.WriteFile(file, []byte("item,family\ncustom:short,U1\ncustom:shrot,U1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errs := command(t, plainly("sim:additive", "custom:"+data, "1", filepath.Join(t.TempDir(), "run"), "--appropriate", file)...)
	if status != exitDone || !strings.Contains(unfolded(errs), "names appropriate findings of 2 cases, 1 of them drawn; the ids of the others") {
		t.Errorf("status %d: %s", status, errs)
	}
}
