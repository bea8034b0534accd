package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

// checkOf runs `data check` and reads what it prints as JSON.
func checkOf(t *testing.T, data string) checked {
	t.Helper()
	status, out, errs := command(t, "data", "check", data, "--json")
	if status != exitDone {
		t.Fatalf("%s: status %d, %s", data, status, errs)
	}
	var c checked
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// Every published set is found, is counted as its authors count it, and lies in the sanity bands.
func TestDataCheckPublished(t *testing.T) {
	dir := datasettest.Dir(t)
	for set, want := range map[string]struct {
		rows, duplicates, bands int
		largest, identity       string
		operators               int
	}{
		"medqa":              {1273, 0, 6, "A", "hash", 13},
		"medqa?options=5":    {1273, 0, 6, "B", "hash", 13},
		"medmcqa":            {4183, 0, 5, "A", "hash", 13},
		"pubmedqa":           {500, 0, 1, "A", "native", 13},
		"pubmedqa?split=all": {1000, 0, 1, "A", "native", 13},
		"mmlu-medical":       {1099, 78, 5, "D", "hash", 13},
		"gsm8k":              {1319, 0, 0, "5", "hash", 0},
		"strategyqa":         {229, 0, 0, "B", "native", 0},
	} {
		name, options, _ := strings.Cut(set, "?")
		folder := filepath.Join(dir, name)
		if name == "mmlu-medical" {
			folder = filepath.Join(dir, "mmlu")
		}
		c := checkOf(t, name+":"+folder+"?"+options)
		if c.Rows+len(c.Bad) != want.rows || c.Duplicates != want.duplicates || c.Largest.Name != want.largest || c.Identity != want.identity {
			t.Errorf("%s: %d rows, %d bad, %d duplicates, largest %s, identity %s", set, c.Rows, len(c.Bad), c.Duplicates, c.Largest.Name, c.Identity)
		}
		bands := 0
		for _, f := range c.Firing {
			if f.Band.OK() {
				bands++
			}
			if f.Outside {
				t.Errorf("%s: %v fires on %d of %d, outside its band %s", set, f.Operators, f.Fired, f.Of, f.Band.Format(2))
			}
		}
		if bands != want.bands || len(c.Firing) != want.operators+bands {
			t.Errorf("%s: %d rows of firing, %d bands", set, len(c.Firing), bands)
		}
	}
}

// A loader that loses the vignettes is noticed by its firing rates; a part of a split is not held against the bands.
func TestBands(t *testing.T) {
	b, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	whole := make([]percuss.Question, 1273)
	for i := range whole {
		whole[i] = percuss.Question{ID: fmt.Sprint("medqa:", i), Set: "medqa", Stem: fmt.Sprint("What is ", i, "?"), Gold: "A",
			Options: []percuss.Option{{Label: "A", Text: "x"}, {Label: "B", Text: "y"}}, Source: percuss.Source{Split: "test"}}
	}
	outside := func(c checked) (n, bands int) {
		for _, f := range c.Firing {
			if f.Band.OK() {
				bands++
			}
			if f.Outside {
				n++
			}
		}
		return n, bands
	}
	if n, bands := outside(check("medqa", whole, nil, b)); n != 6 || bands != 6 {
		t.Errorf("%d of %d bands are left, want all 6", n, bands)
	}
	if n, bands := outside(check("medqa", whole[:200], nil, b)); n != 0 || bands != 0 {
		t.Errorf("a part of the split: %d of %d", n, bands)
	}
	var text strings.Builder
	if err := writeCheck(&text, check("medqa", whole, nil, b)); err != nil || strings.Count(text.String(), "OUTSIDE") != 6 {
		t.Error(text.String(), err)
	}
	// Only what is asked without a family of a band is held against it.
	families, err := battery.Parse("families")
	if err != nil {
		t.Fatal(err)
	}
	if _, bands := outside(check("medqa", whole, nil, families)); bands != 0 {
		t.Errorf("%d bands for half of the variants", bands)
	}
}

// An operator that knows more than the question is counted as if the baseline had answered, or not at all where it takes
// another item's chain; either is said.
func TestCheckOfOperatorsThatKnowMore(t *testing.T) {
	b, err := battery.Load(strings.NewReader(donatedQuestions), "own.yaml", "M-hint+X-donor")
	if err != nil {
		t.Fatal(err)
	}
	two := []percuss.Option{{Label: "A", Text: "x"}, {Label: "B", Text: "y"}}
	questions := []percuss.Question{{ID: "s:1", Set: "s", Stem: "What is it?", Gold: "A", Options: two},
		{ID: "s:2", Set: "s", Stem: "And this?", Gold: "A", Options: two[:1]}}
	c := check("s", questions, nil, b)
	if len(c.Firing) != 2 {
		t.Fatalf("%+v", c.Firing)
	}
	hint, donor := c.Firing[0], c.Firing[1]
	if hint.Fired != 1 || hint.Of != 2 || !strings.Contains(hint.Note, "supposing") {
		t.Errorf("a hint takes another option than the answer: %+v", hint)
	}
	if donor.Of != 0 || donor.Rate.OK() || !strings.Contains(donor.Note, "another item's chain") {
		t.Errorf("nothing is known of other chains: %+v", donor)
	}
	var text strings.Builder
	if err := writeCheck(&text, c); err != nil || !strings.Contains(unfolded(text.String()), "50.0 % supposing that the baseline has an answer") ||
		!strings.Contains(text.String(), "X-donor                not counted: it takes another item's chain\n") {
		t.Error(text.String(), err)
	}
}

// donatedQuestions is a file of one operator that puts another item's chain in the place of the question.
const donatedQuestions = `extends: [extended]
operators:
  - {family: X-donor, title: donor, does: "puts in another chain", unless: "there is none", block: M, intent: D, locus: Str,
     source: ours, version: X/1, edit: donate, variants: [{id: X-donor, variant: a}]}
`

func TestCheckCounts(t *testing.T) {
	b, err := battery.Parse("M3")
	if err != nil {
		t.Fatal(err)
	}
	option := func(label, text string) percuss.Option { return percuss.Option{Label: label, Text: text} }
	questions := []percuss.Question{
		{ID: "s:1", Set: "s", Stem: "One two three?", Options: []percuss.Option{option("A", "x"), option("B", "y z")}, Gold: "B", Flags: []string{"f"}},
		{ID: "s:2", Set: "s", Stem: "one two three?", Options: []percuss.Option{option("A", "Y z"), option("B", "x")}, Gold: "B"},
		{ID: dataset.Identity("s", "x"), Set: "s", Stem: "Five?", Context: []string{"p q", "r"}, Gold: "A",
			Options: []percuss.Option{option("A", "x"), option("B", "y"), option("C", "z")}},
	}
	bad := []*dataset.BadRow{{File: "f", Line: 9, Why: "duplicate", Repeats: "s:1"}, {File: "f", Line: 10, Why: "other"}}
	c := check("s", questions, bad, b)
	if c.Rows != 3 || len(c.Bad) != 2 || c.Duplicates != 1 || c.Identity != "both" || !slices.Equal(c.Repeated, []repeated{{"s:2", "s:1"}}) {
		t.Errorf("%+v", c)
	}
	if c.Largest != (tally{"B", 2, percuss.Num(2.0 / 3)}) || !slices.Equal(c.Flags, []tally{{"f", 1, percuss.Num(1.0 / 3)}}) {
		t.Errorf("%+v, %+v", c.Largest, c.Flags)
	}
	if c.Words.Stem != (span{percuss.Num(1), percuss.Num(3), percuss.Num(3)}) || c.Words.Context.Median != percuss.Num(3) || c.Words.Option.Most != percuss.Num(2) {
		t.Errorf("%+v", c.Words)
	}
	if c.Firing[0].Fired != 3 || c.Firing[0].Of != 3 {
		t.Errorf("%+v", c.Firing)
	}
	// Nothing read: counts are zero and lists empty, never null.
	raw, err := json.Marshal(check("s", nil, nil, b))
	if err != nil || strings.Contains(string(raw), `[]`) == false || strings.Contains(string(raw), `"bad":null`) {
		t.Errorf("%s, %v", raw, err)
	}
}

// A set of numbers has no answers by letter, and its questions are not edited.
func TestCheckNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test.jsonl")
	rows := `{"question":"A 40-year-old man has 3 eggs and buys 4. How many has he?","answer":"#### 7"}
{"question":"How many are 9 and 0?","answer":"#### 9"}
{"question":"How many are 9.0 and 0?","answer":"#### 9.0"}
`
	if err := os.WriteFile(file, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	c := checkOf(t, "gsm8k:"+file)
	if c.Rows != 3 || c.Numbers != 2 || len(c.Answers)+len(c.OptionCount)+len(c.Firing) != 0 || c.Largest != (tally{"9", 2, percuss.Num(2.0 / 3)}) {
		t.Errorf("%+v", c)
	}
	status, out, _ := command(t, "data", "check", "gsm8k:"+file)
	for _, want := range []string{"numbers, 2 different ones; always answering 9 scores 66.7 %", "options   none", "(arithmetic) is there to compare"} {
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in %s", status, want, out)
		}
	}
}

