package web

import (
	"bytes"
	"html/template"
	"strings"
	"testing"
)

// TestUnbroken: in a sentence the space before a unit does not break, and no other space is touched.
func TestUnbroken(t *testing.T) {
	for in, want := range map[string]string{
		"95 % interval 0 to 47 %, n = 8 items": "95~% interval 0 to 47~%, n~=~8 items",
		"0.82 nats; 1 nat; 10.0 points":        "0.82~nats; 1~nat; 10.0~points",
		"p < 0.05, 3 natives of % and 5 items": "p~<~0.05, 3 natives of % and 5 items",
		"50%, a % 3, scan = 4 and n = m":       "50%, a % 3, scan = 4 and n = m",
		"":                                     "",
	} {
		if got := strings.ReplaceAll(Unbroken(in), "\u00a0", "~"); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	var b bytes.Buffer
	page := template.Must(Templates().Parse(`<p title="{{unbroken .}}">{{unbroken .}}</p>`))
	if err := page.Execute(&b, "5 % <b>"); err != nil || b.String() != "<p title=\"5\u00a0% &lt;b&gt;\">5\u00a0% &lt;b&gt;</p>" {
		t.Errorf("%q, error %v", b.String(), err)
	}
}
