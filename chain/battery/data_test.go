package battery

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dataDir finds the shared data sets: PERCUSS_DATA, or ../shared/data beside the repository.
func dataDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PERCUSS_DATA"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			data := filepath.Join(dir, "..", "shared", "data")
			if _, err := os.Stat(data); err == nil {
				return data
			}
		}
	}
	t.Skip("needs ../shared/data")
	return ""
}

// text is one stem or chain of the data sets.
type text struct{ id, text string }

func stems(t testing.TB) []text {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir(t), "medqa", "phrases_no_exclude_test.jsonl"))
	if err != nil {
		t.Skip("needs ../shared/data/medqa: ", err)
	}
	defer f.Close()
	var out []text
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ Question string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, text{strconv.Itoa(len(out)), strings.TrimSpace(row.Question)})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// chains are the real replies, answer lines included.
func chains(t testing.TB) []text {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dataDir(t), "cot_outputs", "medagents_benchmark", "*.json"))
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

// The bands are a regular-expression count over the whole file (specification of the audit, section 4).
func TestFiringOnMedQA(t *testing.T) {
	all := stems(t)
	for _, c := range []struct {
		ids  []string
		want float64
	}{
		{[]string{"M1-a", "M1-b"}, 0.99},
		{[]string{"M2-age-a", "M2-age-b"}, 0.89},
		{[]string{"M2-sex"}, 0.89},
		{[]string{"M4-a", "M4-b"}, 0.28},
		{[]string{"M5-a", "M5-b"}, 0.25},
		{[]string{"M6-a", "M6-b"}, 0.07},
	} {
		got := either(t, all, c.ids...)
		t.Logf("%v: %.4f of %d", c.ids, got, len(all))
		if math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v fires on %.4f of MedQA, want %.2f ± 0.01", c.ids, got, c.want)
		}
	}
	for _, id := range []string{"M3-a", "M3-b"} {
		if got := either(t, all, id); got != 1 {
			t.Errorf("%s fires on %.4f, want always", id, got)
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

func BenchmarkQuestionEdits(b *testing.B) { applyAll(b, stems(b), "M1+M2+M3+M4+M5+M6") }
func BenchmarkChainEdits(b *testing.B)    { applyAll(b, chains(b), "F1+F2+F3+F4+F5+F6+F7") }

// applyAll makes every edit of every text once an iteration: the aim is a second.
func applyAll(b *testing.B, texts []text, expression string) {
	battery, err := Parse(expression)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, x := range texts {
			for _, o := range battery.Operators {
				o.Apply(x.text, 1, x.id)
			}
		}
	}
	b.ReportMetric(float64(len(texts)*len(battery.Operators)), "edits/op")
}

func mustParse(t testing.TB, expression string) Battery {
	t.Helper()
	b, err := Parse(expression)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
