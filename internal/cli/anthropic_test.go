package cli

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/model/anthropic/anthropictest"
	"github.com/percuss/percuss/model/probe"
	"github.com/percuss/percuss/report"
)

const anthropicKey = "sk-ant-topsecret-topsecret"

// claude is the address of a model behind a fake server that speaks Anthropic's interface.
func claude(s *anthropictest.Server, params string) string {
	return "anthropic:" + anthropictest.Name + params + "@" + s.URL
}

// What the probe finds on older and newer models, and what it says can be audited.
func TestProbeAnthropic(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", anthropicKey)
	for kind, continues := range map[string]probe.Verdict{anthropictest.Older: probe.Yes, anthropictest.Newer: probe.No} {
		s := anthropictest.Start(t, kind)
		s.Key = anthropicKey
		status, out, errs := command(t, "probe", "-m", claude(s, ""), "--json", "--long", "400")
		var r probe.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone {
			t.Errorf("%s: status %d, %v\n%s", kind, status, err, errs)
			continue
		}
		for check, want := range map[string]probe.Verdict{probe.Text: probe.Yes, probe.Continues: continues, probe.Letters: probe.No, probe.LongCut: probe.Yes} {
			if f, _ := r.Of(check); f.Verdict != want {
				t.Errorf("%s: %+v, want %s", kind, f, want)
			}
		}
	}
}

// A run against each kind of model: chains are continued or quoted, which is counted, and the key stands nowhere.
func TestChainAnthropic(t *testing.T) {
	t.Setenv("MY_KEY", anthropicKey)
	for kind, quoted := range map[string]bool{anthropictest.Older: false, anthropictest.Newer: true} {
		s := anthropictest.Start(t, kind)
		s.Key = anthropicKey
		dir := filepath.Join(t.TempDir(), "run")
		args := []string{"chain", "-m", claude(s, "?key_env=MY_KEY"), "-d", "demo", "-n", "2", "--battery", "families", "-o", dir}
		s.Script = func(w http.ResponseWriter, r *http.Request, body map[string]any) bool {
			if n, _ := body["max_tokens"].(float64); n < 200 || kind == anthropictest.Newer && (prefilled(body) || body["temperature"] != nil) {
				return false // the probe before the run, and what the model refuses
			}
			if r.Header.Get("X-Api-Key") != anthropicKey {
				return false
			}
			anthropictest.Reply(w, chainOf, "end_turn", 300, 40)
			return true
		}
		status, out, errs := command(t, args...)
		if status != exitDone {
			t.Fatalf("%s: status %d\n%s\n%s", kind, status, out, errs)
		}
		var r struct{ Calls []report.Calls }
		if err := json.Unmarshal(reportOf(t, dir), &r); err != nil || len(r.Calls) != 1 || r.Calls[0].Begun == 0 || (r.Calls[0].Quoted > 0) != quoted {
			t.Errorf("%s: %v, %+v", kind, err, r.Calls)
		}
		nowhere(t, dir, anthropicKey, out, errs)
		before := len(s.Requests())
		if status, _, errs := command(t, args...); status != exitDone || len(s.Requests()) != before {
			t.Errorf("%s: the finished run: status %d, %d calls more\n%s", kind, status, len(s.Requests())-before, errs)
		}
	}
}

// prefilled reports whether a request gives the beginning of the assistant's turn.
func prefilled(body map[string]any) bool {
	messages, _ := body["messages"].([]any)
	last, _ := messages[len(messages)-1].(map[string]any)
	return last["role"] == "assistant"
}

// What cannot work is said before a question is asked, with the remedy and without the key.
func TestAnthropicRefuses(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", anthropicKey)
	s := anthropictest.Start(t, anthropictest.Older)
	s.Key = "sk-ant-another-one"
	open := anthropictest.Start(t, anthropictest.Older)
	for name, c := range map[string]struct{ model, want string }{
		"wrong key":      {claude(s, ""), "the variable ANTHROPIC_API_KEY"},
		"no such key":    {claude(s, "?key_env=NOT_SET_ANYWHERE"), "no environment variable that is set"},
		"a parameter":    {claude(s, "?letters=yes"), "continue, key_env"},
		"continue":       {claude(open, "?continue=maybe"), "yes, no nor auto"},
		"no such model":  {"anthropic:claude-none@" + open.URL, "claude-none"},
		"letters wanted": {claude(open, ""), "--answer text"},
	} {
		args := []string{"chain", "-m", c.model, "-d", "demo", "-n", "1", "-o", filepath.Join(t.TempDir(), "run")}
		if name == "letters wanted" {
			args = append(args, "--answer", "text+letters")
		}
		status, out, errs := command(t, args...)
		if status != exitUsage || !strings.Contains(errs, c.want) || strings.Contains(out+errs, "topsecret") {
			t.Errorf("%s: status %d\n%s", name, status, errs)
		}
	}
}
