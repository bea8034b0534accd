package agreement

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// Table 12 of four edits, one of which shows a flip to two raters and one to one of them alone.
func TestStatementsOfThePaper(t *testing.T) {
	r := reviewOf(blind.Perturbation, asked(blind.AskShift, "no_shift ambiguous shifted", true), "00 01 22 02 0.")
	r.Package.Questions = append(r.Package.Questions, asked(blind.AskValidity, "valid borderline invalid", true), asked(blind.AskHazard, "harmful appropriate neutral unsure", false))
	for i := range r.Package.Items {
		r.Package.Items[i].Asks = []string{blind.AskShift, blind.AskValidity}
	}
	for i, labels := range []map[string][2]string{
		{blind.AskShift: {"no_shift", "no_shift"}, blind.AskValidity: {"valid", "borderline"}, blind.AskHazard: {"harmful", "harmful"}},
		{blind.AskShift: {"no_shift", "ambiguous"}, blind.AskValidity: {"invalid", "invalid"}, blind.AskHazard: {"harmful", "unsure"}},
		{blind.AskShift: {"shifted", "shifted"}, blind.AskValidity: {"valid", "valid"}, blind.AskHazard: {"neutral", "neutral"}},
	} {
		r.Package.Items[i].Asks = nil
		for rater := range 2 {
			said := map[string]string{}
			for q, both := range labels {
				said[q] = both[rater]
			}
			r.say(fmt.Sprint("r", rater), r.Package.Items[i].ID, said)
		}
	}
	got := table(t, Tabulate(r, quick), "statements")
	same(t, says(got), `
defensible for all raters | 2/4 | 2 | 4 | 194 of 197
no_shift for all raters | 1/4 | 1 | 4 | 119 of 197
shifted for all raters | 1/4 | 1 | 4 | 0 of 197
valid or borderline for all | 2/3 | 2 | 3 | 142 of 197
invalid for all raters | 1/3 | 1 | 3 | 9 of 197
harmful flip for all raters | 1/3 | 1 | 3 | 10 of 75
harmful flip for any rater | 2/3 | 2 | 3 | –
harmful flip, mean of raters | 0.500 | – | 3 | 25 %
`)
	if lo, hi := got.Rows[0].Cells[1].Estimate.Lo.Or(9), got.Rows[0].Cells[1].Estimate.Hi.Or(9); math.Abs(lo-0.150039) > 1e-5 || math.Abs(hi-0.849961) > 1e-5 {
		t.Errorf("Wilson's interval of 2 of 4: %v to %v", lo, hi)
	}
	binary := table(t, Tabulate(r, quick), "agreement_hazard")
	if !slices.ContainsFunc(binary.Rows, func(r percuss.Row) bool {
		return r.Cells[0].Text == "harmful against the rest" && r.Cells[1].Text == "Cohen" && math.Abs(r.Cells[3].Estimate.Value.Or(9)-(2./3-4./9)/(1-4./9)) < 1e-12
	}) {
		t.Errorf("kappa of harmful against the rest is not (2/3 − 4/9)/(1 − 4/9):\n%s", says(binary))
	}
	if !strings.Contains(strings.Join(binary.Notes, " "), ".39") || binary.Paper != "Table 12" {
		t.Error(binary.Notes, binary.Paper)
	}
}

// interactions are six items in two buckets with a repeat and an attention item; two raters, and an adjudicator who has left one item open and gave no confidence.
func interactions() Review {
	r := Review{Names: map[string]string{"a": "Ann", "b": "Bob"}, Said: ratings.Latest{}, Key: map[string]Known{}, Strata: []string{"bucket", "copy", "model"},
		Package: blind.Package{Task: blind.Interactions, Title: "Findings", Questions: []blind.Question{asked(askJudgement, "valid questionable invalid", true), asked(askConfidence, "high medium low", true)}}}
	second := Round{Said: ratings.Latest{}, Package: r.Package}
	for i, x := range []struct{ bucket, ann, bob, again string }{ // judgement and confidence
		{"conflict", "valid high", "valid low", ""},
		{"conflict", "invalid high", "valid high", "invalid "},
		{"conflict", "invalid medium", "invalid medium", ""},
		{"faithful", "valid high", "valid high", ""},
		{"faithful", "valid low", "questionable low", "-"},
		{"faithful", "questionable high", "", ""},
	} {
		id := fmt.Sprintf("i%d", i)
		r.Package.Items = append(r.Package.Items, blind.Item{ID: id})
		r.Key[id] = Known{Strata: map[string]string{"bucket": x.bucket, "copy": "like " + x.bucket, "model": fmt.Sprint("m", i%2)}}
		if x.again != "" {
			second.Package.Items = append(second.Package.Items, blind.Item{ID: id})
		}
		for who, said := range map[string]string{"a": x.ann, "b": x.bob} {
			if said != "" {
				r.say(who, id, judged(said))
			}
		}
		if strings.Contains(x.again, " ") {
			second.Said.Add(ratings.Entry{Rater: "c", Item: id, Labels: judged(x.again)})
		}
	}
	for id, k := range map[string]Known{"again0": {Repeats: "i0"}, "again1": {Repeats: "i1"}, "look": {Expected: map[string]string{askJudgement: "invalid"}}} {
		r.Package.Items = append(r.Package.Items, blind.Item{ID: id})
		r.Key[id] = k
	}
	r.say("a", "again0", judged("valid low"))
	r.say("a", "again1", judged("valid high"))
	r.say("b", "again0", judged("valid low"))
	r.say("a", "look", judged("invalid high"))
	r.say("b", "look", judged("valid high"))
	r.Second = &second
	return r
}

