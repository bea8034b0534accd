package dataset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseArg(t *testing.T) {
	tests := map[string]Argument{
		"medqa":                                  {"medqa", "", Options{}},
		"medqa?":                                 {"medqa", "", Options{}},
		"medqa?options=5&split=test":             {"medqa", "", Options{"options": "5", "split": "test"}},
		"medqa:/x/y.jsonl?options=5":             {"medqa", "/x/y.jsonl", Options{"options": "5"}},
		`mmlu-medical:C:\data\mmlu`:              {"mmlu-medical", `C:\data\mmlu`, Options{}},
		"medqa:what?/test%20a.jsonl?split=a%26b": {"medqa", "what?/test%20a.jsonl", Options{"split": "a&b"}},
	}
	for arg, want := range tests {
		got, err := ParseArg(arg)
		if err != nil {
			t.Errorf("%s: %v", arg, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", arg, d)
		}
	}
}

func TestParseArgRefuses(t *testing.T) {
	tests := map[string]string{
		"":                            "no name of a data set",
		"/x/y.jsonl":                  `"/x/y.jsonl" is no name of a data set; for a file of your own: -d custom:/x/y.jsonl`,
		"q.csv":                       "for a file of your own: -d custom:q.csv",
		"q.csv?stem=vignette":         "for a file of your own: -d custom:q.csv?stem=vignette",
		`C:\q.csv`:                    `for a file of your own: -d custom:C:\q.csv`,
		"MedQA":                       "no name of a data set; write ID[:PATH]",
		"medqa:":                      "no path after the colon",
		"medqa?options":               `option "options" needs one value`,
		"medqa?options=4&options=5":   "needs one value",
		"medqa?=5":                    "needs one value",
		"medqa?options=%zz":           "options:",
		"medqa:/x.jsonl?a=1;b=2":      "options:",
		"medqa:/really?/a.jsonl?x=%1": "options:",
	}
	for arg, want := range tests {
		if got, err := ParseArg(arg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v; want an error with %q", arg, got, err, want)
		}
	}
}

func TestOnly(t *testing.T) {
	o := Options{"options": "5", "splitt": "test", "zeal": "1"}
	err := o.Only("medqa", "options", "split")
	if err == nil || err.Error() != `data set medqa has no option "splitt"; it knows options, split` {
		t.Error(err)
	}
	if err := o.Only("demo"); err == nil || !strings.HasSuffix(err.Error(), "it takes none") {
		t.Error(err)
	}
	if err := (Options{}).Only("demo"); err != nil {
		t.Error(err)
	}
}
