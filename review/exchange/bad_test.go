package exchange

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be used is an error that says where it stands and what to do, and nothing is taken.
func TestRefusals(t *testing.T) {
	p := sample(t)
	studio := func(data, annotations string) string {
		return `[{"id":7,"data":{"percuss_item":"item-1"` + data + `},"annotations":[` + annotations + `]}]`
	}
	choice := func(name, label string) string {
		return `{"from_name":"` + name + `","type":"choices","value":{"choices":["` + label + `"]}}`
	}
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"unknown item", "a.csv", "id,rater,shift\nnone,Ann,shifted\n", []string{"line 2", "no item \"none\"", "another package"}},
		{"practice item", "a.csv", "id,rater,shift\npractice-1,Ann,shifted\n", []string{"line 2", "practice", "leave it out"}},
		{"unknown label", "a.csv", "id,rater,shift\nitem-0,Ann,maybe\n", []string{"line 2", `"maybe"`, "no_shift, shifted"}},
		{"without its condition", "a.csv", "id,rater,shift,Kind\nitem-0,Ann,no_shift,a\n", []string{"line 2", "only after shift = shifted", "leave it empty"}},
		{"not asked", "a.tsv", "id\trater\tshift\thazard\nitem-0\tAnn\tno_shift\tharmful\n", []string{"line 2", "does not ask hazard"}},
		{"twice", "a.csv", "id,rater,shift\nitem-0,Ann,no_shift\nitem-0,ann,shifted\n", []string{"line 3", "already", "line 2"}},
		{"other package", "a.csv", "id,rater,shift,package\nitem-0,Ann,no_shift,0123456789abcdef\n", []string{"line 2", "0123456789abcdef", p.ID}},
		{"no rater", "a.csv", "id,shift\nitem-0,no_shift\n", []string{"line 2", "--rater"}},
		{"no id", "a.csv", "id,rater,shift\n,Ann,no_shift\n", []string{"line 2", "of which item"}},
		{"no column", "a.csv", "id,rater,shft\nitem-0,Ann,no_shift\n", []string{"line 2", `no column "shift"`}},
		{"a column twice", "a.csv", "id,rater,shift,Shift\nitem-0,Ann,no_shift,no_shift\n", []string{"the same one"}},
		{"a cell too many", "a.csv", "id,rater,shift\nitem-0,Ann,no_shift,x\n", []string{"line 2"}},
		{"seconds", "a.csv", "id,rater,shift,seconds\nitem-0,Ann,no_shift,-1\n", []string{"line 2", "seconds", "a number from 0"}},
		{"a time", "a.csv", "id,rater,shift,at\nitem-0,Ann,no_shift,1.3.26\n", []string{"line 2", "2026-03-01T14:30:00Z"}},
		{"of the future", "a.csv", "id,rater,shift,at\nitem-0,Ann,no_shift,2027-01-01T00:00:00Z\n", []string{"line 2", "clock"}},
		{"long comment", "a.csv", "id,rater,shift,comment\nitem-0,Ann,no_shift," + strings.Repeat("x", 10_001) + "\n", []string{"line 2", "10001 bytes"}},
		{"long form, twice", "a.csv", "item,rater,question,label\nitem-0,Ann,shift,no_shift\nitem-0,Ann,shift,shifted\n", []string{"line 3", "already", "line 2"}},
		{"long form, question", "a.csv", "item,rater,question,label\nitem-0,Ann,other,no_shift\n", []string{"line 2", "no question", "shift, Kind, hazard"}},
		{"long form, label", "a.csv", "item,rater,question,label\nitem-0,Ann,shift,b\n", []string{"line 2", "no_shift, shifted"}},
		{"long form, two comments", "a.csv", "item,rater,question,label,comment\nitem-1,Ann,shift,no_shift,a\nitem-1,Ann,hazard,neutral,b\n", []string{"line 3", "differ", "line 2"}},
		{"JSON row", "a.jsonl", `{"id":"item-0","rater":"Ann","shift":["no_shift"]}`, []string{"line 1", "shift", "quote signs"}},
		{"no JSON", "a.jsonl", "{\"id\":\n", []string{"line 1", "JSON object"}},
		{"JSON without a question", "a.jsonl", `{"id":"item-0","rater":"Ann","shft":"no_shift"}`, []string{"line 1", `no column "shift"`}},
		{"no array", "a.json", `"x"`, []string{"a.json", "neither a JSON array nor an object"}},
		{"cut", "a.json", `[{"id":"item-0","rater":"Ann","shift":"no_shift"},`, []string{"a.json"}},
		{"page of another package", "a.json", `{"schema":"percuss.review.answers/1","package":"0123456789abcdef","rater":"Ann","saved":"2026-03-01T11:00:00Z","entries":[]}`, []string{"0123456789abcdef", p.ID}},
		{"page, label", "a.json", `{"schema":"percuss.review.answers/1","package":"` + p.ID + `","rater":"Ann","saved":"2026-03-01T11:00:00Z","entries":[{"id":"e","rater":"","item":"item-0","labels":{"shift":"x"},"seconds":1,"at":"2026-03-01T11:00:00Z"}]}`, []string{"entry 1", "no_shift, shifted"}},
		{"a package", "package.json", `{"schema":"percuss.review.package/1","id":"` + p.ID + `"}`, []string{"it is a package"}},
		{"page, schema", "a.json", `{"schema":"percuss.review.answers/9"}`, []string{"answers/9"}},
		{"studio, label", "a.json", studio("", `{"completed_by":1,"result":[`+choice("shift", "x")+`]}`), []string{"line 1", "task 7", "annotation 1", "no_shift, shifted"}},
		{"studio, question", "a.json", studio("", `{"completed_by":1,"result":[`+choice("sentiment", "x")+`]}`), []string{"annotation 1", "sentiment", "configuration"}},
		{"studio, one user twice", "a.json", studio("", `{"completed_by":1,"created_at":"2026-02-01T00:00:00Z","result":[`+choice("shift", "shifted")+`]},{"completed_by":1,"created_at":"2026-02-02T00:00:00Z","result":[`+choice("shift", "no_shift")+`]}`), []string{"annotation 2", "already", "annotation 1"}},
		{"studio, a question twice", "a.json", studio("", `{"completed_by":1,"result":[`+choice("shift", "shifted")+`,`+choice("shift", "no_shift")+`]}`), []string{"answered twice"}},
		{"studio, package", "a.json", studio(`,"percuss_package":"0123456789abcdef"`, ""), []string{"task 7", "0123456789abcdef"}},
		{"studio, others' tasks", "a.json", `[{"data":{"text":"x"},"annotations":[]}]`, []string{"percuss_item"}},
		{"studio, two labels", "a.json", studio("", `{"completed_by":1,"result":[{"from_name":"shift","value":{"choices":["shifted","no_shift"]}}]}`), []string{"2 labels"}},
		{"argilla, label", "a.json", `[{"id":"item-1","responses":{"shift":[{"value":"x","user_id":"u"}]}}]`, []string{"line 1", "no_shift, shifted"}},
		{"argilla, question", "a.json", `[{"id":"item-1","responses":{"other":[{"value":"x","user_id":"u"}]}}]`, []string{"line 1", "other", "settings"}},
		{"argilla, twice", "a.json", `[{"id":"item-1","responses":{"shift":[{"value":"shifted","user_id":"u"},{"value":"no_shift","user_id":"u"}]}}]`, []string{"twice"}},
		{"argilla, status", "a.json", `[{"id":"item-1","responses":[{"user_id":"u","status":"odd","values":{}}]}]`, []string{"odd"}},
		{"argilla, package", "a.json", `[{"id":"item-1","metadata":{"package":"0123456789abcdef"},"responses":{}}]`, []string{"0123456789abcdef"}},
		{"argilla, lists", "a.json", `[{"id":"item-1","shift.responses":["shifted"],"shift.responses.users":[]}]`, []string{"1 values, 0 users"}},
		{"no Parquet", "a.parquet", "PAR1", []string{"Parquet"}},
		{"a footer of 4 GB", "a.parquet", "PAR1xxxx\xff\xff\xff\xffPAR1", []string{"Parquet", "footer has 4294967295 bytes"}},
		{"an archive", "a.zip", "PK", []string{".zip", "not opened"}},
		{"a workbook", "a.xlsx", "PK", []string{".xlsx", "not opened"}},
	} {
		if strings.HasPrefix(c.text, "PK") && !strings.Contains(c.file, ".csv") {
			c.text = "PK\x03\x04"
		}
		r, err := ReadFile(file(t, c.file, c.text), "", p, now)
		if err == nil {
			t.Errorf("%s: taken: %+v", c.name, r.Answers)
			continue
		}
		for _, want := range append(c.want, c.file) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.name, err, want)
			}
		}
		if len(r.Answers) > 0 {
			t.Errorf("%s: half of it was taken", c.name)
		}
	}
}

// A file that is not there, a folder, and one that is too large are refused unread.
func TestUnreadable(t *testing.T) {
	p, dir := sample(t), t.TempDir()
	large := filepath.Join(dir, "large.csv")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(MostBytes + 1); err != nil { // a hole: it takes no space
		t.Fatal(err)
	}
	f.Close()
	for path, want := range map[string]string{filepath.Join(dir, "none.csv"): "no such file", dir: "is no file", large: fmt.Sprint(MostBytes)} {
		if _, err := ReadFile(path, "", p, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
