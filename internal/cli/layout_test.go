package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/spec"
)

func TestLayoutOf(t *testing.T) {
	for _, c := range []struct {
		arg, kept string
		layout    string
		plain     bool
		refused   string
		told      bool // --plain
	}{
		{"llama:m", "", "", false, "", false},
		{"llama:m", "exact", "exact", false, "", false},
		{"llama:m?layout=shared", "exact", "shared", false, "", false},
		{"llama:m?plain=true", "", "", true, "", false},
		{"llama:m?plain=true", "exact", "", true, "", false},
		{"llama:m", "alone", "", true, "", false}, // a run that was begun plain stays so
		{"llama:m", "", "", true, "", true},
		{"llama:m", "alone", "", true, "", true},
		{"llama:m", "exact", "", false, "go on without --plain", true},
		{"llama:m?plain=true&layout=exact", "", "", false, "leave one of them out", false},
		{"llama:m?plain=yes", "", "", false, "plain=true", false},
		{"llama:m?layout=sideways", "", "", false, "layout=exact", false},
		{"llama:m?speed=11", "", "", false, "no parameter speed=11", false},
	} {
		arg, err := spec.ParseModel(c.arg)
		if err != nil {
			t.Fatal(err)
		}
		layout, plain, err := layoutOf(arg, machine{layout: c.kept, plain: c.told})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want an error that says %q", c.arg, err, c.refused)
			}
			continue
		}
		if err != nil || layout != c.layout || plain != c.plain {
			t.Errorf("%s in a run of %q: %q, %v, %v", c.arg, c.kept, layout, plain, err)
		}
	}
}
