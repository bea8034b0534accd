package medmcqa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
)

var _ dataset.Loader = (*Loader)(nil)

// hosted is a row in the authors' layout with the given key.
func hosted(stem, cop string) string {
	return fmt.Sprintf(`{"question":%q,"opa":"w","opb":"x","opc":"y","opd":"z","cop":%s}`, stem, cop)
}

func load(t *testing.T, o dataset.Options, lines ...string) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, "medmcqa_val.jsonl", strings.Join(lines, "\n")), o)
	return datasettest.Questions(t, l, err)
}

func golds(questions []percuss.Question) (out []string) {
	for _, q := range questions {
		o, _ := q.Option(q.Gold)
		out = append(out, o.Text)
	}
	return out
}

// medmcqa/medmcqa#9: 0 to 3 in the hosted copy, 1 to 4 in the raw files, -1 where there is no key.
func TestCopBase(t *testing.T) {
	tests := []struct {
		name string
		cops []string
		o    dataset.Options
		want []string
		bad  int
	}{
		{"hosted copy", []string{"0", "1", "3"}, nil, []string{"w", "x", "z"}, 0},
		{"raw file", []string{"1", "4", "2"}, nil, []string{"w", "z", "x"}, 0},
		{"no key", []string{"0", "-1", "2"}, nil, []string{"w", "y"}, 1},
		{"hosted test split", []string{"-1", "-1"}, nil, nil, 2},
		{"told", []string{"1", "2"}, dataset.Options{"base": "1"}, []string{"w", "x"}, 0},
		{"told the other", []string{"1", "2"}, dataset.Options{"base": "0"}, []string{"x", "y"}, 0},
		{"as texts and with a point", []string{`"0"`, "1.0", `"3"`}, nil, []string{"w", "x", "z"}, 0},
		{"no number", []string{"0", `"x"`, "1.5", "null", "7"}, nil, []string{"w"}, 4},
	}
	for _, c := range tests {
		var lines []string
		for i, cop := range c.cops {
			lines = append(lines, hosted(fmt.Sprint("Which? ", i), cop))
		}
		questions, bad := load(t, c.o, lines...)
		if got := golds(questions); !slices.Equal(got, c.want) || len(bad) != c.bad {
			t.Errorf("%s: golds %q, want %q; bad %v", c.name, got, c.want, bad)
		}
	}
}

// huggingface/datasets#4064: a file whose keys fit no base, or both, is refused whole.
func TestCopBaseRefused(t *testing.T) {
	for want, cops := range map[string][]string{
		"cop is 0 in line 2 and 4 in line 3": {"1", "0", "4"},
		"say ?base=0 or ?base=1":             {"1", "2", "3"},
	} {
		var lines []string
		for i, cop := range cops {
			lines = append(lines, hosted(fmt.Sprint("Which? ", i), cop))
		}
		l, err := New(datasettest.Write(t, "x.jsonl", strings.Join(lines, "\n")), nil)
		if err != nil {
			t.Fatal(err)
		}
		questions, _, err := dataset.Collect(l)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.jsonl") || len(questions) != 0 {
			t.Errorf("%v: %d questions, %v", cops, len(questions), err)
		}
	}
}

// medmcqa/medmcqa#5: the explanation names the answer; medmcqa/medmcqa#4: a "multi" row has one key.
func TestAuthorsFields(t *testing.T) {
	questions, _ := load(t, nil, `{"id":"e9ad","question":"Which?","opa":"w","opb":"x","opc":"y","opd":"z","cop":4,"choice_type":"multi","exp":"Ans. is z","subject_name":"Anatomy","topic_name":null}`)
	want := percuss.Question{ID: "medmcqa:e9ad", Set: "medmcqa", Stem: "Which?", Gold: "D", Note: "Ans. is z", Flags: []string{MultipleChoiceType},
		Options: []percuss.Option{{Label: "A", Text: "w"}, {Label: "B", Text: "x"}, {Label: "C", Text: "y"}, {Label: "D", Text: "z"}}}
	questions[0].Source = percuss.Source{}
	if d := cmp.Diff([]percuss.Question{want}, questions); d != "" {
		t.Error(d)
	}
}

