package prompt

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// TestShippedWordingsAreWrittenStraight: none of them needs its template executed.
func TestShippedWordingsAreWrittenStraight(t *testing.T) {
	s := Default()
	for name, w := range map[string]words{"user": s.letters.user, "direct": s.letters.direct, "number.user": s.number.user,
		"number.direct": s.number.direct} {
		if w.parts == nil {
			t.Errorf("%s is executed as a template", name)
		}
	}
}

// TestWordsAreTheTemplates: what is written straight is what executing the template gives, for every question.
func TestWordsAreTheTemplates(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"{{.Stem}}", "Question: ", "\n\n", " {{- \"\" -}} ", "é <b>&amp;", "{{- .Stem}}",
		"{{range .Context}}{{.}}\n\n{{end}}", "{{range .Options}}{{.Label}}. {{.Text}}\n{{end}}", "{{range .Options}}({{.Text}}{{end}}",
		"{{range .Context}}{{.}}{{else}}no passages{{end}}", "{{range $i, $o := .Options}}{{$i}} {{$o.Label}}{{end}}",
		"{{range .Options}}{{if eq .Label \"A\"}}first{{end}}{{end}}", "{{range .Options}}{{.}}{{break}}{{end}}", "{{len .Context}}",
		"{{.Options}}", "{{.Stem | printf \"%q\"}}", "{{with .Stem}}{{.}}{{end}}", "{{range .Context}}{{$.Stem}}{{end}}",
		"{{range .Options}}{{range $.Context}}{{.}}{{end}}{{end}}"})
	texts := rapid.SliceOfN(rapid.String(), 0, 3)
	straight := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 1, 4).Draw(t, "template"), "")
		w, err := newWords("user", text)
		if err != nil {
			t.Fatal(err)
		}
		if w.parts != nil {
			straight++
		}
		q := percuss.Question{Stem: rapid.String().Draw(t, "stem"), Context: texts.Draw(t, "passages")}
		for i, o := range texts.Draw(t, "options") {
			q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: o})
		}
		want, err := w.execute(q)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.put(q); err != nil || got != want {
			t.Fatalf("%s:\n%q\ninstead of\n%q, error %v", text, got, want, err)
		}
	})
	if straight == 0 {
		t.Error("no template was written straight")
	}
}

// TestFailingTemplateFailsStill: what only a question with options shows to be wrong is no text that was cut short.
func TestFailingTemplateFailsStill(t *testing.T) {
	w, err := newWords("user", "{{.Stem}}{{range .Options}}{{.Stem}}{{end}}")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := w.put(question); err == nil {
		t.Errorf("put as %q", text)
	}
}

func BenchmarkWords(b *testing.B) {
	w := Default().letters.user
	for _, c := range []struct {
		name string
		put  func(percuss.Question) (string, error)
	}{{"straight", w.put}, {"executed", w.execute}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.put(question); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
