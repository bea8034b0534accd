package cases

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
)

// claimed is a report with a claim of each verdict.
func claimed() Report {
	r := small()
	for _, c := range []struct {
		says    string
		verdict percuss.Holds
		shown   string
	}{{"The model beats always A.", percuss.ClaimHolds, "0.6"}, {"Most stand out of noise.", percuss.ClaimFails, "r = -0.25"}, {"Signs are no coin's.", percuss.CannotTell, "0.5"}} {
		r.Claims = append(r.Claims, percuss.Claim{ID: "c-" + string(c.verdict[:1]), Subject: "m1 on ddxplus", Says: c.says, Verdict: c.verdict, Shown: c.shown,
			Measure: percuss.Absent("not needed"), Against: "the <contrary>"})
	}
	return r
}

// The claims of a report stand in every rendering, those that fail first.
func TestClaimsInEveryRendering(t *testing.T) {
	r := claimed()
	page, _ := written(t, r, nil, 0)
	all := pagetest.Parse(t, page)
	for _, want := range []string{"Of 3 claims, 1 holds, 1 fails, and 1 cannot be told", `<a href="#claims">See each</a>`, `<a href="#claims">Claims</a>`, `<h2 id="claims">`,
		"r = −0.25", "the &lt;contrary&gt;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	said := strings.Join(pagetest.Texts(all, "summary"), "\n")
	if fails, open, holds := strings.Index(said, "Most stand"), strings.Index(said, "Signs are"), strings.Index(said, "beats always"); fails < 0 || open < fails || holds < open {
		t.Errorf("claims stand at %d, %d, %d of\n%s", fails, open, holds, said)
	}
	if bare, _ := written(t, small(), nil, 0); strings.Contains(bare, "#claims") {
		t.Error("a page without claims leads to them")
	}
	short, full := summary(t, r, false), summary(t, r, true)
	if !strings.Contains(short, "fails: Most stand out of noise.") || strings.Contains(short, "beats always A.") || strings.Count(full, "beats always A.") != 1 {
		t.Errorf("the short summary tells what fails, the full one each claim once:\n%s", short)
	}
	var b bytes.Buffer
	if err := report.WriteCard(&b, CardOf(r, nil, "")); err != nil || !strings.Contains(b.String(), "Most stand out of noise. (m1 on ddxplus: r = −0.25)") {
		t.Errorf("the card, error %v, does not tell what fails", err)
	}
	b.Reset()
	var back struct{ Claims []percuss.Claim }
	if err := WriteJSON(&b, r); err != nil || json.Unmarshal(b.Bytes(), &back) != nil || len(back.Claims) != 3 || back.Claims[1].Verdict != percuss.ClaimFails {
		t.Errorf("report.json, error %v, holds %v", err, back.Claims)
	}
}

func TestClaimsAsCSV(t *testing.T) {
	dir := t.TempDir()
	if err := WriteCSV(dir, claimed()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "claims.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][0] != "fails" || rows[3][0] != "holds" {
		t.Errorf("error %v, rows %q", err, rows)
	}
}
