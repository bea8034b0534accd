package cli

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/screen"
)

// What is printed for a reader fits 80 columns, with wide characters and long names too, and what is printed for a program is
// a table of its own.
func TestWhatIsPrintedFits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo", "-n", "2", "--battery", "M5+F4", "-o", dir)
	cases := filepath.Join(t.TempDir(), "cases")
	must(t, "evidence", "-m", "sim:faithful", "-d", "demo", "-n", "2", "-o", cases)
	for _, args := range [][]string{{"show", dir}, {"show", dir, "1"}, {"check", dir}, {"report", dir}, {"report", dir, "--full"}, {"show", cases}, {"show", cases, "1"},
		{"check", cases}, {"report", cases}, {"report", cases, "--full"}, {"plan", "chain", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo"}, {"plan", "evidence", "-m", "sim:faithful", "-d", "demo"}} {
		_, out, _ := command(t, args...)
		if strings.Count(out, "\n") < 4 {
			t.Errorf("%q prints %q", args, out)
		}
		for line := range strings.SplitSeq(out, "\n") {
			if n := screen.Width(line); n > screen.Columns && !strings.Contains(line, dir) && !strings.Contains(line, cases) {
				t.Errorf("%q: %d columns: %s", args, n, line)
			}
		}
	}
	for _, c := range []struct {
		args      []string
		rows, has int // columns
	}{{[]string{"show", dir}, 5, 11}, {[]string{"show", cases}, 3, 12}, {[]string{"check", dir}, 0, 10}, {[]string{"plan", "chain", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo"}, 3, 10}} {
		_, out, errs := command(t, append(c.args, "--csv")...)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || c.rows > 0 && len(rows) != c.rows || len(rows) < 2 || len(rows[0]) != c.has {
			t.Errorf("%q: %v, %d rows\n%s%s", c.args, err, len(rows), out, errs)
		}
		if status, _, errs := command(t, append(c.args, "--csv", "--json")...); status != exitUsage || !strings.Contains(errs, "choose one") {
			t.Errorf("%q: status %d, %s", c.args, status, errs)
		}
	}
	if status, _, errs := command(t, "show", dir, "1", "--csv"); status != exitUsage || !strings.Contains(errs, "leave ITEM out") {
		t.Errorf("one item as CSV: status %d, %s", status, errs)
	}
}

// Names that a file or a server made up change neither the lines nor a spreadsheet.
func TestNamesThatSteer(t *testing.T) {
	name := "=1+1\x1b[2J\n" + strings.Repeat("胸痛", 60)
	var out bytes.Buffer
	c := newCheckedClaims([]percuss.Claim{{ID: "contrast", Subject: name, Says: "It holds.", Verdict: percuss.CannotTell, Shown: name, Against: "more"}}, urgent[:])
	if err := c.print(&out, form{}); err != nil {
		t.Fatal(err)
	}
	if err := writePlan(&out, []planned{{Model: name, Currency: name, Cost: percuss.Num(1)}, {Model: "b"}}, 3); err != nil {
		t.Fatal(err)
	}
	if err := (listed{subject: percuss.SubjectID{Item: name, Model: name}, gold: name}).write(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if n := screen.Width(line); n > screen.Columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	if err := c.print(&out, form{csv: true}); err != nil || !strings.Contains(out.String(), "'=1+1") {
		t.Errorf("%v, %q", err, out.String())
	}
}
