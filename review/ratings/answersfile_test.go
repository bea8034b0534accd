package ratings

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadAnswers(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	want := AnswersFile{Schema: AnswersSchema, Package: "0123456789abcdef", Rater: "Dr Ö", Saved: now,
		Entries: []Entry{{ID: "e-1", Item: "i1", Labels: map[string]string{"q": "yes"}, Comment: "a\u202eb", Seconds: 2.5, At: now}}}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAnswers(strings.NewReader(string(raw)), now)
	if err != nil || cmp.Diff(want, got) != "" {
		t.Fatalf("%v\n%s", err, cmp.Diff(want, got))
	}
	for name, c := range map[string]struct{ was, is, says string }{
		"other schema":  {"answers/1", "answers/2", "this version of Percuss reads"},
		"no package":    {"0123456789abcdef", "", "does not say of which package"},
		"no rater":      {"Dr Ö", "", "name of 0 bytes"},
		"long name":     {"Dr Ö", strings.Repeat("x", MostName+1), "name of 201 bytes"},
		"bad entry":     {`"item":"i1"`, `"item":"../i1"`, "entry 1: entry e-1: an item's id"},
		"of the future": {`"at":"2026-03-01`, `"at":"2027-03-01`, "set the clock right"},
		"unknown field": {`"saved"`, `"other":1,"saved"`, "line 1: no file of answers"},
		"cut":           {`}]}`, ``, "no file of answers"},
		"two":           {`}]}`, `}]}{}`, "more than one"},
	} {
		changed := strings.Replace(string(raw), c.was, c.is, 1)
		if changed == string(raw) {
			t.Fatalf("%s: nothing changed", name)
		}
		if _, err := ReadAnswers(strings.NewReader(changed), now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
