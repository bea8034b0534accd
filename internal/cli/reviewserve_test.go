package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
)

// sampled makes a run of a chain audit and a package of its edits.
func sampled(t *testing.T) (folder string, p blind.Package) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "zephyrstudy")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo", "-n", "8", "--battery", "M2+M3+M4+M5", "-o", dir)
	must(t, "review", "create", dir, "--task", "perturbation", "-n", "20", "--attention", "1", "--practice")
	folder = filepath.Join(dir, "review", "perturbation")
	p, err := review.OpenPackage(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder, p
}

// beingServed is a review that is served, with the links that were printed, coordinator's first.
type beingServed struct {
	links []string
	stop  func() (errs string)
}

// untilServed is told when a server has said all that it says before it serves.
type untilServed struct {
	said   strings.Builder
	served chan struct{}
}

func (u *untilServed) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b), "Ctrl-C ends it") {
		close(u.served)
	}
	return u.said.Write(b)
}

// serveSample serves a review on a free port.
func serveSample(t *testing.T, folder string, with serving) beingServed {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	if with.addr == "" {
		with.addr = "127.0.0.1:0"
	}
	out, toOut := io.Pipe()
	errs := &untilServed{served: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		a := &app{out: toOut, err: errs, env: func(string) string { return "" }}
		ended <- a.serveReview(ctx, folder, with)
		toOut.Close()
	}()
	s := beingServed{stop: func() string {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		return errs.said.String()
	}}
	link := regexp.MustCompile(`https?://\S+/in/[\w-]{43}`)
	lines := bufio.NewScanner(out)
	for len(s.links) < 1+len(with.raters) && lines.Scan() {
		s.links = append(s.links, link.FindAllString(lines.Text(), -1)...)
		if strings.Contains(lines.Text(), "was added before") {
			with.raters = with.raters[1:]
		}
	}
	if len(s.links) == 0 {
		t.Fatalf("no link was printed: %s", s.stop())
	}
	go io.Copy(io.Discard, out)
	select {
	case <-errs.served:
	case <-time.After(10 * time.Second):
		t.Fatal("it does not serve: " + s.stop())
	}
	return s
}

// client is a browser: it keeps cookies, says where its forms come from, and follows no redirect.
type client struct {
	http.Client
	at string
}

func newClient(t *testing.T, link string) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return &client{http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, "http://" + u.Host}
}

// ask returns the status, and the header with the body.
func (c *client) ask(t *testing.T, method, path, kind, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, c.at+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Origin", c.at)
	}
	got, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	raw, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, fmt.Sprint(got.Header, "\n", string(raw))
}

// open uses a link.
func (c *client) open(t *testing.T, link string) {
	t.Helper()
	if code, text := c.ask(t, "POST", "/in", "application/x-www-form-urlencoded", "secret="+link[strings.LastIndexByte(link, '/')+1:]); code != http.StatusSeeOther {
		t.Fatalf("the link was answered %d %s", code, text)
	}
}

// answerOf is a batch with the answer to one item.
func answerOf(p blind.Package, item blind.Item) string {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	labels := map[string]string{blind.AskShift: "no_shift", blind.AskValidity: "valid"}
	raw, _ := json.Marshal(map[string]any{"package": p.ID, "now": now, "entries": []any{map[string]any{"id": "e-" + item.ID, "item": item.ID, "labels": labels, "seconds": 3, "at": now}}})
	return string(raw)
}

// A review is served, stopped and served again: answers and sessions are still there, and a rater is not added twice.
func TestReviewServe(t *testing.T) {
	folder, p := sampled(t)
	first := serveSample(t, folder, serving{raters: []string{"Ann", "Bob"}})
	if len(first.links) != 3 {
		t.Fatalf("links %v", first.links)
	}
	c := newClient(t, first.links[1])
	c.open(t, first.links[1])
	if code, text := c.ask(t, "POST", "/entries", "application/json", answerOf(p, p.Items[0])); code != 200 || !strings.Contains(text, "e-"+p.Items[0].ID) {
		t.Fatalf("an answer: %d %s", code, text)
	}
	if errs := first.stop(); !strings.Contains(errs, "shown this once") || !strings.Contains(strings.Join(strings.Fields(errs), " "), "Stopped: what was answered is kept") || strings.Contains(errs, "TLS") {
		t.Errorf("said: %s", errs)
	}
	again := serveSample(t, folder, serving{raters: []string{"Ann"}, addr: strings.TrimPrefix(c.at, "http://")})
	if len(again.links) != 1 {
		t.Errorf("links %v", again.links)
	}
	if code, text := c.ask(t, "GET", "/state", "", ""); code != 200 || !strings.Contains(text, "no_shift") {
		t.Errorf("after a restart: %d %s", code, text)
	}
	desk := newClient(t, again.links[0])
	desk.open(t, again.links[0])
	if code, text := desk.ask(t, "GET", "/desk", "", ""); code != 200 || !strings.Contains(text, fmt.Sprintf("1 of %d", len(p.Items))) {
		t.Errorf("the desk: %d %s", code, text)
	}
	if code, _ := desk.ask(t, "POST", "/desk/close", "", ""); code != http.StatusSeeOther {
		t.Errorf("closing: %d", code)
	}
	again.stop()
	if out := done(t, "review", "unseal", folder, "--force"); !strings.Contains(out, "sealed with") {
		t.Error(out)
	}
}

