package llamacpp

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/prompt"
)

// recording is what a model said in a run: a prompt as tokens, the beginning of the turn among them, and the text.
type recording struct {
	question, trial string
	prompt, said    []llama.Token
}

// recordings are the baseline chains of eight of the demo's questions and those of their edits, as SmolLM2-135M
// generated them (testdata/chains.json: question, trial, text), in the order of the audit. There is no vocabulary here:
// a token is a word, a digit or a mark, with the space before it.
func recordings(t testing.TB) (out []recording) {
	t.Helper()
	raw, err := os.ReadFile("testdata/chains.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded map[string]map[string]string
	if err := json.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	b, err := battery.Parse("families+F1+M2")
	if err != nil {
		t.Fatal(err)
	}
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		t.Fatal(err)
	}
	a := chain.New(chain.Options{Seed: 1, Battery: b, Prompts: prompt.Default(), Answer: chain.Text, MaxTokens: 128,
		Can: map[string]percuss.Capabilities{"m": {Text: true, Continue: true, SystemRole: true}}})
	words := splitter{pattern: regexp.MustCompile(` ?[A-Za-z]+| ?[0-9]| ?[^A-Za-z0-9\s]+|\s+`), ids: map[string]llama.Token{}}
	for _, id := range slices.Sorted(maps.Keys(recorded)) {
		i := slices.IndexFunc(questions, func(q percuss.Question) bool { return q.ID == id })
		if i < 0 {
			t.Fatalf("the demo has no question %s", id)
		}
		s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: demo.Name, Item: id}, Question: questions[i]}
		known := percuss.AnswerMap{}
		base := a.Trials(s, known)[0]
		known[base.Request.Key()] = percuss.Answer{Outcome: percuss.OK, Text: recorded[id][base.ID]}
		for _, trial := range a.Trials(s, known) {
			said, ok := recorded[id][trial.ID]
			if !ok || trial.Request == nil {
				continue
			}
			r := recording{question: id, trial: trial.ID, said: words.split(said)}
			for _, m := range trial.Request.Messages {
				r.prompt = append(r.prompt, words.split(m.Content+"\n")...)
			}
			r.prompt = append(r.prompt, words.split(trial.Request.Begin)...)
			out = append(out, r)
		}
	}
	return out
}

type splitter struct {
	pattern *regexp.Regexp
	ids     map[string]llama.Token
}

func (s splitter) split(text string) (out []llama.Token) {
	for _, w := range s.pattern.FindAllString(text, -1) {
		if _, ok := s.ids[w]; !ok {
			s.ids[w] = llama.Token(len(s.ids))
		}
		out = append(out, s.ids[w])
	}
	return out
}

// replayed counts what it takes to generate recorded texts.
type replayed struct{ texts, tokens, decodes, drafted, accepted int }

// perToken is the number of decodes that a text takes part in for each of its tokens.
func (n replayed) perToken() float64 { return float64(n.decodes) / float64(n.tokens) }

// replay generates a recorded text with an oracle in the model's place, which says the next token of the recording. Each
// decode has so many rows besides the draft, and costs as much as overhead rows more.
func (n *replayed) replay(known *texts, r recording, rows int, overhead float64) {
	own := newReply(r.prompt)
	known.add(own, r.said[0]) // it needs no decode of its own: the prompt's gives it
	for at := 1; at < len(r.said); n.decodes++ {
		draft := slices.Clone(known.propose(own, len(r.said)-at, rows, overhead))
		n.drafted += len(draft)
		for right := true; right && at < len(r.said); at++ {
			known.add(own, r.said[at])
			if right = len(draft) > 0 && draft[0] == r.said[at]; right {
				draft = draft[1:]
				n.accepted++
			}
		}
	}
	n.texts, n.tokens = n.texts+1, n.tokens+len(r.said)
}

// What is known when a text is generated.
const (
	nothing  = "nothing"     // all texts are generated at the same pace
	baseline = "baseline"    // that of the question
	earlier  = "all earlier" // the baseline and the edits before
)

// replayAll generates the recorded texts of the trials that begin with block.
func replayAll(recorded []recording, block, what string, rows int, overhead float64) (n replayed) {
	known, question := &texts{}, ""
	var base recording
	for _, r := range recorded {
		if r.question != question {
			known, question, base = &texts{}, r.question, r
			remember(known, base)
			continue
		}
		if !strings.HasPrefix(r.trial, block) {
			continue
		}
		if what != earlier {
			known = &texts{}
		}
		if what == baseline {
			remember(known, base)
		}
		n.replay(known, r, rows, overhead)
	}
	return n
}

// remember adds a text that was generated before.
func remember(known *texts, r recording) {
	text := newReply(r.prompt)
	for _, token := range r.said {
		known.add(text, token)
	}
}

// With the baseline's chain and the question's own words to draft from, an edited question's chain takes at most 0.35
// decodes a token where rows of a decode cost little. Where they are what costs, drafts must be right most of the time.
func TestDraftsOfRealChains(t *testing.T) {
	recorded := recordings(t)
	for _, c := range []struct {
		block    string
		known    string
		rows     int
		overhead float64
		most     float64 // decodes a token
		least    float64 // of the proposed tokens that are right
	}{
		{"M", baseline, 1, chipRows, 0.35, 0.2},
		{"M", baseline, 14, chipRows, 0.35, 0.2},
		{"M", earlier, 14, chipRows, 0.27, 0.27},
		{"M", nothing, 14, chipRows, 0.45, 0.12},
		{"F", baseline, 17, chipRows, 0.26, 0.28},
		{"M", baseline, 1, overheadRows(135e6, 2, false), 0.37, 0.58},
		{"M", earlier, 4, overheadRows(135e6, 2, false), 0.45, 0.75},
		{"M", baseline, 14, overheadRows(135e6, 2, false), 0.62, 0.88},
		{"M", nothing, 14, overheadRows(135e6, 2, false), 0.85, 0.9},
		{"F", baseline, 17, overheadRows(135e6, 2, false), 0.75, 0.9},
	} {
		n := replayAll(recorded, c.block, c.known, c.rows, c.overhead)
		right := float64(n.accepted) / float64(n.drafted)
		t.Logf("%s-block, %s known, %d rows, overhead %.1f: %d texts, %d tokens, %.3f decodes a token, %d proposed, %.2f right",
			c.block, c.known, c.rows, c.overhead, n.texts, n.tokens, n.perToken(), n.drafted, right)
		if n.texts < 30 || n.perToken() > c.most || right < c.least {
			t.Errorf("%s-block, %s known, %d rows, overhead %.1f: %d texts, %.3f decodes a token, want at most %.2f; %.2f right, want at least %.2f",
				c.block, c.known, c.rows, c.overhead, n.texts, n.perToken(), c.most, right, c.least)
		}
	}
}

// BenchmarkDrafts replays the recorded chains: the time is that of looking for drafts.
func BenchmarkDrafts(b *testing.B) {
	recorded := recordings(b)
	for _, known := range []string{nothing, baseline, earlier} {
		b.Run(strings.ReplaceAll(known, " ", "-"), func(b *testing.B) {
			var n replayed
			for b.Loop() {
				n = replayAll(recorded, "M", known, 14, chipRows)
			}
			b.ReportMetric(n.perToken(), "decodes/token")
			b.ReportMetric(float64(n.accepted)/float64(n.drafted), "right/proposed")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n.decodes), "ns/draft")
		})
	}
}