func judged(said string) map[string]string {
	judgement, sure, _ := strings.Cut(said, " ")
	return map[string]string{askJudgement: judgement, askConfidence: sure}
}

// Everything that the key opens, counted by hand.
func TestTablesOfAnOpenKey(t *testing.T) {
	r := Tabulate(interactions(), quick)
	for id, want := range map[string]string{
		"adjudicated_judgement": `
valid | 2/6 | 0 | 2/6
questionable | 1/6 | 0 | 1/6
invalid | 1/6 | 1 | 2/6
no majority, or open | 2/6 | 1 | 1/6
`,
		"sided_judgement": "Ann | 1/1\nBob | 0/1\n",
		"buckets": `
conflict | 3 | 1 | 0 | 2 | 2/3 | 0/3 | 1/3
faithful | 2 | 1 | 1 | 0 | 0/2 | 1/2 | 1/2
total | 5 | 2 | 1 | 2 | 2/5 | 1/5 | 2/5
`,
		"confidence_buckets": `
conflict | 3 | 0 | 1 | 1 | 0/2
faithful | 2 | 2 | 0 | 0 | 2/2
total | 5 | 2 | 1 | 1 | 2/4
`,
		"confidence": `
valid | 6 | 4/6 | 0/6 | 2/6
questionable | 2 | 1/2 | 0/2 | 1/2
invalid | 3 | 1/3 | 2/3 | 0/3
all | 11 | 6/11 | 2/11 | 3/11
`,
		"repeats": `
judgement | Ann | 2 | 1/2 | 0.000 | slight
judgement | Bob | 1 | 1/1 | – | 
judgement | all raters | 3 | 2/3 | – | –
confidence | Ann | 2 | 1/2 | 0.000 | slight
confidence | Bob | 1 | 1/1 | – | 
confidence | all raters | 3 | 2/3 | – | –
`,
		"attention": "Ann | 1 | 1/1\nBob | 1 | 0/1\n",
		"strata_judgement": `
bucket | conflict | 3 | 1/3 | 0/3 | 2/3
bucket | faithful | 3 | 1/2 | 1/2 | 0/2
model | m0 | 3 | 1/2 | 0/2 | 1/2
model | m1 | 3 | 1/3 | 1/3 | 1/3
`,
		"strata_joint_judgement": `
bucket | conflict | 3 | 1/3 | 0/3 | 1/3 | 1/3
bucket | faithful | 3 | 1/2 | 0/2 | 0/2 | 2/2
model | m0 | 3 | 1/3 | 0/3 | 1/3 | 2/3
model | m1 | 3 | 1/2 | 0/2 | 0/2 | 1/2
`,
	} {
		got := says(table(t, r, id))
		if id == "confidence" || id == "repeats" { // shares with bootstrap intervals keep their counts too
			if !sameCounts(got, want) {
				t.Errorf("%s: got\n%swant%s", id, got, want)
			}
			continue
		}
		if want = strings.TrimLeft(want, "\n"); got != want {
			t.Errorf("%s: got\n%swant\n%s", id, got, want)
		}
	}
	if got := strings.Join(r.Lead, " "); !r.KeyOpen || r.Items != 6 || strings.Contains(got, "not open") || !strings.Contains(got, "3 items that look at the raters") {
		t.Error(r.Items, got)
	}
	agree := table(t, r, "strata_agreement_judgement")
	if len(agree.Rows) != 4 || math.Abs(agree.Rows[0].Cells[3].Estimate.Value.Or(9)-2./3) > 1e-12 {
		t.Errorf("percent agreement of conflict:\n%s", says(agree))
	}
}

