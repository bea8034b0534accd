package supply

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// onMachine is a fixture with the real table's rows for a platform and a machine that has these libraries.
func onMachine(t *testing.T, goos, goarch string, libraries ...string) *fixture {
	t.Helper()
	f := newFixture(t)
	f.engines = Engines()
	f.on.goos, f.on.goarch = goos, goarch
	places := filepath.Join(f.on.root, "elsewhere")
	f.on.getenv = func(key string) string {
		return map[string]string{"PATH": places, "LD_LIBRARY_PATH": places}[key]
	}
	for _, name := range libraries {
		f.write(filepath.Join(places, name), nil, 0o644)
	}
	return f
}

var (
	cuda13 = []string{"libcudart.so.13", "libcublas.so.13", "libcuda.so.1"}
	cuda12 = []string{"libcudart.so.12", "libcublas.so.12", "libcuda.so.1"}
)

func TestChoice(t *testing.T) {
	for _, tc := range []struct {
		name, goos, goarch, device string
		has                        []string
		platform, says             string
	}{
		{"nothing special", "linux", "amd64", Auto, nil, "linux-x64", ""},
		{"CUDA 13", "linux", "amd64", Auto, cuda13, "linux-x64-cuda", "the build for cuda"},
		{"CUDA 12", "linux", "amd64", Auto, cuda12, "linux-x64-cuda12", "the build for cuda"},
		{"a driver alone", "linux", "amd64", Auto, []string{"libcuda.so.1"}, "linux-x64", "no libcudart.so.13"},
		{"a runtime without a driver", "linux", "amd64", Auto, cuda13[:2], "linux-x64", ""},
		{"graphics", "linux", "amd64", Auto, []string{"libvulkan.so.1"}, "linux-x64", "--device vulkan"},
		{"graphics by name", "linux", "amd64", "vulkan", []string{"libvulkan.so.1"}, "linux-x64-vulkan", ""},
		{"CUDA by name, the newer first", "linux", "amd64", "cuda", append(cuda12, cuda13...), "linux-x64-cuda", ""},
		{"an image's build machine", "linux", "amd64", "cuda", cuda12[:2], "linux-x64-cuda12", "no libcuda.so.1"},
		{"the CPU by name", "linux", "amd64", "cpu", cuda13, "linux-x64", ""},
		{"a Mac", "darwin", "arm64", Auto, nil, "mac-arm64-metal", "the build for metal"},
		{"an old Mac", "darwin", "amd64", Auto, nil, "mac-x64", ""},
		{"Windows", "windows", "amd64", Auto, []string{"cublas64_13.dll", "nvcuda.dll"}, "win-x64-cuda", "the build for cuda"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := onMachine(t, tc.goos, tc.goarch, tc.has...)
			e, err := f.choose(tc.device)
			if err != nil || e.Platform != tc.platform {
				t.Errorf("chose %q, %v; want %q", e.Platform, err, tc.platform)
			}
			if out := f.out.String(); !strings.Contains(out, tc.says) || tc.says == "" && out != "" {
				t.Errorf("said %q, want %q", out, tc.says)
			}
		})
	}
}

func TestChoiceRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, goos, goarch, device string
		is                         error
		says                       []string
	}{
		{"no such device", "linux", "amd64", "abacus", ErrUnknown, []string{`"abacus"`, "cpu, cuda, vulkan", "auto"}},
		{"none for the platform", "darwin", "arm64", "cuda", ErrUnknown, []string{"metal"}},
		{"no CUDA", "linux", "amd64", "cuda", ErrNoDevice, []string{"libcudart.so.13 and libcublas.so.13", "libcudart.so.12", "LD_LIBRARY_PATH", "--device cpu or vulkan"}},
		{"no loader of Vulkan", "windows", "amd64", "vulkan", ErrNoDevice, []string{"vulkan-1.dll", "PATH"}},
		{"no platform", "plan9", "amd64", Auto, ErrUnknown, []string{"plan9", "--lib"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := onMachine(t, tc.goos, tc.goarch).choose(tc.device)
			if !errors.Is(err, tc.is) {
				t.Fatalf("error %v, want %v", err, tc.is)
			}
			for _, want := range tc.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v lacks %q", err, want)
				}
			}
		})
	}
}

