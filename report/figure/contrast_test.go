package figure

import (
	"math"
	"testing"
)

// over is a colour of some opacity laid on a ground.
func over(on, ground [3]int, opacity float64) (out [3]int) {
	for i := range out {
		out[i] = int(math.Round(opacity*float64(on[i]) + (1-opacity)*float64(ground[i])))
	}
	return out
}

// tonesIn are the tones of a scheme by name.
func tonesIn(dark bool) map[string][3]int {
	out := map[string][3]int{}
	for _, t := range tones {
		out[t.name] = t.in(dark)
	}
	return out
}

// Of every mark that tells something the fill or the outline has a contrast of at least 3 to 1 with the ground, in both
// schemes (WCAG 2.2, 1.4.11).
func TestMarksStandOut(t *testing.T) {
	type mark struct {
		name            string
		inside, classes []string
	}
	marks := []mark{{"circle", nil, []string{"mark"}}, {"rect", nil, []string{"mark", "second"}}, {"polygon", nil, []string{"null"}}, {"polygon", nil, []string{"band"}},
		{"line", nil, []string{"err"}}, {"line", []string{"chart"}, []string{"err"}}, {"line", nil, []string{"zero"}}, {"line", nil, []string{"tick"}}, {"rect", nil, []string{"frame"}},
		{"rect", nil, []string{"none"}}, {"rect", []string{"flips"}, []string{"bar"}}, {"rect", []string{"fires"}, []string{"bar"}}}
	for _, class := range []string{"ja", "jb", "jc", "jd"} {
		marks = append(marks, mark{"rect", []string{"joint"}, []string{class}})
	}
	for _, class := range []string{"plain", "faithful", "conflict", "background", "negated", "weak", "suspect"} {
		marks = append(marks, mark{"rect", []string{"chart"}, []string{"bar", class}}, mark{"rect", []string{"stacks"}, []string{"part", class}})
	}
	for _, dark := range []bool{false, true} {
		colours := tonesIn(dark)
		ground := colours["bg"]
		for _, m := range marks {
			as := painted(m.name, m.inside, m.classes)
			best := 0.0
			if fill, ok := colours[as.fill]; ok && m.name != "line" {
				best = contrast(over(fill, ground, opacity(as.fillOpacity)), ground)
			}
			if stroke, ok := colours[as.stroke]; ok {
				best = max(best, contrast(over(stroke, ground, opacity(as.strokeOpacity)), ground))
			}
			if best < 3 {
				t.Errorf("%s %v, dark %v: %.1f to 1", m.name, m.classes, dark, best)
			}
		}
	}
}

// Texts have at least 4.5 to 1, on the ground, on the deepest cell of a heat map and on the parts of a bar.
func TestTextsStandOut(t *testing.T) {
	for _, dark := range []bool{false, true} {
		colours := tonesIn(dark)
		grounds := map[string][3]int{"ground": colours["bg"]}
		for _, heat := range []string{"heat", "fire"} {
			for depth := 0.05; depth < 0.56; depth += 0.05 {
				grounds[heat] = over(colours[heat], colours["bg"], depth)
				if r := contrast(colours["fg"], grounds[heat]); r < 4.5 {
					t.Errorf("a number on %s of depth %.2f, dark %v: %.1f to 1", heat, depth, dark, r)
				}
			}
		}
		for _, text := range []string{"fg", "dim"} {
			if r := contrast(colours[text], colours["bg"]); r < 4.5 {
				t.Errorf("a text of %s, dark %v: %.1f to 1", text, dark, r)
			}
		}
	}
}
