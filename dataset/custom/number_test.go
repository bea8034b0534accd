package custom

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

var numbers = dataset.Options{"answers": "number"}

func TestNumbers(t *testing.T) {
	for name, content := range map[string]string{
		"q.jsonl": `{"question":"What dose in mg?","answer":"1,200 mg"}`,
		"q.csv":   "question,a,b,answer\nWhat dose in mg?,x,y,1200.0\n",
		"q.json":  `[{"question":"What dose in mg?","answer":1200}]`,
	} {
		questions, bad := load(t, name, content, numbers)
		if len(questions) != 1 || len(bad) != 0 {
			t.Fatalf("%s: %v, %v", name, questions, bad)
		}
		if q := questions[0]; q.Kind != percuss.Numeric || q.Gold != "1200" || q.Options != nil || q.Domain != "" {
			t.Errorf("%s: %+v", name, q)
		}
	}
	_, bad := load(t, "q.jsonl", `{"question":"What dose?","answer":"much"}
{"question":"What dose?"}
{"question":"What dose?","answer":[1,2]}
`, numbers)
	for i, say := range []string{`"much" is no number`, "no answer", "2 right answers"} {
		if len(bad) != 3 || !strings.Contains(bad[i].Why, say) {
			t.Errorf("%v, want %q", bad, say)
		}
	}
	fails(t, "q.csv", "question,a,b,answer\nWhy?,x,y,1\n", dataset.Options{"answers": "number", "options": "a,b"}, "leave options= out")
}
