package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss/internal/annotate"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

// servePort is where a review is served, so that its links are the same the next day.
const servePort = "127.0.0.1:7378"

var (
	hostName   = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)
	portDigits = regexp.MustCompile(`^[0-9]{1,5}$`)
)

// serving is what a review is served with.
type serving struct {
	raters, hosts   []string
	addr, cert, key string
	pin, noPractice bool
	log             string
}

func (a *app) reviewServeCommand() *cobra.Command {
	var with serving
	c := &cobra.Command{
		Use:   "serve PACKAGE",
		Short: "Let raters answer in a browser",
		Long: `Serves a package to its raters until Ctrl-C, and prints a link for each rater and one for the coordinator, each this once: only
hashes are kept. A link works once; the browser in which it was opened stays signed in, also after a restart. On the
coordinator's page raters are added and given new links, and the review is closed. Answers stand beside the package, in
answers.db, each on the disk before it is shown as saved. Neither key nor run is read. A second server of the same review, at
another --addr, is safe: both write the same answers.db. Each counts wrong tries by itself.

Only this machine is listened to. For raters elsewhere let a reverse proxy with TLS stand before it and name with --host what
raters' browsers call it by; it must hand on the Host header, and should set X-Forwarded-For and X-Forwarded-Proto. Wrong tries
are counted by the address in X-Forwarded-For only where the proxy runs on this machine; behind one on another machine, all
raters share one count. Or listen elsewhere with --addr, with a certificate: --cert and --cert-key.

` + exitHelp,
		Example: "  percuss review serve runs/b/review/interactions-buckets --rater \"Dr Adams\" --rater \"Dr Baker\"\n" +
			"  percuss review serve runs/b/review/interactions-buckets --host review.hospital.example\n" +
			"  percuss review serve PACKAGE --addr 0.0.0.0:8443 --host review.hospital.example:8443 --cert cert.pem --cert-key key.pem",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.serveReview(c.Context(), args[0], with) },
	}
	f := c.Flags()
	f.StringArrayVar(&with.raters, "rater", nil, "name of a rater to add (may be given several times; who is there already is left alone)")
	f.StringVar(&with.addr, "addr", servePort, "address to listen on")
	f.StringArrayVar(&with.hosts, "host", nil, "name by which raters' browsers call it, with a port where that is not the usual one; the first stands in links")
	f.StringVar(&with.cert, "cert", "", "file of a TLS certificate with its chain (PEM)")
	f.StringVar(&with.key, "cert-key", "", "file of the certificate's private key (PEM)")
	f.BoolVar(&with.pin, "pin", false, "each rater must choose a PIN, which is asked for on further devices")
	f.BoolVar(&with.noPractice, "no-practice", false, "leave out the practice items")
	f.StringVar(&with.log, "log", "", "file to which a line is added for each request, without names, links or answers (default: faults alone, here)")
	return c
}

// serveReview serves until the context ends, which is no error.
func (a *app) serveReview(ctx context.Context, path string, with serving) error {
	p, err := review.OpenPackage(path)
	if err != nil {
		return usage(err)
	}
	l, err := with.listener()
	if err != nil {
		return err
	}
	defer l.Close()
	hosts, base, err := with.names(l.Addr())
	if err != nil {
		return usage(err)
	}
	log, closeLog, err := with.logger(a.err)
	if err != nil {
		return usage(fmt.Errorf("--log: %w", err))
	}
	defer closeLog()
	file := filepath.Join(filepath.Dir(review.PackagePath(path)), review.BookFile)
	book, err := sqlite.Open(ctx, file, p.ID, time.Now)
	if err != nil {
		return usage(err)
	}
	app, err := annotate.New(p, book, annotate.Options{Practice: !with.noPractice, PIN: with.pin, Hosts: hosts, Base: base, Log: log})
	if err == nil {
		err = a.announce(ctx, app, p, file, base, with)
	}
	if err == nil {
		err = serve(ctx, l, app.Handler())
	}
	early := ctx.Err() != nil && errors.Is(err, context.Canceled) // before it served
	if early {
		err = nil
	}
	if err = errors.Join(err, book.Close()); err == nil && early {
		told(a.err, "", "Stopped before all links were printed. The same command goes on; a rater who was added already gets a new link on the coordinator's page.")
	} else if err == nil {
		told(a.err, "", "Stopped: what was answered is kept in %s. The same command goes on; sessions and links that were not used hold.", file)
	}
	return err
}

