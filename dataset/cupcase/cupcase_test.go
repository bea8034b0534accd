package cupcase

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/source"
)

var _ dataset.CaseLoader = (*Loader)(nil)

const six = "A man came in with pain. The knee was red and hot. He had eaten much meat. His father had it too. The urate was very high. Needles were seen in it."

func load(t *testing.T, content string) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	l, err := New(datasettest.Write(t, "cases.csv", content), nil)
	if err != nil {
		t.Fatal(err)
	}
	return collect(t, l)
}

func collect(t *testing.T, l *Loader) ([]percuss.Case, []*dataset.BadRow) {
	t.Helper()
	return datasettest.Cases(t, l, nil)
}

func TestCase(t *testing.T) {
	cases, bad := load(t, "id,clean text,final diagnosis,distractor1,distractor2,distractor3\r\n"+
		`7,"`+six+"\r\nIt was a clear gout.\",Gout,Gonarthrosis,Septic arthritis,Lyme disease\r\n")
	if len(bad) != 0 || len(cases) != 1 {
		t.Fatalf("%d cases, bad %v", len(cases), bad)
	}
	c := cases[0]
	if c.ID != "cupcase:7" || c.Set != Name || c.Gold != "Gout" || !c.Narrative || c.Source.Line != 2 || c.Source.Split != "test" || len(c.Source.SHA256) != 64 {
		t.Errorf("%+v", c)
	}
	if d := cmp.Diff([]string{"Gout", "Gonarthrosis", "Septic arthritis", "Lyme disease"}, c.Candidates); d != "" {
		t.Error(d)
	}
	if len(c.Units) != 6 || c.Units[0].ID != "S1" || c.Units[0].Text != "A man came in with pain." {
		t.Errorf("units %+v", c.Units)
	}
	if d := cmp.Diff([]percuss.LeftOut{{Text: "It was a clear gout.", Why: "names the gold: Gout"}}, c.LeftOut); d != "" {
		t.Error(d)
	}
	if len(c.Flags) != 0 {
		t.Errorf("flags %q", c.Flags)
	}
}

// The columns of the original file, of its ablation file and of the evaluation task are read alike; without an id, a
// case has a hash of its texts.
func TestColumns(t *testing.T) {
	row := `"` + six + `",Gout,`
	for name, content := range map[string]string{
		"original":   "clean text,final diagnosis,distractor1,distractor2,distractor3,distractor4,distractor5\n" + row + "A sprain,Sepsis,Lyme disease,Rickets,Scurvy\n",
		"ablation":   "case presentation,final diagnosis,distractor2,distractor3,distractor4,20%\n" + row + "A sprain,Sepsis,Lyme disease,A\n",
		"evaluation": "clean_case_presentation,correct_diagnosis,distractor2,distractor3,distractor4\n" + row + "A sprain,Sepsis,Lyme disease\n",
	} {
		cases, bad := load(t, content)
		if len(cases) != 1 {
			t.Errorf("%s: bad %v", name, bad)
			continue
		}
		c := cases[0]
		if d := cmp.Diff([]string{"Gout", "A sprain", "Sepsis", "Lyme disease"}, c.Candidates); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if !dataset.Hashed(c.ID) {
			t.Errorf("%s: id %s", name, c.ID)
		}
	}
}

func TestMergedAndFlagged(t *testing.T) {
	head := "id,clean text,final diagnosis,distractor1,distractor2,distractor3,distractor4\n"
	tests := []struct {
		row        string
		candidates []string
		flags      []string
	}{
		{"Wilson disease,Wilson's disease,Lyme disease,Sepsis,", []string{"Wilson disease", "Lyme disease", "Sepsis"}, []string{dataset.MergedCandidate}},
		{"Gout,Lyme disease,lyme diseases,Sepsis,Rickets", []string{"Gout", "Lyme disease", "Sepsis", "Rickets"}, []string{dataset.MergedCandidate}},
		{`Rosacea,"Rosacea, unspecified",Sepsis,Rickets,`, []string{"Rosacea", "Rosacea, unspecified", "Sepsis", "Rickets"}, []string{dataset.NearCandidate}},
		{"The patient presented with fever and,Sepsis,Rickets,,", []string{"The patient presented with fever and", "Sepsis", "Rickets"}, []string{dataset.ParagraphGold, dataset.UnknownNames}},
	}
	for _, tt := range tests {
		cases, bad := load(t, head+`1,"`+six+`",`+tt.row+"\n")
		if len(cases) != 1 {
			t.Errorf("%s: bad %v", tt.row, bad)
			continue
		}
		if d := cmp.Diff(tt.candidates, cases[0].Candidates); d != "" {
			t.Errorf("%s: %s", tt.row, d)
		}
		if d := cmp.Diff(tt.flags, cases[0].Flags); d != "" {
			t.Errorf("%s: %s", tt.row, d)
		}
	}
}

