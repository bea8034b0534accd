package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// moduleRoot is the nearest folder above that holds go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

func TestTheModuleKeepsToItsTable(t *testing.T) {
	g, err := Read(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{".", "chain", "model/llamacpp", "store/sqlite"} {
		if len(g[pkg]) == 0 {
			t.Errorf("no import was read in %s", pkg)
		}
	}
	for _, fault := range Check(g) {
		t.Error(fault)
	}
}

func source(imports ...string) *fstest.MapFile {
	text := "package p\n"
	for _, i := range imports {
		text += "import _ \"" + i + "\"\n"
	}
	return &fstest.MapFile{Data: []byte(text)}
}

func TestCheckFindsWhatIsPlanted(t *testing.T) {
	const m = "example.org/m"
	for _, c := range []struct {
		name  string
		files map[string]*fstest.MapFile
		want  []string // a part of each fault, in order
	}{
		{"allowed", map[string]*fstest.MapFile{"chain/a.go": source(m, m+"/stat", "fmt"), "run/a.go": source(m + "/model"),
			"model/llamacpp/a.go": source(yzma + "/pkg/llama"), "internal/cli/x/a.go": source(m + "/store/sqlite")}, nil},
		{"sideways", map[string]*fstest.MapFile{"model/simulated/a.go": source("fmt", m+"/model/llamacpp")},
			[]string{"model/simulated/a.go:3: model/simulated imports model/llamacpp"}},
		{"upwards", map[string]*fstest.MapFile{"a.go": source(m + "/stat")}, []string{"a.go:2: . imports stat"}},
		{"only the port, not what lies below", map[string]*fstest.MapFile{"run/a.go": source(m + "/store/sqlite")}, []string{"run imports store/sqlite"}},
		{"any build constraint", map[string]*fstest.MapFile{"stat/a_plan9.go": {Data: []byte("//go:build ignore\n\npackage p\nimport \"" + m + "/run\"\n")}},
			[]string{"stat/a_plan9.go:4"}},
		{"no row", map[string]*fstest.MapFile{"helpers/a.go": source()}, []string{"helpers has no row"}},
		{"like a name in a row", map[string]*fstest.MapFile{"chainlike/a.go": source()}, []string{"chainlike has no row"}},
		{"impure at a distance", map[string]*fstest.MapFile{"chain/a.go": source(m + "/prompt"), "prompt/a.go": source(m + "/spec"), "spec/a.go": source(m + "/store/memory")},
			[]string{"chain reaches store/memory: an audit is pure and calls nothing (chain -> prompt -> spec -> store/memory)", "prompt imports spec", "spec imports store/memory"}},
		{"impure through a package for tests", map[string]*fstest.MapFile{"chain/battery/a.go": source(m + "/xtest"), "xtest/a.go": source(m + "/run")},
			[]string{"chain/battery imports xtest", "chain/battery reaches run"}},
		{"test files and packages are exempt", map[string]*fstest.MapFile{"chain/a_test.go": source(m + "/model"), "store/storetest/a.go": source(m + "/run"),
			"model/modeltest/tiny/a.go": source(m + "/run"), "chain/testdata/a.go": source(m + "/run"), "chain/_old/a.go": source(m + "/run")}, nil},
		{"a package for tests in a command", map[string]*fstest.MapFile{"internal/cli/a.go": source(m + "/model/modeltest/tiny")}, []string{"which exists for tests"}},
		{"bindings elsewhere", map[string]*fstest.MapFile{"internal/cli/a.go": source(yzma + "/pkg/llama")}, []string{"one package sees the bindings"}},
		{"the downloader", map[string]*fstest.MapFile{"model/llamacpp/a.go": source(yzma + "/pkg/download")}, []string{"it fetches from elsewhere"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS(c.files)
			fsys["go.mod"] = &fstest.MapFile{Data: []byte("module " + m + "\n\ngo 1.26\n")}
			g, err := Read(fsys)
			if err != nil {
				t.Fatal(err)
			}
			got := Check(g)
			if len(got) != len(c.want) {
				t.Fatalf("got %d faults, want %d: %q", len(got), len(c.want), got)
			}
			for i, part := range c.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("fault %d is %q, want %q in it", i, got[i], part)
				}
			}
		})
	}
}

func TestReadReportsBadSource(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"no go.mod":      {"a.go": source()},
		"no module line": {"go.mod": {Data: []byte("go 1.26\n")}},
		"no Go":          {"go.mod": {Data: []byte("module m\n")}, "a.go": {Data: []byte("pack age")}},
	} {
		if _, err := Read(files); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
