package demo

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

var _ dataset.Loader = (*Loader)(nil)

func all(t *testing.T) []percuss.Question {
	t.Helper()
	questions, bad, err := dataset.Collect(New())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		t.Error(b)
	}
	if len(questions) < 24 {
		t.Fatalf("%d items, want at least 24", len(questions))
	}
	return questions
}

func TestItemsAreWellFormed(t *testing.T) {
	gold := map[string]int{}
	longest := 0
	for i, q := range all(t) {
		if q.Set != Name || !strings.HasPrefix(q.ID, "demo-") || q.Source.Line != i+1 || len(q.Source.SHA256) != 64 {
			t.Errorf("%s: set %q, source %+v", q.ID, q.Set, q.Source)
		}
		if !slices.Equal(q.Labels(), []string{"A", "B", "C", "D"}) {
			t.Errorf("%s: labels %v", q.ID, q.Labels())
		}
		if !strings.HasSuffix(q.Stem, "?") || strings.TrimSpace(q.Stem) != q.Stem {
			t.Errorf("%s: the stem does not end with its question", q.ID)
		}
		if n := len(sentence.FindAllString(q.Stem, -1)); n < 4 || n > 7 {
			t.Errorf("%s: %d sentences, want 4 to 7", q.ID, n)
		}
		if !cited.MatchString(q.Note) {
			t.Errorf("%s: the note cites no source: %q", q.ID, q.Note)
		}
		gold[q.Gold]++
		if isLongest(q) {
			longest++
		}
	}
	if gold["A"] != gold["B"] || gold["B"] != gold["C"] || gold["C"] != gold["D"] {
		t.Errorf("gold letters %v, want them balanced", gold)
	}
	// Whoever always picks the longest option should not do much better than chance (a quarter).
	if longest > len(all(t))*2/5 {
		t.Errorf("the right option is the longest in %d items", longest)
	}
}

var (
	sentence = regexp.MustCompile(`[.?](?:\s|$)`)
	cited    = regexp.MustCompile(`\. \([^()]*(?:\d{4}|Textbook)[^()]*\)$`)
)

func isLongest(q percuss.Question) bool {
	right, _ := q.Option(q.Gold)
	for _, o := range q.Options {
		if o.Label != q.Gold && len(o.Text) >= len(right.Text) {
			return false
		}
	}
	return true
}

// Texts of similar length: no option gives itself away by its size.
func TestOptionsAreOfSimilarLength(t *testing.T) {
	for _, q := range all(t) {
		shortest, longest := len(q.Options[0].Text), 0
		seen := map[string]bool{}
		for _, o := range q.Options {
			shortest, longest = min(shortest, len(o.Text)), max(longest, len(o.Text))
			if seen[strings.ToLower(o.Text)] {
				t.Errorf("%s: %q stands twice", q.ID, o.Text)
			}
			seen[strings.ToLower(o.Text)] = true
		}
		if longest-shortest > 14 {
			t.Errorf("%s: options of %d to %d letters", q.ID, shortest, longest)
		}
	}
}

// The patterns are those of the chain audit's M-block (its section 4 and the paper's Appendix F); each must find
// something to edit. The numbers are what the set promises, not what it happens to have.
func TestEveryQuestionOperatorFires(t *testing.T) {
	hinges := []string{`presents with`, `reports`, `has a history of`, `complains of`}
	severity := []string{`mild`, `severe`, `moderate`, `acute`, `chronic`, `low-grade`, `high-grade`}
	timesA := []string{`for the past [\w]+ days?`, `over the last week`, `a few days ago`, `yesterday`, `two weeks`}
	timesB := append([]string{`last month`, `this morning`}, timesA...)
	families := []struct {
		name     string
		patterns []string
		least    int // items on which the operator fires
		each     int // items in which each pattern stands
	}{
		{"M2 age", []string{`\d{1,3}[- ]*year[- ]*old`}, 24, 24},
		{"M2 sex", []string{`man`, `woman`, `male`, `female`, `boy`, `girl`}, 24, 2},
		{"M4", hinges, 20, 5},
		{"M5", severity, 15, 2},
		{"M6-a", timesA, 12, 3},
		{"M6-b", timesB, 16, 3},
	}
	questions := all(t)
	for _, f := range families {
		fired := map[string]bool{}
		for _, p := range f.patterns {
			re := regexp.MustCompile(`(?i)\b` + p + `\b`)
			n := 0
			for _, q := range questions {
				if re.MatchString(q.Stem) {
					fired[q.ID] = true
					n++
				}
			}
			if n < f.each {
				t.Errorf("%s: %q stands in %d items, want %d", f.name, p, n, f.each)
			}
		}
		if len(fired) < f.least {
			t.Errorf("%s fires on %d items, want %d", f.name, len(fired), f.least)
		}
		t.Logf("%s fires on %d of %d", f.name, len(fired), len(questions))
	}
}

