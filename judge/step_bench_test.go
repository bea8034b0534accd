package judge_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// manySteps are steps of some items, as a chain puts them.
func manySteps(items, steps int) []judge.Step {
	var out []judge.Step
	for i := range items {
		var before []string
		for j := range steps {
			s := judge.Step{Item: fmt.Sprint("q", i), Question: strings.Repeat("A man of 40 has a cough. ", 20) + "\n\nA. rest\nB. tea", Before: before, Text: fmt.Sprintf("He is %d.", j), Draw: j % 2}
			if j%3 == 0 {
				s.Gold = "B. tea"
			}
			out, before = append(out, s), append(before[:len(before):len(before)], s.Text)
		}
	}
	return out
}

// The words of a request are its key: what was asked for by an earlier version is found again, in whatever order steps are asked
// about, by however many at once.
func TestRequestsStayAsTheyWere(t *testing.T) {
	r := judge.DefaultSteps()
	all := manySteps(40, 5)
	sum := func(order func(i int) int) string {
		keys := make([]string, len(all))
		var wait sync.WaitGroup
		for i := range all {
			wait.Go(func() {
				at := order(i)
				ask := r.Ask(all[at], "judge", 7)
				again := r.Repair(all[at], "judge", 7, percuss.Answer{Outcome: percuss.OK, Text: "x"})
				keys[at] = string(ask.Key()) + string(again.Key())
			})
		}
		wait.Wait()
		h := sha256.Sum256([]byte(strings.Join(keys, "\n")))
		return hex.EncodeToString(h[:8])
	}
	const want = "ef5c5745bfe9cc64" // of the keys when turns were rendered for each request
	if got := sum(func(i int) int { return i }); got != want {
		t.Errorf("the keys come to %s, want %s", got, want)
	}
	if got := sum(func(i int) int { return len(all) - 1 - i }); got != want {
		t.Errorf("asked from the end the keys come to %s, want %s", got, want)
	}
}

// BenchmarkAskSteps asks about the steps of one item after another.
func BenchmarkAskSteps(b *testing.B) {
	r := judge.DefaultSteps()
	all := manySteps(100, 10)
	for b.Loop() {
		for _, s := range all {
			r.Ask(s, "judge", 7)
		}
	}
}
