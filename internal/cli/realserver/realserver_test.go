package realserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/internal/cli"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/dequant"
	"github.com/percuss/percuss/model/modeltest/llamaserver"
	"github.com/percuss/percuss/model/openai"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/store/sqlite"
)

// served opens the model behind the server.
func served(t *testing.T, base, gguf string) model.Model {
	t.Helper()
	m, err := openai.Open(t.Context(), openai.Options{URL: base + "/v1", Name: nameOf(t, base, gguf)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// nameOf is what the server's list calls its model.
func nameOf(t *testing.T, base, gguf string) string {
	t.Helper()
	resp, err := http.Get(base + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list.Data) != 1 {
		t.Fatalf("%v: %+v", err, list)
	}
	return list.Data[0].ID
}

// embedded opens the same file in this process.
func embedded(t *testing.T, gguf string) *llamacpp.Model {
	t.Helper()
	m, err := llamacpp.Open(t.Context(), llamacpp.Options{Lib: modeltest.EngineLib(t), Path: gguf, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// asked are the requests of an audit of the first questions: texts, and letters after a chain of our own.
func asked(t *testing.T, n int) (texts, letters []percuss.Request) {
	t.Helper()
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		t.Fatal(err)
	}
	families, err := battery.Parse("families")
	if err != nil {
		t.Fatal(err)
	}
	can := percuss.Capabilities{Identity: "m", Text: true, Letters: true, Continue: true, SystemRole: true}
	audit := chain.New(chain.Options{Seed: 1, Battery: families, Prompts: prompt.Default(), Answer: chain.Letters, MaxTokens: 48,
		Direct: true, Can: map[string]percuss.Capabilities{"m": can}})
	for _, q := range questions[:n] {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: q.Set, Item: q.ID}, Identity: "m", Question: q}
		answers := percuss.AnswerMap{}
		for _, r := range percuss.Missing(audit.Trials(s, answers), answers) {
			answers[r.Key()] = percuss.Answer{Outcome: percuss.OK,
				Text: "Step 1: The patient is ill. Step 2: It began 3 days ago. Step 3: So the first option is likely.\n\nAnswer: A"}
		}
		for _, trial := range audit.Trials(s, answers) {
			if trial.Request == nil {
				continue
			}
			if len(trial.Request.Want.Letters) > 0 {
				letters = append(letters, *trial.Request)
			} else {
				texts = append(texts, *trial.Request)
			}
		}
	}
	return texts, letters
}

// The prompts of an audit are the same bytes here and there, beginnings of turns included.
func TestPromptsAreTheServers(t *testing.T) {
	gguf := modeltest.SmolLM2(t)
	m := embedded(t, gguf)
	base := llamaserver.Start(t, gguf, llamaserver.Options{})
	texts, letters := asked(t, 3)
	begun := 0
	for _, r := range append(texts, letters...) {
		messages := append([]percuss.Message(nil), r.Messages...)
		if r.Begin != "" {
			messages = append(messages, percuss.Message{Role: percuss.Assistant, Content: r.Begin})
			begun++
		}
		body, err := json.Marshal(map[string]any{"messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(base+"/apply-template", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Prompt string }
		err = json.NewDecoder(resp.Body).Decode(&got)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Prompt(r)
		if err != nil {
			t.Fatal(err)
		}
		if got.Prompt != want {
			t.Fatalf("the embedded engine reads\n%q\nthe server\n%q", want, got.Prompt)
		}
	}
	t.Logf("%d prompts, %d with a beginning of the turn", len(texts)+len(letters), begun)
	if begun == 0 || begun == len(texts)+len(letters) {
		t.Error("prompts of both kinds were to be compared")
	}
}

// On float weights server and embedded engine agree on the letters.
func TestLettersAgreeOnFloatWeights(t *testing.T) {
	gguf := dequant.SmolLM2(t)
	most, flips := drift(t, gguf, llamaserver.Options{Exact: true, Slots: 2})
	if most > 1e-2 {
		t.Errorf("log-probabilities differ by up to %g nats, more than 0.01", most)
	}
	if flips > 0 {
		t.Errorf("another best letter in %d, although the gap exceeds the tolerance", flips)
	}
}

// On quantised weights they drift apart; by how much is recorded.
func TestLettersDriftOnQuantisedWeights(t *testing.T) {
	most, flips := drift(t, modeltest.SmolLM2(t), llamaserver.Options{Slots: 2})
	if most > 3 {
		t.Errorf("log-probabilities differ by up to %g nats: that is no drift", most)
	}
	t.Logf("4-bit weights: up to %.3f nats, another best letter in %d beyond a gap of 0.01", most, flips)
}

// drift asks both for the same letters and returns the largest difference, and how often the best letter differs
// although the embedded one leads by more than 0.01.
func drift(t *testing.T, gguf string, o llamaserver.Options) (most float64, flips int) {
	t.Helper()
	_, letters := asked(t, 2)
	here := ask(t, embedded(t, gguf), letters)
	there := ask(t, served(t, llamaserver.Start(t, gguf, o), gguf), letters)
	sum, n := 0.0, 0
	for i := range letters {
		for k, l := range here[i].Letters {
			a, okA := l.LogProb.Get()
			b, okB := there[i].Letters[k].LogProb.Get()
			if !okA || !okB || there[i].Letters[k].Censored {
				t.Fatalf("a score is missing: %+v, %+v", here[i], there[i])
			}
			most, sum, n = max(most, math.Abs(a-b)), sum+math.Abs(a-b), n+1
		}
		a, margin, _ := here[i].Best()
		if b, _, _ := there[i].Best(); a != b && margin.Or(0) > 1e-2 {
			flips++
		}
	}
	t.Logf("%d answers, %d log-probabilities: mean difference %.5f, largest %.5f nats", len(letters), n, sum/float64(n), most)
	return most, flips
}

// ask puts the requests under the model's own identity.
func ask(t *testing.T, m model.Model, requests []percuss.Request) []percuss.Answer {
	t.Helper()
	own := append([]percuss.Request(nil), requests...)
	for i := range own {
		own[i].Model = m.Capabilities().Identity
	}
	return modeltest.Ask(t, m, own...)
}

// The real server passes the suite of the port.
func TestContract(t *testing.T) {
	gguf := modeltest.SmolLM2(t)
	base := llamaserver.Start(t, gguf, llamaserver.Options{Slots: 2})
	modeltest.Run(t, func(t *testing.T) model.Model {
		m, err := openai.Open(t.Context(), openai.Options{URL: base + "/v1", Name: nameOf(t, base, gguf)})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}, modeltest.Traits{})
}

// percussed runs a command line in this process.
func percussed(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = cli.Main(args, strings.NewReader(""), &o, &e, os.Getenv)
	return status, o.String(), e.String()
}

// A user's walk: questions of one's own, a real server, probe, plan, chain, report.
func TestWalk(t *testing.T) {
	gguf := modeltest.SmolLM2(t)
	base := llamaserver.Start(t, gguf, llamaserver.Options{Slots: 4})
	arg := "openai:" + nameOf(t, base, gguf) + "@" + base + "/v1"
	dir := t.TempDir()
	questions := filepath.Join(dir, "questions.csv")
	if err := os.WriteFile(questions, []byte(ownQuestions()), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := percussed(t, "probe", "-m", arg, "--long", "600")
	t.Logf("%s", out)
	if status != 0 || !strings.Contains(out, "from the letters         yes") || !strings.Contains(out, "own turn yes") {
		t.Fatalf("probe: status %d\n%s", status, errs)
	}
	set := "custom:" + questions
	if status, out, errs := percussed(t, "data", "check", set); status != 0 || !strings.Contains(out, "2") {
		t.Fatalf("data check: status %d\n%s\n%s", status, out, errs)
	}
	args := []string{"-m", arg, "-d", set, "-n", "2", "--battery", "F1-50+F2-a+F4-a+M2-age-a+M5-a", "--answer", "text+letters", "--max-tokens", "96"}
	if status, out, errs := percussed(t, append([]string{"plan", "chain"}, args...)...); status != 0 || !strings.Contains(out, "Nothing was sent") {
		t.Fatalf("plan: status %d\n%s\n%s", status, out, errs)
	}
	folder := filepath.Join(dir, "run")
	status, out, errs = percussed(t, append(append([]string{"chain"}, args...), "-o", folder)...)
	if status != 0 {
		t.Fatalf("chain: status %d\n%s\n%s", status, out, errs)
	}
	if status, out, errs := percussed(t, "store", "verify", folder); status != 0 {
		t.Errorf("verify: status %d\n%s\n%s", status, out, errs)
	}
	continued, scored := continuedAnswers(t, folder)
	if continued == 0 || scored == 0 {
		t.Errorf("%d continued texts, %d letters", continued, scored)
	}
}

// continuedAnswers counts the answers that went on from a given beginning, and those that scored letters; none may
// repeat its beginning.
func continuedAnswers(t *testing.T, folder string) (continued, scored int) {
	t.Helper()
	s, err := sqlite.OpenReader(context.Background(), filepath.Join(folder, "answers.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for e, err := range s.Entries(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Answer.Letters) > 0 {
			scored++
			continue
		}
		if e.Request.Begin == "" {
			continue
		}
		if e.Answer.Continued == percuss.Continues {
			continued++
		}
		if strings.HasPrefix(e.Answer.Text, e.Request.Begin) {
			t.Errorf("the text repeats its beginning: %q", e.Answer.Text)
		}
	}
	return continued, scored
}

// ownQuestions is a file as a user might have it.
func ownQuestions() string {
	var b strings.Builder
	io.WriteString(&b, "\xef\xbb\xbfquestion,A,B,C,D,answer\r\n")
	for i := range 2 {
		fmt.Fprintf(&b, "\"A %d-year-old man has had severe chest pain for %d hours, and no fever. What is the most likely cause?\",Angina,Asthma,Gout,Migraine,A\r\n", 48+i, 2+i)
	}
	return b.String()
}
