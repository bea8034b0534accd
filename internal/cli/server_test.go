package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/model/probe"
	"github.com/percuss/percuss/report"
)

// chainOf is what a well-behaved server says.
const chainOf = "Step 1: The history fits an infection. Step 2: The fever supports it. Step 3: The other options fit less well.\n\nAnswer: B"

// reply sends one reply, as a stream or whole as the request wants it.
func reply(w http.ResponseWriter, body map[string]any, text, finish string) {
	if body["stream"] == true {
		openaitest.Event(w, openaitest.Delta(text, finish))
		openaitest.Event(w, "[DONE]")
		return
	}
	openaitest.JSON(w, 200, map[string]any{"model": openaitest.Name, "choices": []any{map[string]any{"index": 0, "finish_reason": finish,
		"message": map[string]any{"role": "assistant", "content": text}}}, "usage": map[string]any{"prompt_tokens": 300, "completion_tokens": 40}})
}

// answering lets a server name an option in every text; without it its texts hold none. Letters are left as they are.
func answering(s *openaitest.Server) {
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if body["logprobs"] == true {
			return false
		}
		reply(w, body, "It is clear. Answer: A", "stop")
		return true
	}
}

// served is the address of a model behind a fake server.
func served(s *openaitest.Server, params string) string {
	return "openai:" + openaitest.Name + params + "@" + s.URL
}

