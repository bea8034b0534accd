package cli

import (
	"bufio"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/report/pagetest"
)

// killable is percuss review serve as a process of its own, which can be killed and started again.
type killable struct {
	binary, folder, addr string
	process              *exec.Cmd
}

// start serves the review to raters and returns the links of those who are new, the coordinator's first.
func (k *killable) start(t *testing.T, fresh int, raters ...string) []string {
	t.Helper()
	args := []string{"review", "serve", k.folder, "--addr", k.addr, "--no-practice"}
	for _, name := range raters {
		args = append(args, "--rater", name)
	}
	k.process = exec.Command(k.binary, args...)
	out, err := k.process.StdoutPipe()
	if err == nil {
		err = k.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	link := regexp.MustCompile(`http://\S+/in/[\w-]{43}`)
	lines := bufio.NewScanner(out)
	for len(links) < 1+fresh && lines.Scan() {
		links = append(links, link.FindAllString(lines.Text(), -1)...)
	}
	if len(links) != 1+fresh {
		t.Fatalf("served with %d links", len(links))
	}
	go io.Copy(io.Discard, out)
	return links
}

func (k *killable) kill() {
	if k.process != nil && k.process.ProcessState == nil {
		_ = k.process.Process.Kill()
		_ = k.process.Wait()
	}
}

// freeAddr is an address of this machine on which nobody listens, the same after the server was killed.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// line is a rater's connection to a server, which may be down, or break after the server has got what was sent.
type line struct {
	*httptest.Server
	is  atomic.Value // "up", "down" or "breaks"
	cut atomic.Int32 // requests that it broke after the server had them
}

func newLine(t *testing.T, to string) *line {
	l := &line{}
	l.is.Store("up")
	fresh := &http.Transport{DisableKeepAlives: true} // a connection to the killed server would be tried once more
	proxy := &httputil.ReverseProxy{Transport: fresh, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: to})
		r.Out.Host = r.In.Host
	}}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch l.is.Load() {
		case "down":
			panic(http.ErrAbortHandler)
		case "breaks":
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			l.cut.Add(1)
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(l.Close)
	return l
}

// Three raters finish thirty items at the same time by keyboard alone. The first loses the connection and goes on; the
// second's device is lost and the server killed, and goes on at another device; the third has one file and no server.
// Every answer is kept once, as it was typed, and the results are those of the same labels from a CSV.
func TestThreeRaters(t *testing.T) {
	b := pagetest.Open(t)
	folder, p := thirty(t)
	server := &killable{binary: build(t, t.TempDir()), folder: folder, addr: freeAddr(t)}
	var raters []typist
	for i, name := range []string{"Dr Abel", "Dr Beck", "Dr Cole"} {
		raters = append(raters, typist{name, willSay(p, rand.New(rand.NewPCG(7, uint64(i)))), p})
	}
	t.Cleanup(func() { server.kill() })
	links := server.start(t, 2, raters[0].name, raters[1].name)
	away, again := make(chan struct{}), make(chan struct{}) // the first is without a connection; the server is there again
	t.Run("raters", func(t *testing.T) {
		t.Run("loses the connection", func(t *testing.T) {
			t.Parallel()
			losesConnection(t, b, raters[0], server.addr, links[1], away, again)
		})
		t.Run("is killed", func(t *testing.T) {
			t.Parallel()
			isKilled(t, b, raters[1], links[2], func() {
				defer close(again)
				<-away
				server.kill()
				server.start(t, 0, raters[0].name, raters[1].name)
			})
		})
		t.Run("has no server", func(t *testing.T) {
			t.Parallel()
			hasNoServer(t, b, raters[2], folder)
		})
	})
	server.kill()
	for _, who := range raters {
		isKept(t, folder, who)
	}
	if d := cmp.Diff(resultsWithoutTimes(t, bySheet(t, p, raters...)), resultsWithoutTimes(t, folder)); d != "" {
		t.Errorf("the results are other than those of the same labels from a CSV (-CSV +typed):\n%s", d)
	}
}

func losesConnection(t *testing.T, b *pagetest.Browser, who typist, addr, link string, away chan<- struct{}, again <-chan struct{}) {
	var left atomic.Bool
	leave := func() {
		if left.CompareAndSwap(false, true) {
			close(away)
		}
	}
	defer leave()
	l := newLine(t, addr)
	to, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	device, _ := b.Apart(t, t.TempDir())
	page := opens(t, device, l.URL+to.Path)
	page.Press(t, "Enter")
	who.types(t, page, 1, 9)
	allSaved(t, page)
	l.is.Store("breaks")
	who.types(t, page, 10, 10)
	page.Until(t, `document.getElementById("state").textContent.startsWith("Not sent: ")`)
	l.is.Store("down")
	if l.cut.Load() == 0 {
		t.Error("nothing was sent before the connection broke")
	}
	who.types(t, page, 11, 20)
	leave()
	<-again
	page.Until(t, `entriesKept("queue/").length>=20&&document.getElementById("state").textContent.startsWith("Not sent: ")`)
	l.is.Store("up")
	allSaved(t, page) // without a further answer, which would be sent anyway
	who.types(t, page, 21, 30)
	atTheEnd(t, page)
	page.Expected(t, "net::ERR_EMPTY_RESPONSE")
}

// isKilled answers until the device is lost; restart kills the server and starts it again.
func isKilled(t *testing.T, b *pagetest.Browser, who typist, link string, restart func()) {
	var began bool
	defer func() {
		if !began {
			restart() // the first waits for it
		}
	}()
	device, end := b.Apart(t, t.TempDir())
	page := opens(t, device, link)
	page.Press(t, "Enter")
	who.types(t, page, 1, 12)
	allSaved(t, page)
	tabTo(t, page, "footer summary")
	page.Press(t, "Enter")
	tabTo(t, page, "[data-do=device]")
	page.Press(t, "Enter")
	page.Until(t, `document.getElementById("device").textContent.includes("/in/")`)
	further := regexp.MustCompile(`http://\S+/in/[\w-]{43}`).FindString(page.Text(t, "#device"))
	end()
	began = true
	restart()
	other, _ := b.Apart(t, t.TempDir())
	page = opens(t, other, further)
	if got := page.Text(t, "#count"); got != "12 of 30 answered" {
		t.Errorf("on another device there are %s", got)
	}
	page.Press(t, "ArrowLeft", "ArrowRight") // which lead the focus to the item
	who.types(t, page, 13, 30)
	atTheEnd(t, page)
}

func hasNoServer(t *testing.T, b *pagetest.Browser, who typist, folder string) {
	to := t.TempDir()
	must(t, "review", "offline", folder, "--rater", who.name, "--practice=false", "-o", to)
	found, err := filepath.Glob(filepath.Join(to, "*.html"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	mail := t.TempDir()
	device, _ := b.Apart(t, mail)
	page := device.Look(t, "file://"+found[0], pagetest.Look{})
	page.Press(t, "Enter")
	who.types(t, page, 1, 30)
	page.Until(t, `at.dataset.place==="end"`)
	tabTo(t, page, "#filenow")
	page.Press(t, "Enter")
	file := savedFile(t, page, mail)
	must(t, "review", "import", folder, file)
	must(t, "review", "import", folder, file) // a second time it changes nothing
}