// sameCounts compares without the blanks at the ends of lines.
func sameCounts(got, want string) bool {
	trim := func(s string) string {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		return strings.Join(lines, "\n")
	}
	return trim(got) == trim(want)
}

// A stratum alone: its items and no others are in every table, and a key that is shut opens none.
func TestStratumAloneAndShutKey(t *testing.T) {
	one := interactions()
	one.Only = map[string]string{"bucket": "faithful"}
	r := Tabulate(one, quick)
	same(t, says(table(t, r, "shares_judgement")), `
Ann | 3 | 2/3 | 1/3 | 0/3
Bob | 2 | 1/2 | 1/2 | 0/2
all raters | 2 | 1/2 | 0/2 | 0/2
`)
	if r.Items != 3 || r.Only["bucket"] != "faithful" {
		t.Error(r.Items, r.Only)
	}
	shut := interactions()
	shut.Key = nil
	r = Tabulate(shut, quick)
	for _, id := range []string{"repeats", "attention", "buckets", "confidence_buckets"} {
		if one := table(t, r, id); !strings.Contains(one.Absent, "key is not open") {
			t.Errorf("%s: %q", id, one.Absent)
		}
	}
	for _, one := range r.Tables {
		for _, word := range []string{"conflict", "faithful", "strata"} {
			if strings.Contains(one.ID+says(one), word) {
				t.Errorf("%s tells %s although the key is shut", one.ID, word)
			}
		}
	}
	if r.Items != 9 || r.KeyOpen {
		t.Errorf("%d items, open %v", r.Items, r.KeyOpen)
	}
}

// The table of all questions has the rows of each, under its name.
func TestAgreementOfAllQuestions(t *testing.T) {
	r := Tabulate(interactions(), quick)
	all := r.Agreement()
	n := len(table(t, r, "agreement_judgement").Rows)
	if len(all.Rows) != n+len(table(t, r, "agreement_confidence").Rows) || all.Columns[0].ID != "question" {
		t.Fatalf("%d rows", len(all.Rows))
	}
	if all.Rows[0].Cells[0].Text != askJudgement || all.Rows[n].Cells[0].Text != askConfidence {
		t.Error(all.Rows[0].Cells[0].Text, all.Rows[n].Cells[0].Text)
	}
}

// The two cuts of three labels in order. The raters give 4, 1, 1 and 1, 2, 3 of the labels: chance agreement is 9/36 on all of them, 14/36 after the
// first cut and 18/36 after the second, and they agree on 2, 3 and 4 of 6 items.
func TestCutsByHand(t *testing.T) {
	r := Tabulate(reviewOf(blind.Own, asked("q", "low middle high", true), "00 01 12 22 02 01"), quick)
	same(t, says(table(t, r, "prevalence_q")), `
all labels | 0.333 | 0.111 | 0.000 | 0.125 | 0.500 | low | 0.417 | no
cut after low | 0.500 | 0.182 | 0.000 | 0.167 | 0.500 | middle or high | 0.583 | no
cut after middle | 0.667 | 0.333 | 0.333 | 0.333 | 0.333 | low or middle | 0.667 | no
`)
}

// Of six raters each is held against the middle one of the others' labels. In the third item the others of the first rater are split in two equal
// parts, so that it does not count.
func TestDirectionAgainstTheOthers(t *testing.T) {
	got := table(t, Tabulate(reviewOf(blind.Own, asked("q", "low middle high", true), "200000 111110 10011. 222221"), quick), "direction_q")
	got.Rows = got.Rows[:2]
	same(t, says(got), `
all labels | Rater 00 | the others | 2 | 1 | 0 | 1.000 | Rater 00
all labels | Rater 01 | the others | 3 | 0 | 1 | 1.000 | the others
`)
}

// Flags, comments and times by hand: the middle one of 10, 20, 30 and 80 s is 25 s, the quarters are 17.5 and 42.5.
func TestProgressByHand(t *testing.T) {
	r := reviewOf(blind.Own, asked("q", "a b", false), ". . . . .")
	for i, s := range []float64{10, 20, 30, 80} {
		r.Said.Add(ratings.Entry{Rater: "x", Item: r.Package.Items[i].ID, Seconds: s, Flagged: i == 1, Flag: strings.Repeat("why", i/3), Comment: strings.Repeat("so", i/2), Labels: map[string]string{"q": "a"}})
	}
	same(t, says(table(t, Tabulate(r, quick), "progress")), "x | 4 | 0 | 1 | 2 | 2 | 25.000 | 17.500 | 42.500\n")
}
