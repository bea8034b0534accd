package stat

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestVote(t *testing.T) {
	for _, c := range []struct {
		answers string
		winner  string
		share   float64 // below 0: missing
		tied    string
	}{
		{"A B A C", "A", .5, ""},
		{"B A C B A -", "", .4, "A B"},
		{"- - C", "C", 1, ""},
		{"- -", "", -1, ""},
		{"", "", -1, ""},
		{"C B A", "", 1. / 3, "A B C"},
	} {
		winner, share, tied := Vote(answersOf(c.answers))
		if winner != c.winner || strings.Join(tied, " ") != c.tied || math.Abs(share.Or(-1)-c.share) > 1e-12 {
			t.Errorf("%q: %q with %v, tied %q", c.answers, winner, share, tied)
		}
	}
}

// answersOf reads answers; a dash is none.
func answersOf(s string) []string {
	out := strings.Fields(s)
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], "-")
	}
	return out
}

func someAnswers(t *rapid.T, most int) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"", "A", "B", "C", "D"}), 1, most).Draw(t, "answers")
}

func TestVoteIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers := someAnswers(t, 12)
		winner, share, tied := Vote(answers)
		mixed, mixedShare, mixedTied := Vote(rapid.Permutation(answers).Draw(t, "mixed"))
		if mixed != winner || mixedShare != share || !slices.Equal(tied, mixedTied) {
			t.Fatalf("in another order %q %v %q, not %q %v %q", mixed, mixedShare, mixedTied, winner, share, tied)
		}
		turn := map[string]string{"": "", "A": "C", "B": "D", "C": "B", "D": "A"}
		renamed := make([]string, len(answers))
		for i, a := range answers {
			renamed[i] = turn[a]
		}
		other, otherShare, otherTied := Vote(renamed)
		for i, a := range tied {
			tied[i] = turn[a]
		}
		slices.Sort(tied)
		if other != turn[winner] || otherShare != share || !slices.Equal(otherTied, tied) {
			t.Fatalf("under other names %q %q, not %q %q", other, otherTied, turn[winner], tied)
		}
		if len(tied) == 1 || (len(tied) > 0) == (winner != "") && share.OK() {
			t.Fatalf("winner %q and tied %q", winner, tied)
		}
	})
}

// A tie is broken alike whatever else is tied, and over many items no answer is favoured.
func TestBreakTie(t *testing.T) {
	wins := map[string]int{}
	for i := range 3000 {
		item := fmt.Sprint(i)
		first := BreakTie([]string{"C", "A", "B"}, 7, item)
		wins[first]++
		if other := BreakTie([]string{first, "D"}, 7, item); other != "D" && BreakTie([]string{"A", "B", "C", "D"}, 7, item) != first {
			t.Fatalf("item %s: %s comes before D and before the rest, but not before all", item, first)
		}
	}
	for answer, n := range wins {
		if n < 900 || n > 1100 {
			t.Errorf("%s wins %d of 3000 ties among three", answer, n)
		}
	}
	if BreakTie(nil, 7, "1") != "" {
		t.Error("no answer is one of none")
	}
}

// The accuracy by going through all subsets one by one.
func plainAccuracy(b Ballot, size int, seed uint64) percuss.Number {
	right, voted := 0., 0.
	for set := range uint(1) << len(b.Answers) {
		if bits.OnesCount(set) != size {
			continue
		}
		var subset []string
		for i, a := range b.Answers {
			if set>>i&1 == 1 {
				subset = append(subset, a)
			}
		}
		winner, share, tied := Vote(subset)
		if !share.OK() {
			continue
		}
		voted++
		if winner == b.Gold || slices.Contains(tied, b.Gold) && BreakTie(tied, seed, b.Item) == b.Gold {
			right++
		}
	}
	return percuss.Num(right / voted)
}

func TestAccuraciesAgainstAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Ballot{"q", "B", someAnswers(t, 9)}
		seed := rapid.Uint64().Draw(t, "seed")
		sizes := []int{0, len(b.Answers) + 1}
		for size := range b.Answers {
			sizes = append(sizes, size+1)
		}
		for i, got := range b.Accuracies(sizes, seed) {
			want := plainAccuracy(b, sizes[i], seed)
			if v, ok := got.Get(); ok != want.OK() || math.Abs(v-want.Or(0)) > 1e-12 {
				t.Fatalf("%d of %q: %v, by going through all subsets %v", sizes[i], b.Answers, got, want)
			}
		}
	})
}

// With so many chains an error of a large binomial coefficient would show.
func TestAccuraciesOfManyChains(t *testing.T) {
	b := Ballot{Item: "q", Gold: "A", Answers: slices.Repeat([]string{"A", "B", "A", "B", ""}, MostChains/5)}
	b.Answers[1] = "A" // two more than B
	got := b.Accuracies([]int{1, 2, 500, MostChains}, 3)
	near(t, "one chain", got[0], 401./800, 1e-9)
	near(t, "all", got[3], 1, 0)
	if v := got[2].Or(0); v < .52 || v > .56 {
		t.Errorf("half of the chains: %v, want a little above one half", v)
	}
	alone := Ballot{Item: "q", Gold: "A", Answers: append(make([]string, 56), "A")}
	for i, v := range alone.Accuracies(VoteSizes(57), 3) {
		if v.Or(9) > 1 || v.Or(0) < 1-1e-12 {
			t.Errorf("size %d with one vote: %v", i, v)
		}
	}
	b.Answers = append(b.Answers, "A")
	if got := b.Accuracies([]int{1}, 3)[0]; got.OK() {
		t.Errorf("with %d chains there is %v, want none", len(b.Answers), got)
	}
}