// A bad row says why and does not keep the next from being read.
func TestBadRows(t *testing.T) {
	good := `9,"` + six + "\",Gout,A sprain,Sepsis\n"
	for name, tt := range map[string]struct{ content, why string }{
		"few candidates": {"id,clean text,final diagnosis,distractor1,distractor2\n1,\"" + six + "\",Gout,gout,Sepsis\n", "too few candidates: 2 that differ"},
		"few sentences":  {"id,clean text,final diagnosis,distractor1,distractor2\n1,One sentence with five words.,Gout,A sprain,Sepsis\n", "too few sentences: 1 can be used"},
		"leaks":          {"id,clean text,final diagnosis,distractor1,distractor2\n1,\"" + strings.ReplaceAll(six, "The", "The gout and the") + "\",Gout,A sprain,Sepsis\n", "4 can be used"},
		"no diagnosis":   {"id,clean text,final diagnosis,distractor1,distractor2\n1,\"" + six + "\",,A sprain,Sepsis\n", "no diagnosis"},
		"no such column": {"id,tale,final diagnosis,distractor1,distractor2\n", "no column of the case"},
		"short row":      {"id,clean text,final diagnosis,distractor1,distractor2\n1,a,b\n", "3 fields where the first record has 5"},
		"the same id":    {"id,clean text,final diagnosis,distractor1,distractor2\n" + good, "duplicate of line 2"},
	} {
		cases, bad := load(t, tt.content+good)
		if len(bad) != 1 || !strings.Contains(bad[0].Why, tt.why) {
			t.Errorf("%s: bad %v", name, bad)
		}
		if want := 1; name != "no such column" && len(cases) != want {
			t.Errorf("%s: %d cases", name, len(cases))
		}
	}
}

func TestOptions(t *testing.T) {
	if _, err := New("x.csv", dataset.Options{"years": "5"}); err == nil {
		t.Error("an unknown option is taken")
	}
	if _, err := Known(dataset.Options{"years": "5"}); err == nil {
		t.Error("an unknown option is taken")
	}
	l, err := New("x.csv", dataset.Options{"split": "dev"})
	if err != nil || l.split != "dev" || l.Name() != Name {
		t.Errorf("%+v, %v", l, err)
	}
	if _, _, err := dataset.CollectCases(l); err == nil || !strings.Contains(err.Error(), "x.csv") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// What becomes of the 200 rows in shared/data. The counts are the loader's own, held still. Of the first 99 sentences
// that it took to name the gold, all read, one did not (a stage in brackets passed for an acronym, which is mended).
func TestPublishedRows(t *testing.T) {
	l, err := New(datasettest.File(t, "cupcase", "cupcase_rtest_eval.first200.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, bad := collect(t, l)
	if len(cases) != 200 || len(bad) != 0 {
		t.Fatalf("%d cases, bad %v", len(cases), bad)
	}
	left, flags, units, leaking := map[string]int{}, map[string]int{}, 0, 0
	for _, c := range cases {
		units += len(c.Units)
		leaks := false
		for _, o := range c.LeftOut {
			kind, _, _ := strings.Cut(o.Why, ":")
			left[kind]++
			leaks = leaks || kind == clinical.NamesGold
		}
		if leaks {
			leaking++
		}
		for _, f := range c.Flags {
			flags[f]++
		}
		if n := len(c.Candidates); n < 3 || n > 4 || c.Candidates[0] != c.Gold || len(c.Units) < 6 {
			t.Errorf("%s: candidates %q, %d units", c.ID, c.Candidates, len(c.Units))
		}
	}
	want := map[string]int{clinical.NamesGold: 120, "figure or table": 564, "fragment": 4, "heading": 49, "heading or table": 2, "about the report": 19,
		"repeats an earlier sentence": 3, "too long": 101, "too short": 12}
	if d := cmp.Diff(want, left); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int{dataset.MergedCandidate: 21, dataset.NearCandidate: 55, dataset.ParagraphGold: 10, dataset.UnknownNames: 3}, flags); d != "" {
		t.Error(d)
	}
	if units != 5566 || leaking != 52 {
		t.Errorf("%d units; %d cases leak", units, leaking)
	}
}

// How many of the published rows have a distractor that is the gold, or another one, in other words. Counted by another
// program too: 13 but for letter case, 17 where brackets and possessives make no difference either; 4 rows with two
// equal distractors.
func TestPublishedEquals(t *testing.T) {
	path := datasettest.File(t, "cupcase", "cupcase_rtest_eval.first200.csv")
	var cased, folded, twice int
	for row, err := range source.Read(path, source.CSV(',', func([]string) bool { return true })) {
		if err != nil || row.Bad != nil {
			t.Fatal(err, row.Bad)
		}
		gold, _ := field(row.Value, columns.gold...)
		distractors := distractorsOf(row.Value)
		if slices.ContainsFunc(distractors, func(d string) bool { return strings.EqualFold(d, gold) }) {
			cased++
		}
		if slices.ContainsFunc(distractors, func(d string) bool { return clinical.FoldDiagnosis(d) == clinical.FoldDiagnosis(gold) }) {
			folded++
		}
		if kept, _ := clinical.DistinctDiagnoses(distractors); len(kept) < len(distractors) {
			twice++
		}
	}
	if cased != 13 || folded != 17 || twice != 4 {
		t.Errorf("%d rows with the gold among the distractors (13), %d folded (17), %d with equal distractors (4)", cased, folded, twice)
	}
}

// The names of one case are hardly ever found in the sentences of another. Of 159,582 pairs 20 were, and each sentence
// did speak of that disease: ruled out, or in the family.
func TestNamesAreSpecific(t *testing.T) {
	l, err := New(datasettest.File(t, "cupcase", "cupcase_rtest_eval.first200.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, _ := collect(t, l)
	pairs, found := 0, 0
	for i, c := range cases {
		names := clinical.NamesOf(c.Gold)
		for j, other := range cases {
			for k := (i + j) % 23; k < len(other.Units) && i != j; k += 23 {
				pairs++
				if _, in := names.In(other.Units[k].Text); in {
					found++
				}
			}
		}
	}
	if pairs < 40_000 || found*2000 > pairs {
		t.Errorf("%d of %d sentences of other cases name the gold", found, pairs)
	}
}
