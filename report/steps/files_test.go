package steps

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
)

// Every table has a name and a title of its own, a title for every column and as many cells as columns.
func TestTablesFitTheirColumns(t *testing.T) {
	ids := map[string]bool{}
	for _, table := range Tables(world{items: 3}.make(t).r) {
		if table.ID == "" || table.Title == "" || ids[table.ID] {
			t.Errorf("table %q, title %q", table.ID, table.Title)
		}
		ids[table.ID] = true
		heads := map[string]bool{}
		for _, head := range report.TableCSV(table)[0] {
			if head == "" || heads[head] {
				t.Errorf("table %s: column %q of its file", table.ID, head)
			}
			heads[head] = true
		}
		for _, row := range table.Rows {
			if len(row.Cells) != len(table.Columns) {
				t.Fatalf("table %s: %d cells in %d columns", table.ID, len(row.Cells), len(table.Columns))
			}
		}
		if len(table.Rows) == 0 && table.Absent == "" {
			t.Errorf("table %s does not say why it is empty", table.ID)
		}
	}
}

// Each table has its file, and a missing number is an empty cell.
func TestCSV(t *testing.T) {
	m, dir := world{items: 3}.make(t), t.TempDir()
	if err := WriteCSV(dir, m.r); err != nil {
		t.Fatal(err)
	}
	for _, table := range append(Tables(m.r), report.CallsTable(m.r.Calls)) {
		raw, err := os.ReadFile(filepath.Join(dir, table.ID+".csv"))
		if err != nil || strings.Contains(string(raw), "NaN") {
			t.Errorf("%s: %v", table.ID, err)
		}
		if table.ID == "summary_steps" {
			lines := strings.Split(string(raw), "\n")
			if lines[0] != "model,role,set,prompt,judge,steps,errors,errors_lo,errors_hi,errors_num,errors_den,errors_n,errors_why,corrected,corrected_lo,corrected_hi,corrected_num,corrected_den,corrected_n,corrected_why,chains,chains_lo,chains_hi,chains_num,chains_den,chains_n,chains_why" {
				t.Errorf("columns %s", lines[0])
			}
			if cells := strings.Split(lines[1], ","); cells[0] != "old" || cells[1] != "before" || cells[4] != "one" || cells[6] == "" || cells[13] != "" {
				t.Errorf("the first row is %q", lines[1])
			}
		}
	}
}

// The calls of the judges and of the neutral model stand apart from those of the audited models.
func TestCallsAreCountedByWhoIsAsked(t *testing.T) {
	m := world{items: 3}.make(t)
	var names []string
	for _, c := range m.r.Calls {
		names = append(names, c.Model)
		if own := c.Model == "old" || c.Model == "new"; own && (c.Requests != 12 || c.Chains != 12) || !own && c.Chains != 0 {
			t.Errorf("%+v", c)
		}
	}
	if d := cmp.Diff([]string{"neutral", "new", "old", "one", "two"}, slices.Sorted(slices.Values(names))); d != "" {
		t.Error(d)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	m := world{items: 2}.make(t)
	var b, again bytes.Buffer
	if err := WriteJSON(&b, m.r); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&again, back); err != nil || !bytes.Equal(b.Bytes(), compacted(t, again.Bytes(), b.Bytes())) {
		t.Error("the report does not come back as it was", err)
	}
	if back.Schema != Schema || len(back.Definitions) != len(Glossary()) {
		t.Errorf("schema %q, %d definitions", back.Schema, len(back.Definitions))
	}
}

// compacted is a where it says the same as b, whatever the layout of raw parts.
func compacted(t *testing.T, a, b []byte) []byte {
	t.Helper()
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil || !bytes.Equal(x.Bytes(), y.Bytes()) {
		t.Log(cmp.Diff(x.String(), y.String()))
		return a
	}
	return b
}