// drawnBallots are items that differ in how often one of their twelve chains is right.
func drawnBallots(items int) (ballots []Ballot) {
	rng := percuss.Rand(5, "", "", "ballots")
	for i := range items {
		b := Ballot{Item: fmt.Sprint(i), Gold: "A"}
		sure := .2 + .6*rng.Float64()
		for range 12 {
			switch answer := rng.Float64(); {
			case answer < sure:
				b.Answers = append(b.Answers, "A")
			case answer < .9:
				b.Answers = append(b.Answers, string(rune('B'+rng.IntN(3))))
			default:
				b.Answers = append(b.Answers, "")
			}
		}
		ballots = append(ballots, b)
	}
	return ballots
}

func TestVoteCurve(t *testing.T) {
	ballots := append(drawnBallots(120), Ballot{"mute", "A", make([]string, 12)}, Ballot{"tie", "A", answersOf("A B A B A B A B A B - -")})
	o := Options{Seed: 3, Replicates: 500}
	curve, err := VoteCurve(ballots, o)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	right, one, n, tied := 0., 0., 0., 0
	for _, p := range curve.Points {
		sizes = append(sizes, p.K)
		if p.Accuracy.N != 121 {
			t.Errorf("%d chains: N = %d, want the items with a vote", p.K, p.Accuracy.N)
		}
	}
	for _, b := range ballots {
		winner, share, ties := Vote(b.Answers)
		if len(ties) > 0 {
			winner, tied = BreakTie(ties, o.Seed, b.Item), tied+1
		}
		if share.OK() {
			n++
			right += bit(winner == b.Gold)
			votes, cast := counted(b.Answers)
			one += float64(votes["A"]) / float64(cast)
		}
	}
	if want := []int{1, 2, 4, 8, 12}; !slices.Equal(sizes, want) || curve.Missing != 1 || curve.Tied != tied || tied < 2 {
		t.Errorf("sizes %v, missing %d, tied %d of %d", sizes, curve.Missing, curve.Tied, tied)
	}
	first, last := curve.Points[0], curve.Points[4]
	near(t, "one chain", first.Accuracy.Value, one/n, 1e-12)
	near(t, "all chains", last.Accuracy.Value, right/n, 1e-12)
	near(t, "gain", last.Gain.Value, right/n-one/n, 1e-12)
	width := func(e percuss.Estimate) float64 { return e.Hi.Or(9) - e.Lo.Or(0) }
	if first.Gain.Why == "" || last.Gain.Lo.Or(0) <= 0 || width(last.Gain) > width(last.Accuracy) || !strings.Contains(last.Gain.Method, "paired") {
		t.Errorf("gain of one chain %+v, of all %+v", first.Gain, last.Gain)
	}
}

// Logs of others have items with fewer chains: they vote with what they have, and are counted.
func TestVoteCurveOfUnevenItems(t *testing.T) {
	curve, err := VoteCurve([]Ballot{
		{"four", "A", answersOf("A A A B")}, {"two", "A", answersOf("A B")}, {"one", "A", answersOf("A")}, {"none", "A", nil}, {"mute", "A", answersOf("- -")},
	}, Options{Replicates: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	tie := bit(BreakTie([]string{"A", "B"}, 1, "two") == "A")
	if len(curve.Points) != 3 || curve.Missing != 2 || curve.Short != 2 || curve.Tied != 1 {
		t.Fatalf("%+v", curve)
	}
	near(t, "one chain", curve.Points[0].Accuracy.Value, (.75+.5+1)/3, 1e-12)
	near(t, "all chains", curve.Points[2].Accuracy.Value, (1+tie+1)/3, 1e-12)
	if n := curve.Points[2].Accuracy.N; n != 3 {
		t.Errorf("N = %d, want the items with a vote", n)
	}
}

// Where all chains of an item agree nothing is gained, which is told with its limits.
func TestVoteCurveOfUnanimousItems(t *testing.T) {
	var ballots []Ballot
	for i := range 30 {
		ballots = append(ballots, Ballot{fmt.Sprint(i), "A", slices.Repeat([]string{string(rune('A' + i%2))}, 5)})
	}
	curve, err := VoteCurve(ballots, Options{Replicates: 200})
	if err != nil {
		t.Fatal(err)
	}
	last := curve.Points[len(curve.Points)-1]
	near(t, "accuracy", last.Accuracy.Value, .5, 0)
	near(t, "gain", last.Gain.Value, 0, 0)
	if len(last.Gain.Warnings) == 0 || !strings.Contains(last.Gain.Warnings[0], "0 changed items of 30") {
		t.Errorf("%+v", last.Gain)
	}
}

func TestVoteCurveRefuses(t *testing.T) {
	for wants, ballots := range map[string][]Ballot{
		`item "a" stands there twice`:  {{"a", "A", []string{"A"}}, {"a", "A", []string{"B"}}},
		`item "a" has no right answer`: {{"a", "", []string{"A"}}},
		`has 1001 chains`:              {{"a", "A", make([]string, 1001)}},
	} {
		if _, err := VoteCurve(ballots, Options{}); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("error %v, want %q", err, wants)
		}
	}
	mute, err := VoteCurve([]Ballot{{"a", "A", []string{"", ""}}}, Options{})
	if err != nil || mute.Missing != 1 || mute.Points[0].Accuracy.Value.OK() || mute.Points[0].Accuracy.Why != "no chain has a vote" {
		t.Errorf("%+v, %v", mute, err)
	}
	for missing, of := range [][]Ballot{nil, {{"a", "A", nil}}} {
		if none, err := VoteCurve(of, Options{}); err != nil || len(none.Points) != 0 || none.Missing != missing {
			t.Errorf("%+v, %v", none, err)
		}
	}
}
