package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
)

// ownReview makes a review of two items of the user's own, and returns its folder.
func ownReview(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	items := placed(t, dir, "items.jsonl", `{"id":"first","parts":[{"show":"text","text":"=A step."}]}`+"\n"+`{"id":"second","parts":[{"show":"text","text":"Another."}]}`+"\n")
	form := placed(t, dir, "form.yaml", "title: Mine\nquestions: [{id: q, text: Good?, labels: [{id: y, name: Yes}, {id: n, name: No}]}]\n")
	must(t, "review", "create", dir, "--task", "own", "--items", items, "--form", form, "--name", "mine")
	return filepath.Join(dir, review.Folder, "mine")
}

// placed writes a file into a folder.
func placed(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// itemsOf are the ids of a package's items.
func itemsOf(t *testing.T, folder string) (blind.Package, []string) {
	t.Helper()
	p, err := review.OpenPackage(folder)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, item := range p.Items {
		ids = append(ids, item.ID)
	}
	return p, ids
}

// A sheet is written, filled in, and taken in once; all formats of the answers bring the same answers into a copy of the package.
func TestReviewSheet(t *testing.T) {
	folder := ownReview(t)
	_, ids := itemsOf(t, folder)
	sheet := filepath.Join(t.TempDir(), "sheet.csv")
	must(t, "review", "export", folder, "--blank", "-o", sheet)
	if status, _, errs := command(t, "review", "export", folder, "--blank", "-o", sheet); status != exitUsage || !strings.Contains(errs, "may have been filled in") {
		t.Errorf("over a sheet: status %d, %s", status, errs)
	}
	raw, err := os.ReadFile(sheet)
	if err != nil {
		t.Fatal(err)
	}
	filled := placed(t, t.TempDir(), "sheet.csv", strings.NewReplacer(ids[0]+",,", ids[0]+",,Yes", ids[1]+",,", ids[1]+",,n").Replace(string(raw)))
	if status, _, errs := command(t, "review", "import", folder, filled); status != exitUsage || !strings.Contains(errs, "line 5") || !strings.Contains(errs, "--rater NAME") {
		t.Errorf("without a rater: status %d, %s", status, errs)
	}
	for _, want := range []string{"2 answers added, of 1 new rater", "0 answers added, 2 known already"} {
		if out := done(t, "review", "import", folder, filled, "--rater", "Ann"); !strings.Contains(out, want) {
			t.Errorf("%s, want %q", out, want)
		}
	}
	said := done(t, "review", "export", folder, "--format", "jsonl")
	for _, format := range []struct{ name, file string }{{"csv", "a.csv"}, {"jsonl", "a.jsonl"}, {"parquet", "a.parquet"}, {"label-studio", "a.json"}, {"argilla", "a.json"}, {"", ""}} {
		dir := t.TempDir()
		pack, err := os.ReadFile(filepath.Join(folder, review.PackageFile))
		if err != nil {
			t.Fatal(err)
		}
		placed(t, dir, review.PackageFile, string(pack))
		from := filepath.Join(folder, review.BookFile)
		if format.name != "" {
			from = filepath.Join(dir, format.file)
			must(t, "review", "export", folder, "--format", format.name, "-o", from)
		}
		must(t, "review", "import", dir, from)
		again := done(t, "review", "export", dir, "--format", "jsonl")
		if a, b := withoutTimes(said), withoutTimes(again); a != b || !strings.Contains(b, `"label":"y"`) {
			t.Errorf("%s: %s became %s", format.name, a, b)
		}
	}
}

// withoutTimes are lines of answers without the ids, seconds and times that not every format has.
func withoutTimes(lines string) string {
	var out []string
	for line := range strings.Lines(lines) {
		_, line, _ = strings.Cut(line, `"rater":`)
		line, _, _ = strings.Cut(line, `,"seconds":`)
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// Of several files nothing is taken when one is wrong, and no book comes to be; a closed review takes none.
func TestReviewImportRefuses(t *testing.T) {
	folder := ownReview(t)
	_, ids := itemsOf(t, folder)
	dir := t.TempDir()
	good := placed(t, dir, "good.csv", "id,rater,q\n"+ids[0]+",Ann,y\n")
	bad := placed(t, dir, "bad.csv", "id,rater,q\n"+ids[1]+",Ann,y\n"+ids[0]+",Ann,x\n")
	for path, want := range map[string]string{bad: "bad.csv: line 3", filepath.Join(dir, "none.csv"): "no such file", filepath.Join(dir, "none.db"): "no such file"} {
		if status, _, errs := command(t, "review", "import", folder, good, path); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("status %d, %s, want %q", status, errs, want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, review.BookFile)); err == nil {
		t.Error("a refused import made a book")
	}
	must(t, "review", "import", folder, good)
	shut(t, folder)
	other := placed(t, dir, "other.csv", "id,rater,q\n"+ids[0]+",Bob,y\n")
	if status, _, errs := command(t, "review", "import", folder, other); status != exitUsage || !strings.Contains(errs, "closed") {
		t.Errorf("closed: status %d, %s", status, errs)
	}
	if out := done(t, "review", "export", folder); strings.Contains(out, "Bob") || !strings.Contains(out, "Ann") {
		t.Error(out)
	}
}

// Raters whom other programs call by numbers are told apart by --rater; what it says that cannot be so is a mistake of use.
func TestReviewImportNames(t *testing.T) {
	folder := ownReview(t)
	_, ids := itemsOf(t, folder)
	numbers := placed(t, t.TempDir(), "numbers.csv", "id,annotator,q,remark\n"+ids[0]+",1,y,x\n"+ids[0]+",2,n,x\n")
	for _, c := range []struct{ rater, want string }{
		{"1=", "OLD=NAME"}, {"=Ann", "OLD=NAME"}, {"3=Ann", `no file has a rater "3"`}, {"Ann", "2 raters"}} {
		if status, _, errs := command(t, "review", "import", folder, numbers, "--rater", c.rater); status != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.rater, status, errs)
		}
	}
	for _, two := range [][2]string{{"1=Ann", "Bob"}, {"1=Ann", "1=Bob"}, {"Ann", "Bob"}} {
		if status, _, errs := command(t, "review", "import", folder, numbers, "--rater", two[0], "--rater", two[1]); status != exitUsage || !strings.Contains(errs, "--rater") {
			t.Errorf("%v: status %d, %s", two, status, errs)
		}
	}
	out := done(t, "review", "import", folder, numbers, "--rater", "1=Ann")
	for _, want := range []string{"2 answers added, of 2 new raters", "accounts (2): --rater 2=NAME", `the columns "remark"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s, want %q", out, want)
		}
	}
	if out := done(t, "review", "export", folder); !strings.Contains(out, ",Ann,"+ids[0]) || strings.Contains(out, ",1,"+ids[0]) {
		t.Error(out)
	}
}

// What an export cannot write is a mistake of use with the remedy.
func TestReviewExportRefuses(t *testing.T) {
	folder := ownReview(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--format", "xlsx", "--blank"}, "csv, jsonl, parquet, label-studio, argilla"},
		{[]string{"--format", "parquet", "--blank"}, "nobody fills in"},
		{[]string{"--format", "argilla", "--blank"}, "-o FILE.json"},
		{[]string{"--format", "argilla", "--history", "-o", "x.json"}, "csv, jsonl or parquet"},
		{[]string{"--history", "--blank"}, "leave out one"},
		{nil, "nobody has answered yet"},
		{[]string{"--blank", "-o", filepath.Join(t.TempDir(), "none", "x.csv")}, "make it first"},
	} {
		if status, _, errs := command(t, append([]string{"review", "export", folder}, c.args...)...); status != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %s, want %q", c.args, status, errs, c.want)
		}
	}
}
