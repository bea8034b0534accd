package cli

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/explore"
	"github.com/percuss/percuss/internal/web"
)

// viewPort is where the explorer listens where that is free, so that its addresses are the same the next day.
const viewPort = "127.0.0.1:7377"

// viewing is what the explorer was told.
type viewing struct {
	listen, tokenFile string
	browser, noTexts  bool
}

func (a *app) viewCommand() *cobra.Command {
	var with viewing
	c := &cobra.Command{
		Use:   "view DIR",
		Short: "Show runs in a browser: what moved, item by item",
		Long: `Serves pages of the run in DIR, or of all runs in it and one folder below, until Ctrl-C: items and trials by what
moved, each with the exact requests and answers, and two runs side by side. Nothing of a run is changed; notes that you
write are kept in its folder, as notes.jsonl.

Only this machine is listened to. Another address may be named with --listen: a token is then asked for once, which is
printed with the address. It travels unencrypted; over a network that is not yours, leave --listen out and use a tunnel:
ssh -L 7377:127.0.0.1:7377 HOST.

The first look at a run builds derived/index.db in its folder, and in the background derived/texts.db, the full text.
Both may be deleted at any time.`,
		Example: "  percuss view runs\n  percuss view runs/demo --open\n  percuss view runs --listen 0.0.0.0:8080",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.view(c.Context(), args[0], with, rand.Reader)
		},
	}
	c.Flags().StringVar(&with.listen, "listen", "", "address to listen on (default "+viewPort+", or any free port of this machine)")
	c.Flags().StringVar(&with.tokenFile, "token-file", "", "file with the token of an address that is not of this machine, 16 characters at least (default: one is made)")
	c.Flags().BoolVar(&with.browser, "open", false, "open the address in a browser")
	c.Flags().BoolVar(&with.noTexts, "no-texts", false, "build no full text, for which all answers of a run are read once")
	return c
}

// view serves until the context ends.
func (a *app) view(ctx context.Context, dir string, with viewing, random io.Reader) error {
	s := &explore.Server{Root: dir, Open: openViewed, Now: time.Now, Log: a.err, NoTexts: with.noTexts}
	if names, err := s.Names(); err != nil {
		return usage(err)
	} else if len(names) == 0 {
		return usage(fmt.Errorf("%s holds no run: name a run's folder, or the folder in which runs are", dir))
	}
	l, err := with.listener()
	if err != nil {
		return err
	}
	guard, err := with.guard(l.Addr(), random)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	address := addressOf(l.Addr(), guard)
	fmt.Fprintf(a.out, "%s\n", address)
	if guard.Token != "" {
		fmt.Fprintln(a.err, "The token travels unencrypted: use this on a network that you trust, or leave --listen out and use a tunnel, ssh -L 7377:"+viewPort+" HOST.")
	}
	fmt.Fprintln(a.err, "Ctrl-C ends it.")
	if with.browser {
		if err := browse(address); err != nil {
			fmt.Fprintln(a.err, "No browser could be opened ("+err.Error()+"): open the address yourself.")
		}
	}
	return errors.Join(serve(ctx, l, guard.Wrap(s.Handler())), s.Close())
}

// serve serves until the context ends, which is no error.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, BaseContext: func(net.Listener) context.Context { return ctx }}
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		err := server.Shutdown(grace)
		if err != nil {
			err = server.Close()
		}
		closed <- err
	})
	err := server.Serve(l)
	if !stop() {
		return <-closed
	}
	return err
}

// listener listens where it was told, or else on the usual port, or any.
func (w viewing) listener() (net.Listener, error) {
	if w.listen == "" {
		if l, err := net.Listen("tcp", viewPort); err == nil {
			return l, nil
		}
		return net.Listen("tcp", "127.0.0.1:0")
	}
	l, err := net.Listen("tcp", w.listen)
	if err != nil {
		return nil, usage(fmt.Errorf("--listen %s: %w: an address is HOST:PORT, e.g. %s", w.listen, err, viewPort))
	}
	return l, nil
}

// leastToken is the shortest token that is taken from a file, characters.
const leastToken = 16

// guard is who may look: on this machine's own address everybody on it, on another who has the token.
func (w viewing) guard(at net.Addr, random io.Reader) (web.Guard, error) {
	if web.Loopback(at) && w.tokenFile == "" {
		return web.Guard{Hosts: web.Local()}, nil
	}
	var g web.Guard
	if web.Loopback(at) {
		g.Hosts = web.Local()
	}
	if w.tokenFile == "" {
		raw := make([]byte, 32)
		if _, err := io.ReadFull(random, raw); err != nil {
			return g, fmt.Errorf("make a token: %w", err)
		}
		g.Token = base64.RawURLEncoding.EncodeToString(raw)
		return g, nil
	}
	raw, err := os.ReadFile(w.tokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return g, usage(fmt.Errorf("--token-file: %w: write a long word into it, or leave it out for one that is made", err))
	} else if err != nil {
		return g, usage(err)
	}
	if g.Token = strings.TrimSpace(string(raw)); len(g.Token) < leastToken {
		return g, usage(fmt.Errorf("--token-file %s: a token of %d characters, at least %d are wanted, e.g. of openssl rand -hex 16", w.tokenFile, len(g.Token), leastToken))
	}
	return g, nil
}

// addressOf is what a browser is given. An address of all interfaces is named by the machine's name.
func addressOf(at net.Addr, g web.Guard) string {
	host := at.String()
	if t, ok := at.(*net.TCPAddr); ok && t.IP.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = net.JoinHostPort(name, fmt.Sprint(t.Port))
		}
	}
	if g.Token == "" {
		return "http://" + host + "/"
	}
	return "http://" + host + "/?token=" + url.QueryEscape(g.Token)
}

// browse opens an address in the user's browser.
func browse(address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	case "darwin":
		return exec.Command("open", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