func TestReviewServeRefuses(t *testing.T) {
	folder, _ := sampled(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for want, c := range map[string]struct {
		folder string
		with   serving
	}{
		"there is no such file":     {filepath.Join(folder, "none"), serving{}},
		"--cert and --cert-key go":  {folder, serving{cert: "a.pem"}},
		"both are PEM":              {folder, serving{cert: folder + "/package.json", key: folder + "/package.json"}},
		"an address is HOST:PORT":   {folder, serving{addr: "nowhere"}},
		"where a port is taken":     {folder, serving{addr: busy.Addr().String()}},
		"say with --host":           {folder, serving{addr: "0.0.0.0:0"}},
		"a name as it stands":       {folder, serving{hosts: []string{"https://review.example/"}}},
		"characters that cannot be": {folder, serving{raters: []string{"A\u202e"}}},
		"--log":                     {folder, serving{log: filepath.Join(folder, "none", "log")}},
	} {
		if c.with.addr == "" {
			c.with.addr = "127.0.0.1:0"
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // one that is not refused serves
		a := &app{out: io.Discard, err: io.Discard, env: func(string) string { return "" }}
		err := a.serveReview(ctx, c.folder, c.with)
		if cancel(); !errors.As(err, new(usageError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c.with, err)
		}
	}
}

// Every flag is taken together with the others.
func TestFlagsOfReviewServe(t *testing.T) {
	folder, _ := sampled(t)
	none := filepath.Join(folder, "none.pem")
	status, _, errs := command(t, "review", "serve", folder, "--rater", "Ann", "--rater", "Bob", "--addr", "127.0.0.1:0", "--host", "review.example",
		"--cert", none, "--cert-key", none, "--pin", "--no-practice", "--log", filepath.Join(folder, "log"))
	if status != exitUsage || !strings.Contains(errs, "both are PEM") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// By what names a server may be called, and what its links begin with.
func TestNamesOfReviewServer(t *testing.T) {
	local, all := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7378}, &net.TCPAddr{IP: net.IPv4zero, Port: 8443}
	for _, c := range []struct {
		at   net.Addr
		with serving
		base string
		more []string
	}{
		{local, serving{}, "http://127.0.0.1:7378", nil},
		{local, serving{cert: "c"}, "https://127.0.0.1:7378", nil},
		{local, serving{hosts: []string{"Review.example"}}, "https://Review.example", []string{"review.example"}},
		{all, serving{hosts: []string{"a.example:8443", "192.0.2.1", "[2001:db8::1]:8443", "2001:db8::2"}}, "https://a.example:8443", []string{"a.example", "192.0.2.1", "2001:db8::1", "2001:db8::2"}},
	} {
		hosts, base, err := c.with.names(c.at)
		if want := append(web.Local(), c.more...); err != nil || base != c.base || strings.Join(hosts, " ") != strings.Join(want, " ") {
			t.Errorf("%+v: %v %s %v", c.with, hosts, base, err)
		}
	}
	for _, bad := range []string{"", "a b", "a/b", "u@h", "a:b:c", "https://x", "https://x/", "a:b", "a..b"} {
		if _, _, err := (serving{hosts: []string{bad}}).names(local); err == nil {
			t.Errorf("--host %q is taken", bad)
		}
	}
}

// Where raters come from elsewhere without TLS, it is said that a proxy must speak it.
func TestProxyIsAskedFor(t *testing.T) {
	folder, _ := sampled(t)
	s := serveSample(t, folder, serving{hosts: []string{"review.example"}})
	if !strings.HasPrefix(s.links[0], "https://review.example/in/") {
		t.Errorf("links %v", s.links)
	}
	if errs := s.stop(); !strings.Contains(strings.Join(strings.Fields(errs), " "), "the reverse proxy of review.example must, and stand before it") || !strings.Contains(errs, "no raters yet") {
		t.Errorf("said: %s", errs)
	}
}