// What is in the loader's cache is found: a name by itself, and as the end of a path, but not as a part of either.
func TestLoadersCache(t *testing.T) {
	f := newFixture(t)
	f.write(filepath.Join(f.on.root, "etc", "ld.so.cache"), []byte("glibc-ld.so.cache1.1\x00/opt/cuda/lib/libcudart.so.13\x00libvulkan.so.1\x00/usr/lib/notlibcublas.so.12\x00/usr/lib/libcublas.so.12.6\x00"), 0o644)
	f.write(filepath.Join(f.on.root, "usr", "lib", "libcuda.so.1"), nil, 0o644)
	got := f.on.lacks([]string{"libcudart.so.13", "libvulkan.so.1", "libcublas.so.12", "libcuda.so.1", "libcudart.so.1"})
	if diff := cmp.Diff([]string{"libcublas.so.12", "libcudart.so.1"}, got); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

// TestExtension installs an engine of two packages: the file that stands in both comes from the second.
func TestExtension(t *testing.T) {
	f := newFixture(t)
	main := tarball(t,
		member{name: "package/LICENSE", text: "MIT"},
		member{name: "package/bins/gpu/libllama.v0.5.0.so", text: "llama"},
		member{name: "package/bins/gpu/libggml-base.so", text: "ggml"},
		member{name: "package/bins/gpu/libggml-cuda.so", text: "for the newer runtime"})
	ext := tarball(t,
		member{name: "package/LICENSE", text: "MIT"},
		member{name: "package/bins/gpu/fallback/libggml-cuda.so", text: "for the older runtime"},
		member{name: "package/bins/gpu/fallback/libother.so", text: "not wanted"})
	f.offer("gpu.tgz", main)
	f.offer("gpu-ext.tgz", ext)
	f.client("npm", `spec=${5#@maker/}; cp "$SHELF/${spec%%@*}.tgz" "$4"/`)
	row := Engine{
		Platform: "gpu12", GOOS: "linux", GOARCH: "amd64", Device: "cuda", Tried: true,
		Package: "@maker/gpu", Version: "3.22.1", LlamaCPP: "0.5.0", Integrity: integrityOf(main),
		Folder: "package/bins/gpu", Suffixes: []string{".so"}, Links: f.engines[0].Links, Require: []string{"libllama.so", "libggml-cuda.so"},
		Extension: &Extension{Package: "@maker/gpu-ext", Integrity: integrityOf(ext), Folder: "package/bins/gpu/fallback", Files: []string{"libggml-cuda.so"}},
	}
	f.engines = append(f.engines, row)
	dir, err := f.InstallEngine(t.Context(), "cuda")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"LICENSE", "libggml-base.so", "libggml-cuda.so", "libllama.so", "libllama.v0.5.0.so", manifestName}
	if diff := cmp.Diff(want, names(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "libggml-cuda.so")); string(text) != "for the older runtime" {
		t.Errorf("the back-end is %q", text)
	}
	if left := f.partials(); left != nil {
		t.Errorf("left over: %v", left)
	}

	// An extension that is not the expected one is refused, and leaves the engine out.
	f.engines[1].Platform, f.engines[1].Extension.Integrity = "gpu12-again", integrityOf(main)
	if _, err := f.InstallEngine(t.Context(), "cuda"); !errors.Is(err, ErrMismatch) {
		t.Errorf("a wrong extension: %v", err)
	}
	if _, err := os.Stat(f.engineDir(f.engines[1])); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a wrong extension is installed: %v", err)
	}
}

// TestLastInstalledIsUsed: what is found is what was installed last, and stays so when nothing is named.
func TestLastInstalledIsUsed(t *testing.T) {
	f := newFixture(t)
	f.offer("engine.tgz", goodEngine(t))
	gpu := f.engines[0]
	gpu.Platform, gpu.Device = "linux-x64-vulkan", "vulkan"
	f.engines = append(f.engines, gpu)
	used := func() string {
		t.Helper()
		dir, err := f.FindEngine(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return f.EngineDevice(dir)
	}
	for _, step := range []struct{ device, want string }{{"", "cpu"}, {"vulkan", "vulkan"}, {"", "vulkan"}, {"cpu", "cpu"}, {"vulkan", "vulkan"}, {Auto, "cpu"}} {
		if _, err := f.InstallEngine(t.Context(), step.device); err != nil {
			t.Fatal(err)
		}
		if got := used(); got != step.want {
			t.Errorf("after --device %q the engine for %s is used, want %s", step.device, got, step.want)
		}
	}
	if n := len(f.calls()); n != 2 {
		t.Errorf("npm was run %d times, want 2: one for each build", n)
	}
	builds, err := f.Builds(t.Context())
	if err != nil || len(builds) != 2 || !builds[0].Used || builds[1].Used || builds[1].State != Present {
		t.Errorf("builds %+v, %v", builds, err)
	}
	// A note that means nothing to this version is passed over.
	f.write(f.chosenPath(), []byte("linux-x64-abacus\n"), 0o644)
	if got := used(); got != "cpu" {
		t.Errorf("with a note of an unknown platform the engine for %s is used", got)
	}
	if got := f.EngineDevice(t.TempDir()); got != "" {
		t.Errorf("a folder of one's own is for %q", got)
	}
}
