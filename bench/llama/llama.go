// Package llama runs llama.cpp's own server, the one inside the Python wheel xllamacpp, as a process of its own. The bench
// compares Percuss with it, and tests ask it (model/modeltest/llamaserver, which says how it behaves).
package llama

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed server.py
var script string

// Limits of a server's life.
const (
	startWithin = 5 * time.Minute // loading a model of half a gigabyte on a busy machine included
	stopWithin  = 10 * time.Second
	askEvery    = 50 * time.Millisecond // while it loads
)

// Python is the interpreter that has the server, below Percuss's folder in the user's cache. scripts/setup brings it.
func Python(cache string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(cache, "server", "Scripts", "python.exe")
	}
	return filepath.Join(cache, "server", "bin", "python")
}

// Settings say how the server runs. The zero value is one slot of 4096 tokens on two threads with the server's own
// settings.
type Settings struct {
	Slots    int    // requests that are computed at once; 0: 1
	Context  int    // tokens of a slot, prompt and output together; 0: 4096
	Threads  int    // 0: 2
	Exact    bool   // no flash attention and a float cache, as the embedded engine computes
	Template string // a Jinja chat template in place of the model's own
	APIKey   string // what a request must carry as its bearer token; "": nothing
}

// encoded is what the script takes.
func (s Settings) encoded(gguf string) (string, error) {
	or := func(n, otherwise int) int {
		if n > 0 {
			return n
		}
		return otherwise
	}
	raw, err := json.Marshal(map[string]any{"model": gguf, "slots": or(s.Slots, 1), "context": or(s.Context, 4096),
		"threads": or(s.Threads, 2), "exact": s.Exact, "template": s.Template, "api_key": s.APIKey})
	return string(raw), err
}

// Server is a running server. It ends with its input, and so with the process that started it.
type Server struct {
	address string
	process *exec.Cmd
	in      io.Closer
}

// Start serves a GGUF file on a free port of this machine and returns when the server says that it is healthy. What the
// server says goes to log. When ctx is done it is killed. An error of a server that did not start says so; why is in log.
func Start(ctx context.Context, python, gguf string, s Settings, log io.Writer) (*Server, error) {
	settings, err := s.encoded(gguf)
	if err != nil {
		return nil, err
	}
	p := exec.CommandContext(ctx, python, "-I", "-c", script, settings)
	p.Stderr = log
	in, err := p.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, fmt.Errorf("llama.cpp's server: %w", err)
	}
	started := &Server{process: p, in: in}
	if err := started.ready(ctx, out); err != nil {
		_, stopErr := started.Stop()
		return nil, fmt.Errorf("llama.cpp's server did not start with %s: %w", gguf, errors.Join(err, stopErr))
	}
	return started, nil
}

// ready reads the address, the first line of the server's output, and waits until the model is loaded.
func (s *Server) ready(ctx context.Context, out io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = s.process.Process.Kill() })() // else reading would wait for as long as it lives
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("it gave no address: %w", err))
	}
	s.address = strings.TrimSpace(line)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		err := healthy(ctx, client, s.address)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(askEvery):
		}
	}
}

// healthy asks once. While the model loads, the answer is status 503.
func healthy(ctx context.Context, client *http.Client, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/health", nil)
	if err != nil {
		return fmt.Errorf("it gave the address %q: %w", address, err)
	}
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	err = errors.Join(err, resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("/health: status %s", resp.Status)
	}
	return err
}

// Address is where the server is, without a path, e.g. http://127.0.0.1:40519.
func (s *Server) Address() string { return s.address }

// Stop ends the server by ending its input, and by force if it does not listen, and says what it took.
func (s *Server) Stop() (*os.ProcessState, error) {
	s.in.Close()
	timer := time.AfterFunc(stopWithin, func() { _ = s.process.Process.Kill() })
	defer timer.Stop()
	err := s.process.Wait()
	return s.process.ProcessState, err
}