func TestConvertedLayout(t *testing.T) {
	questions, bad := load(t, nil,
		`{"question":"Which?","realidx":"b64a","options":{"B":"x","A":"w"},"answer_idx":"B","answer":"x"}`,
		`{"question":"What?","realidx":"b64a","options":{"B":"x","A":"w"},"answer_idx":"B","answer":"x"}`,
		`{"question":"How?","realidx":"c","options":{"B":"x","A":"w"},"answer_idx":"E"}`)
	if len(questions) != 1 || questions[0].ID != "medmcqa:b64a" || questions[0].Gold != "B" || len(bad) != 2 || bad[0].Repeats != "medmcqa:b64a" {
		t.Errorf("%+v, %v", questions, bad)
	}
}

func TestBadRows(t *testing.T) {
	rows := []struct{ line, why string }{
		{hosted("Which?", "0"), ""},
		{"", ""},
		{`{"question":`, "not a JSON object"},
		{`{"opa":"w"}`, `no field "question"`},
		{`{"question":"q","opa":"w","opb":"x","opc":"y","cop":0}`, `no field "opa"`},
		{`{"question":"q","opa":"w","opb":"x","opc":"y","opd":"z"}`, `"cop" is missing`},
		{hosted("q", "-1"), "no key: cop is -1"},
		{hosted(" ", "0"), "the question is empty"},
		{strings.Replace(hosted("q", "0"), `"x"`, `"w\n"`, 1), "options A and B are the same"},
		{strings.Replace(hosted("q", "0"), `"x"`, `""`, 1), "option B is empty"},
		{strings.Replace(hosted("q", "0"), "x", "\xff", 1), "not valid UTF-8"},
		{hosted("Which?", "0"), "duplicate of line 1"},
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, r.line)
	}
	questions, bad := load(t, nil, lines...)
	if len(questions) != 1 {
		t.Errorf("%d questions", len(questions))
	}
	for i, r := range rows {
		var got string
		for _, b := range bad {
			if b.Line == i+1 {
				got = b.Error()
			}
		}
		if (got == "") != (r.why == "") || !strings.Contains(got, r.why) {
			t.Errorf("line %d: got %q, want %q", i+1, got, r.why)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []dataset.Options{{"split": "test"}, {"base": "2"}, {"options": "4"}} {
		if _, err := Known(o); err == nil {
			t.Errorf("Known(%v): no error", o)
		}
		if _, err := New("x", o); err == nil {
			t.Errorf("New(%v): no error", o)
		}
	}
	if k, err := Known(nil); err != nil || k.Files[0] != "medmcqa_val.jsonl" {
		t.Error(k, err)
	}
}

// The counts were made with Python's json module over the same files.
func TestPublishedFiles(t *testing.T) {
	files := []struct {
		name string
		rows int
		bad  int
		gold map[string]int
	}{
		{"medmcqa_val.jsonl", 4162, 21, map[string]int{"A": 1341, "B": 1079, "C": 921, "D": 821}},
		{"dev_single_choice_with_ids.jsonl", 2802, 14, nil},
	}
	answers := map[string]string{} // by what is asked
	for _, f := range files {
		l, err := New(datasettest.File(t, "medmcqa", f.name), nil)
		questions, bad := datasettest.Questions(t, l, err)
		if len(questions) != f.rows || len(bad) != f.bad {
			t.Errorf("%s: %d rows, %d bad", f.name, len(questions), len(bad))
		}
		for _, b := range bad {
			if !strings.HasSuffix(b.Why, "are the same") {
				t.Error(b)
			}
		}
		gold := map[string]int{}
		for _, q := range questions {
			gold[q.Gold]++
			asked := fmt.Sprint(q.Stem, q.Options)
			if other, ok := answers[asked]; f.gold == nil && (!ok || other != q.Gold) || f.gold != nil && ok {
				t.Errorf("%s:%d: gold %s, in the other layout %q", f.name, q.Source.Line, q.Gold, other)
			}
			answers[asked] = q.Gold
			if dataset.Hashed(q.ID) != (f.gold != nil) {
				t.Errorf("%s:%d: id %s", f.name, q.Source.Line, q.ID)
			}
		}
		if f.gold != nil {
			if d := cmp.Diff(f.gold, gold); d != "" {
				t.Error(d)
			}
		}
	}
}

func FuzzRow(f *testing.F) {
	f.Add([]byte(hosted("Which?", "0")), 0)
	f.Add([]byte(`{"question":"q","options":{"A":"x","B":"y"},"answer_idx":"B"}`), 1)
	f.Fuzz(func(t *testing.T, line []byte, base int) {
		q, err := question(line, base&1)
		if err != nil {
			return
		}
		if o, ok := q.Option(q.Gold); !ok || o.Text == "" || q.Stem == "" || len(q.Options) < 2 {
			t.Errorf("%+v", q)
		}
	})
}
