package supply

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// tailLines is how many of a failing client's last lines the error shows.
const tailLines = 12

// beat is how often a progress line says that a client is still at work.
const beat = 15 * time.Second

// npm finds the user's npm.
func npm(llamaCPP string) ([]string, error) {
	path, err := exec.LookPath("npm")
	if err != nil {
		return nil, fmt.Errorf("%w: npm is not on the PATH, and the engine is fetched with it: install Node.js with npm, or name a directory that holds llama.cpp %s with --lib or PERCUSS_LIB",
			ErrNoClient, llamaCPP)
	}
	return []string{path}, nil
}

// pip finds the user's pip: pip, pip3, or Python's module.
func pip(ctx context.Context) ([]string, error) {
	for _, name := range []string{"pip", "pip3"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// Python is often installed without pip.
		if exec.CommandContext(ctx, path, "-m", "pip", "--version").Run() == nil {
			return []string{path, "-m", "pip"}, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: neither pip, pip3 nor python3 -m pip works on this machine, and catalogue models are fetched with it: install Python 3 with pip, or give the path of a GGUF file in place of the catalogue name",
		ErrNoClient)
}

// packEngine has npm put the archive of one of the engine's packages into dir,
// which is empty, and returns its path.
func (c *Cache) packEngine(ctx context.Context, e Engine, name, dir string) (string, error) {
	client, err := npm(e.LlamaCPP)
	if err != nil {
		return "", err
	}
	args := append(client, "pack", "--ignore-scripts", "--pack-destination", dir, name+"@"+e.Version)
	if err := c.runClient(ctx, args); err != nil {
		return "", fmt.Errorf("%w\nthe engine was not installed; a directory that holds llama.cpp %s can be named with --lib or PERCUSS_LIB", err, e.LlamaCPP)
	}
	return single(dir, "*.tgz", "npm pack")
}

// fetchWheel has pip put the part's wheel into dir and returns its path.
// Only wheels are taken: the build code of a source package is never run.
func (c *Cache) fetchWheel(ctx context.Context, client []string, p Part, dir string) (string, error) {
	args := append(append([]string{}, client...), "download", "--no-deps", "--only-binary", ":all:",
		"--disable-pip-version-check", "--dest", dir, p.Package+"=="+p.Version)
	if err := c.runClient(ctx, args); err != nil {
		return "", fmt.Errorf("%w\nthe model was not fetched; the path of any GGUF file can be given in place of a catalogue name", err)
	}
	return single(dir, "*.whl", "pip download")
}

// runClient runs a client to its end. Cancelling the context ends the client
// and whatever it started. Its output is kept for the error only: the formats
// are the clients' own and change.
func (c *Cache) runClient(ctx context.Context, args []string) error {
	shown := filepath.Base(args[0]) + " " + strings.Join(args[1:], " ")
	c.say("running %s", shown)
	out := &tail{}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 5 * time.Second
	endWithChildren(cmd)

	stop := c.heartbeat(filepath.Base(args[0]))
	err := cmd.Run()
	stop()
	if ctxErr := ctx.Err(); ctxErr != nil {
		return fmt.Errorf("%s: interrupted: %w", shown, ctxErr)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; its last lines:\n%s", shown, err, out)
	}
	return nil
}

// heartbeat says now and then that the client is still at work, until stopped.
func (c *Cache) heartbeat(name string) (stop func()) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	start := time.Now()
	ended.Go(func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				c.say("  %s is still at work (%s)", name, time.Since(start).Round(time.Second))
			}
		}
	})
	return func() { close(done); ended.Wait() }
}

// single returns the one file in dir that matches.
func single(dir, pattern, what string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%w: %s left %d files %s, expected one", ErrMismatch, what, len(found), pattern)
	}
	return found[0], nil
}

// tail keeps the end of what a client wrote.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailBytes = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailBytes; over > 0 {
		t.kept = append([]byte(nil), t.kept[over:]...)
	}
	return len(p), nil
}

// String is the last lines, indented. A carriage return ends a line too:
// progress bars are drawn with it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.FieldsFuncSeq(string(bytes.ToValidUTF8(t.kept, nil)), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, "  "+strings.TrimRight(line, " \t"))
		}
	}
	if len(lines) == 0 {
		return "  (it said nothing)"
	}
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return strings.Join(lines, "\n")
}
