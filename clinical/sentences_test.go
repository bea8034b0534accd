package clinical

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func pieces(text string, spans []Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, strings.TrimSpace(s.In(text)))
	}
	return out
}

func TestSentences(t *testing.T) {
	for name, want := range map[string][]string{
		"nltk/nltk#1210 capitals and abbreviations": {"She has hepatitis B.", "His temperature was 37.8 C.", "Dr. Smith gave 3.5 mg b.i.d. vs. placebo."},
		"vitamin":         {"He takes vitamin D.", "Calcium was low."},
		"initials":        {"She was seen by Dr. J. Smith today.", "She is well."},
		"group":           {"A swab grew streptococci of group B.", "Treatment began."},
		"latin":           {"Give a beta blocker, e.g. Metoprolol, i.e. Lopressor.", "Then wait."},
		"numbers":         {"See no. 5. for details.", "It is in Fig. 2.", "The rest follows."},
		"approx":          {"It lasts approx. 50 minutes.", "Then it ends."},
		"units":           {"He took 81 mg.", "She weighed 10 lb.", "Pressure was 80 mm Hg.", "The pulse was 18/min.", "Rales were heard."},
		"times of day":    {"He wakes at 8 a.m. He naps later."[:18], "He naps later."},
		"dose":            {"He takes it p.o. Lasix as well."},
		"decimals":        {"The pH was 7.35.", "The ratio was .5 to 1."},
		"figure next":     {"The pain began a week ago. "[:26], "3 days ago it grew worse."},
		"missing space":   {"He took vancomycin.", "The rash came later."},
		"quoted question": {"He asks, \"Why me?\"", "What is the diagnosis?\""},
		"states":          {"She moved to the U.S. Virgin Islands."},
		"saint":           {"He flew to St. Louis in May.", "He fell ill."},
		"sclerosis":       {"She has MS.", "He has none."},
		"lower case":      {"Blood was drawn for pH. pCO2 was 40."},
		"not Latin":       {"患者发热。", "给予治疗。"},
	} {
		text := strings.Join(want, " ")
		if name == "missing space" || name == "not Latin" {
			text = strings.Join(want, "")
		}
		if got := pieces(text, Sentences(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q\n got %q\nwant %q", name, text, got, want)
		}
	}
}

func TestSentencesAcrossLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"table": {"He is pale. Laboratory studies show:\nHemoglobin 8.5 g/dL\nSerum\nNa+ 139 mEq/L\nA smear shows schistocytes, not blasts. Which is it?",
			[]string{"He is pale.", "Laboratory studies show:\nHemoglobin 8.5 g/dL\nSerum\nNa+ 139 mEq/L", "A smear shows schistocytes, not blasts.", "Which is it?"}},
		"blank lines": {"Serum:\nNa+: 139\n\nUrine:\npH: 6\n\nWhat now?", []string{"Serum:\nNa+: 139", "Urine:\npH: 6", "What now?"}},
		"wrapped prose": {"The patient was brought to the hospital by the doctors of the\nNorthern Hospital because he had fallen. He is well.",
			[]string{"The patient was brought to the hospital by the doctors of the\nNorthern Hospital because he had fallen.", "He is well."}},
		"list": {"1. Give potassium at once.\n2. Recheck in 4 h.", []string{"1. Give potassium at once.", "2. Recheck in 4 h."}},
		"bullets": {"Consider these:\n- Elevated TSH suggests low function\n- Weight gain fits it too",
			[]string{"Consider these:", "- Elevated TSH suggests low function", "- Weight gain fits it too"}},
		"heading":  {"Methods:\nWe asked two hundred patients. They answered.", []string{"Methods:\nWe asked two hundred patients.", "They answered."}},
		"crlf":     {"He is ill.\r\n\r\nShe is well.", []string{"He is ill.", "She is well."}},
		"trailing": {"Is it so?\n \n", []string{"Is it so?"}},
	} {
		if got := pieces(c.text, Sentences(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
	if got := Sentences(""); len(got) != 0 {
		t.Errorf("empty text: %v", got)
	}
}

// tiles checks that spans are the text, in order, without an empty one and without a split character.
func tiles(t interface{ Fatalf(string, ...any) }, text string, spans []Span) {
	end := 0
	for _, s := range spans {
		if s.Start != end || s.End <= s.Start {
			t.Fatalf("spans %v do not tile %q", spans, text)
		}
		if s.Start > 0 && utf8.ValidString(text) && !utf8.RuneStart(text[s.Start]) {
			t.Fatalf("a span begins within a character at byte %d of %q", s.Start, text)
		}
		end = s.End
	}
	if end != len(text) {
		t.Fatalf("spans %v end before %d in %q", spans, len(text), text)
	}
}

func anyText(t *rapid.T) string {
	parts := []string{"Dr.", " ", "\n", "\n\n", "He", "is", "B.", "3.5", "mg.", "vs.", "?", "!", "\r", "A.B", "\"", "é", "。", "1.", "**", "Step 2:", "-", "\r\n", "\xff",
		"word.The next", "ago. 3", "\u2029", "\u00a0", "e.g.", "#", "Step 1.", "a", "…", "’"}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 25).Draw(t, "parts"), "")
	return text + rapid.StringN(0, 20, -1).Draw(t, "rest")
}

func TestSentencesTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t)
		spans := Sentences(text)
		tiles(t, text, spans)
		if i := QuestionSentence(text, spans); i >= len(spans) || i < 0 && len(spans) > 0 {
			t.Fatalf("question at %d of %d", i, len(spans))
		}
	})
}

// The borders of the annex are where uniseg puts them when it goes through every character.
func TestBordersAreThoseOfTheAnnex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t)
		state := -1
		for at, rest, plain := 0, text, -1; rest != ""; {
			var want string
			want, rest, plain = uniseg.FirstSentenceInString(rest, plain)
			end, next := annexBorder(text, at, state)
			if end != at+len(want) {
				t.Fatalf("%q: a border at byte %d after %d, want %d", text, end, at, at+len(want))
			}
			at, state = end, next
		}
	})
}

type stemRow struct {
	Question string `json:"question"`
}

// TestStems splits the stems of the MedQA test split.
func TestStems(t *testing.T) {
	rows := readLines[stemRow](t, dataFile(t, "medqa", "phrases_no_exclude_test.jsonl"))
	three, last, short, total := 0, 0, 0, 0
	for _, row := range rows {
		spans := Sentences(row.Question)
		tiles(t, row.Question, spans)
		total += len(spans)
		if len(spans) >= 3 {
			three++
		}
		if q := QuestionSentence(row.Question, spans); q == len(spans)-1 {
			last++
		}
		for _, s := range spans {
			if len(strings.TrimSpace(s.In(row.Question))) < 12 {
				short++
				t.Logf("short piece %q", s.In(row.Question))
			}
		}
	}
	n := float64(len(rows))
	t.Logf("%d stems, %.2f sentences a stem, three or more %.4f, question last %.4f", len(rows), float64(total)/n, float64(three)/n, float64(last)/n)
	if share := float64(three) / n; share < 0.98 || share > 1 {
		t.Errorf("share with three sentences or more %.4f, want about 0.99", share)
	}
	if mean := float64(total) / n; mean < 8.2 || mean > 8.45 {
		t.Errorf("%.3f sentences a stem, 8.31 when the rules were written and the pieces read", mean)
	}
	if short > 0 || last < len(rows)-1 {
		t.Errorf("%d pieces under 12 bytes; the question is last in %d of %d", short, last, len(rows))
	}
}

func TestQuestionSentence(t *testing.T) {
	for text, want := range map[string]int{
		"A man is ill. What is it?":                                      1,
		"He asks, \"Why me?\" He is ill. The most likely diagnosis is":   2,
		"What is the diagnosis? Assume that the tests are right.":        0,
		"He is ill. Which of the following is true.":                     1,
		"He is ill. He is pale.":                                         1,
		"A man is ill. Which of these helps him?\"":                      1,
		"Please advise. All of the following are signs EXCEPT. Read it.": 1,
	} {
		if got := QuestionSentence(text, Sentences(text)); got != want {
			t.Errorf("%q: sentence %d, want %d", text, got, want)
		}
	}
	if got := QuestionSentence("", nil); got != -1 {
		t.Errorf("no sentences: %d, want -1", got)
	}
	if AsksQuestion("He is ill.") || !AsksQuestion("Is he ill?” ") {
		t.Error("a question is told by its mark, before closing quotation marks")
	}
}

func BenchmarkSentences(b *testing.B) {
	rows := readLines[stemRow](b, dataFile(b, "medqa", "phrases_no_exclude_test.jsonl"))
	n := 0
	for _, row := range rows {
		n += len(row.Question)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, row := range rows {
			Sentences(row.Question)
		}
	}
}
