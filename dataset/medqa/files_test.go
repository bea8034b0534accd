package medqa

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

// published reads the authors' file that the options ask for; it skips the test where the data is not at hand.
func published(t *testing.T, o dataset.Options) []percuss.Question {
	t.Helper()
	k, err := Known(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(datasettest.File(t, k.Folders[0], k.Files[0]), o)
	questions, bad := datasettest.Questions(t, l, err)
	for _, b := range bad {
		t.Error(b)
	}
	if len(questions) != 1273 {
		t.Fatalf("%d questions, want 1273", len(questions))
	}
	return questions
}

// The counts were made with Python's json module over the same files.
func TestPublishedFiles(t *testing.T) {
	editions := []struct {
		options dataset.Options
		hash    string // sha256sum of the file
		gold    map[string]int
		rows    map[int]struct{ label, text string } // line: the right option
	}{
		{nil, "2e51d17d47099a72c4eea6b6a3307de71360333e0c99beb1d53d7a42834cacc4", map[string]int{"A": 353, "B": 309, "C": 346, "D": 265}, map[int]struct{ label, text string }{
			1:    {"B", "Tell the attending that he cannot fail to disclose this mistake"},
			8:    {"C", "Clopidogrel"},
			20:   {"D", "Benzodiazepine intoxication"},
			511:  {"A", `"Let's talk about what makes it difficult for you to take your medications."`},
			1273: {"C", "Chronic obstructive pulmonary disease (COPD)"},
		}},
		{dataset.Options{"options": "5"}, "cfa75cbcc53c29b023752b0a395ff49d8202121041392735ae44771a5ec734a3", map[string]int{"A": 273, "B": 277, "C": 252, "D": 269, "E": 202}, map[int]struct{ label, text string }{
			1:    {"C", "Tell the attending that he cannot fail to disclose this mistake"},
			20:   {"E", "Benzodiazepine intoxication"},
			302:  {"D", "Papillary muscles"},
			1001: {"C", "Vitamin B12 deficiency"},
		}},
	}
	for _, e := range editions {
		gold, flagged := map[string]int{}, 0
		for i, q := range published(t, e.options) {
			if q.Source.Line != i+1 || q.Source.SHA256 != e.hash || q.Source.Split != "test" || q.Set != "medqa" {
				t.Fatalf("row %d: source %+v", i+1, q.Source)
			}
			gold[q.Gold]++
			flagged += len(q.Flags)
			if len(q.Options) != len(e.gold) {
				t.Errorf("row %d: %d options", i+1, len(q.Options))
			}
			for _, o := range q.Options {
				if strings.ContainsAny(o.Text, "\n\r") || o.Text != strings.TrimSpace(o.Text) || strings.Count(o.Text, `"`)%2 == 1 {
					t.Errorf("row %d: option %q is not clean", i+1, o.Text)
				}
			}
			if strings.HasSuffix(q.Stem, `?"`) || q.Stem != strings.TrimSpace(q.Stem) {
				t.Errorf("row %d: the stem ends with %q", i+1, q.Stem[len(q.Stem)-20:])
			}
			if want, ok := e.rows[i+1]; ok {
				if o, _ := q.Option(q.Gold); o.Label != want.label || o.Text != want.text {
					t.Errorf("row %d: gold %+v, want %+v", i+1, o, want)
				}
			}
		}
		for label, want := range e.gold {
			if gold[label] != want {
				t.Errorf("%v: gold %s %d times, want %d", e.options, label, gold[label], want)
			}
		}
		if flagged != 0 {
			t.Errorf("%v: %d stems flagged; the test split has none without a vignette", e.options, flagged)
		}
	}
}

// Both editions ask the same questions in the same order, and agree on the right text.
func TestEditionsAgree(t *testing.T) {
	four, five := published(t, nil), published(t, dataset.Options{"options": "5"})
	for i := range four {
		a, _ := four[i].Option(four[i].Gold)
		b, _ := five[i].Option(five[i].Gold)
		if four[i].Stem != five[i].Stem || a.Text != b.Text {
			t.Errorf("row %d: %q, %q", i+1, a.Text, b.Text)
		}
		if four[i].ID == five[i].ID {
			t.Errorf("row %d: one id for two sets of options", i+1)
		}
	}
}

func TestSampleOfPublishedFile(t *testing.T) {
	questions := published(t, nil)
	small, large := dataset.Draw(questions, 1, 20), dataset.Draw(questions, 1, 200)
	for i := range small {
		if small[i].ID != large[i].ID {
			t.Fatalf("place %d differs", i)
		}
	}
}
