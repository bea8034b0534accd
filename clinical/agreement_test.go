package clinical

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// judged is why a reading and the field predicted_answer of a file differ, by reading the reply. In all four kinds
// the field is wrong as a record of what the reply says.
type judged string

const (
	open    judged = "open"    // the reply was cut inside its reasoning: there is no answer, the field is a guess
	cutOff  judged = "cut"     // cut without reasoning tags, in mid-argument: the same
	refused judged = "refused" // "I'm sorry, but I can't assist with that.": the field says A
	none    judged = "none"    // the reply says that no option is right or that it cannot choose
	inside  judged = "inside"  // the field has the letter of the reasoning block; the answer after it is another
)

// disagreements lists every reply of the files that ReadAnswer and the field read differently: the row, what we say
// ("-": no answer), and what the field says.
var disagreements = map[string]map[judged]string{
	"DeepSeek-R1-medmcqa-test_hard-zero_shot": {open: "69:-/B"},
	"DeepSeek-R1-medqa-test_hard-zero_shot":   {open: "15:-/D 93:-/C", inside: "38:D/B 58:B/A 62:B/D 65:C/D 82:B/A 89:B/A"},
	"QwQ-32B-Preview-medmcqa-test_hard-zero_shot": {cutOff: "45:-/A 92:-/C", none: "79:-/A",
		refused: "8:-/D 41:-/A 47:-/A 49:-/A 50:-/A 53:-/A 54:-/A 66:-/A 69:-/A 74:-/A 80:-/A 81:-/A 82:-/A"},
	"QwQ-32B-Preview-medqa-test_hard-zero_shot": {refused: "81:-/A 85:-/A 95:-/A"},
	"QwQ-32B-medmcqa-test_hard-zero_shot": {open: "0:-/A 2:-/D 3:-/B 4:-/A 5:-/B 6:-/C 7:-/B 8:-/D 9:-/A 10:-/B 11:-/C 12:-/B " +
		"15:-/D 16:-/B 17:-/A 18:-/A 21:-/C 26:-/A 29:-/C 30:-/C 32:-/A 34:-/A 36:-/B 37:-/A 38:-/C 39:-/C 40:-/C 41:-/A 43:-/C " +
		"44:-/C 45:-/A 47:-/B 49:-/A 50:-/A 51:-/B 53:-/C 54:-/B 57:-/B 58:-/B 59:-/B 60:-/C 63:-/B 64:-/D 67:-/C 68:-/B 69:-/A " +
		"70:-/A 71:-/D 74:-/C 76:-/B 79:-/C 80:-/B 81:-/A 82:-/B 83:-/B 85:-/B 87:-/C 89:-/D 90:-/C 91:-/D 92:-/A 93:-/D 94:-/C " +
		"95:-/B 96:-/D 97:-/B 98:-/A 99:-/B"},
	"QwQ-32B-medqa-test_hard-zero_shot": {open: "3:-/C 6:-/C 7:-/C 8:-/A 9:-/A 11:-/B 19:-/C 21:-/D 29:-/B 33:-/B 36:-/D 39:-/B " +
		"46:-/B 47:-/A 49:-/A 50:-/B 51:-/B 53:-/A 54:-/C 55:-/C 56:-/D 57:-/C 61:-/C 62:-/B 63:-/C 64:-/B 65:-/C 66:-/D 67:-/B " +
		"68:-/D 69:-/C 70:-/D 71:-/B 72:-/B 73:-/A 74:-/A 75:-/C 76:-/C 77:-/A 78:-/D 79:-/B 80:-/A 81:-/A 82:-/A 83:-/A 84:-/D " +
		"85:-/C 86:-/C 87:-/C 88:-/C 91:-/A 92:-/C 93:-/D 94:-/C 95:-/D 96:-/A 98:-/A 99:-/C"},
	"gpt-4o-medmcqa-test_hard-cot":      {none: "79:-/A 98:-/A"},
	"gpt-4o-mini-medmcqa-test_hard-cot": {none: "74:-/A 79:-/A"},
	"gpt-4o-mini-medqa-test_hard-cot":   {none: "85:-/A"},
}

