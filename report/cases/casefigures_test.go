package cases

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/evidence"
)

// A case has a chart of its combinations, and one of its margin: whole up to six findings, by number of findings of more.
func TestFiguresOfACase(t *testing.T) {
	for _, c := range []struct {
		units int
		want  string
	}{{3, "case-0012-combinations case-0012-lattice"}, {8, "case-0012-combinations case-0012-margins"}} {
		of := walked(t, c.units)
		drawn, err := CaseFigures(of, 12, evidence.Findings{Salient: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, d := range drawn {
			ids = append(ids, d.ID)
			if !strings.HasPrefix(d.Title, "Case 12, "+of.Subject.Item) || len(d.Data.Rows) == 0 {
				t.Errorf("%s: title %q, %d rows of data", d.ID, d.Title, len(d.Data.Rows))
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%d findings: figures %q, want %q", c.units, got, c.want)
		}
	}
	unscored := walked(t, 3)
	unscored.Record.Base = evidence.Measured{State: "censored"}
	if drawn, err := CaseFigures(unscored, 1, evidence.Findings{}); err != nil || len(drawn) != 0 {
		t.Errorf("of a case that was not scored: %d figures, error %v", len(drawn), err)
	}
}

// What is squeezed keeps its length, its beginning and its end; a short answer stays whole.
func TestSqueeze(t *testing.T) {
	for _, c := range [][2]string{{"Traveled out of the country: no", "Travele…: no"}, {"Feel pain somewhere: lower chest", "Feel p…chest"}, {"Fever: yes", "Fever: yes"}} {
		if got := squeeze(c[0], 12); got != c[1] {
			t.Errorf("%q becomes %q, want %q", c[0], got, c[1])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.IntRange(8, 60).Draw(t, "n")
		got := squeeze(s, n)
		if utf8.RuneCountInString(got) > n || utf8.RuneCountInString(s) <= n && got != s {
			t.Fatalf("%q is %q in %d", s, got, n)
		}
	})
}

// A family is named by its audited findings, in the right number.
func TestFindingsOfAFamily(t *testing.T) {
	for units, want := range map[string]string{"": "", "12": "finding 12", "2, 3": "findings 2, 3"} {
		if got := (familyView{Units: units}).Named(); got != want {
			t.Errorf("%q: %q, want %q", units, got, want)
		}
	}
}
