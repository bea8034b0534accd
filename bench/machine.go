package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// machine is what figures depend on.
type machine struct {
	text string
	load string
}

func (m machine) String() string { return m.text }

// describe says what machine this is and which versions are compared. What a system does not tell is left out.
func describe(b *bench) machine {
	text := fmt.Sprintf("Measured on %s: %s, %d cores", today(), or(processor(), runtime.GOARCH), runtime.NumCPU())
	if gib := memory(); gib > 0 {
		text += fmt.Sprintf(", %.0f GiB", gib)
	}
	text += fmt.Sprintf(", %s, %s; %s", runtime.GOOS, runtime.Version(), or(versionOf(b.percuss, "--version"), "percuss"))
	for _, p := range peers() {
		if v := found(b.peers, p.version); v != "" {
			text += fmt.Sprintf(", %s %s", p.name, v)
		}
	}
	for _, p := range []struct {
		name, folder string
		pattern      []string
	}{
		{"shapiq", b.peers, []string{"shapiq", "lib", "python*", "site-packages", "shapiq-*.dist-info"}},
		{"llama.cpp's server in xllamacpp", filepath.Dir(filepath.Dir(b.server)), []string{"lib", "python*", "site-packages", "xllamacpp-*.dist-info"}},
	} {
		if v := found(p.folder, p.pattern); v != "" {
			text += fmt.Sprintf(", %s %s", p.name, v)
		}
	}
	return machine{text: text + ".", load: load()}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// found is the version in the name of an installed Python package's folder, or in a package.json.
func found(folder string, pattern []string) string {
	paths, _ := filepath.Glob(filepath.Join(append([]string{folder}, pattern...)...))
	if len(paths) == 0 {
		return ""
	}
	path := paths[len(paths)-1]
	if _, v, ok := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".dist-info"), "-"); ok {
		return v
	}
	raw, err := os.ReadFile(path)
	var p struct{ Version string }
	if err != nil || json.Unmarshal(raw, &p) != nil {
		return ""
	}
	return p.Version
}

func versionOf(program string, args ...string) string {
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// The three below read what Linux shows of itself, and are empty elsewhere.

func processor() string { return field("/proc/cpuinfo", "model name") }

// memory is the machine's memory in GiB.
func memory() float64 {
	kib, err := strconv.ParseFloat(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 64)
	if err != nil {
		return 0
	}
	return kib / (1 << 20)
}

// load is the mean number of running programs over one, five and fifteen minutes.
func load() string {
	raw, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(raw))
	if err != nil || len(fields) < 3 {
		return "not known"
	}
	return strings.Join(fields[:3], ", ")
}

// field is the value of the first line of a file that begins with a name and a colon.
func field(path, name string) string {
	raw, _ := os.ReadFile(path)
	for line := range strings.Lines(string(raw)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