// floors are the least shares of rows, of a hundred a file, on which ReadAnswer and the field agree as they stand.
// DeepSeek-R1 on medqa is lower because the field keeps the letter of the reasoning block in six rows; QwQ-32B-Preview
// because of its refusals; QwQ-32B because its token limit cut two replies of three inside their reasoning, where the
// field is a guess. What is excluded from the adjusted share, and why, is counted by kind in excluded.
var floors = map[string]float64{
	"DeepSeek-R1-medmcqa-test_hard-zero_shot": 0.99, "DeepSeek-R1-medqa-test_hard-zero_shot": 0.92,
	"DeepSeek-R1-pubmedqa-test_hard-zero_shot":    1,
	"QwQ-32B-Preview-medmcqa-test_hard-zero_shot": 0.84, "QwQ-32B-Preview-medqa-test_hard-zero_shot": 0.97,
	"QwQ-32B-Preview-pubmedqa-test_hard-zero_shot": 1,
	"QwQ-32B-medmcqa-test_hard-zero_shot":          0.32, "QwQ-32B-medqa-test_hard-zero_shot": 0.42,
	"gpt-4o-medmcqa-test_hard-cot": 0.98, "gpt-4o-medqa-test_hard-cot": 1, "gpt-4o-pubmedqa-test_hard-cot": 1,
	"gpt-4o-mini-medmcqa-test_hard-cot": 0.98, "gpt-4o-mini-medqa-test_hard-cot": 0.99, "gpt-4o-mini-pubmedqa-test_hard-cot": 1,
}

// excluded is the number of rows of all files that are left out of the adjusted share, by kind.
var excluded = map[judged]int{open: 129, cutOff: 2, refused: 16, none: 6, inside: 6}

// TestAgreement compares every reading with the files' own: the raw share of agreement of each file has a floor, and
// where the field is not wrong by reading the two agree in at least 98 of 100 rows. It also fails when the list of
// disagreements is no longer the true one, so that no reading changes unseen.
func TestAgreement(t *testing.T) {
	sum := adjusted{left: map[judged]int{}}
	for _, file := range agentFiles {
		t.Run(file, func(t *testing.T) { sum.add(t, file) })
	}
	if sum.files < len(agentFiles) {
		t.Skip("not every file was read")
	}
	if share := float64(sum.agreed) / float64(sum.compared); share < 0.98 {
		t.Errorf("adjusted agreement %.4f of %d rows, want at least 0.98", share, sum.compared)
	}
	if d := gocmp.Diff(excluded, sum.left); d != "" {
		t.Errorf("rows left out of the adjusted share, by kind: %s", d)
	}
	t.Logf("adjusted agreement %d of %d rows; left out: %v", sum.agreed, sum.compared, sum.left)
}

// adjusted counts the rows on which the field is not wrong by reading, and those that are left out.
type adjusted struct {
	files, agreed, compared int
	left                    map[judged]int
}

// add compares a file's readings with its own.
func (a *adjusted) add(t *testing.T, file string) {
	rows := agentRows(t, file)
	want, kinds := expected(file)
	got, raw := map[string]bool{}, 0
	for i, row := range rows {
		read := ReadAnswer(row.text(), fromMap(row.Options), row.cut(file))
		key := fmt.Sprintf("%d:%s/%s", i, cmp.Or(read.Label, "-"), row.Predicted)
		agrees := read.Label == row.Predicted
		kind, wrong := want[key]
		switch {
		case agrees:
			raw++
		case !wrong:
			t.Errorf("new disagreement %s (row:ours/field)", key)
		case !holds(kind, row, read):
			t.Errorf("%s is not %q", key, kind)
		}
		got[key] = !agrees
		if wrong {
			a.left[kind]++
			continue
		}
		a.compared++
		if agrees {
			a.agreed++
		}
	}
	for key := range want {
		if !got[key] {
			t.Errorf("%s is no disagreement any more", key)
		}
	}
	share := float64(raw) / float64(len(rows))
	if floor, ok := floors[file]; !ok || share < floor {
		t.Errorf("raw agreement %.2f of %d rows, want at least %.2f", share, len(rows), floor)
	}
	t.Logf("raw agreement %d of %d; the field is wrong by reading in %d (%s)", raw, len(rows), len(want), kinds)
	a.files++
}

func expected(file string) (want map[string]judged, kinds string) {
	want = map[string]judged{}
	var counts []string
	for kind, keys := range disagreements[file] {
		for _, key := range strings.Fields(keys) {
			want[key] = kind
		}
		counts = append(counts, fmt.Sprintf("%s %d", kind, len(strings.Fields(keys))))
	}
	sort.Strings(counts)
	return want, strings.Join(counts, ", ")
}

// holds checks what can be checked of a judgement without a reader.
func holds(kind judged, row agentRow, read Reading) bool {
	text := row.text()
	_, after, closes := strings.Cut(text, "</think>")
	switch kind {
	case open:
		return strings.Contains(text, "<think>") && !closes && read.Status == Unparseable
	case refused:
		return read.Refused && read.Status == Unparseable
	case inside:
		return strings.TrimSpace(after) == read.Label && read.How == asBare
	default:
		return read.Status == Unparseable && !strings.Contains(text, "<think>")
	}
}
