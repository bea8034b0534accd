package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// The texts of questions with options enter the keys of runs: a run of an earlier version finds its answers only while they
// stay as they were, to the byte. The sums are those of the version before addenda and numbers.
func TestTextsOfQuestionsWithOptionsStay(t *testing.T) {
	q := question
	q.Context = []string{"One passage.", "Another."}
	for name, c := range map[string]struct {
		condition string
		direct    bool
		want      string
	}{
		"neutral":        {"neutral", false, "da78f15a794ab2b9"},
		"strict":         {"strict", false, "c6c8b4f629582e9d"},
		"neutral direct": {"neutral", true, "8f1fc92b3d623cb4"},
	} {
		m, err := Default().Chat(q, c.condition, "OWN", c.direct)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(raw)
		if got := hex.EncodeToString(sum[:8]); got != c.want {
			t.Errorf("%s: %s, want %s:\n%s", name, got, c.want, raw)
		}
	}
	if got := Default().Quotation("CHAIN"); got != "So far the reasoning reads:\n\nCHAIN\n\nTake it up exactly where it stops, without repeating it, and close with \"Answer: X\"." {
		t.Errorf("quotation: %s", got)
	}
}

func TestConditions(t *testing.T) {
	s := Default()
	want := "neutral neutral+anti-distractor neutral+self-grounding strict strict+anti-distractor strict+self-grounding"
	if got := strings.Join(s.Conditions(), " "); got != want {
		t.Errorf("conditions: %s", got)
	}
	for _, c := range append(s.Conditions(), "strict+self-grounding+anti-distractor") {
		if err := s.Has(c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
	}
	const all = "there are neutral, strict; behind each can stand +anti-distractor and +self-grounding"
	for c, want := range map[string]string{
		"":                                      all,
		"kind":                                  all,
		"neutral+":                              all,
		"+self-grounding":                       all,
		"neutral+kind":                          all,
		"self-grounding":                        all,
		"neutral+self-grounding+":               all,
		"neutral+strict":                        all,
		"neutral + self-grounding":              all,
		"strict+anti-distractor+":               all,
		"strict+self-grounding+strict":          all,
		"neutral+self-grounding+self-grounding": "twice",
	} {
		if err := s.Has(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", c, err, want)
		}
		if _, err := s.Chat(question, c, "", false); err == nil {
			t.Errorf("%q: asked all the same", c)
		}
	}
}

// An addendum is a paragraph behind the system prompt and changes nothing else.
func TestAddenda(t *testing.T) {
	s := Default()
	for _, base := range []string{"neutral", "strict"} {
		plain, err := s.Chat(question, base, "OWN", false)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"self-grounding": "must FOLLOW from the steps", "anti-distractor": "set it aside"} {
			m, err := s.Chat(question, base+"+"+name, "OWN", false)
			if err != nil {
				t.Fatal(err)
			}
			added, ok := strings.CutPrefix(m[0].Content, plain[0].Content+"\n\n")
			if !ok || !strings.Contains(added, text) || strings.Contains(added, "\n") || m[1] != plain[1] {
				t.Errorf("%s+%s:\n%s", base, name, m[0].Content)
			}
		}
	}
	both, err := s.Chat(question, "neutral+anti-distractor+self-grounding", "", false)
	if err != nil || strings.Count(both[0].Content, "\n\n") != 2 || !strings.HasSuffix(both[0].Content, "do not justify.") {
		t.Errorf("both: %v %+v", err, both)
	}
}

func TestNumbersHaveTheirOwnWording(t *testing.T) {
	s := Default()
	q := percuss.Question{Stem: "How many legs have 3 cats?", Gold: "12", Kind: percuss.Numeric}
	for _, c := range []struct {
		condition string
		direct    bool
	}{{"neutral", false}, {"strict", false}, {"strict+self-grounding", false}, {"neutral", true}} {
		m, err := s.Chat(q, c.condition, "OWN", c.direct)
		if err != nil || len(m) != 2 {
			t.Fatalf("%+v: %v", c, err)
		}
		if !strings.Contains(m[0].Content, "number asked for") || !strings.Contains(m[1].Content, q.Stem) || !strings.Contains(m[1].Content, `"Answer: X", where X is a number`) {
			t.Errorf("%+v: %+v", c, m)
		}
		for _, no := range []string{"Options:", "letter", "12", "choose"} {
			if strings.Contains(m[0].Content+m[1].Content, no) {
				t.Errorf("%+v speaks of %q:\n%s\n%s", c, no, m[0].Content, m[1].Content)
			}
		}
		if strict := strings.Contains(m[0].Content, "board-certified"); strict != strings.HasPrefix(c.condition, "strict") || strict != strings.HasPrefix(m[0].Content, "OWN") {
			t.Errorf("%+v: %s", c, m[0].Content)
		}
		if steps := strings.Contains(m[1].Content, "Step n:"); steps == c.direct {
			t.Errorf("%+v: %s", c, m[1].Content)
		}
	}
}

