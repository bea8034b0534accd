package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report/pagetest"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/agreement"
	"github.com/percuss/percuss/review/blind"
)

// reviewedTwice makes a review of interactions that two raters have answered and a third adjudicated.
func reviewedTwice(t *testing.T) (folder string) {
	t.Helper()
	dir := evidenceRun(t, "sim:shortcut", "sim:and")
	must(t, "review", "create", dir, "--task", "interactions", "--design", "queue", "-n", "12", "--name", "q", "--repeats", "2", "--attention", "1")
	folder = filepath.Join(dir, "review", "q")
	answer(t, folder, []string{"Ann", "Bob"}, func(rater string, n int, _ blind.Item) map[string]string {
		labels := map[string]string{"judgement": "valid", "confidence": "high"}
		if rater == "Bob" && n%3 == 0 {
			labels["judgement"] = "invalid"
		}
		return labels
	})
	must(t, "review", "adjudicate", folder)
	answer(t, filepath.Join(folder, review.SecondRound), []string{"Cy"}, func(string, int, blind.Item) map[string]string {
		return map[string]string{"judgement": "questionable"}
	})
	return folder
}

func results(t *testing.T, folder string, args ...string) agreement.Results {
	t.Helper()
	var r agreement.Results
	if err := json.Unmarshal([]byte(done(t, append([]string{"review", "results", folder, "--json", "--replicates", "100"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// tableOf finds a table.
func tableOf(t *testing.T, r agreement.Results, id string) percuss.Table {
	t.Helper()
	for _, one := range r.Tables {
		if one.ID == id {
			return one
		}
	}
	t.Fatalf("there is no table %s", id)
	return percuss.Table{}
}

// Before the key is opened the results tell what was said and nothing of what the items are; afterwards strata, buckets, repeats and attention.
func TestReviewResults(t *testing.T) {
	folder := reviewedTwice(t)
	shutKey := done(t, "review", "results", folder)
	for _, want := range []string{"2 raters", "The key is not open", "Who has done how much", "Agreement: judgement", "Landis and", "Outcome before and after adjudication: judgement"} {
		if !strings.Contains(shutKey, want) {
			t.Errorf("%q is not told", want)
		}
	}
	for _, word := range []string{"shortcut", "suspicious", "random"} {
		if strings.Contains(shutKey, word) {
			t.Errorf("the results tell %q although the key is shut", word)
		}
	}
	before := results(t, folder)
	items := before.Items
	if again := results(t, folder); before.KeyOpen || len(again.Tables) != len(before.Tables) || done(t, "review", "results", folder) != shutKey {
		t.Error("the same answers give other results")
	}
	if status, _, errs := command(t, "review", "results", folder, "--stratum", "bucket=random"); status != exitUsage || !strings.Contains(errs, "key is not open") {
		t.Errorf("status %d, %s", status, errs)
	}
	must(t, "review", "unseal", folder, "--force")
	open := results(t, folder)
	if !open.KeyOpen || open.Items != items-3 {
		t.Errorf("open %v, %d of %d items", open.KeyOpen, open.Items, items)
	}
	if got := tableOf(t, open, "attention").Rows; len(got) != 2 || got[0].Cells[0].Text != "Ann" {
		t.Errorf("%+v", got)
	}
	buckets := tableOf(t, open, "buckets")
	total := buckets.Rows[len(buckets.Rows)-1]
	if n := total.Cells[1].Estimate.Value.Or(0); int(n) != open.Items || len(buckets.Rows) != 3 {
		t.Errorf("%v of %d items are settled, %d rows", n, open.Items, len(buckets.Rows))
	}
	some := results(t, folder, "--stratum", "bucket=random")
	if some.Items == 0 || some.Items >= open.Items {
		t.Errorf("%d of %d items are of the stratum", some.Items, open.Items)
	}
	for args, want := range map[string]string{"--stratum bucket=nope": "there are random, suspicious", "--stratum colour=red": "the names are bucket", "--csv=nope": "this review has agreement, progress",
		"--replicates 3": "a number from 100", "--level 2": "between 0 and 1", "--json --csv": "choose one"} {
		if status, _, errs := command(t, append([]string{"review", "results", folder}, strings.Fields(args)...)...); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
	if status, _, errs := command(t, "review", "results", filepath.Join(folder, review.SecondRound)); status != exitUsage || !strings.Contains(errs, "second round") {
		t.Errorf("the second round: status %d, %s", status, errs)
	}
	writtenResults(t, folder)
	note := filepath.Join(folder, review.UnsealedFile)
	if err := os.WriteFile(note, []byte(strings.ReplaceAll(string(read(t, note)), open.Package, "0123456789abcdef")), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "review", "results", folder); status != exitUsage || !strings.Contains(errs, "not of this package") {
		t.Errorf("another package's unsealing: status %d, %s", status, errs)
	}
}

// writtenResults: files hold every table; the page is sound on a phone.
func writtenResults(t *testing.T, folder string) {
	t.Helper()
	to := t.TempDir()
	page := filepath.Join(to, "results.html")
	out := done(t, "review", "results", folder, "--html", page, "--tex", to)
	if !strings.Contains(out, page) || !strings.Contains(out, filepath.Join(to, "tex", "all.tex")) {
		t.Error(out)
	}
	if text := string(read(t, filepath.Join(to, "tex", "buckets.tex"))); !strings.Contains(text, "Table 5") || !strings.Contains(text, "questionable") && !strings.Contains(text, "Questionable") {
		t.Error(text)
	}
	csv := strings.Split(done(t, "review", "results", folder, "--csv"), "\n")
	if !strings.HasPrefix(csv[0], "question,compared,measure,word,value,value_lo") || !strings.HasPrefix(csv[1], "judgement,all labels,percent agreement,") {
		t.Error(csv[:2])
	}
	if csv := done(t, "review", "results", folder, "--csv=progress"); !strings.Contains(csv, "\nAnn,") {
		t.Error(csv)
	}
	p := pagetest.Open(t).Look(t, "file://"+page, pagetest.Look{Width: 375})
	p.Narrow(t)
	p.Axe(t)
	p.Shot(t, "results")
	if n := pagetest.Eval[int](t, p, `document.querySelectorAll("table.analysis").length`); n < 15 {
		t.Errorf("%d tables in the page", n)
	}
}

// The plan of Donner and Eliasziw for two raters and two labels, by its formula.
func TestReviewPower(t *testing.T) {
	out := done(t, "review", "power", "--labels", "3", "--raters", "2", "--kappa", "0.6", "--prevalence", "0.6,0.3,0.1", "--width", "0.2")
	for _, want := range []string{"Least number of items for an interval of width 0.2", "218", "kappa of", "100"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told:\n%s", want, out)
		}
	}
	csv := done(t, "review", "power", "--raters", "2", "--kappa", "0.5", "--prevalence", "0.3,0.7", "--items", "400,100", "--csv")
	lines := strings.Split(strings.TrimSpace(csv), "\n")
	if len(lines) != 3 || lines[0] != "items,raters_2" {
		t.Fatal(csv)
	}
	variance := .5 * (.5*(1-2*.5) + .5*(2-.5)/(2*.3*.7)) // n times that of kappa
	_, width, _ := strings.Cut(lines[1], ",")
	var got float64
	if err := json.Unmarshal([]byte(width), &got); err != nil || math.Abs(got-2*1.959963984540054*math.Sqrt(variance/100)) > 1e-9 {
		t.Errorf("%v, %v", got, err)
	}
	for args, want := range map[string]string{"--labels 3 --prevalence 0.5,0.5": "2 shares", "--labels 1": "two labels", "--kappa 1": "below 1", "--raters 1": "takes two", "--width 3": "above 0, up to 2",
		"--level 0": "between 0 and 1", "--items 0": "positive", "--json --csv": "choose one"} {
		if status, _, errs := command(t, append([]string{"review", "power"}, strings.Fields(args)...)...); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
}
