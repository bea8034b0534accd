package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss/spec"
)

func TestQualityFlag(t *testing.T) {
	for text, want := range map[string]spec.Quality{
		"j=0.9,0.95":             {Sensitivity: 0.9, Specificity: 0.95},
		"j= 0.9 , 1":             {Sensitivity: 0.9, Specificity: 1},
		"j=45/50,95/100":         {Sensitivity: 0.9, Specificity: 0.95, Positives: 50, Negatives: 100},
		"j=0/3,3/3":              {Specificity: 1, Positives: 3, Negatives: 3},
		"step-judge?seed=7=1,.5": {Sensitivity: 1, Specificity: 0.5},
	} {
		var q qualityFlag
		if err := q.Set(text); err != nil || len(q) != 1 || q[text[:strings.LastIndexByte(text, '=')]] != want {
			t.Errorf("%q is %+v, %v", text, q, err)
		}
	}
	for _, text := range []string{"", "j", "=1,1", "j=1", "j=1,1,1", "j=2,1", "j=-0.1,1", "j=NaN,1", "j=Inf,1", "j=1/0,1/1", "j=2/1,1/1", "j=-1/2,1/2", "j=1/2,0.5", "j=a/b,1/2", "j=,"} {
		var q qualityFlag
		if err := q.Set(text); err == nil || !strings.Contains(err.Error(), "e.g. judge=0.9,0.95") {
			t.Errorf("%q is %+v, %v", text, q, err)
		}
	}
	var q qualityFlag
	for _, text := range []string{"b=1,1", "a=45/50,95/100", "b=0.5,0.5"} {
		if err := q.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if got := q.String(); got != "a=0.9,0.95 b=0.5,0.5" {
		t.Errorf("printed as %q, the last word of a judge counts", got)
	}
}

// A judge is named by its id, or by what stands before the options in it where no other judge begins so.
func TestQualityNamesJudges(t *testing.T) {
	models := []spec.Model{{ID: "step-judge", Role: "before"}, {ID: "step-judge?seed=2", Role: "judge"}, {ID: "other?seed=1", Role: "judge"}, {ID: "other?seed=2", Role: "judge"}}
	for name, want := range map[string]string{"step-judge": "step-judge?seed=2", "step-judge?seed=2": "step-judge?seed=2", "other?seed=1": "other?seed=1"} {
		if id, err := judgeNamed(name, models); err != nil || id != want {
			t.Errorf("%s is %q, %v", name, id, err)
		}
	}
	for name, want := range map[string]string{"other": "any of other?seed=1, other?seed=2: write the whole name", "othe": "no such judge: there are step-judge?seed=2", "": "no such judge"} {
		if id, err := judgeNamed(name, models); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %q, %v", name, id, err)
		}
	}
	q := qualityFlag{"step-judge": {Sensitivity: 0.9, Specificity: 0.8}}
	if err := q.put(models); err != nil || models[0].Quality != nil || models[1].Quality == nil || models[1].Quality.Sensitivity != 0.9 {
		t.Errorf("%v: %+v", err, models)
	}
	if _, err := judgeNamed("x", models[:1]); err == nil || !strings.Contains(err.Error(), "the run has no judge") {
		t.Errorf("without judges: %v", err)
	}
}

// FuzzQualityFlag: what is taken is a pair of shares of a named judge.
func FuzzQualityFlag(f *testing.F) {
	for _, text := range []string{"j=0.9,0.95", "j=45/50,95/100", "j=1e-400,0x1p-2", "=", "j=1/9223372036854775808,1/2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var q qualityFlag
		if err := q.Set(text); err != nil {
			if len(q) > 0 {
				t.Errorf("%q is refused and kept: %v", text, err)
			}
			return
		}
		for id, v := range q {
			if id == "" || v.Check() != nil || math.Signbit(v.Sensitivity) && v.Sensitivity != 0 {
				t.Errorf("%q is %+v", text, q)
			}
		}
	})
}
