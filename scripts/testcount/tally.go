package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// exited begins the line that scripts/test adds when go test itself ends badly.
const exited = "go test ended with exit status "

// tally counts tests, subtests included. A package that fails although none of
// its tests does (it does not build, or it exits) counts as one failure.
type tally struct {
	out            io.Writer
	passed, failed int
	skips          []string
	open           map[string]*pkg
	// seen is the number of failures when the last go test ended.
	seen int
}

// pkg is a package under test. Its output is kept until it ends, because only
// then is it known which tests failed.
type pkg struct {
	lines  []line
	ended  map[string]string // test to its last action
	begun  []string
	failed int
}

type line struct{ test, text string }

func newTally(out io.Writer) *tally { return &tally{out: out, open: map[string]*pkg{}} }

// read takes events until the input ends. Lines that are no events are passed on.
func (t *tally) read(in io.Reader) error {
	r := bufio.NewReader(in)
	for {
		text, err := r.ReadString('\n')
		if text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) == nil && e.Action != "" {
				t.take(e)
			} else {
				t.plain(text)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// plain passes a line on. When go test ended badly and no failure explains it,
// the ending itself is one.
func (t *tally) plain(text string) {
	fmt.Fprint(t.out, text)
	if strings.HasPrefix(text, exited) {
		t.closeAll()
		if t.failed == t.seen {
			t.failed++
		}
		t.seen = t.failed
	}
}

func (t *tally) take(e event) {
	if e.Action == "build-output" {
		fmt.Fprint(t.out, e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := t.open[e.Package]
	if p == nil {
		p = &pkg{ended: map[string]string{}}
		t.open[e.Package] = p
	}
	switch e.Action {
	case "output":
		p.lines = append(p.lines, line{e.Test, e.Output})
	case "run":
		p.begun = append(p.begun, e.Test)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.close(e.Package, e.Action)
			return
		}
		p.ended[e.Test] = e.Action
		switch e.Action {
		case "pass":
			t.passed++
		case "fail":
			t.failed++
			p.failed++
		case "skip":
			t.skips = append(t.skips, e.Package+" "+e.Test+": "+p.reason(e.Test))
		}
	}
}

// close prints a package that ended: its own lines, and those of the tests that
// failed or never ended.
func (t *tally) close(name, action string) {
	p := t.open[name]
	delete(t.open, name)
	if action != "fail" {
		p.print(t.out, func(test string) bool { return test == "" })
		return
	}
	for _, test := range p.begun {
		if p.ended[test] == "" {
			t.failed++
			p.failed++
		}
	}
	if p.failed == 0 {
		t.failed++
	}
	p.print(t.out, func(test string) bool {
		return test == "" || p.ended[test] == "fail" || p.ended[test] == ""
	})
}

// closeAll ends the packages that go test left open: it was stopped.
func (t *tally) closeAll() {
	names := make([]string, 0, len(t.open))
	for name := range t.open {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.close(name, "fail")
		fmt.Fprintf(t.out, "FAIL\t%s [did not end]\n", name)
	}
}

func (p *pkg) print(out io.Writer, wanted func(test string) bool) {
	for _, l := range p.lines {
		if wanted(l.test) && !strings.HasPrefix(l.text, "=== ") && l.text != "PASS\n" {
			fmt.Fprint(out, l.text)
		}
	}
}

// place is the file and line that t.Skip puts before its reason.
var place = regexp.MustCompile(`^[\w.-]+\.go:\d+: `)

// reason is what a skipped test said.
func (p *pkg) reason(test string) string {
	var said []string
	for _, l := range p.lines {
		text := strings.TrimSpace(l.text)
		if l.test != test || text == "" || strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") {
			continue
		}
		said = append(said, place.ReplaceAllString(text, ""))
	}
	if said == nil {
		return "(no reason given)"
	}
	return strings.Join(said, " ")
}

// finish prints the skipped tests and, alone on the last line, the counts.
func (t *tally) finish(noSkip bool) {
	t.closeAll()
	if len(t.skips) > 0 {
		head := "Skipped, so not tested here:"
		if noSkip {
			head = "Skipped, although nothing may be skipped here:"
		}
		fmt.Fprintf(t.out, "\n%s\n", head)
		for _, s := range t.skips {
			fmt.Fprintln(t.out, "  SKIP", s)
		}
	}
	fmt.Fprintf(t.out, "\n%d passed, %d failed, %d skipped\n", t.passed, t.failed, len(t.skips))
}
