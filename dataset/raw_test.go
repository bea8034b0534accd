package dataset

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/source"
)

func TestRawQuestion(t *testing.T) {
	q, err := Raw{
		ID: " 7 ", Stem: "A boy coughs. Why?\"\n", Labels: []string{"1", "2"}, Options: []string{" x\n\"", "y"}, Gold: 1,
		Context: []string{" p ", " ", "q"}, Note: " because ", Flags: []string{"own"},
	}.Question("set")
	want := percuss.Question{
		ID: "set:7", Set: "set", Context: []string{"p", "q"}, Stem: "A boy coughs. Why?", Note: "because", Flags: []string{"own"},
		Options: []percuss.Option{{Label: "A", Text: "x"}, {Label: "B", Text: "y"}}, Gold: "B",
	}
	if d := cmp.Diff(want, q); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestRawRefuses(t *testing.T) {
	two := []string{"x", "y"}
	for want, r := range map[string]Raw{
		"the question is empty":                      {Stem: " \u200b", Options: two},
		"fewer than two options":                     {Stem: "q", Options: two[:1]},
		"option B is empty":                          {Stem: "q", Options: []string{"x", "\n\""}},
		"option 9 is empty":                          {Stem: "q", Labels: []string{"8", "9"}, Options: []string{"x", ""}},
		"options A and B are the same":               {Stem: "q", Options: []string{"x", "x \n\""}},
		"the right answer is none of the 2 options":  {Stem: "q", Options: two, Gold: 2},
		"the right answer is none of the 2 options ": {Stem: "q", Options: two, Gold: -1},
	} {
		if q, err := r.Question("s"); err == nil || err.Error() != strings.TrimSpace(want) {
			t.Errorf("got %+v, %v; want %q", q, err, want)
		}
	}
}

// An id is made from the raw parts; another context makes another item.
func TestRawIdentity(t *testing.T) {
	base := Raw{Stem: "q", Options: []string{"x", "y"}}
	seen := map[string]int{}
	for i, r := range []Raw{base, {Stem: "q ", Options: base.Options}, {Stem: "q", Options: []string{"x", "y "}},
		{Stem: "q", Options: []string{"y", "x"}}, {Stem: "q", Options: base.Options, Context: []string{"p"}},
		{Stem: "q", Options: base.Options, Labels: []string{"1", "2"}}} {
		q, err := r.Question("s")
		if err != nil || !Hashed(q.ID) {
			t.Fatal(q.ID, err)
		}
		if j, ok := seen[q.ID]; ok {
			t.Errorf("rows %d and %d have one id", j, i)
		}
		seen[q.ID] = i
	}
	if Hashed("s:7") || Hashed("demo-03") {
		t.Error("an id of the set's own is taken for a hash")
	}
}

// A spreadsheet turned fractions into dates.
func TestSpreadsheetDates(t *testing.T) {
	for option, want := range map[string]bool{"2-Jan": true, "16-Jan": true, "Mar-05": true, "2-jan": true,
		"1/2": false, "2-January": false, "born on 2-Jan": false, "2-3": false} {
		q, err := Raw{Stem: "q", Options: []string{"x", option}}.Question("s")
		if err != nil || slices.Contains(q.Flags, SpreadsheetDate) != want {
			t.Errorf("%s: flags %v, %v", option, q.Flags, err)
		}
	}
}

// What is accepted can be asked and judged.
func TestRawProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`["a-c \n]{0,4}`)
		r := Raw{Stem: text.Draw(t, "stem"), Options: rapid.SliceOfN(text, 0, 30).Draw(t, "options"), Gold: rapid.IntRange(-2, 31).Draw(t, "gold")}
		q, err := r.Question("s")
		if err != nil {
			return
		}
		texts := map[string]bool{}
		for _, o := range q.Options {
			if o.Text == "" || strings.Contains(o.Text, "\n") || texts[o.Text] {
				t.Fatalf("option %q", o.Text)
			}
			texts[o.Text] = true
		}
		if o, ok := q.Option(q.Gold); !ok || o.Text != CleanOption(r.Options[r.Gold]) {
			t.Fatalf("gold %q", q.Gold)
		}
	})
}

// medmcqa/medmcqa#9: what a file holds decides what its answers count from; a doubt is never settled by a guess.
func TestBase(t *testing.T) {
	tests := []struct {
		answers []int
		asked   string
		want    int
		err     string
	}{
		{[]int{0, 1, 3}, "", 0, ""},
		{[]int{1, 4, 2}, "", 1, ""},
		{[]int{1, 0, 2, 4}, "", 0, "cop is 0 in line 2 and 4 in line 4"},
		{[]int{1, 0, 2, 4}, "1", 0, "cop is 0 in line 2 and 4 in line 4"},
		{[]int{1, 2, 3}, "", 0, "say ?base=0 or ?base=1"},
		{[]int{1, 2, 3}, "0", 0, ""},
		{[]int{1, 2, 3}, "1", 1, ""},
		{[]int{2, 0}, "1", 0, "base=1, but cop is 0 in line 2"},
		{[]int{2, 4}, "0", 0, "base=0, but cop is 4 in line 2"},
		{[]int{-1, -1, 17}, "", 0, ""},
		{nil, "", 0, ""},
		{nil, "2", 0, "base=2"},
	}
	for _, c := range tests {
		var b Base
		for i, a := range c.answers {
			b.See(a, 4, i+1)
		}
		got, err := b.Decide("cop", c.asked)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v, asked %q: got %d, %v", c.answers, c.asked, got, err)
		}
		if errors.Is(err, ErrNoBase) != strings.HasPrefix(c.err, "say ") {
			t.Errorf("%v: %v", c.answers, err)
		}
	}
}

func TestCompareLabels(t *testing.T) {
	labels := []string{"AA", "10", "B", "9", "A"}
	slices.SortFunc(labels, CompareLabels)
	if got := fmt.Sprint(labels); got != "[9 A B 10 AA]" {
		t.Error(got)
	}
}

// A file that cannot be read ends the sequence, with set and file named.
func TestQuestionsOfNoFile(t *testing.T) {
	ends := map[string]iter.Seq2[percuss.Question, error]{
		"data set set: open /no/such/file": Questions("set", "test", source.Read("/no/such/file", source.Lines), func([]byte) (percuss.Question, error) {
			t.Error("a row")
			return percuss.Question{}, nil
		}),
		"data set set: why": Fail("set", errors.New("why")),
	}
	for want, seq := range ends {
		var got []string
		for q, err := range seq {
			got = append(got, q.ID+fmt.Sprint(err))
		}
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNumericQuestion(t *testing.T) {
	q, err := Raw{Stem: "What is this patient's sum?", Number: "$1,300.50", Domain: "arithmetic"}.Question("s")
	if err != nil || q.Kind != percuss.Numeric || q.Gold != "1300.5" || q.Options != nil || len(q.Flags) != 0 || q.Domain != "arithmetic" {
		t.Errorf("%+v, %v", q, err)
	}
	for _, r := range []Raw{
		{Stem: "Which?", Number: "many"},
		{Stem: "Which?", Number: "3", Options: []string{"3", "4"}},
		{Stem: " ", Number: "3"},
	} {
		if q, err := r.Question("s"); err == nil {
			t.Errorf("%+v became %+v", r, q)
		}
	}
}
