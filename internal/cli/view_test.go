package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/explore"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/step"
)

// explorer serves a folder, and returns what an address is answered with.
func explorer(t *testing.T, dir string) func(address string) (status int, page string, header http.Header) {
	t.Helper()
	var log bytes.Buffer
	s := &explore.Server{Root: dir, Open: openViewed, Now: time.Now, Log: &log}
	h := web.Guard{Hosts: web.Local()}.Wrap(s.Handler())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(address string) (int, string, http.Header) {
		for {
			r := httptest.NewRequest("GET", address, nil)
			r.Host = "localhost"
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != http.StatusAccepted { // an index is built
				return w.Code, w.Body.String(), w.Result().Header
			}
		}
	}
}

var trialsOf = regexp.MustCompile(`<strong>([\d,]+) of ([\d,]+) trials</strong>`)

// The explorer's counts are those of the records, of either audit, and its pages lead only to pages that there are.
func TestViewOfARun(t *testing.T) {
	for audit, args := range map[string][]string{
		"chain":    {"chain", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo", "-n", "4", "--battery", "families"},
		"evidence": {"evidence", "-m", "sim:additive", "-d", "demo", "-n", "3", "--order", "2"},
		"steps":    {"steps", "-m", "sim:faithful", "-m", "sim:inert", "-d", "demo", "-n", "3", "-k", "3", "--judge", "sim:step-judge"},
	} {
		t.Run(audit, func(t *testing.T) {
			root := t.TempDir()
			must(t, append(args, "-o", filepath.Join(root, "a", "run"))...)
			get := explorer(t, root)
			for _, f := range []string{"", "&flip=flip", "&op=base&right=yes", "&op=chain&right=yes", "&error=none&op=step+markers"} {
				status, page, _ := get("/trials?r=a/run" + f)
				if status != 200 {
					t.Fatalf("trials%s: %d\n%s", f, status, page)
				}
				m := trialsOf.FindStringSubmatch(page)
				if want := counted(t, filepath.Join(root, "a", "run"), f); m == nil || m[1] != want {
					t.Errorf("trials%s: the page says %q, the records %s", f, m, want)
				}
			}
			follow(t, get, "/")
		})
	}
}

// counted counts what a filter lets through in the records.
func counted(t *testing.T, dir, filter string) string {
	t.Helper()
	v, err := openViewed(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	n := 0
	for r, err := range v.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n += countedOf(r, filter)
	}
	return percuss.Num(float64(n)).Format(0)
}

func countedOf(r percuss.Record, filter string) (n int) {
	add := func(is bool) {
		if is {
			n++
		}
	}
	switch r := r.(type) {
	case chain.Record:
		for _, o := range r.Operators {
			add(filter == "" || filter == "&flip=flip" && o.Flip == chain.Flipped)
		}
		for _, c := range r.Controls {
			add(filter == "" || filter == "&flip=flip" && c.Flip == chain.Flipped)
		}
		add(filter == "" || filter == "&op=base&right=yes" && r.Base.Correct)
		add(filter == "" && r.Direct.State != chain.NotFired)
	case step.Record:
		n = countedSteps(r, filter)
	case evidence.Record:
		for _, i := range r.Base.Interactions {
			add(filter == "" && (i.Value >= 0.25 || i.Value <= -0.25))
		}
		for _, c := range r.Changes {
			moved := c.RankBefore > 0 && c.RankAfter > 0 && c.RankBefore != c.RankAfter && min(c.RankBefore, c.RankAfter) == 1
			add(filter == "" || filter == "&flip=flip" && moved)
		}
		add(filter == "" || filter == "&op=base&right=yes" && r.Base.Answered && r.Base.Correct)
	}
	return n
}

// countedSteps counts the item, its chains, and the steps that are labelled or flagged.
func countedSteps(r step.Record, filter string) (n int) {
	if filter == "" {
		n = 1 + len(r.Chains)
	}
	for _, c := range r.Chains {
		if filter == "&op=chain&right=yes" && c.State == step.Read && c.Correct {
			n++
		}
		for _, v := range c.Views {
			for _, s := range v.Steps {
				correct := len(s.Says) == 1 && s.Says[0].Says == step.Correct
				flagged := s.Checks.WrongSums+s.Checks.NewNumbers+s.Checks.Contradicts > 0
				if filter == "" && (len(s.Says) > 0 || flagged) || filter == "&error=none&op=step+markers" && v.View == "markers" && correct {
					n++
				}
			}
		}
	}
	return n
}

var hrefs = regexp.MustCompile(`(?:href|src)="(/[^"]*)"`)

// mostItems is how many pages of items are opened.
const mostItems = 10

// follow opens every page that a page leads to, once.
func follow(t *testing.T, get func(string) (int, string, http.Header), from string) {
	t.Helper()
	seen, left, items := map[string]bool{from: true}, []string{from}, 0
	for len(left) > 0 && len(seen) < 3000 {
		address := left[0]
		left = left[1:]
		status, page, header := get(address)
		if status != 200 || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: status %d: %.200s", address, status, page)
		}
		if header.Get("Content-Security-Policy") == "" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", address, header)
		}
		if strings.HasPrefix(address, "/report/") || !strings.HasPrefix(header.Get("Content-Type"), "text/html") {
			continue
		}
		if strings.Contains(page, "style=") || regexp.MustCompile(` on[a-z]+=`).MatchString(page) {
			t.Errorf("%s holds style or a handler in its text", address)
		}
		for _, m := range hrefs.FindAllStringSubmatch(page, -1) {
			to := strings.ReplaceAll(m[1], "&amp;", "&")
			// A filter leads to filters without end: those of one choice, and one item of a list, are enough.
			if seen[to] || strings.Count(address, "&") > 1 {
				continue
			}
			if strings.HasPrefix(to, "/item") {
				if items++; items > mostItems {
					continue
				}
			}
			seen[to] = true
			left = append(left, to)
		}
	}
}

