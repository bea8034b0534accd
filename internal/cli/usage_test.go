package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/percuss/percuss/internal/screen"
)

// The help of every command fits a terminal, but for commands and lines of a file, which are copied whole, and a default that
// is one word.
func TestHelpFits(t *testing.T) {
	seen := 0
	var walk func(args []string)
	walk = func(args []string) {
		status, out, errs := command(t, append(args, "--help")...)
		if status != exitDone || !strings.Contains(out, "Usage:") {
			t.Fatalf("%q: status %d, %s%s", args, status, out, errs)
		}
		seen++
		last := ""
		for line := range strings.SplitSeq(out, "\n") {
			words := strings.TrimSpace(line)
			goesOn := strings.HasSuffix(last, `\`)
			if last = line; goesOn {
				continue
			}
			if screen.Width(line) > screen.Columns && !(strings.HasPrefix(line, "  ") && copied(words)) && strings.Contains(words, " ") {
				t.Errorf("%q: %d columns: %s", args, screen.Width(line), line)
			}
		}
		c, _, err := (&app{env: os.Getenv}).root().Find(args)
		if err != nil {
			t.Fatal(err)
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "help" && sub.Name() != "completion" {
				walk(append(args[:len(args):len(args)], sub.Name()))
			}
		}
	}
	walk(nil)
	if seen < 25 {
		t.Errorf("%d commands were seen", seen)
	}
}

// Paragraphs are parted anew, lists hang under their second column, and commands stay whole, with the lines that go on with them.
func TestFitted(t *testing.T) {
	long := strings.Repeat("word ", 20)
	got := fitted(strings.Split(reflowed("one\ntwo\n\n  a   "+long+"\n  percuss "+long+" \\\n    -o "+long+"\n  x: 1 # "+long+"\n  - {x: 1, "+long+"}\n  #   x: "+long), "\n"))
	want := []string{"one two", "", "  a   " + strings.TrimRight(strings.Repeat("word ", 15), " "), "      " + strings.TrimRight(strings.Repeat("word ", 5), " "),
		"  percuss " + long + ` \`, "    -o " + long, "  x: 1 # " + long, "  - {x: 1, " + long + "}", "  #   x: " + long}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A wrong number of names, a name too many and an unknown flag each say what to write.
func TestWrongArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run"}, "accepts 1 arg(s), received 0: write percuss run AUDIT.yaml"},
		{[]string{"compare", "a"}, "write percuss compare BEFORE AFTER"},
		{[]string{"chain", "extra"}, `percuss chain takes no name beside its flags, got "extra": see percuss chain --help`},
		{[]string{"chain", "--bogus"}, "unknown flag: --bogus: see percuss chain --help"},
		{[]string{"store", "bogus"}, `there is no command "bogus": see percuss store --help`},
		{[]string{"chian"}, `there is no command "chian"; did you mean percuss chain? See percuss --help`},
		{[]string{"review", "server"}, `did you mean percuss review serve? See percuss review --help`},
		{[]string{"plan"}, "takes a specification"},
		{[]string{"show", t.TempDir()}, "name the folder that the run was begun in"},
		{[]string{"data", "check", "custom:nowhere.csv"}, "name a file that is there"},
	} {
		if status, _, errs := command(t, c.args...); status != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%q: status %d, %s", c.args, status, errs)
		}
	}
}
