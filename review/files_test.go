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

// composed is the package of a sample of interactions with everything that can stand beside the sample.
func composed(t testing.TB, o Options) (Sample, blind.Package, []byte) {
	t.Helper()
	s := drawn(t, world(2, 20, 9), o)
	form, err := blind.FormOf(s.Task)
	if err != nil {
		t.Fatal(err)
	}
	p, key, err := s.Compose(Composing{Form: form, Practice: true, Repeats: 3, Attention: len(form.Attention)})
	if err != nil {
		t.Fatal(err)
	}
	return s, p, key
}

// saved saves it.
func saved(t testing.TB, folder string, o Options) (Sample, blind.Package) {
	t.Helper()
	s, p, key := composed(t, o)
	if err := Save(folder, p, key, false); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// The package names no model, run, rule, label or bucket, nor the case, nor the ids of its units; each stands in the key.
func TestPackageIsBlind(t *testing.T) {
	for _, d := range Designs() {
		s, p, key := composed(t, Options{Design: d, Seed: 5})
		told := map[string]bool{"run-r": true, "variant-v": true, "demo": true, string(d): true}
		for _, k := range s.Keys {
			for _, secret := range append([]string{k.Model, k.Rule, k.Label, k.Item, k.Bucket}, k.Units...) {
				told[secret] = true
			}
		}
		if len(told) < 20 {
			t.Fatalf("%d secrets", len(told))
		}
		raw, err := json.Marshal(p.Items)
		if err != nil {
			t.Fatal(err)
		}
		for secret := range told {
			if !bytes.Contains(key, []byte(`"`+secret+`"`)) {
				t.Errorf("the key does not hold %s", secret)
			}
			if bytes.Contains(raw, []byte(secret)) {
				t.Errorf("%s: the items hold %s", d, secret)
			}
		}
		for _, word := range []string{"suspicious", "rule", "bucket", "control", "random", "queue", "repeat", "attention", "expected"} {
			if bytes.Contains(bytes.ToLower(raw), []byte(word)) {
				t.Errorf("%s: the items say %q", d, word)
			}
		}
	}
}

// An item holds these fields and no other: a new one must be thought about.
func TestFieldsOfAnItem(t *testing.T) {
	_, p, _ := composed(t, Options{Design: Buckets, Seed: 5})
	raw, err := json.Marshal(p.Items)
	if err != nil {
		t.Fatal(err)
	}
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if got := slices.Sorted(maps.Keys(item)); !slices.Equal(got, []string{"id", "parts"}) {
			t.Fatalf("an item has %v", got)
		}
	}
}

