package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/step"
)

// What raters say comes back as labels of the very steps, with their weights; the word of an adjudication is no rater's.
func TestStepLabelsComeBack(t *testing.T) {
	if step.Adjudicated != Adjudicator || Adjudicator != chain.Adjudicated {
		t.Error("adjudications have several names")
	}
	s := drawnSteps(t, stepRun(6), Options{Seed: 3, Quotas: []Quota{{erroneous, 4}, {others, 2}}})
	form, _ := blind.FormOf(blind.Steps)
	p, _, err := s.Compose(Composing{Form: form})
	if err != nil {
		t.Fatal(err)
	}
	said, second := ratings.Latest{"r1": {}}, ratings.Latest{"r2": {}}
	for i, k := range s.Keys {
		labels := map[string]string{"step": "error", "error_kind": "arithmetic"}
		if i%2 == 1 {
			labels = map[string]string{"step": "abstain"}
		}
		said["r1"][k.ID] = ratings.Entry{Labels: labels}
	}
	second["r2"][s.Keys[0].ID] = ratings.Entry{Labels: map[string]string{"step": "correct"}}
	run := t.TempDir()
	folder := filepath.Join(run, Folder, "steps")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := SaveUnsealed(folder, p, Join(p, s.Keys, said, second, map[string]string{"r1": "Ann"}), Unsealed{})
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != StepsFile {
		t.Fatalf("%v, %v", files, err)
	}
	_, _, steps, err := UnsealedOf(run)
	if err != nil || !slices.Equal(steps, files) {
		t.Fatalf("a report finds %v, %v", steps, err)
	}
	got, err := ReadStepLabels(steps)
	if err != nil || len(got) != 7 {
		t.Fatalf("%d labels, %v", len(got), err)
	}
	for _, l := range got {
		at := slices.IndexFunc(s.Keys, func(k Key) bool {
			return k.subject() == percuss.SubjectID{Variant: l.Variant, Model: l.Model, Set: l.Set, Item: l.Item} && k.Chain == l.Chain && k.View == l.View && k.Step == l.Step && k.Weight == l.Weight
		})
		want := step.Arithmetic
		if at%2 == 1 {
			want = step.Abstain
		}
		if l.Rater == Adjudicator {
			want = step.Correct
		}
		if at < 0 || l.Says != want || l.Rater == Adjudicator && at != 0 {
			t.Errorf("label %+v is of item %d, want %s", l, at, want)
		}
	}
	raw, _ := json.Marshal(s.Keys[0])
	if !bytes.Contains(raw, []byte(`"judges":{"judge-j":`)) {
		t.Errorf("the key does not hold what the judges said: %s", raw)
	}
}

func TestReadStepLabels(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const head = "rater,model,item,chain,step,label,weight\n"
	got, err := ReadStepLabels([]string{file("a.csv", head+"Ann,m,q1,1,2,Contradicts case,2.5\nAnn,m,q1,1,3,,\nBob,m,q1,1,2,Correct,\n")})
	want := []step.Label{{Rater: "Ann", Model: "m", Item: "q1", Chain: 1, Step: 2, Says: step.Contradicts, Weight: 2.5}, {Rater: "Bob", Model: "m", Item: "q1", Chain: 1, Step: 2, Says: step.Correct, Weight: 1}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, say := range map[string]string{
		"Ann,m,q1,1,2,maybe,\n":                        "line 2: label \"maybe\"",
		"Ann,m,q1,0,2,error,\n":                        "chain \"0\": a number from 1",
		"Ann,m,q1,1,x,error,\n":                        "step \"x\"",
		"Ann,m,q1,1,2,error,-1\n":                      "weight \"-1\"",
		"Ann,m,q1,1,2,error,NaN\n":                     "weight \"NaN\"",
		",m,q1,1,2,error,\n":                           "rater is empty",
		"Ann,m,q1,1,2,,\n":                             "holds no label",
		"Ann,m,q1,1,2,error,\nAnn,m,q1,1,2,correct,\n": "line 3: rater Ann has labelled step 2 of chain 1 of q1 already",
	} {
		if _, err := ReadStepLabels([]string{file("b.csv", head+text)}); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v, want %q", text, err, say)
		}
	}
	line := func(at, label string) string {
		return fmt.Sprintf(`{"rater":"Ann","model":"m","item":"q1","chain":"1","step":"2","label":%q,"at":%q}`+"\n", label, at)
	}
	got, err = ReadStepLabels([]string{file("c.jsonl", line("2026-01-02T00:00:00Z", "error")), file("d.jsonl", line("2026-01-01T00:00:00Z", "correct"))})
	if err != nil || len(got) != 1 || got[0].Says != step.Erroneous {
		t.Errorf("of two reviews the later word holds: %+v, %v", got, err)
	}
}
