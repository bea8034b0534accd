package explore

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/run"
)

// noFilter shows everything.
var noFilter index.Filter

// detail is the name in an address that asks for each model on each set.
const detail = "parts"

// standing is how far a run is, in words.
type standing struct {
	Name    string
	Text    string
	Waiting string // what it waits for
	Percent int    // finished subjects; -1: not known
	Going   bool
	Short   bool   // it keeps progress, and has not come to its end
	Poll    string // where a script asks again, while it goes on
	Parts   []part // of a run that goes on, where they are wanted
}

// part is how far a run is with one model on one data set.
type part struct {
	Text    string
	Percent int
	Waiting string // what it waits for
}

// parts are those of a run that goes on.
func parts(all []run.Part) []part {
	var out []part
	for _, p := range all {
		l := part{Text: fmt.Sprintf("%s, %s: %s of %s", p.Model, p.Set, number(p.Done), number(p.Subjects)), Waiting: p.Waiting}
		if p.Subjects > 0 {
			l.Percent = 100 * p.Done / p.Subjects
		}
		out = append(out, l)
	}
	return out
}

// standingOf says how far the run in a folder is; detailed: with each model on each set.
func (s *Server) standingOf(name, dir string, detailed bool) standing {
	out := standing{Name: name, Percent: -1}
	at, err := run.ReadStanding(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Text = settled(dir)
		return out
	case err != nil:
		out.Text = err.Error()
		return out
	}
	if at.Subjects > 0 {
		out.Percent = 100 * at.Done / at.Subjects
	}
	out.Short = at.Ended != run.Done
	far := fmt.Sprintf("%s of %s items", number(at.Done), number(at.Subjects))
	switch out.Going = at.Going(s.Now()); {
	case out.Going:
		out.Text = fmt.Sprintf("running: %s, %s in this process", far, counts(at.Answered, "answer"))
		out.Poll = runAddress("/progress", name, noFilter)
		if at.Failed > 0 {
			out.Text += ", " + number(at.Failed) + " failed"
		}
		out.Waiting = at.Model
		if detailed {
			out.Parts = parts(at.Parts)
			out.Poll += "&" + detail + "=yes"
		}
	case at.Ended == run.Done:
		out.Text = "finished"
	case at.Ended == "":
		out.Text = fmt.Sprintf("stopped without a word at %s: %s; the command that began it goes on", clock(at.At), far)
	case at.Ended == run.Interrupted:
		out.Text = fmt.Sprintf("interrupted: %s; the command that began it goes on", far)
	default:
		out.Text = fmt.Sprintf("ended with an error: %s (%s)", onceEach(at.Ended), far)
	}
	return out
}

// onceEach is an error of several lines in one, each different one once: what several workers met at the same time is joined as
// often as they met it.
func onceEach(err string) string {
	var out []string
	for line := range strings.Lines(err) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}

// settled is what the files of a run say that keeps no progress.
func settled(dir string) string {
	there := func(name ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{dir}, name...)...))
		return err == nil
	}
	switch {
	case there(run.ReportFolder, run.InfoFile):
		return "has a report"
	case there(run.AnswersFile):
		return "no report yet"
	}
	return "no answers yet"
}

// runLine is a run in the list.
type runLine struct {
	standing
	Href, Audit, Models, Sets, Begun, Size string
	Items                                  string
	Why                                    string // why it cannot be read
}

// mostNamed is how many models or sets of a run its line names.
const mostNamed = 4

// runsPage is the list of runs.
type runsPage struct {
	web.Frame
	Root   string
	Runs   []runLine
	Before string // the first two runs of one audit; empty: there are none to be compared
	After  string
}

// runs shows the list of runs.
func (s *Server) runs(w http.ResponseWriter, _ *http.Request) {
	var lines []runLine
	for _, name := range s.names() {
		lines = append(lines, s.lineOf(name, false))
	}
	p := runsPage{Frame: s.frame("Runs", "explore.js", "Pages"), Root: s.Root, Runs: lines}
	p.Before, p.After = partners(lines)
	s.draw(w, http.StatusOK, "runs", p)
}

// partners are the first two runs of one audit; empty: there are none.
func partners(all []runLine) (before, after string) {
	first := map[string]string{} // by audit
	for _, l := range all {
		if l.Why != "" || l.Audit == stepAudit {
			continue
		}
		if one, ok := first[l.Audit]; ok {
			return one, l.Name
		}
		first[l.Audit] = l.Name
	}
	return "", ""
}

// lineOf reads what the list shows of a run, without opening it.
func (s *Server) lineOf(name string, detailed bool) runLine {
	dir := filepath.Join(s.Root, filepath.FromSlash(name))
	l := runLine{standing: s.standingOf(name, dir, detailed), Href: runAddress("/run", name, noFilter)}
	m, err := run.ReadManifest(dir)
	if err != nil {
		l.Why = err.Error()
		return l
	}
	l.Audit = auditOf(m)
	var models, sets []string
	for _, model := range m.Spec.Subjects() {
		models = append(models, model.ID)
	}
	items := 0
	for _, d := range m.Data {
		sets = append(sets, d.Set)
		items += d.Drawn
	}
	l.Models, l.Sets, l.Items, l.Begun = few(models), few(sets), number(items), clock(m.Begun)
	if info, err := os.Stat(filepath.Join(dir, run.AnswersFile)); err == nil {
		l.Size = bytesOf(info.Size())
	}
	return l
}

func auditOf(m run.Manifest) string {
	switch {
	case m.Spec.Evidence != nil:
		return "evidence"
	case m.Spec.Steps != nil:
		return stepAudit
	}
	return "chain"
}

// few names the first ones of a list.
func few(all []string) string {
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > mostNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostNamed], ", "), len(all)-mostNamed)
	}
	return strings.Join(all, ", ")
}

// progress is how far a run is, as a piece of a page.
func (s *Server) progress(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get(atRun)
	if !slices.Contains(s.names(), name) {
		s.fail(w, http.StatusNotFound, fmt.Errorf("there is no run %q here", name))
		return
	}
	s.draw(w, http.StatusOK, "standing", s.standingOf(name, filepath.Join(s.Root, filepath.FromSlash(name)), r.URL.Query().Has(detail)))
}

// number prints a count with its thousands parted.
func number(n int) string {
	return percuss.Grouped(n)
}

// counts is a number of things, in words.
func counts(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// bytesOf prints the size of a file.
func bytesOf(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", (n+1023)/1024)
}

// clock prints a time for a reader.
func clock(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04") + " UTC"
}