var jointCounts = regexp.MustCompile(`name="joint" value="([a-d])"/> [^<]*<span class="dim">([\d,]+)</span>`)

// The cells of the joint table count the trials that the report counts there.
func TestViewCountsTheJointTableAsTheReport(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "12", "--battery", "paper", "-o", dir)
	o, r, err := compute(t.Context(), dir, reading{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.answers.Close()
	want := map[string]string{}
	for _, j := range r.(*chainReport).r.Findings.Cells[0].Joint {
		if j.Rule == "token" && j.Family == "" {
			for name, e := range map[string]percuss.Estimate{"a": j.A, "b": j.B, "c": j.C, "d": j.D} {
				if e.Num.Or(0) > 0 {
					want[name] = e.Num.Format(0)
				}
			}
		}
	}
	got := map[string]string{}
	_, page, _ := explorer(t, root)("/trials?r=run")
	for _, m := range jointCounts.FindAllStringSubmatch(page, -1) {
		got[m[1]] = m[2]
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 2 {
		t.Errorf("%s\n%v", diff, want)
	}
}

// A case is shown against the noise that the report has, and at its threshold.
func TestViewOfACaseHasTheReportsFloors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "evidence", "-m", "sim:additive", "-d", "demo", "-n", "3", "--order", "2", "--floor", "2", "-o", dir)
	o, r, err := compute(t.Context(), dir, reading{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.answers.Close()
	want := r.(*caseReport).r.Findings
	v, err := openViewed(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	view, err := v.View(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	_, salient, noise, err := v.Case(t.Context(), view, true)
	if err != nil || salient != want.Salient || len(noise.Floors) == 0 || noise.Unready {
		t.Fatalf("threshold %g, %d floors, %v", salient, len(noise.Floors), err)
	}
	if diff := cmp.Diff(want.Cells[0].Floor, noise.Floors, cmp.AllowUnexported(percuss.Number{})); diff != "" {
		t.Error(diff)
	}
	if _, err := v.View(t.Context(), 3); err == nil {
		t.Error("a subject that there is not was shown")
	}
}

// Records that were kept and are damaged do not keep the explorer from a run.
func TestViewOfDamagedRecords(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "3", "--battery", "families", "-o", dir)
	want := counted(t, dir, "")
	kept := filepath.Join(dir, run.DerivedFolder, "records")
	raw := read(t, kept)
	if err := os.WriteFile(kept, raw[:2*len(raw)/3], 0o644); err != nil {
		t.Fatal(err)
	}
	status, page, _ := explorer(t, root)("/trials?r=run")
	if m := trialsOf.FindStringSubmatch(page); status != 200 || m == nil || m[1] != want {
		t.Errorf("status %d, trials %v, want %s", status, m, want)
	}
}
