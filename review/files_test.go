package review

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/review/blind"
)

// saved draws a sample, saves it and returns the place of its blinded file.
func saved(t testing.TB, dir string, o Options, f blind.Format) (Sample, string) {
	t.Helper()
	s := drawn(t, world(2, 20, 9), o)
	path := filepath.Join(dir, "interactions-"+string(o.Design)+"."+string(f))
	if err := s.Save(path, f, false); err != nil {
		t.Fatal(err)
	}
	return s, path
}

// The file for reviewers names no model, run, rule, label or bucket, nor the case, nor the ids of its units; each stands
// in the key.
func TestFileIsBlind(t *testing.T) {
	for _, d := range Designs() {
		for _, f := range blind.Formats() {
			s, path := saved(t, t.TempDir(), Options{Design: d, Seed: 5}, f)
			task, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			key, err := os.ReadFile(KeyFile(path))
			if err != nil {
				t.Fatal(err)
			}
			told := map[string]bool{`"run-r"`: true, `"variant-v"`: true, `"demo"`: true, `"` + string(d) + `"`: true}
			for _, k := range s.Keys {
				for _, secret := range append([]string{k.Model, k.Rule, k.Label, k.Item, k.Bucket}, k.Units...) {
					told[`"`+secret+`"`] = true
				}
			}
			if len(told) < 20 {
				t.Fatalf("%d secrets", len(told))
			}
			for secret := range told {
				if !bytes.Contains(key, []byte(secret)) {
					t.Errorf("the key does not hold %s", secret)
				}
				if bytes.Contains(task, []byte(strings.Trim(secret, `"`))) {
					t.Errorf("%s: the blinded file holds %s", f, secret)
				}
			}
			for _, word := range []string{"suspicious", "rule", "label", "bucket", "control", "random", "queue"} {
				if bytes.Contains(task, []byte(word)) {
					t.Errorf("%s: the blinded file says %q", f, word)
				}
			}
		}
	}
}

// A line holds these fields and no other: a new one must be thought about.
func TestFieldsOfATask(t *testing.T) {
	_, path := saved(t, t.TempDir(), Options{Design: Buckets, Seed: 5}, blind.JSONL)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"candidates", "case", "comment", "confidence", "diagnosis", "facts", "findings", "id", "judgement", "reviewer", "sign", "strength"}
	for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(object)); i > 0 && !slices.Equal(got, want) {
			t.Fatalf("line %d has %v", i+1, got)
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	s, path := saved(t, dir, Options{Design: Queue, Seed: 5}, blind.JSONL)
	if got := KeyFile(path); got != filepath.Join(dir, "interactions-queue-key.jsonl") {
		t.Error(got)
	}
	if runtime.GOOS != "windows" {
		for p, mode := range map[string]os.FileMode{path: 0o644, KeyFile(path): 0o600} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", p, info.Mode(), err)
			}
		}
	}
	first, _ := os.ReadFile(path)
	if err := s.Save(path, blind.JSONL, false); err != nil {
		t.Errorf("the same sample again: %v", err)
	}
	table := strings.TrimSuffix(path, ".jsonl") + ".csv"
	if err := s.Save(table, blind.CSV, false); err != nil {
		t.Errorf("the same sample as a table, whose key is there already: %v", err)
	}
	other := drawn(t, world(2, 20, 9), Options{Design: Queue, Seed: 6})
	if err := other.Save(path, blind.JSONL, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("another sample: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(first, now) {
		t.Error("a refused sample was written")
	}
	if err := s.Save(filepath.Join(dir, "none", "x.jsonl"), blind.JSONL, false); err == nil {
		t.Error("a folder that is not there")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What somebody wrote into is not lost unless it is meant to be.
func TestSaveKeepsJudgements(t *testing.T) {
	s, path := saved(t, t.TempDir(), Options{Design: Queue, Seed: 5}, blind.JSONL)
	first, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(slices.Clone(first), "{}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(path, blind.JSONL, false); err == nil || !strings.Contains(err.Error(), "perhaps judgements") {
		t.Errorf("a file with judgements: %v", err)
	}
	if err := s.Save(path, blind.JSONL, true); err != nil {
		t.Error(err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(first, now) {
		t.Error("forced, and not written")
	}
}

func TestReadKeys(t *testing.T) {
	dir := t.TempDir()
	s, path := saved(t, dir, Options{Design: Queue, Seed: 5}, blind.JSONL)
	keys, err := readKeys([]string{KeyFile(path), KeyFile(path)})
	if err != nil || len(keys) != len(s.Keys) {
		t.Fatalf("%d keys of %d, %v", len(keys), len(s.Keys), err)
	}
	for _, k := range s.Keys {
		if !reflect.DeepEqual(keys[k.ID], k) {
			t.Fatalf("read %+v, written %+v", keys[k.ID], k)
		}
	}
	raw, _ := os.ReadFile(KeyFile(path))
	head, rest, _ := strings.Cut(string(raw), "\n")
	line, _, _ := strings.Cut(rest, "\n")
	for name, c := range map[string]struct{ text, say string }{
		"no head":   {rest, "line 1: no key file"},
		"empty":     {"", "line 1: no key file"},
		"newer":     {strings.Replace(string(raw), "key/1", "key/2", 1), "line 1: no key file"},
		"damaged":   {head + "\n" + line[:len(line)/2], "line 2: damaged"},
		"no units":  {head + "\n{\"id\":\"i1\"}", "line 2: damaged"},
		"two pairs": {head + "\n" + line + "\n" + strings.Replace(line, "model-m", "model-x", 1), "line 3: id " + s.Keys[0].ID + " stands for another"},
	} {
		bad := filepath.Join(dir, "bad"+keyEnding)
		if err := os.WriteFile(bad, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readKeys([]string{bad}); err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
