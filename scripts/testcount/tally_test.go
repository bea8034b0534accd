package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// counted runs go test on one package made of the given files, and the tally
// on its events, as scripts/test does.
func counted(t *testing.T, files map[string]string, args ...string) (*tally, string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append([]string{"test", "-json", "-count=1"}, args...)...)
	cmd.Dir = dir
	events, err := cmd.Output()
	if err != nil {
		events = append(events, []byte(exited+"1\n")...)
	}
	var out strings.Builder
	c := newTally(&out)
	if err := c.read(strings.NewReader(string(events))); err != nil {
		t.Fatal(err)
	}
	c.finish(false)
	return c, out.String()
}

const header = "package example\n\nimport \"testing\"\n\n"

func TestCounts(t *testing.T) {
	for _, tc := range []struct {
		name   string
		source string
		args   []string
		last   string
		says   []string
		not    []string
	}{
		{"passing", header + `func TestA(t *testing.T) { t.Log("quiet"); t.Run("sub", func(*testing.T) {}) }`,
			nil, "2 passed, 0 failed, 0 skipped", []string{"ok  \texample"}, []string{"quiet", "=== RUN"}},
		{"skipping", header + `func TestA(t *testing.T) {}
func TestB(t *testing.T) { t.Skip("needs ../shared/data") }`,
			nil, "1 passed, 0 failed, 1 skipped", []string{"SKIP example TestB: needs ../shared/data\n"}, nil},
		{"failing", header + `func TestA(t *testing.T) { t.Log("quiet") }
func TestB(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Error("this is wrong") }) }`,
			nil, "1 passed, 2 failed, 0 skipped", []string{"--- FAIL: TestB", "this is wrong", "FAIL\texample"}, []string{"quiet"}},
		{"not building", header + `func TestA(t *testing.T) { undefined() }`,
			nil, "0 passed, 1 failed, 0 skipped", []string{"undefined: undefined", "[build failed]"}, nil},
		{"leaving", "package example\n\nimport (\n\"os\"\n\"testing\"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(3) }\nfunc TestA(t *testing.T) {}",
			nil, "1 passed, 1 failed, 0 skipped", []string{"FAIL\texample"}, nil},
		{"panicking", header + `func TestA(t *testing.T) { panic("no way on") }
func TestB(t *testing.T) {}`,
			nil, "0 passed, 1 failed, 0 skipped", []string{"panic: no way on"}, nil},
		{"hanging", header + `func TestA(t *testing.T) { select {} }`,
			[]string{"-timeout=300ms"}, "0 passed, 1 failed, 0 skipped", []string{"test timed out"}, nil},
		{"nothing to test", "package example\n",
			[]string{"./nowhere"}, "0 passed, 1 failed, 0 skipped", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, out := counted(t, map[string]string{"a_test.go": tc.source}, tc.args...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if got := lines[len(lines)-1]; got != tc.last {
				t.Errorf("last line %q, want %q", got, tc.last)
			}
			for _, s := range tc.says {
				if !strings.Contains(out, s) {
					t.Errorf("lacks %q", s)
				}
			}
			for _, s := range tc.not {
				if strings.Contains(out, s) {
					t.Errorf("holds %q", s)
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// A run that was stopped in the middle says what it knows and fails.
func TestStoppedInTheMiddle(t *testing.T) {
	var out strings.Builder
	c := newTally(&out)
	in := `{"Action":"run","Package":"example","Test":"TestA"}
{"Action":"output","Package":"example","Test":"TestA","Output":"got this far\n"}
`
	if err := c.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	c.finish(false)
	if c.failed != 1 || !strings.Contains(out.String(), "got this far") || !strings.HasSuffix(out.String(), "\n0 passed, 1 failed, 0 skipped\n") {
		t.Errorf("%d failed:\n%s", c.failed, out.String())
	}
}

// Two runs are counted together, and each bad ending once.
func TestTwoRuns(t *testing.T) {
	var out strings.Builder
	c := newTally(&out)
	in := `{"Action":"pass","Package":"a","Test":"TestA"}
{"Action":"pass","Package":"a"}
{"Action":"fail","Package":"b","Test":"TestB"}
{"Action":"fail","Package":"b"}
` + exited + `1
` + exited + `2
`
	if err := c.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	if c.passed != 1 || c.failed != 2 {
		t.Errorf("%d passed, %d failed:\n%s", c.passed, c.failed, out.String())
	}
}