// Each figure has its file as SVG, PDF and PNG and beside it the numbers drawn, which are the findings'.
func TestFilesOfTheFigures(t *testing.T) {
	m, dir := world{items: 6}.make(t), t.TempDir()
	all, err := Figures(m.r.Findings)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, format := range []string{"svg", "pdf", "png"} {
		if err := report.WriteFigures(dir, format, all); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range all {
		ids = append(ids, d.ID)
		for suffix, begin := range map[string]string{".svg": "<?xml", ".pdf": "%PDF", ".png": "\x89PNG", ".csv": ""} {
			raw, err := os.ReadFile(filepath.Join(dir, report.FigureFolder, d.ID+suffix))
			if err != nil || len(raw) == 0 || !strings.HasPrefix(string(raw), begin) || strings.Contains(string(raw), "NaN") {
				t.Errorf("%s%s: %d bytes, %v", d.ID, suffix, len(raw), err)
			}
		}
	}
	if want := []string{"changes", "errors", "vote_curve", "reliability", "kinds"}; !slices.Equal(ids, want) {
		t.Fatalf("figures %v, want %v", ids, want)
	}
	f := m.r.Findings
	if row := all[0].Data.Rows[0]; row.Cells[2].Text != "judge one" || row.Cells[3].Estimate.Value != f.Pairs[0].Accuracy.Value || row.Cells[4].Estimate.Hi != f.Pairs[0].Errors.Hi {
		t.Errorf("the comparison is drawn as %+v", row)
	}
	if rows := all[1].Data.Rows; len(rows) != 6 || rows[0].Cells[2].Estimate.Value != first(f, f.Cells[0])[0].Errors.Value || rows[5].Cells[0].Text != "Judge two, corrected" {
		t.Errorf("error rates are drawn as %+v", rows)
	}
	if inner := string(all[1].Inner()); strings.Count(inner, `class="join"`) != 3 {
		t.Error("before and after are not joined")
	}
	if row := all[3].Data.Rows[0]; row.Cells[3].Estimate.Value != percuss.Num(f.Cells[0].Reliability[0].Confidence) || row.Cells[4].Estimate.Lo != f.Cells[0].Reliability[0].Accuracy.Lo {
		t.Errorf("the first bin is drawn as %+v", row)
	}
	if none, err := Figures(Report{}.Findings); err != nil || len(none) != 0 {
		t.Errorf("%d figures of nothing, %v", len(none), err)
	}
}

// The tables compile under pdflatex, whatever a model or a file called itself.
func TestTexCompiles(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex: on Debian texlive-latex-base and texlive-latex-recommended bring it")
	}
	dir := t.TempDir()
	if err := report.WriteTex(dir, "Percuss, steps audit", Tables(world{items: 1, bad: hostile}.make(t).r)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "all.tex")
	c.Dir = filepath.Join(dir, report.TexFolder)
	c.Env = append(os.Environ(), "TEXMFVAR="+t.TempDir())
	if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "Missing character") {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-1500):])
	}
}

// What heads a column leads to a definition that there is, and every word that decides how a figure is read has one.
func TestDefinitions(t *testing.T) {
	known := map[string]bool{}
	for _, d := range Glossary() {
		if known[d.ID] || d.Name == "" || d.Means == "" || d.Source == "" || !slices.Contains([]string{"higher", "lower", "neither"}, d.Better) || !strings.HasSuffix(d.Means, ".") {
			t.Errorf("definition %+v", d)
		}
		known[d.ID] = true
	}
	for from, to := range columnTerms {
		if !known[to] {
			t.Errorf("%s leads to %s, which is not defined", from, to)
		}
	}
	for head, want := range map[string]string{"First error": "first", "First third": "errors", "Judge": "judge", "Right answer": "errors", "Wrong": "check", "Second": "errors"} {
		if got := columnTerms.Of(percuss.Column{ID: "first", Head: head}).ID; got != want {
			t.Errorf("%s leads to %q", head, got)
		}
	}
	for _, id := range []string{"first", "right", "wrong", "second", "error"} { // they are several things
		if got := columnTerms.Of(percuss.Column{ID: id, Head: "Another head"}).ID; got != "" {
			t.Errorf("%s leads to %q", id, got)
		}
	}
	for _, id := range []string{"majority", "confidence", "ece", "mce", "brier", "reliability", "resolution", "uncertainty", "within", "errors", "corrected", "abstain", "hedged", "verdict", "markers", "sentence", "paragraph", "raw", "gold", "paraphrase"} {
		if !known[id] {
			t.Errorf("%s is not defined", id)
		}
	}
}

func TestCard(t *testing.T) {
	m := world{items: 12}.make(t)
	var b bytes.Buffer
	if err := report.WriteCard(&b, CardOf(m.r, nil, strings.Repeat("ab", 32))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Model card: steps audit", "old → new", "Answers up, trace down", "abab", "How good judge one is at finding errors.", "a small sample", "a claim", "a true step is not a reason that the model acted on"} {
		if !strings.Contains(strings.ReplaceAll(b.String(), "\u00a0", " "), want) {
			t.Errorf("the card lacks %q", want)
		}
	}
	plain := world{items: 2, plain: true}.make(t)
	plain.r.Findings.Pairs = nil
	c := CardOf(plain.r, nil, "00")
	if c.About != "old (before), the first of 2 cells" || !slices.ContainsFunc(c.Untested, func(s string) bool { return strings.HasPrefix(s, "Whether steps are true") }) {
		t.Errorf("about %q, untested %q", c.About, c.Untested)
	}
}
