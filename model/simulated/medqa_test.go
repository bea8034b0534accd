package simulated_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// medqa reads the four-option test split, or skips the test.
func medqa(t *testing.T) []percuss.Question {
	t.Helper()
	dir := os.Getenv("PERCUSS_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "medqa", "phrases_no_exclude_test.jsonl"))
	if err != nil {
		t.Skip("needs ../shared/data")
	}
	defer f.Close()
	var qs []percuss.Question
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Question, Answer_idx string
			Options              map[string]string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		q := percuss.Question{ID: fmt.Sprintf("medqa/%d", len(qs)), Stem: row.Question, Gold: row.Answer_idx}
		for _, l := range slices.Sorted(maps.Keys(row.Options)) {
			q.Options = append(q.Options, percuss.Option{Label: l, Text: row.Options[l]})
		}
		qs = append(qs, q)
	}
	return qs
}

// TestRealStems: among all 1,273 MedQA questions each is found again, and the edits of every third are judged as their
// operators are tagged (the reasoner knows words, not operators, so a few may read otherwise), mentioned by a reasoner
// that always does, and not by one that never does.
func TestRealStems(t *testing.T) {
	world := medqa(t)
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