// Variants a and b of an operator scan the same table in opposite order; stems with one phrase alone would make
// them the same request.
func TestVariantsDiverge(t *testing.T) {
	tables := map[string]*regexp.Regexp{
		"M4": regexp.MustCompile(`presents with|reports|has a history of|complains of`),
		"M5": regexp.MustCompile(`\b(?:mild|severe|moderate|acute|chronic|low-grade|high-grade)\b`),
		"M6": regexp.MustCompile(`for the past \w+ days?|over the last week|a few days ago|yesterday|two weeks|last month|this morning`),
	}
	for name, re := range tables {
		n := 0
		for _, q := range all(t) {
			found := re.FindAllString(q.Stem, -1)
			slices.Sort(found)
			if len(slices.Compact(found)) > 1 {
				n++
			}
		}
		if n < 3 {
			t.Errorf("%s: %d items hold two different phrases, want 3", name, n)
		}
	}
}

func TestAgesAndAcuityVary(t *testing.T) {
	age := regexp.MustCompile(`(\d+)-year-old`)
	terms := regexp.MustCompile(`(?i)sep(?:sis|tic)|myocardial infarction|stroke|embolism|tamponade|hemorrhage|meningitis|appendicitis|ectopic|diabetic ketoacidosis`)
	var child, adult, old, high, benign int
	for _, q := range all(t) {
		if m := age.FindStringSubmatch(q.Stem); m != nil {
			switch n := len(m[1]); {
			case n == 1 || m[1] < "18":
				child++
			case m[1] > "60":
				old++
			default:
				adult++
			}
		}
		right, _ := q.Option(q.Gold)
		if terms.MatchString(right.Text) {
			high++
		} else {
			benign++
		}
	}
	if min(child, adult, old) < 6 {
		t.Errorf("%d children, %d adults, %d over 60; want 6 of each", child, adult, old)
	}
	if min(high, benign) < 8 {
		t.Errorf("%d keys of high acuity, %d others; want 8 of each", high, benign)
	}
}

func TestBadItems(t *testing.T) {
	good := `{"id":"demo-01","stem":"S?","options":["x","y"],"gold":"A","fact":"f","source":"s"}`
	l := &Loader{data: []byte("\xef\xbb\xbf" + strings.Join([]string{
		good, good,
		strings.Replace(strings.Replace(good, "01", "02", 1), `"A"`, `"C"`, 1),
		strings.Replace(good, "fact", "facts", 1),
		strings.Replace(good, `"f"`, `""`, 1),
		good + good,
	}, "\r\n"))}
	questions, bad, err := dataset.Collect(l)
	if err != nil || len(questions) != 1 {
		t.Fatalf("%d questions, %v", len(questions), err)
	}
	want := []string{"duplicate of line 1", "not among the options", "unknown field", "needs id", "more than one object"}
	if len(bad) != len(want) {
		t.Fatalf("bad rows %v", bad)
	}
	for i, w := range want {
		if bad[i].Line != i+2 || !strings.Contains(bad[i].Why, w) {
			t.Errorf("got %v, want line %d: %s", bad[i], i+2, w)
		}
	}
}
