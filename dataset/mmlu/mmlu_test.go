package mmlu

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

func load(t *testing.T, content string) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New([]string{datasettest.Write(t, "anatomy_test.csv", content)}, nil)
	return datasettest.Questions(t, l, err)
}

// The three layouts give the same questions.
func TestLayouts(t *testing.T) {
	for name, content := range map[string]string{
		"authors":         "\"Which, \"\"of\"\" them?\",w,x,y,z,C\nWhat?,w,x,y,z,A\n",
		"choice0":         "question,choice0,choice1,choice2,choice3,answer\n\"Which, \"\"of\"\" them?\",w,x,y,z,2\nWhat?,w,x,y,z,0\n",
		"ABCD":            "question,A,B,C,D,answer\n\"Which, \"\"of\"\" them?\",\"w\",\"x\",\"y\",\"z\",2\n\"What?\",\"w\",\"x\",\"y\",\"z\",0\n",
		"mark and CRLF":   "\ufeffquestion,A,B,C,D,answer\r\n\"Which, \"\"of\"\" them?\",w,x,y,z,2\r\nWhat?,w,x,y,z,0\r\n",
		"counting from 1": "question,A,B,C,D,answer\n\"Which, \"\"of\"\" them?\",w,x,y,z,3\nWhat?,w,x,y,z,1\nHow?,w,x,y,z,4\n",
	} {
		questions, bad := load(t, content)
		if len(questions) < 2 || len(bad) != 0 {
			t.Errorf("%s: %v, %v", name, questions, bad)
			continue
		}
		want := []percuss.Option{{Label: "A", Text: "w"}, {Label: "B", Text: "x"}, {Label: "C", Text: "y"}, {Label: "D", Text: "z"}}
		if q := questions[0]; q.Stem != `Which, "of" them?` || q.Gold != "C" || questions[1].Gold != "A" || q.Source.Split != "test" {
			t.Errorf("%s: %+v", name, questions)
		} else if d := cmp.Diff(want, q.Options); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestBadRows(t *testing.T) {
	questions, bad := load(t, strings.Join([]string{
		"\"Which\nof them?\",w,x,y,z,A",
		"q,w,x,y,z,E",
		"q,w,x,y,z,",
		"q,w,x,y,A",
		" ,w,x,y,z,A",
		"q,w,w,y,z,A",
		"\"Which\nof them?\",w,x,y,z,A",
		"last,w,x,y,z,D",
	}, "\n"))
	want := map[int]string{3: `answer "E" is none`, 4: `answer "" is none`, 5: "5 fields", 6: "the question is empty",
		7: "options A and B are the same", 8: "duplicate of line 1"}
	got := map[int]string{}
	for _, b := range bad {
		if got[b.Line] = b.Why; !strings.Contains(b.Why, want[b.Line]) || want[b.Line] == "" {
			t.Error(b)
		}
	}
	if len(got) != len(want) || len(questions) != 2 || questions[1].Source.Line != 10 || questions[1].Gold != "D" {
		t.Errorf("%v, %+v", got, questions)
	}
	if _, bad := load(t, "a,b\nc,d\n"); len(bad) != 2 || !strings.Contains(bad[0].Why, "2 fields; a row is a question") {
		t.Error(bad)
	}
}

// Keys that fit no base are refused with the file's name.
func TestBothBases(t *testing.T) {
	l, err := New([]string{datasettest.Write(t, "x.csv", "question,A,B,C,D,answer\nq,w,x,y,z,0\nr,w,x,y,z,4\n")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q, _, err := dataset.Collect(l); err == nil || !strings.Contains(err.Error(), "x.csv: answer is 0 in line 2 and 4 in line 3") || len(q) > 0 {
		t.Error(q, err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []dataset.Options{{"split": "train"}, {"subject": "law"}, {"subject": "anatomy,anatomy"}, {"base": "1"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("Known(%v): no error", o)
		}
		if _, err := New([]string{"x"}, o); err == nil {
			t.Errorf("New(%v): no error", o)
		}
	}
	known, err := Known(dataset.Options{"split": "val", "subject": "medical_genetics,anatomy"})
	if err != nil || len(known) != 2 || known[0].Files[0] != filepath.Join("val", "medical_genetics_val.csv") || known[1].Files[1] != "anatomy_val.csv" {
		t.Error(known, err)
	}
	if _, err := New(nil, nil); err == nil {
		t.Error("no file, no error")
	}
	if l, err := New([]string{"x", "x"}, nil); err != nil || len(l.paths) != 1 {
		t.Error(l, err)
	}
	// A file that is missing ends the sequence after those before it.
	path := datasettest.Write(t, "anatomy_test.csv", "q,w,x,y,z,A\n")
	l, err := New([]string{path, filepath.Join(t.TempDir(), "none.csv")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q, _, err := dataset.Collect(l); len(q) != 1 || err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Error(q, err)
	}
}

// all reads the six subjects of a split, or the files of a variant.
func all(t *testing.T, o dataset.Options, folder ...string) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	known, err := Known(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := datasettest.File(t, append([]string{"mmlu"}, folder...)...)
	var paths []string
	for _, k := range known {
		p, err := dataset.Find(k, dir, os.Getenv, "")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	l, err := New(paths, o)
	return datasettest.Questions(t, l, err)
}

// The rows are those that Python's csv module counts. 78 questions of the test split stand in clinical_knowledge and
// in college_medicine, letter for letter.
func TestPublishedFiles(t *testing.T) {
	for split, want := range map[string]int{"test": 135 + 265 + 144 + 173 + 100 + 282, "val": 14 + 29 + 16 + 22 + 11 + 31, "dev": 30} {
		questions, bad := all(t, dataset.Options{"split": split})
		for _, b := range bad {
			if b.Repeats == "" {
				t.Error(b)
			}
		}
		if len(questions)+len(bad) != want || split == "test" && len(bad) != 78 {
			t.Errorf("%s: %d rows, %d duplicates, want %d together", split, len(questions), len(bad), want)
		}
		var dates []int
		for _, q := range questions {
			if slices.Contains(q.Flags, dataset.SpreadsheetDate) {
				dates = append(dates, q.Source.Line)
			}
		}
		if split == "test" && !slices.Equal(dates, []int{49}) { // medical_genetics: "2-Jan" was 1/2
			t.Errorf("flagged lines %v", dates)
		}
	}
}

// The copies agree with the authors' files on what both ask: a base that is wrong by one would show here.
func TestCopiesAgree(t *testing.T) {
	gold := map[string]string{}
	original, _ := all(t, nil)
	for _, q := range original {
		o, _ := q.Option(q.Gold)
		gold[q.Stem+q.Options[0].Text] = o.Text
	}
	for folder, o := range map[string]dataset.Options{
		"mlilab_header_choice0-3_answer0-3": nil,
		"hypertensor_header_ABCD_answer0-3": {"subject": "anatomy,medical_genetics"},
	} {
		questions, bad := all(t, o, "variants", folder)
		same, differ := 0, 0
		for _, q := range questions {
			o, _ := q.Option(q.Gold)
			if want, ok := gold[q.Stem+q.Options[0].Text]; ok && want == o.Text {
				same++
			} else if ok {
				differ++
				t.Logf("%s:%d: %q, in the authors' file %q", q.Source.File, q.Source.Line, o.Text, want)
			}
		}
		t.Logf("%s: %d rows, %d bad; %d agree, %d differ", folder, len(questions), len(bad), same, differ)
		if same < len(questions)*9/10 || differ > len(questions)/50 {
			t.Errorf("%s: of %d rows %d agree and %d differ", folder, len(questions), same, differ)
		}
	}
}
