package main

import (
	"context"
	"embed"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/percuss/percuss/bench/server"
)

//go:embed peers
var peerFiles embed.FS

// connections is how many requests every tool may have at the server at once.
const connections = 64

// installed is what the remedy of a missing tool says.
const installed = "make bench-peers, or scripts/bench-peers, installs it"

// peer is another tool that asks a server multiple-choice questions.
type peer struct {
	name    string
	program []string // path below the folder of the peers
	version []string // pattern of a file below it that tells the version
	data    string   // file that its task reads
	form    func(made) any
	task    string // the file among peers; in it, in args and in env {address}, {data} and {peers} are filled in
	args    []string
	env     []string
}

// quiet are settings that keep the tools from asking anybody but the server.
func quiet() []string {
	return []string{"HF_HUB_OFFLINE=1", "HF_DATASETS_OFFLINE=1", "HF_HUB_DISABLE_TELEMETRY=1", "OPENAI_API_KEY=none",
		"PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1"}
}

func peers() []peer {
	return []peer{
		{name: "Inspect", program: []string{"inspect", "bin", "inspect"}, version: []string{"inspect", "lib", "python*", "site-packages", "inspect_ai-*.dist-info"},
			data: "inspect.jsonl", form: made.forInspect, task: "inspect.py",
			args: []string{"eval", "inspect.py", "--model", "openai-api/bench/" + server.Model, "--max-connections", strconv.Itoa(connections),
				"--temperature", "0", "--max-tokens", "512", "--display", "none", "--log-dir", "logs"},
			env: append(quiet(), "BENCH_API_KEY=none", "BENCH_BASE_URL={address}")},
		{name: "promptfoo", program: []string{"promptfoo", "node_modules", ".bin", "node"}, version: []string{"promptfoo", "node_modules", "promptfoo", "package.json"},
			data: "promptfoo.jsonl", form: made.forPromptfoo, task: "promptfoo.yaml",
			args: []string{"{peers}/promptfoo/node_modules/.bin/promptfoo", "eval", "-c", "promptfoo.yaml", "--max-concurrency", strconv.Itoa(connections), "--no-cache", "--no-progress-bar", "--no-table", "-o", "out.json"},
			env:  append(quiet(), "PROMPTFOO_CONFIG_DIR=settings", "PROMPTFOO_FAILED_TEST_EXIT_CODE=0")},
		lmEval(),
	}
}

func lmEval() peer {
	return peer{name: "lm-eval", program: []string{"lm-eval", "bin", "lm-eval"}, version: []string{"lm-eval", "lib", "python*", "site-packages", "lm_eval-*.dist-info"},
		data: "lm-eval.jsonl", form: made.forLMEval, task: "lm-eval.yaml",
		args: []string{"run", "--model", "local-chat-completions", "--model_args",
			"model=" + server.Model + ",base_url={address}/chat/completions,num_concurrent=" + strconv.Itoa(connections) + ",tokenized_requests=False",
			"--tasks", "made_up", "--include_path", ".", "--apply_chat_template", "--log_samples", "--output_path", "out"},
		env: append(quiet(), "HF_HOME=cache")}
}

// here reports whether the tool is installed.
func (p peer) here(b *bench) error {
	if _, err := os.Stat(p.path(b)); err != nil || found(b.peers, p.version) == "" {
		return absent{p.name, installed}
	}
	return nil
}

func (p peer) path(b *bench) string {
	return filepath.Join(append([]string{b.peers}, p.program...)...)
}

// once asks n questions of the server at url.
func (p peer) once(ctx context.Context, b *bench, n int, url, folder string) (usage, error) {
	data := filepath.Join(folder, p.data)
	if err := writeQuestions(data, n, p.form); err != nil {
		return usage{}, err
	}
	task, err := peerFiles.ReadFile("peers/" + p.task)
	if err != nil {
		return usage{}, err
	}
	fill := strings.NewReplacer("{address}", url, "{data}", data, "{peers}", filepath.ToSlash(b.peers))
	if err := os.WriteFile(filepath.Join(folder, p.task), []byte(fill.Replace(string(task))), 0o644); err != nil {
		return usage{}, err
	}
	filled := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, fill.Replace(s))
		}
		return out
	}
	_, u, err := command{p.path(b), filled(p.args), filled(p.env), folder}.run(ctx, logOf(folder))
	return u, err
}
