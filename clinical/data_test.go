package clinical

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/percuss/percuss"
)

// dataFile returns the path of a file of real data, and skips the test where the data are absent.
func dataFile(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("PERCUSS_DATA")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			if dir == filepath.Dir(dir) {
				t.Fatal("no go.mod above the working directory")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared", "data")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs ../shared/data (or PERCUSS_DATA): " + filepath.Join(parts...) + " is absent")
	}
	return path
}

// readLines decodes a file of one JSON object a line.
func readLines[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []T
	dec := json.NewDecoder(bufio.NewReader(f))
	for dec.More() {
		var row T
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func readJSON[T any](t testing.TB, path string) T {
	t.Helper()
	var v T
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// lettered makes options A, B, C ... of texts.
func lettered(texts ...string) []percuss.Option {
	options := make([]percuss.Option, len(texts))
	for i, text := range texts {
		options[i] = percuss.Option{Label: percuss.Label(i), Text: text}
	}
	return options
}

// fromMap makes options of a JSON object, in the order of the labels.
func fromMap(m map[string]string) []percuss.Option {
	var options []percuss.Option
	for label, text := range m {
		options = append(options, percuss.Option{Label: label, Text: text})
	}
	sort.Slice(options, func(i, j int) bool { return options[i].Label < options[j].Label })
	return options
}

// agentRow is a row of the medagents_benchmark files.
type agentRow struct {
	Options    map[string]string `json:"options"`
	Gold       string            `json:"answer_idx"`
	Completion string            `json:"completion"`
	Raw        string            `json:"raw_response"`
	Predicted  string            `json:"predicted_answer"`
	Usage      struct {
		Completion int `json:"completion_tokens"`
	} `json:"token_usage"`
}

func (r agentRow) text() string { return r.Completion + r.Raw }

// agentLimits are the token limits of the runs whose replies reach them.
var agentLimits = map[string]int{
	"DeepSeek-R1-medmcqa": 8192, "DeepSeek-R1-medqa": 8192, "QwQ-32B-medmcqa": 512, "QwQ-32B-medqa": 2048, "QwQ-32B-Preview-medmcqa": 2048,
}

var agentFiles = []string{
	"DeepSeek-R1-medmcqa-test_hard-zero_shot", "DeepSeek-R1-medqa-test_hard-zero_shot", "DeepSeek-R1-pubmedqa-test_hard-zero_shot",
	"QwQ-32B-Preview-medmcqa-test_hard-zero_shot", "QwQ-32B-Preview-medqa-test_hard-zero_shot", "QwQ-32B-Preview-pubmedqa-test_hard-zero_shot",
	"QwQ-32B-medmcqa-test_hard-zero_shot", "QwQ-32B-medqa-test_hard-zero_shot", "gpt-4o-medmcqa-test_hard-cot", "gpt-4o-medqa-test_hard-cot",
	"gpt-4o-mini-medmcqa-test_hard-cot", "gpt-4o-mini-medqa-test_hard-cot", "gpt-4o-mini-pubmedqa-test_hard-cot", "gpt-4o-pubmedqa-test_hard-cot",
}

func agentRows(t testing.TB, file string) []agentRow {
	return readJSON[[]agentRow](t, dataFile(t, "cot_outputs", "medagents_benchmark", file+".json"))
}

func (r agentRow) cut(file string) bool {
	for prefix, limit := range agentLimits {
		if len(file) > len(prefix) && file[:len(prefix)] == prefix {
			return r.Usage.Completion >= limit
		}
	}
	return false
}
