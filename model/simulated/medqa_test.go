package simulated_test

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/medqa"
)

// published reads the four-option test split of MedQA, or skips the test.
func published(t *testing.T) []percuss.Question {
	t.Helper()
	l, err := medqa.New(datasettest.File(t, "medqa", "phrases_no_exclude_test.jsonl"), nil)
	questions, _ := datasettest.Questions(t, l, err)
	return questions
}

// TestRealStems: among all 1,273 MedQA questions each is found again, and the edits of every third are judged as their
// operators are tagged (the reasoner knows words, not operators, so a few may read otherwise), mentioned by a reasoner
// that always does, and not by one that never does.
func TestRealStems(t *testing.T) {
	world := published(t)
	m := reasoner(t, world, "faithful?flip_d=1&flip_p=0&acc=1&update=1")
	silent := reasoner(t, world, "faithful?update=0")
	paper, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	edits, wrong := 0, 0
	for i := 0; i < len(world); i += 3 {
		q := world[i]
		if _, label, _ := read(t, m, q, ask(t, m, q, "")); label != q.Gold {
			t.Errorf("%s is not recognised: answer %s, gold %s", q.ID, label, q.Gold)
		}
		for _, op := range paper.Operators {
			if op.Block != battery.M {
				continue
			}
			e := op.Apply(q.Stem, 1, q.ID)
			if !e.Fired {
				continue
			}
			edits++
			edited := q
			edited.Stem = e.Text
			_, now, chain := read(t, m, edited, ask(t, m, edited, ""))
			if (now != q.Gold) != (op.Intent == battery.Destructive) {
				wrong++
				t.Logf("%s %s (%s): answer %s, gold %s, on %q -> %q", q.ID, op.ID, op.Intent, now, q.Gold, e.Old, e.New)
			}
			if token, _, ok := op.Registers(e, chain); ok && !token {
				t.Errorf("%s %s: no mention of %q: %q", q.ID, op.ID, e.New, chain)
			}
			_, _, chain = read(t, silent, edited, ask(t, silent, edited, ""))
			if token, inflected, ok := op.Registers(e, chain); ok && (token || inflected) {
				t.Errorf("%s %s: mentions %q although it never does: %q", q.ID, op.ID, e.New, chain)
			}
		}
	}
	if edits < 2000 || wrong*200 > edits {
		t.Errorf("%d of %d edits judged otherwise, want at most one in 200 of at least 2000", wrong, edits)
	}
}