// The hash of several files changes with each of them, so that a resumed run notices.
func TestSources(t *testing.T) {
	q := func(file, hash string) percuss.Question {
		return percuss.Question{Source: percuss.Source{File: file, SHA256: hash}}
	}
	if file, hash := sources([]percuss.Question{q("a", "1"), q("a", "1")}); file != "a" || hash != "1" {
		t.Error(file, hash)
	}
	files, first := sources([]percuss.Question{q("a", "1"), q("b", "2")})
	_, second := sources([]percuss.Question{q("a", "1"), q("b", "3")})
	if files != "a, b" || first == second || len(first) != 64 {
		t.Error(files, first, second)
	}
}

// A run draws from a set of several files and goes on with it.
func TestChainOnSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"anatomy", "college_biology"} {
		rows := fmt.Sprintf("A 40-year-old man reports a mild cough. He smokes. What is %s?,w,x,y,z,B\n", name)
		if err := os.WriteFile(filepath.Join(dir, name+"_test.csv"), []byte(rows), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", "sim:faithful", "-d", "mmlu-medical:" + dir + "?subject=anatomy,college_biology", "--battery", "families", "-o", run}
	for range 2 {
		if status, _, errs := command(t, args...); status != exitDone {
			t.Fatalf("status %d: %s", status, errs)
		}
	}
	var r struct {
		Data []struct {
			Set, File string
			Rows      int
		}
	}
	if err := json.Unmarshal(reportOf(t, run), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Data) != 1 || r.Data[0].Rows != 2 || r.Data[0].File != "anatomy_test.csv, college_biology_test.csv" {
		t.Errorf("%+v", r.Data)
	}
	// A changed file is another data set.
	if err := os.WriteFile(filepath.Join(dir, "anatomy_test.csv"), []byte("Why?,w,x,y,z,B\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, args...); status != exitUsage {
		t.Errorf("status %d: %s", status, errs)
	}
}
