package supply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInstallEngine(t *testing.T) {
	f := newFixture(t)
	archive := goodEngine(t)
	f.offer("engine.tgz", archive)
	f.engines[0].Integrity = integrityOf(archive)

	dir, err := f.InstallEngine(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(f.Root(), "engine", "llama.cpp-0.5.0-linux-x64"); dir != want {
		t.Errorf("installed in %s, want %s", dir, want)
	}
	want := []string{"LICENSE", "libggml-base.so", "libllama.so", "libllama.v0.5.0.so", manifestName}
	if diff := cmp.Diff(want, names(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "libllama.so")); err != nil || string(text) != "llama" {
		t.Errorf("the link reads %q, %v", text, err)
	}
	if left := f.partials(); left != nil {
		t.Errorf("left over: %v", left)
	}

	if _, err := f.InstallEngine(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	calls := f.calls()
	if len(calls) != 1 {
		t.Fatalf("npm was run %d times, want once: %q", len(calls), calls)
	}
	if !strings.HasPrefix(calls[0], "npm pack --ignore-scripts --pack-destination ") || !strings.HasSuffix(calls[0], " @maker/linux-x64@3.22.1") {
		t.Errorf("npm was run as %q", calls[0])
	}
	found, err := f.FindEngine(t.Context(), "", "")
	if err != nil || found != dir {
		t.Errorf("FindEngine = %s, %v", found, err)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	sort.Strings(out)
	return out
}

func TestInstallEngineRefuses(t *testing.T) {
	const lib = "package/bins/linux-x64/"
	whole := []member{{name: lib + "libllama.v0.5.0.so", text: "llama"}, {name: lib + "libggml-base.so", text: "ggml"}}
	with := func(more ...member) []byte { return tarball(t, append(more, whole...)...) }
	good := goodEngine(t)
	for _, tc := range []struct {
		name      string
		archive   []byte
		integrity string
		says      string
	}{
		{"another archive", good, integrityOf([]byte("something else")), "expected sha512-"},
		{"an integrity that is none", good, "md5-abc", "only sha512"},
		{"cut off", good[:len(good)/2], "", "cannot be unpacked"},
		{"no archive", []byte("<html>log in first</html>"), "", "cannot be unpacked"},
		{"empty", nil, "", "cannot be unpacked"},
		{"climbing out", with(member{name: lib + "../../../../evil.so", text: "x"}), "", "unsafe name"},
		{"climbing out of the unwanted", with(member{name: "../evil.txt", text: "x"}), "", "unsafe name"},
		{"absolute", with(member{name: "/tmp/evil.so", text: "x"}), "", "unsafe name"},
		{"other system's separator", with(member{name: lib + `..\evil.so`, text: "x"}), "", "unsafe name"},
		{"a link among the libraries", with(member{name: lib + "libevil.so", link: "/etc/passwd"}), "", "not a plain file"},
		{"twice the same", with(member{name: lib + "libggml-base.so", text: "x"}), "", "file exists"},
		{"libraries missing", tarball(t, member{name: lib + "libother.so", text: "x"}), "", "no libllama.so, no libggml-base.so"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			f.offer("engine.tgz", tc.archive)
			f.engines[0].Integrity = tc.integrity
			_, err := f.InstallEngine(t.Context(), "")
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("error %v, want one that says %q", err, tc.says)
			}
			if _, err := f.FindEngine(t.Context(), "", ""); !errors.Is(err, ErrNotInstalled) {
				t.Errorf("FindEngine afterwards: %v", err)
			}
			if left := f.partials(); left != nil {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func TestEngineSizeLimit(t *testing.T) {
	f := newFixture(t)
	f.offer("engine.tgz", goodEngine(t))
	err := unpackEngine(t.Context(), filepath.Join(f.shelf, "engine.tgz"), f.engines[0].wants, t.TempDir(), 7)
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "more than 7 bytes") {
		t.Errorf("error %v", err)
	}
}

func TestNpmMissing(t *testing.T) {
	f := newFixture(t)
	t.Setenv("PATH", t.TempDir())
	_, err := f.InstallEngine(t.Context(), "")
	if !errors.Is(err, ErrNoClient) || !strings.Contains(err.Error(), "npm is not on the PATH") || !strings.Contains(err.Error(), "--lib") {
		t.Errorf("error %v", err)
	}
}

func TestNpmFails(t *testing.T) {
	f := newFixture(t)
	f.client("npm", `i=0; while [ $i -lt 50 ]; do echo "line $i"; i=$((i+1)); done; echo "npm error code E404" >&2; exit 7`)
	_, err := f.InstallEngine(t.Context(), "")
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"exit status 7", "npm error code E404", "line 49", "--lib"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "line 5\n") {
		t.Errorf("the error shows more than the last lines: %v", err)
	}
}

func TestNpmLeavesNothing(t *testing.T) {
	f := newFixture(t)
	f.client("npm", "exit 0")
	if _, err := f.InstallEngine(t.Context(), ""); !errors.Is(err, ErrMismatch) {
		t.Errorf("error %v", err)
	}
}

func TestCancelEndsTheClientAndItsChildren(t *testing.T) {
	f := newFixture(t)
	// The child holds the output open: ending the script alone would not do.
	f.client("npm", `touch "$SHELF/started"; sleep 60; echo done`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(f.shelf, "started")); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	start := time.Now()
	_, err := f.InstallEngine(ctx, "")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("ending the client took %v", took)
	}
	if left := f.partials(); left != nil {
		t.Errorf("left over: %v", left)
	}
}

func TestDamagedEngineIsFoundAndReplaced(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		seen   bool // without reading every byte
	}{
		{"cut off", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "libggml-base.so"), 2); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"cut off with its time kept", func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, "libggml-base.so"), "gg", true)
		}, true},
		{"changed", func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, "libggml-base.so"), "GGML", false)
		}, true},
		{"changed with its time kept", func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, "libggml-base.so"), "GGML", true)
		}, false},
		{"link gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "libllama.so")); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"list gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			f.offer("engine.tgz", goodEngine(t))
			dir, err := f.InstallEngine(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			tc.damage(t, dir)
			if _, err := f.FindEngine(t.Context(), "", ""); errors.Is(err, ErrDamaged) != tc.seen {
				t.Errorf("FindEngine: %v, want damage seen: %v", err, tc.seen)
			}
			if _, err := f.InstallEngine(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if n := len(f.calls()); n != 2 {
				t.Errorf("npm was run %d times, want 2", n)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, "libggml-base.so")); string(text) != "ggml" {
				t.Errorf("the library holds %q", text)
			}
			if left := f.partials(); left != nil {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// alter changes a file's content; keepTime gives it back its time of change.
func alter(t *testing.T, path, text string, keepTime bool) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	when := info.ModTime()
	if !keepTime {
		when = when.Add(time.Second)
	}
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

func TestFindEngineOrder(t *testing.T) {
	f := newFixture(t)
	mine, env, empty := t.TempDir(), t.TempDir(), t.TempDir()
	for _, d := range []string{mine, env} {
		f.write(filepath.Join(d, "libllama.so"), []byte("llama"), 0o644)
	}
	if _, err := f.FindEngine(t.Context(), "", ""); !errors.Is(err, ErrNotInstalled) ||
		!strings.Contains(err.Error(), "percuss engine install") || !strings.Contains(err.Error(), "--lib") {
		t.Errorf("nothing anywhere: %v", err)
	}
	for _, tc := range []struct {
		name, flag, env, want, says string
	}{
		{"the flag first", mine, env, mine, ""},
		{"then the environment", "", env, env, ""},
		{"a wrong flag is not passed over", empty, env, "", "--lib"},
		{"a wrong variable is not passed over", "", empty, "", "PERCUSS_LIB"},
		{"no directory", filepath.Join(mine, "libllama.so"), "", "", "not a directory"},
		{"nothing there", filepath.Join(mine, "nowhere"), "", "", "no such file"},
	} {
		got, err := f.FindEngine(t.Context(), tc.flag, tc.env)
		if got != tc.want || (err == nil) != (tc.says == "") || (err != nil && !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
}

func TestEngineForUnknownPlatform(t *testing.T) {
	f := newFixture(t)
	f.on.goos = "plan9"
	_, err := f.InstallEngine(t.Context(), "")
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "--lib") {
		t.Errorf("platform: %v", err)
	}
	// A directory of the user's own works on any platform.
	own := t.TempDir()
	if got, err := f.FindEngine(t.Context(), own, ""); err != nil || got != own {
		t.Errorf("own directory: %q, %v", got, err)
	}
}
