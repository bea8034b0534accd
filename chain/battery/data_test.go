package battery

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/medmcqa"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/dataset/mmlu"
	"github.com/percuss/percuss/dataset/pubmedqa"
)

// text is one stem or chain of the data sets.
type text struct{ id, text string }

// textsOf returns what an M-operator sees of each question: its stem, or, with contexts, the passages before it too.
func textsOf(questions []percuss.Question, contexts bool) []text {
	var out []text
	for _, q := range questions {
		x := text{q.ID, q.Stem}
		if contexts {
			x.text = strings.Join(append(slices.Clone(q.Context), q.Stem), "\n")
		}
		out = append(out, x)
	}
	return out
}

func stems(t testing.TB) []text {
	t.Helper()
	l, err := medqa.New(datasettest.File(t, "medqa", "phrases_no_exclude_test.jsonl"), nil)
	questions, _ := datasettest.Questions(t, l, err)
	return textsOf(questions, false)
}

// chains are the real replies, answer lines included.
func chains(t testing.TB) []text {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(datasettest.Dir(t), "cot_outputs", "medagents_benchmark", "*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("needs ../shared/data/cot_outputs")
	}
	var out []text
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var rows []struct {
			Completion  string
			RawResponse string `json:"raw_response"`
		}
		if err := json.Unmarshal(data, &rows); err != nil {
			t.Fatal(name, err)
		}
		for i, r := range rows {
			if c := strings.TrimSpace(r.Completion + r.RawResponse); c != "" {
				out = append(out, text{filepath.Base(name) + "#" + strconv.Itoa(i), c})
			}
		}
	}
	return out
}

// either is the share of texts on which one of the operators fires.
func either(t *testing.T, texts []text, ids ...string) float64 {
	t.Helper()
	b := mustParse(t, "paper")
	fired := 0
	for _, x := range texts {
		for _, id := range ids {
			o, ok := b.Operator(id)
			if !ok {
				t.Fatal("no operator", id)
			}
			if o.Apply(x.text, 1, x.id).Fired {
				fired++
				break
			}
		}
	}
	return float64(fired) / float64(len(texts))
}

// wholeSets reads every published file whole: both halves of PubMedQA, and the subjects of MMLU one by one, so that
// the 78 questions of its test split that stand in two subjects count in both, as they did where the bands were made.
func wholeSets(t *testing.T) map[string][]percuss.Question {
	t.Helper()
	sets := map[string][]percuss.Question{}
	add := func(l dataset.Loader, err error) {
		t.Helper()
		questions, _ := datasettest.Questions(t, l, err)
		sets[l.Name()] = append(sets[l.Name()], questions...)
	}
	add(medqa.New(datasettest.File(t, "medqa", "phrases_no_exclude_test.jsonl"), nil))
	add(medmcqa.New(datasettest.File(t, "medmcqa", "medmcqa_val.jsonl"), nil))
	add(pubmedqa.New(datasettest.File(t, "pubmedqa", "ori_pqal.json"), dataset.Options{"split": "all"}))
	known, err := mmlu.Known(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		add(mmlu.New([]string{datasettest.File(t, "mmlu", k.Files[0])}, nil))
	}
	return sets
}

// The bands are a regular-expression count over the whole files (specification of the audit, section 4): MedMCQA's
// 21 rows with two equal options, which no model can be asked, are too few to move a share by 0.01.
func TestFiringInSanityBands(t *testing.T) {
	sets := wholeSets(t)
	age, sex := []string{"M2-age-a", "M2-age-b"}, []string{"M2-sex"}
	m1, m4, m5, m6 := []string{"M1-a", "M1-b"}, []string{"M4-a", "M4-b"}, []string{"M5-a", "M5-b"}, []string{"M6-a", "M6-b"}
	for _, c := range []struct {
		set      string
		contexts bool
		ids      []string
		want     float64
	}{
		{"medqa", false, m1, 0.99}, {"medqa", false, age, 0.89}, {"medqa", false, sex, 0.89},
		{"medqa", false, m4, 0.28}, {"medqa", false, m5, 0.25}, {"medqa", false, m6, 0.07},
		{"medmcqa", false, m1, 0.09}, {"medmcqa", false, age, 0.03}, {"medmcqa", false, sex, 0.06},
		{"medmcqa", false, m4, 0.03}, {"medmcqa", false, m5, 0.03},
		{"mmlu-medical", false, age, 0.24}, {"mmlu-medical", false, sex, 0.26}, {"mmlu-medical", false, m4, 0.03},
		{"mmlu-medical", false, m5, 0.08}, {"mmlu-medical", false, m6, 0.01},
		{"pubmedqa", false, m5, 0.05}, {"pubmedqa", true, m4, 0.04}, {"pubmedqa", true, m5, 0.20},
	} {
		all := textsOf(sets[c.set], c.contexts)
		got := either(t, all, c.ids...)
		t.Logf("%s, contexts %v, %v: %.4f of %d", c.set, c.contexts, c.ids, got, len(all))
		if math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v fires on %.4f of %s (contexts: %v), want %.2f ± 0.01", c.ids, got, c.set, c.contexts, c.want)
		}
	}
	for set, questions := range sets {
		for _, id := range []string{"M3-a", "M3-b"} {
			if got := either(t, textsOf(questions, false), id); got != 1 {
				t.Errorf("%s fires on %.4f of %s, want always", id, got, set)
			}
		}
	}
}

// 216 of the 1,400 replies, all of one model, are single paragraphs: no operator on steps can fire there. The others
// have two steps or more each, so F1, F2 and F5 fire on the same replies.
func TestFiringOnRealChains(t *testing.T) {
	all := chains(t)
	least := map[string]float64{
		"F1": 0.84, "F2": 0.84, "F3": 0.7, "F4": 1, "F5": 0.84, "F6": 0.35, "F7": 0.75,
	}
	for _, o := range mustParse(t, "F1+F2+F3+F4+F5+F6+F7").Operators {
		got := either(t, all, o.ID)
		t.Logf("%-6s %.3f of %d", o.ID, got, len(all))
		if got < least[o.Family] {
			t.Errorf("%s fires on %.3f of the chains, want at least %.2f", o.ID, got, least[o.Family])
		}
	}
}

// On real texts: an edit changes the text, is the same when made again, and doubles no space that was not there.
func TestEditsOfRealTexts(t *testing.T) {
	questions, replies := stems(t), chains(t)
	for _, o := range mustParse(t, "paper").Operators {
		texts := replies
		if o.Block == M {
			texts = questions
		}
		for i := 0; i < len(texts); i += 7 {
			x := texts[i]
			e := o.Apply(x.text, 5, x.id)
			if again := o.Apply(x.text, 5, x.id); again.Text != e.Text {
				t.Fatalf("%s on %s: two edits differ", o.ID, x.id)
			}
			if !e.Fired {
				if e.Why == "" || e.Text != "" {
					t.Errorf("%s on %s: not fired, why %q, text %q", o.ID, x.id, e.Why, e.Text)
				}
				continue
			}
			if e.Text == x.text {
				t.Errorf("%s on %s: the edit changes nothing", o.ID, x.id)
			}
			if o.Block == M && strings.Count(e.Text, "  ") > strings.Count(x.text, "  ") {
				t.Errorf("%s on %s: doubled space: %q", o.ID, x.id, e.Text)
			}
		}
	}
}

func mustParse(t testing.TB, expression string) Battery {
	t.Helper()
	b, err := Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