// A file of wordings made before numbers were asked for says nothing of them.
func TestFileWithoutNumbersOrAddenda(t *testing.T) {
	whole := string(defaultYAML)
	start, end := strings.Index(whole, "# What can be added"), strings.Index(whole, "user: |")
	old := whole[:start] + whole[end:strings.Index(whole, "# Questions whose answer is a number")]
	s, err := Load(strings.NewReader(old), "old.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Conditions(), " "); got != "neutral strict" {
		t.Errorf("conditions: %s", got)
	}
	if err := s.Has("neutral+self-grounding"); err == nil || strings.Contains(err.Error(), "behind each") {
		t.Errorf("an addendum that the file lacks: %v", err)
	}
	q := percuss.Question{Stem: "How many?", Kind: percuss.Numeric}
	a, err := s.Chat(q, "strict", "", false)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := Default().Chat(q, "strict", "", false); a[0] != b[0] || a[1] != b[1] {
		t.Errorf("not the built-in wording: %+v", a)
	}
	mine, err := Load(strings.NewReader(strings.Replace(old, "system:\n", "system:\n  terse: Be short.\n", 1)), "mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mine.Chat(q, "terse", "", false); err == nil || !strings.Contains(err.Error(), "add number.system.terse") {
		t.Errorf("a condition without a wording for numbers: %v", err)
	}
	if _, err := mine.Chat(question, "terse", "", false); err != nil {
		t.Errorf("the same for options: %v", err)
	}
}

func TestLoadRefusesBrokenAddendaAndNumbers(t *testing.T) {
	whole := string(defaultYAML)
	for want, text := range map[string]string{
		"number.user: ":                   strings.Replace(whole, "Question: {{.Stem}}\n\n    Think", "Question: {{.Stim}}\n\n    Think", 1),
		"number.system.strict is missing": strings.Replace(whole, "    strict: >-\n      Think", "    strickt: >-\n      Think", 1),
		"addenda.terse is empty":          strings.Replace(whole, "addenda:\n", "addenda:\n  terse: \"\"\n", 1),
		`addenda: "a+b" is no name`:       strings.Replace(whole, "addenda:\n", "addenda:\n  a+b: Be short.\n", 1),
		`system: "a+b" is no name`:        strings.Replace(whole, "system:\n", "system:\n  a+b: Be short.\n", 1),
		"system.neutral is missing":       strings.Replace(whole, "  neutral: >-", "  nautral: >-", 1),
		"unknown field":                   strings.Replace(whole, "number:\n", "number:\n  cue: x\n", 1),
	} {
		if text == whole {
			t.Fatalf("%s: nothing was changed", want)
		}
		if _, err := Load(strings.NewReader(text), "mine.yaml"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "mine.yaml") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestPrompterServesBothKinds: one prompter puts questions of both kinds in turn as Chat puts each.
func TestPrompterServesBothKinds(t *testing.T) {
	s := Default()
	put := s.Prompter("strict+self-grounding", "OWN")
	letters, number := question, percuss.Question{Kind: percuss.Numeric, Stem: "How many?"}
	for _, q := range []percuss.Question{letters, number, letters, number} {
		for _, direct := range []bool{false, true} {
			got, err := put(q, direct)
			if err != nil {
				t.Fatal(err)
			}
			want, err := s.Chat(q, "strict+self-grounding", "OWN", direct)
			if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
				t.Errorf("%+v, want %+v, error %v", got, want, err)
			}
		}
	}
	if _, err := s.Prompter("none", "")(letters, false); err == nil {
		t.Error("a condition that is not there puts questions")
	}
}