// Repeats show their item again under another id, attention items are those of the form; only the key tells them.
func TestCompose(t *testing.T) {
	s, p, raw := composed(t, Options{Design: Buckets, Seed: 5})
	_, keys, err := parseKeys("key", raw)
	if err != nil {
		t.Fatal(err)
	}
	if blind.SealOf(raw) != p.Seal || len(keys) != len(p.Items) {
		t.Fatalf("%d keys of %d items, seal %s", len(keys), len(p.Items), p.Seal)
	}
	form, _ := blind.FormOf(s.Task)
	repeats, attention := 0, 0
	for i, k := range keys {
		if p.Items[i].ID != k.ID {
			t.Fatalf("item %d is %s, its key %s", i, p.Items[i].ID, k.ID)
		}
		switch {
		case k.Repeats != "":
			repeats++
			if !reflect.DeepEqual(p.Item(k.Repeats).Parts, p.Items[i].Parts) || k.Repeats == k.ID {
				t.Errorf("%s does not show %s", k.ID, k.Repeats)
			}
		case k.Expected != nil:
			attention++
			if p.CheckLabels(p.Items[i], k.Expected) != nil {
				t.Errorf("%s expects %v", k.ID, k.Expected)
			}
		}
	}
	if repeats != 3 || attention != len(form.Attention) || attention == 0 || len(p.Items) != len(s.Items)+repeats+attention {
		t.Errorf("%d repeats, %d attention items, %d in all", repeats, attention, len(p.Items))
	}
	for _, c := range []Composing{{Form: form, Repeats: len(s.Items) + 1}, {Form: form, Repeats: -1}, {Form: form, Attention: 99}} {
		if _, _, err := s.Compose(c); err == nil {
			t.Errorf("%+v was composed", c)
		}
	}
}

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	_, p := saved(t, dir, Options{Design: Queue, Seed: 5})
	path, key := filepath.Join(dir, PackageFile), filepath.Join(dir, KeyFile)
	if runtime.GOOS != "windows" {
		for p, mode := range map[string]os.FileMode{path: 0o644, key: 0o600} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", p, info.Mode(), err)
			}
		}
	}
	for _, name := range []string{dir, path} {
		got, err := OpenPackage(name)
		if err != nil || got.ID != p.ID {
			t.Errorf("%s: %s, %v", name, got.ID, err)
		}
		if keys, err := OpenKeys(name, p); err != nil || len(keys) != len(p.Items) {
			t.Errorf("%s: %d keys, %v", name, len(keys), err)
		}
	}
	saved(t, dir, Options{Design: Queue, Seed: 5}) // the same again
	first, _ := os.ReadFile(path)
	_, other, otherKey := composed(t, Options{Design: Queue, Seed: 6})
	if err := Save(dir, other, otherKey, false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("another sample: %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(first, now) {
		t.Error("a refused sample was written")
	}
	file(t, dir, BookFile, "answers")
	if err := Save(dir, other, otherKey, true); err == nil || !strings.Contains(err.Error(), "--name") {
		t.Errorf("forced over answers: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, BookFile)); err != nil {
		t.Fatal(err)
	}
	if err := Save(dir, other, otherKey, true); err != nil {
		t.Errorf("forced: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A key that is not the one of the day of the sample opens nothing.
func TestOpenKeysHoldsTheSeal(t *testing.T) {
	dir := t.TempDir()
	_, p := saved(t, dir, Options{Design: Queue, Seed: 5})
	path := filepath.Join(dir, KeyFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file(t, dir, KeyFile, strings.Replace(string(raw), "model-m0", "model-m1", 1))
	if _, err := OpenKeys(dir, p); err == nil || !strings.Contains(err.Error(), "sealed with") {
		t.Errorf("a changed key: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKeys(dir, p); err == nil || !strings.Contains(err.Error(), "the key is not there") {
		t.Errorf("no key: %v", err)
	}
	if _, err := OpenPackage(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "percuss review create") {
		t.Errorf("no package: %v", err)
	}
}

func TestReadKeys(t *testing.T) {
	dir := t.TempDir()
	s := drawn(t, world(2, 20, 9), Options{Design: Queue, Seed: 5})
	path := keyFile(t, dir, s)
	keys, err := readKeys([]string{path, path})
	if err != nil || len(keys) != len(s.Keys) {
		t.Fatalf("%d keys of %d, %v", len(keys), len(s.Keys), err)
	}
	for _, k := range s.Keys {
		if !reflect.DeepEqual(keys[k.ID], k) {
			t.Fatalf("read %+v, written %+v", keys[k.ID], k)
		}
	}
	raw, _ := os.ReadFile(path)
	head, rest, _ := strings.Cut(string(raw), "\n")
	line, _, _ := strings.Cut(rest, "\n")
	for name, c := range map[string]struct{ text, say string }{
		"no head":   {rest, "line 1: no key file"},
		"empty":     {"", "line 1: no key file"},
		"newer":     {strings.Replace(string(raw), keySchema, "percuss.review.key/99", 1), "line 1: no key file"},
		"damaged":   {head + "\n" + line[:len(line)/2], "line 2: damaged"},
		"no id":     {head + "\n{}", "line 2: damaged"},
		"two pairs": {head + "\n" + line + "\n" + strings.Replace(line, "model-m", "model-x", 1), "line 3: id " + s.Keys[0].ID + " stands for something else"},
	} {
		bad := file(t, t.TempDir(), "bad.jsonl", c.text)
		if _, err := readKeys([]string{bad}); err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
