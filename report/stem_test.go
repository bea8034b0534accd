package report

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// withStem is the small report after edits of the passages, with a published firing rate.
func withStem() Report { return withStemOf(chain.StemContexts) }

func withStemOf(mode chain.StemMode) Report {
	r := small()
	g := &r.Findings.Models[0]
	for i := range g.Metrics {
		if g.Metrics[i].Scope == "M" || g.Metrics[i].ID == "cdr" {
			g.Metrics[i].Stem = mode
		}
	}
	g.Joint[0].Stem, g.Operators[0].Stem = mode, mode
	g.Operators[0].Rate = est(0.55, 0.4, 0.7, 40)
	g.Operators[0].Published = &chain.Published{Lo: percuss.Num(0.14), Hi: percuss.Num(0.14), Of: "the four sets together"}
	return r
}

func TestPublished(t *testing.T) {
	for want, p := range map[string]*chain.Published{
		"–": nil, "0.86–0.87": {Lo: percuss.Num(0.86), Hi: percuss.Num(0.87)}, "≥0.99": {Lo: percuss.Num(0.99), Hi: percuss.Num(1)},
		"0.10": {Lo: percuss.Num(0.1), Hi: percuss.Num(0.1)}, "0.0125": {Lo: percuss.Num(0.0125), Hi: percuss.Num(0.0125)},
	} {
		if got := published(chain.Firing{Published: p}); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// TestStemShown: what was edited stands beside the figures of the M-operators, and the published rate beside ours.
func TestStemShown(t *testing.T) {
	var text, html, plain, asked bytes.Buffer
	if err := WriteText(&text, withStem(), false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"(stem: question+contexts)", "paper", "22  0.55  0.14       20  0.45", "when the question with its passages is edited"} {
		if !strings.Contains(strings.Join(strings.Split(text.String(), "\n"), " "), want) {
			t.Errorf("the summary lacks %q:\n%s", want, text.String())
		}
	}
	for line := range strings.SplitSeq(text.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if err := WriteHTML(&html, withStem(), HTML{}); err != nil {
		t.Fatal(err)
	}
	const mark = `<span class="dim small">stem: question&#43;contexts</span>`
	for _, want := range []string{"<td>M " + mark, "severity reversal " + mark, "answer flip " + mark, `<td class="n">0.550</td><td class="n">0.14</td>`} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if err := WriteHTML(&asked, withStemOf("question"), HTML{}); err != nil || strings.Contains(asked.String(), "stem: question</span></td>") || strings.Count(asked.String(), "stem: question</span></caption>") == 0 {
		t.Errorf("the stem that most edits have stands in rows, or not above the table: %v", err)
	}
	if err := WriteHTML(&plain, small(), HTML{}); err != nil || strings.Contains(plain.String(), "stem: question") {
		t.Errorf("a stem where no figure has one: %v", err)
	}
}

func TestStemInTables(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCSV(dir, withStem()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]map[string]string{
		"metrics.csv":   {"metric": "cdr", "stem": "question+contexts"},
		"joint.csv":     {"rule": "token", "stem": "question+contexts"},
		"operators.csv": {"id": "M5-a", "stem": "question+contexts", "published_rate_lo": "0.14", "published_rate_hi": "0.14", "published_rate_of": "the four sets together"},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(rows[1:], func(row []string) bool {
			for column, v := range want {
				if i := slices.Index(rows[0], column); i < 0 || row[i] != v {
					return false
				}
			}
			return true
		})
		if !found {
			t.Errorf("%s has no row with %v", name, want)
		}
	}
}
