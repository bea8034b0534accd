package clinical

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestUnits(t *testing.T) {
	long := "The potassium was 4.1 mmol/L" + strings.Repeat(" and another value was normal", 9)
	tests := []struct {
		name, text, gold string
		units            []string
		left             []percuss.LeftOut
	}{
		{"sentences, references out", "A 40-year-old man had pain (Fig. 1a, b). His temperature was 38.5 °C [ 2 , 3 ].\nThe knee was swollen ().", "Gout",
			[]string{"A 40-year-old man had pain.", "His temperature was 38.5 °C.", "The knee was swollen."}, nil},
		{"a figure beside other matter", "The genotype was found (A226V; Fig. 4) twice.", "Gout",
			[]string{"The genotype was found (A226V) twice."}, nil},
		{"the gold", "He was seen on Monday. Knee pain was denied. Urate crystals proved gout.", "Gout",
			[]string{"He was seen on Monday.", "Knee pain was denied."}, []percuss.LeftOut{{Text: "Urate crystals proved gout.", Why: "names the gold: Gout"}}},
		{"an acronym of the text", "Scrub typhus (ST) was on her mind. She thought that ST was likely. The ECG was quite normal.", "Scrub typhus",
			[]string{"The ECG was quite normal."}, []percuss.LeftOut{
				{Text: "Scrub typhus (ST) was on her mind.", Why: "names the gold: ST"}, {Text: "She thought that ST was likely.", Why: "names the gold: ST"}}},
		{"caption", "The heart was enlarged. Fig. 1 Chest film. a Before. b After. Full size image The lungs were both clear.", "Gout",
			[]string{"The heart was enlarged.", "The lungs were both clear."}, []percuss.LeftOut{{Text: "Fig. 1 Chest film. a Before. b After. Full size image", Why: "figure or table"}}},
		{"heading, short, fragment, repetition", "Case 1\n\nHe was. He was feeling well.  presents the angiographic findings of patients. He was feeling well.", "Gout",
			[]string{"He was feeling well."}, []percuss.LeftOut{{Text: "Case 1", Why: "heading"}, {Text: "He was.", Why: "too short: fewer than 4 words"},
				{Text: "presents the angiographic findings of patients.", Why: "fragment: begins in mid-sentence"}, {Text: "He was feeling well.", Why: "repeats an earlier sentence"}}},
		{"legends and asides", "a Mass in the liver, seen on the first day. The black arrow shows the torn artery. CV chorionic villi, L lymphoma cells. " +
			"She gave her informed consent. A CT scan was then taken.", "Gout",
			[]string{"A CT scan was then taken."}, []percuss.LeftOut{{Text: "a Mass in the liver, seen on the first day.", Why: whyFigure},
				{Text: "The black arrow shows the torn artery.", Why: whyFigure}, {Text: "CV chorionic villi, L lymphoma cells.", Why: whyFigure},
				{Text: "She gave her informed consent.", Why: whyAside}}},
		{"too long", long + ".", "Gout", nil, []percuss.LeftOut{{Text: long + ".", Why: "too long: more than 45 words and no semicolon to part it at"}}},
		{"too long with semicolons", long[:60] + "; " + long[:90] + "; " + long[:119] + "; " + long[:130] + ".", "Gout",
			[]string{long[:60], long[:90], long[:119], long[:130] + "."}, nil},
		{"empty", " \n", "Gout", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			units, left := Units(tt.text, NamesOf(tt.gold))
			var texts []string
			for _, u := range units {
				texts = append(texts, u.Text)
			}
			if d := cmp.Diff(tt.units, texts); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.left, left); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUnitIDs(t *testing.T) {
	text := "Case 1\n\nThe first one is kept. Now "
	for i := range 30 {
		text += strings.Repeat("more ", i+3) + "follows; "
	}
	units, _ := Units(text+"the end of it. The last one is kept.", NamesOf("Gout"))
	var ids []string
	for _, u := range units {
		ids = append(ids, u.ID)
	}
	if want := []string{"S2", "S3a", "S3b"}; !slices.Equal(ids[:3], want) || ids[len(ids)-2] != "S3ae" || ids[len(ids)-1] != "S4" {
		t.Errorf("ids %q", ids)
	}
}

// Whatever the text, a unit holds no line break and no form of the gold, has the length of a unit, and an id of its own.
func TestUnitsHold(t *testing.T) {
	piece := rapid.SampledFrom([]string{"He had gout. ", "The knee was swollen. ", "Fig. 2 A knee. ", "Full size image ", "\n\n", "Gout (G) ",
		"(Fig. 1)", "; ", "and the other joints were normal ", "Case 2\n", "5 mg/dL. ", "Podagra", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "") + rapid.String().Draw(t, "rest")
		gold := NamesOf("Gout")
		units, _ := Units(text, gold)
		seen := map[string]bool{}
		for _, u := range units {
			if n := wordCount(u.Text); n < shortestUnit || n > longestUnit || strings.ContainsAny(u.Text, "\r\n") {
				t.Fatalf("%q is no unit", u.Text)
			}
			if form, found := gold.In(u.Text); found {
				t.Fatalf("%q names the gold as %q", u.Text, form)
			}
			if seen[u.ID] || seen[u.Text] {
				t.Fatalf("%s %q comes twice", u.ID, u.Text)
			}
			seen[u.ID], seen[u.Text] = true, true
		}
	})
}
