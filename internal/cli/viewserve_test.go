package cli

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestViewRefusesWhatCannotBeShown(t *testing.T) {
	empty := t.TempDir()
	word := filepath.Join(empty, "token")
	if err := os.WriteFile(word, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:inert", "-d", "demo", "-n", "1", "--battery", "families", "-o", dir)
	for name, args := range map[string][]string{
		"no run":       {"view", empty},
		"no folder":    {"view", filepath.Join(empty, "none")},
		"no address":   {"view", dir, "--listen", "nowhere"},
		"short token":  {"view", dir, "--listen", "127.0.0.1:0", "--token-file", word},
		"no such file": {"view", dir, "--listen", "127.0.0.1:0", "--token-file", word + "s"},
		"no argument":  {"view"},
	} {
		if status, _, errs := command(t, args...); status != exitUsage || errs == "" {
			t.Errorf("%s: status %d, %q", name, status, errs)
		}
	}
}

// On an address that others can reach a token is asked for, which is in the printed address and nowhere else.
func TestTokenBeyondLoopback(t *testing.T) {
	random := strings.NewReader(strings.Repeat("r", 64))
	g, err := viewing{}.guard(&net.TCPAddr{IP: net.IPv4zero, Port: 80}, random)
	if err != nil || len(g.Token) < 40 || len(g.Hosts) > 0 {
		t.Fatalf("%+v %v", g, err)
	}
	if a := addressOf(&net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 80}, g); a != "http://10.0.0.7:80/?token="+g.Token {
		t.Error(a)
	}
	if g, err := (viewing{}).guard(&net.TCPAddr{IP: net.IPv6loopback, Port: 80}, random); err != nil || g.Token != "" || len(g.Hosts) == 0 {
		t.Errorf("%+v %v", g, err)
	}
	if _, err := (viewing{}).guard(&net.TCPAddr{IP: net.IPv4zero}, strings.NewReader("")); err == nil {
		t.Error("a token was made without randomness")
	}
}

// Ctrl-C ends the server, which is no failure.
func TestServeEndsWithItsContext(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	}()
	got, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
