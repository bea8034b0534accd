package cases

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss/evidence"
)

func summary(t *testing.T, r Report, full bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteText(&b, r, full); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextFitsAndShowsMissing(t *testing.T) {
	r := small()
	r.Notes = []string{strings.Repeat("long ", 60) + strings.Repeat("x", 200), "\x1b[31mred"}
	r.Findings.Cells[0].Model = strings.Repeat("name", 50)
	short, full := summary(t, r, false), summary(t, r, true)
	for _, line := range strings.Split(short+full, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if strings.Contains(short+full, "\x1b") {
		t.Error("a control sequence got through")
	}
	for _, want := range []string{"How often is it right?", "Caution: The share of conflict", "negated or absent evidence misuse (suspicious)", "13.1 %", "Calls to m1: 6. ok: 6."} {
		if !strings.Contains(short, want) {
			t.Errorf("no %q in\n%s", want, short)
		}
	}
	if n := strings.Count(short, "\n"); n > 120 {
		t.Errorf("the short summary has %d lines", n)
	}
	for _, table := range allTables(r) {
		if !strings.Contains(strings.Join(strings.Fields(full), " "), table.Title) {
			t.Errorf("the full summary lacks %q", table.Title)
		}
	}
	if !strings.Contains(full, "– (1)") || !strings.Contains(full, "(1) no judgements were read") {
		t.Error("a missing value does not lead to its reason")
	}
}

func TestEmptyText(t *testing.T) {
	if got := summary(t, Report{Audit: "evidence"}, true); !strings.Contains(got, "There are no findings.") {
		t.Error(got)
	}
}

func TestUnfinishedIsToldFirst(t *testing.T) {
	r := small()
	r.Calls[0].Outcomes = slices.Clone(r.Calls[0].Outcomes)
	for i := range r.Calls[0].Outcomes {
		if r.Calls[0].Outcomes[i].Name == "failed" {
			r.Calls[0].Outcomes[i].N = 3
		}
	}
	page, _ := written(t, r, nil, 0)
	for name, text := range map[string]string{"summary": summary(t, r, false), "page": page} {
		if at, first := strings.Index(text, "Unfinished: 3 of 6 calls"), strings.Index(text, "How often"); at < 0 || at > first {
			t.Errorf("%s: at %d, the first figure at %d", name, at, first)
		}
	}
}

func TestCaseText(t *testing.T) {
	var plain, colored bytes.Buffer
	c := oneCase(1)
	c.Record.Noise = []evidence.Noise{{Source: "batch", Order: 1, Sum: 0.5, DoF: 2}}
	if err := WriteCaseText(&plain, c, false); err != nil {
		t.Fatal(err)
	}
	if err := WriteCaseText(&colored, c, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the model picks Pulmonary embolism, which is right", "2 absent", "always shown  Cough: dry", "right, model's choice", "≤ −4.00", "suspicious: negated or absent evidence misuse",
		"wording holds, order holds", "flip → Fever: yes", "rank 1 → 2", "pairs of findings", "1.31", "−0.27", "questionnaire/o0/drop", "only 6 orders", "in other company (standard deviation, nats): order 1 0.500"} {
		if !strings.Contains(plain.String(), want) && !strings.Contains(strings.Join(strings.Fields(plain.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, &plain)
		}
	}
	if strings.Contains(plain.String(), "\x1b") || strings.Count(colored.String(), "\x1b[31m") != 2 {
		t.Error("colour is where it should not be, or not on the suspicious ones")
	}
	// The bar of the strongest combination is the longest, and one against the diagnosis runs to the left.
	bars := map[string]int{}
	for _, line := range strings.Split(plain.String(), "\n") {
		if before, after, ok := strings.Cut(line, "|"); ok {
			bars[strings.TrimSpace(before[:17])] = strings.Count(after, "#") - strings.Count(before, "#")
		}
	}
	if bars["1"] != barHalf || bars["1+4"] >= 0 || bars["4"] >= bars["1"] {
		t.Errorf("bars %v", bars)
	}
}

// Of many combinations the strongest are printed, and how many are left out.
func TestCaseTextIsShort(t *testing.T) {
	c := oneCase(1)
	c.Record.Base.Interactions = nil
	for i := range 50 {
		c.Record.Base.Interactions = append(c.Record.Base.Interactions, evidence.Interaction{Set: 1 << (i % 6), Value: 60 - float64(i), Label: "x"})
	}
	var b bytes.Buffer
	if err := WriteCaseText(&b, c, false); err != nil || !strings.Contains(b.String(), "… 20 more salient combinations") || strings.Contains(b.String(), "+30.00") || !strings.Contains(b.String(), "+31.00") {
		t.Errorf("%v\n%s", err, &b)
	}
}