// announce adds the raters and prints the links.
func (a *app) announce(ctx context.Context, app *annotate.App, p blind.Package, file, base string, with serving) error {
	fmt.Fprintf(a.out, "review       %s: %s, round %d\nanswers      %s\n", web.Visible(p.Title), report.Plural(len(p.Items), "item"), p.Round, file)
	desk, err := app.Link(ctx, "", annotate.DeskLife)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "coordinator  %s%s\n", base, desk)
	there, err := app.Book.Raters(ctx)
	if err != nil {
		return err
	}
	for _, name := range with.raters {
		if slices.ContainsFunc(there, func(r ratings.Rater) bool { return r.Name == strings.TrimSpace(name) }) {
			fmt.Fprintf(a.out, "rater        %s was added before (a new link is made on the coordinator's page)\n", name)
			continue
		}
		r, err := app.AddRater(ctx, name)
		if errors.As(err, new(annotate.NameError)) {
			return usage(fmt.Errorf("--rater %q: %w", name, err))
		} else if err != nil {
			return err
		}
		there = append(there, r)
		link, err := app.Link(ctx, r.ID, annotate.LinkLife)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "rater        %s%s  %s\n", base, link, r.Name)
	}
	told(a.err, "", "Each link is shown this once and opens once: the coordinator's within a day, a rater's within 30. Send each rater their own and nobody another's.")
	if strings.HasPrefix(base, "https:") && with.cert == "" {
		told(a.err, "", "This server speaks no TLS: the reverse proxy of %s must, and stand before it. Without one links and answers travel readable by others.", with.hosts[0])
	}
	if len(there) == 0 {
		fmt.Fprintln(a.err, "There are no raters yet: add them on the coordinator's page, or with --rater.")
	}
	fmt.Fprintln(a.err, "Ctrl-C ends it.")
	return nil
}

// listener listens where it was told, with TLS where there is a certificate.
func (w serving) listener() (net.Listener, error) {
	if (w.cert == "") != (w.key == "") {
		return nil, usage(errors.New("--cert and --cert-key go together: give both, or leave both out and let a reverse proxy speak TLS"))
	}
	var with *tls.Config
	if w.cert != "" {
		pair, err := tls.LoadX509KeyPair(w.cert, w.key)
		if err != nil {
			return nil, usage(fmt.Errorf("--cert %s, --cert-key %s: %w: both are PEM, and of one another", w.cert, w.key, err))
		}
		with = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	l, err := net.Listen("tcp", w.addr)
	if err != nil {
		return nil, usage(fmt.Errorf("--addr %s: %w: an address is HOST:PORT; where a port is taken, choose another, e.g. 127.0.0.1:7379", w.addr, err))
	}
	if with != nil {
		l = tls.NewListener(l, with)
	}
	return l, nil
}

// names are those by which the server may be called, without ports, and what links begin with. Beyond this machine a name is
// needed: only with one is it known that a request is meant for this server.
func (w serving) names(at net.Addr) (hosts []string, base string, err error) {
	hosts = web.Local()
	for _, h := range w.hosts {
		bare := h
		if name, port, err := net.SplitHostPort(h); err == nil && portDigits.MatchString(port) {
			bare = name
		}
		bare = strings.Trim(bare, "[]")
		if _, err := netip.ParseAddr(bare); err != nil && !hostName.MatchString(bare) {
			return nil, "", fmt.Errorf("--host %q: a name as it stands in an address, e.g. review.hospital.example, or with a port", h)
		}
		hosts = append(hosts, strings.ToLower(bare))
	}
	scheme := "https://"
	switch {
	case len(w.hosts) > 0:
		return hosts, scheme + w.hosts[0], nil
	case !web.Loopback(at):
		return nil, "", fmt.Errorf("--addr %s is reached from other machines: say with --host by what name, e.g. --host review.hospital.example", w.addr)
	case w.cert == "":
		scheme = "http://"
	}
	return hosts, scheme + at.String(), nil
}

// logger writes to the file that was named, or faults alone to errs.
func (w serving) logger(errs io.Writer) (*slog.Logger, func() error, error) {
	if w.log == "" {
		return slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelError})), func() error { return nil }, nil
	}
	f, err := os.OpenFile(w.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return slog.New(slog.NewTextHandler(f, nil)), f.Close, nil
}
