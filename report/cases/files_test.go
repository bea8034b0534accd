package cases

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
)

// A panel's LaTeX tables hold a row or a column for each model, and columns that say nothing are left out.
func TestTexOfAPanel(t *testing.T) {
	dir := t.TempDir()
	if err := report.WriteTex(dir, "panel", Tables(threeByTwo())); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"panel_accuracy":   {"Right, by set and model (the paper's Table 2)", "{}zeta", "{}alpha", "{}mid", `55 \%`, "mean of the sets", `the model was not asked on this set`, "{\\scriptsize 34.2 to 65.8 \\%}"},
		"panel_mechanisms": {"(the paper's Tables 14 and 15)", "ddxplus & zeta & 24 \\% & 43 \\% & 31 \\%", "mean of the models", "faithful/plausible"},
		"panel_wordings":   {"(the paper's Table 8)", "clinical{-}summary", "questionnaire", `60 \%`},
		"panel_hiding":     {"(the paper's Table 9)", "neutralize", "3.00"},
		"panel_pairs":      {"zeta & alpha", "15.0", "0.031"},
		"mechanisms":       {"(the paper's Tables 4, 14 and 15)", "negated or absent evidence misuse", "zeta", "cupcase"},
		"rank_agreement":   {"Not available: there is one model"},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, report.TexFolder, name+".tex"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(raw), want) {
				t.Errorf("%s.tex lacks %q:\n%s", name, want, raw[:min(len(raw), 2500)])
			}
		}
		if strings.Contains(string(raw), "{}Prompt") {
			t.Errorf("%s.tex names the one prompt in every row", name)
		}
	}
}

// The tables compile under pdflatex with booktabs, whatever a model, a server or a file called itself.
func TestTexCompiles(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex: on Debian texlive-latex-base and texlive-latex-recommended bring it")
	}
	attacked, _ := hostile()
	for name, r := range map[string]Report{"panel": threeByTwo(), "hostile": attacked, "empty": {Audit: "evidence"}} {
		dir := t.TempDir()
		if err := report.WriteTex(dir, "Percuss, "+r.Audit+" audit", Tables(r)); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "all.tex")
		c.Dir = filepath.Join(dir, report.TexFolder)
		c.Env = append(os.Environ(), "TEXMFVAR="+t.TempDir())
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		for _, bad := range []string{"\n! ", "Missing character", "Float too large"} {
			if i := strings.Index(string(out), bad); i >= 0 {
				t.Errorf("%s: pdflatex: %s", name, out[i:min(i+300, len(out))])
			}
		}
		if !regexp.MustCompile(`Output written on all\.pdf \(\d+ pages?`).Match(out) {
			t.Errorf("%s: nothing was set:\n%s", name, out)
		}
	}
}

// Each figure has its file as SVG and PDF and beside it the numbers drawn.
func TestFilesOfTheFigures(t *testing.T) {
	r := threeByTwo()
	all, err := Figures(r.Findings)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var ids []string
	for _, format := range []string{"svg", "pdf"} {
		if err := report.WriteFigures(dir, format, all); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range all {
		ids = append(ids, d.ID)
		for suffix, begin := range map[string]string{".svg": "<?xml", ".pdf": "%PDF", ".csv": ""} {
			raw, err := os.ReadFile(filepath.Join(dir, report.FigureFolder, d.ID+suffix))
			if err != nil || len(raw) == 0 || !strings.HasPrefix(string(raw), begin) {
				t.Errorf("%s%s: %d bytes, %v", d.ID, suffix, len(raw), err)
			}
		}
	}
	if want := []string{"checks", "mechanisms", "suspicious", "orders", "thresholds", "stability", "cascade", "counterfactuals", "review"}; !slices.Equal(ids, want) {
		t.Errorf("figures %v, want %v", ids, want)
	}
	of := func(id string) percuss.Table { return all[slices.Index(ids, id)].Data }
	first := of("mechanisms").Rows[0]
	if m := r.Findings.Cells[0].Gold.Mechanisms[0]; first.Cells[0].Text != "zeta, ddxplus" || !strings.HasPrefix(first.Cells[1].Text, m.Name) ||
		first.Cells[2].Estimate.Value != m.Share.Value || first.Cells[3].Estimate.Value != m.SameSets.Count {
		t.Errorf("the first mechanism is drawn as %+v", first)
	}
	if o := r.Findings.Cells[0].Strength[0]; of("orders").Rows[0].Cells[2].Estimate.Lo != o.Weight.Lo {
		t.Errorf("the first order is drawn as %+v", of("orders").Rows[0])
	}
	if none, err := Figures(Report{}.Findings); err != nil || len(none) != 0 {
		t.Errorf("%d figures of nothing, %v", len(none), err)
	}
}