// A run against a server that does everything wrong once: what is transient is made again, what is final has its
// outcome, each is counted, and the run ends well.
func TestEveryFaultIsCounted(t *testing.T) {
	s := openaitest.Start(t, "generic")
	s.Key = "sk-topsecret-topsecret"
	t.Setenv("OPENAI_API_KEY", s.Key)
	whole := func(w http.ResponseWriter, status int, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
	faults := []func(w http.ResponseWriter, body map[string]any){
		func(w http.ResponseWriter, _ map[string]any) {
			whole(w, 200, `{"error":{"message":"rate limit exceeded, key `+s.Key+`"}}`)
		},
		func(w http.ResponseWriter, b map[string]any) { reply(w, b, "", "stop") },
		func(w http.ResponseWriter, b map[string]any) { reply(w, b, "Step 1: The history", "length") },
		func(w http.ResponseWriter, b map[string]any) {
			openaitest.Event(w, `{"choices":[{"index":0,"delta":{"reasoning_content":"so probably B"},"finish_reason":"stop"}]}`)
			openaitest.Event(w, "[DONE]")
		},
		func(w http.ResponseWriter, b map[string]any) { reply(w, b, "I cannot", "content_filter") },
		func(w http.ResponseWriter, _ map[string]any) { whole(w, 200, `{"choices":[{"mess`) },
		func(w http.ResponseWriter, _ map[string]any) { openaitest.Error(w, 429, "slow down") },
		func(w http.ResponseWriter, _ map[string]any) {
			w.Header().Set("Retry-After", "1")
			openaitest.Error(w, 429, "slow down")
		},
		func(w http.ResponseWriter, _ map[string]any) { openaitest.Error(w, 500, "oh no") },
		func(w http.ResponseWriter, _ map[string]any) { openaitest.Error(w, 503, "loading") },
		func(w http.ResponseWriter, _ map[string]any) {
			if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
				c.Close()
			}
		},
		func(w http.ResponseWriter, _ map[string]any) {
			openaitest.Error(w, 400, "this prompt is not allowed here")
		},
		func(w http.ResponseWriter, _ map[string]any) {
			openaitest.Error(w, 400, "This model's maximum context length is 100 tokens. However, you requested 400 tokens")
		},
	}
	var mu sync.Mutex
	chats := 0
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if text, _ := json.Marshal(body["messages"]); strings.Contains(string(text), `"Hello."`) {
			reply(w, body, "Hello.", "stop") // the control of a refusal, which comes when it will
			return true
		}
		mu.Lock()
		chats++
		n := chats
		mu.Unlock()
		// The probe before the run makes a few calls, which end well.
		if i := n - 8; i >= 0 && i%3 == 0 && i/3 < len(faults) {
			faults[i/3](w, body)
			return true
		}
		reply(w, body, chainOf, "stop")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", served(s, ""), "-d", "demo", "-n", "6", "--battery", "families", "--concurrency", "4", "-o", dir}
	status, out, errs := command(t, args...)
	if status != exitDone {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	var r struct{ Calls []report.Calls }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil || len(r.Calls) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	counts := map[string]int{}
	for _, c := range r.Calls[0].Outcomes {
		counts[c.Name] = c.N
	}
	for _, outcome := range []string{"empty", "truncated", "reasoning_only", "filtered", "refused_by_server", "context_exceeded"} {
		if counts[outcome] != 1 {
			t.Errorf("%s: %d calls, want 1 (%v)", outcome, counts[outcome], counts)
		}
	}
	if counts["failed"] != 0 || counts["ok"] < 40 {
		t.Errorf("calls by outcome: %v", counts)
	}
	var i info
	raw, err := os.ReadFile(filepath.Join(dir, "report", "runinfo.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &i); err != nil {
		t.Fatal(err)
	}
	if i.Attempts["rate_limit"] != 3 || i.Attempts["server"] != 1 || i.Attempts["overload"] != 1 || i.Attempts["malformed"] != 1 || i.Attempts["dropped"] != 1 || i.Result.Retried != 7 {
		t.Errorf("attempts %v, %d retries", i.Attempts, i.Result.Retried)
	}
	nowhere(t, dir, s.Key, out, errs)
	before := len(s.Requests())
	if status, _, errs := command(t, args...); status != exitDone || len(s.Requests()) != before {
		t.Errorf("the finished run: status %d, %d calls more\n%s", status, len(s.Requests())-before, errs)
	}
}

// nowhere checks that a secret stands in no file of a folder and in no output.
func nowhere(t *testing.T, dir, secret string, outputs ...string) {
	t.Helper()
	for _, o := range outputs {
		if strings.Contains(o, secret) {
			t.Errorf("the secret was printed: %s", o)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && bytes.Contains(raw, []byte(secret)) {
			t.Errorf("the secret stands in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A request that is to wait for an hour fails for this run; the others do not wait for it, and the next run asks it
// again.
func TestAnHourIsNotWaitedFor(t *testing.T) {
	s := openaitest.Start(t, "openai")
	var mu sync.Mutex
	waited := false
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		mu.Lock()
		// A question without a chain: nothing else waits for its answer.
		wait := !waited && strings.Contains(fmt.Sprint(body["messages"]), "Give no reasoning")
		waited = waited || wait
		mu.Unlock()
		if wait {
			w.Header().Set("Retry-After", "3600")
			openaitest.Error(w, 429, "come back later")
			return true
		}
		reply(w, body, chainOf, "stop")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", served(s, ""), "-d", "demo", "-n", "6", "--battery", "families", "-o", dir}
	if status, _, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	if !bytes.Contains(reportOf(t, dir), []byte(`"failed"`)) || asked(t, s, args) != 1 {
		t.Error("the next run was to ask the one that failed, and no other")
	}
}

// asked counts the calls that a command makes.
func asked(t *testing.T, s *openaitest.Server, args []string) int {
	t.Helper()
	before := len(s.Requests())
	if status, _, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	return len(s.Requests()) - before
}

// What makes a run impossible is said before the first call, with exit status 2 and the remedy.
func TestServersThatCannotBeAudited(t *testing.T) {
	s := openaitest.Start(t, "openai")
	plain := openaitest.Start(t, "lmstudio")
	locked := openaitest.Start(t, "vllm")
	locked.Key = "sk-right"
	t.Setenv("OPENAI_API_KEY", "sk-wrong-topsecret")
	t.Setenv("OTHER_KEY", "sk-right")
	for name, c := range map[string]struct {
		model, answer string
		want          []string
	}{
		"wrong key":         {served(locked, ""), "text", []string{"OPENAI_API_KEY", "401"}},
		"no key":            {served(locked, "?key_env=NO_SUCH_KEY"), "text", []string{"key_env", "environment variable"}},
		"key as its name":   {served(locked, "?key_env=sk-topsecret"), "text", []string{"key_env", "never the key itself"}},
		"unknown model":     {"openai:gpt-none@" + s.URL, "text", []string{"gpt-none", openaitest.Name}},
		"nobody there":      {"openai:m@http://127.0.0.1:1/v1", "text", []string{"127.0.0.1:1"}},
		"TLS":               {"openai:m@https" + strings.TrimPrefix(s.URL, "http"), "text", []string{"tls", "certificate"}},
		"no letters":        {served(plain, ""), "letters", []string{"log-probabilities", "--answer text"}},
		"no continuation":   {served(s, ""), "text+letters", []string{"--answer text"}},
		"unknown parameter": {served(s, "?colour=red"), "text", []string{"colour", "key_env"}},
		"unknown server":    {served(s, "?server=hal"), "text", []string{"hal", "vllm"}},
		"no URL":            {"openai:m", "text", []string{"@http"}},
		"secret in the URL": {"openai:m@http://me:topsecret@h/v1", "text", []string{"environment variable"}},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		status, out, errs := command(t, "chain", "-m", c.model, "-d", "demo", "-n", "2", "--answer", c.answer, "-o", dir)
		if status != exitUsage {
			t.Errorf("%s: status %d\n%s", name, status, errs)
		}
		for _, w := range c.want {
			if !strings.Contains(errs, w) {
				t.Errorf("%s: %q is not in: %s", name, w, errs)
			}
		}
		if strings.Contains(out+errs, "topsecret") {
			t.Errorf("%s: a secret was printed: %s", name, errs)
		}
	}
	for _, server := range []*openaitest.Server{s, plain, locked} {
		if n := len(server.Requests()); n > 0 {
			t.Errorf("%d calls were made", n)
		}
	}
	if status, out, errs := command(t, "probe", "-m", served(locked, "?key_env=OTHER_KEY")); status != exitDone || strings.Contains(out+errs, "sk-right") {
		t.Errorf("with the right key: status %d\n%s%s", status, out, errs)
	}
}

// A server that calls its model by another name in mid-run: the answers stay, the report warns.
func TestModelRenamedInMidRun(t *testing.T) {
	s := openaitest.Start(t, "openai")
	var mu sync.Mutex
	chats := 0
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		mu.Lock()
		chats++
		name := openaitest.Name
		if chats > 20 {
			name = "toy-2"
		}
		mu.Unlock()
		openaitest.Event(w, fmt.Sprintf(`{"model":%q,"choices":[{"index":0,"delta":{"content":"Answer: B"},"finish_reason":"stop"}]}`, name))
		openaitest.Event(w, "[DONE]")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "chain", "-m", served(s, ""), "-d", "demo", "-n", "4", "--battery", "families", "-o", dir); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	var r struct{ Calls []report.Calls }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	if c := r.Calls[0]; len(c.Reported) != 2 || len(c.Warnings) == 0 || !strings.Contains(strings.Join(c.Warnings, " "), "toy-2") {
		t.Errorf("%+v", c)
	}
}

// A server that promises to continue, and does not, is found out by the probe: chains are quoted, and the run says so.
func TestBrokenPromises(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		reply(w, body, chainOf, "stop")
		return true
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, "chain", "-m", served(s, ""), "-d", "demo", "-n", "2", "--battery", "families", "-o", dir)
	if status != exitDone || !strings.Contains(errs, "starts over") {
		t.Fatalf("status %d\n%s", status, errs)
	}
	var r struct{ Calls []report.Calls }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil || r.Calls[0].Quoted == 0 {
		t.Errorf("%v, %+v", err, r.Calls)
	}
}

// What the probe finds on each kind of server, and what it says can be audited.
func TestProbeOfEveryKindOfServer(t *testing.T) {
	for kind, can := range map[string]struct{ continues, letters string }{
		"openai": {"no", "yes"}, "vllm": {"yes", "yes"}, "sglang": {"yes", "yes"}, "llama.cpp": {"yes", "yes"},
		"ollama": {"no", "yes"}, "tgi": {"no", "yes"}, "lmstudio": {"no", "no"}, "generic": {"no", "no"},
	} {
		s := openaitest.Start(t, kind)
		status, out, errs := command(t, "probe", "-m", served(s, ""), "--json", "--long", "400")
		var r probe.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone {
			t.Errorf("%s: status %d, %v\n%s", kind, status, err, errs)
			continue
		}
		for check, want := range map[string]string{probe.Text: "yes", probe.Continues: can.continues, probe.Letters: can.letters, probe.Repeats: "yes", probe.LongCut: "yes"} {
			if f, _ := r.Of(check); string(f.Verdict) != want {
				t.Errorf("%s: %+v, want %s", kind, f, want)
			}
		}
		if f, _ := r.Of(probe.Real); can.letters == "yes" && f.Verdict != probe.Yes {
			t.Errorf("%s: %+v", kind, f)
		}
	}
}

// A user's walk on a server that gives no log-probabilities and cannot continue a turn: each step says what is lost.
func TestWalkOnAPoorServer(t *testing.T) {
	s := openaitest.Start(t, "generic")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		reply(w, body, chainOf, "stop")
		return true
	}
	dir := t.TempDir()
	csv := filepath.Join(dir, "own questions.csv")
	rows := "\xef\xbb\xbfquestion,A,B,C,D,answer\r\n"
	for i := range 10 {
		rows += fmt.Sprintf("\"A %d-year-old woman has had a severe cough for %d days, but no fever. What is it?\",Asthma,Bronchitis,Gout,Migraine,B\r\n", 30+i, 2+i)
	}
	rows += "\"A man limps. What is it?\",Gout,Sprain,Asthma,Migraine,E\r\n"
	if err := os.WriteFile(csv, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	data := "custom:" + csv
	walk := []struct {
		want   int
		say    []string
		args   []string
		folder string
	}{
		{exitDone, []string{"from the letters         no", "quoted in a user turn"}, []string{"probe", "-m", served(s, ""), "--long", "200"}, ""},
		{exitDone, []string{"own questions.csv:12", "10"}, []string{"data", "check", data}, ""},
		{exitDone, []string{"Nothing was sent"}, []string{"plan", "chain", "-m", served(s, ""), "-d", data, "-n", "10"}, ""},
		{exitUsage, []string{"no log-probabilities", "--answer text"}, []string{"chain", "-m", served(s, ""), "-d", data, "--answer", "text+letters"}, "a"},
		{exitDone, []string{"10 items", "report.html"}, []string{"chain", "-m", served(s, ""), "-d", data, "-n", "10", "--battery", "families"}, "b"},
	}
	for _, step := range walk {
		args := step.args
		if step.folder != "" {
			args = append(args, "-o", filepath.Join(dir, step.folder))
		}
		status, out, errs := command(t, args...)
		if status != step.want {
			t.Fatalf("%v: status %d\n%s\n%s", args, status, out, errs)
		}
		for _, w := range step.say {
			if !strings.Contains(out+errs, w) {
				t.Errorf("%v: %q is not in\n%s%s", args[0], w, out, errs)
			}
		}
	}
	var r struct{ Calls []report.Calls }
	if err := json.Unmarshal(reportOf(t, filepath.Join(dir, "b")), &r); err != nil || r.Calls[0].Quoted == 0 || r.Calls[0].Quoted != r.Calls[0].Begun {
		t.Errorf("%v: chains were to be quoted, and counted so: %+v", err, r.Calls)
	}
}

// Labels past Z are refused before the first call where letters would be read.
func TestLettersPastZ(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	var options []string
	for i := range 28 {
		options = append(options, fmt.Sprintf("%q", fmt.Sprint("diagnosis ", i)))
	}
	file := filepath.Join(t.TempDir(), "many.jsonl")
	row := `{"question":"A man coughs. What is it?","options":[` + strings.Join(options, ",") + `],"answer":"AB"}` + "\n"
	if err := os.WriteFile(file, []byte(row), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"chain", "-m", served(s, ""), "-d", "custom:" + file, "--answer", "letters", "-o", filepath.Join(t.TempDir(), "run")}
	status, _, errs := command(t, args...)
	if status != exitUsage || !strings.Contains(errs, "label AB") || !strings.Contains(errs, "--answer text") {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, body := range s.Requests() {
		if strings.Contains(fmt.Sprint(body), "diagnosis 27") && body["logprobs"] != true && fmt.Sprint(body["max_tokens"]) == "512" {
			t.Error("the question was asked before the refusal")
		}
	}
}

// A server that gives nothing is shown to be able to do nothing.
func TestProbeOfAServerThatFails(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		openaitest.Error(w, 500, "oh no")
		return true
	}
	status, out, errs := command(t, "probe", "-m", served(s, ""), "--patience", "1ms", "--long", "80")
	if status == exitDone || strings.Contains(out, " yes") {
		t.Errorf("status %d\n%s\n%s", status, out, errs)
	}
}
