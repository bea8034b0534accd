package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss/dataset/datasettest"
)

// unevenLog has a chain for each of 40 questions, without an answer where said is empty.
func unevenLog(t *testing.T, name string, said func(i int) string) string {
	t.Helper()
	var b strings.Builder
	for i := range 40 {
		answer := "I cannot tell."
		if s := said(i); s != "" {
			answer = "Answer: " + s
		}
		fmt.Fprintf(&b, `{"question":"A %d-year-old man coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"A","completion":"Step 1: He coughs.\n%s"}`+"\n", 30+i, answer)
	}
	return datasettest.Write(t, name, b.String())
}

// Of two frozen logs one has answers to half of the questions, the easier ones: the comparison is on those alone, and neither
// tokens nor calibration are made up.
func TestLogsWithoutSomeAnswers(t *testing.T) {
	before := unevenLog(t, "before.jsonl", func(i int) string { return "AB"[i/20 : i/20+1] })
	after := unevenLog(t, "after.jsonl", func(i int) string {
		if i >= 20 {
			return ""
		}
		if i%10 < 3 {
			return "B"
		}
		return "A"
	})
	f := stepsOf(t, stepsInto(t, "--before", "recorded:"+before, "--after", "recorded:"+after, "-d", "log:"+before, "-n", "40", "-k", "1")).Findings
	if p := f.Pairs[0]; p.Items != 40 || p.Accuracy.N != 20 || p.Accuracy.Value.Or(0) > -0.29 || !(p.Accuracy.Hi.Or(1) < 0) {
		t.Errorf("%d items, accuracy %+v, want -0.3 on 20", p.Items, p.Accuracy)
	}
	for _, c := range f.Cells {
		if c.ECE.Value.OK() || c.ECE.Why == "" || c.Curve[0].Tokens.OK() || c.Curve[0].NoTokens == "" {
			t.Errorf("%s: ECE %+v, tokens %+v", c.Model, c.ECE, c.Curve[0])
		}
	}
}
