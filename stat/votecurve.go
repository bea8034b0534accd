package stat

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// VotePoint is the accuracy of the majority of so many chains.
type VotePoint struct {
	K        int
	Accuracy percuss.Estimate // mean over items of Ballot.Accuracies
	Gain     percuss.Estimate // over one chain, paired by item; absent for one chain
}

// VotesOf is the accuracy of majorities over items.
type VotesOf struct {
	Points  []VotePoint // for 1, 2, 4 and so on, and all chains
	Missing int         // items of which no chain has a vote: they are in no accuracy
	Short   int         // items with a vote and fewer chains than others: where they have too few, all they have vote
	Tied    int         // items where several answers have the most votes of all chains
}

// VoteSizes are the sizes of a curve: 1, 2, 4 and so on below k, and k.
func VoteSizes(k int) []int {
	var out []int
	for size := 1; size < k; size *= 2 {
		out = append(out, size)
	}
	if k > 0 {
		out = append(out, k)
	}
	return out
}

// VoteCurve measures accuracy against the number of chains that vote. The value of an item is the exact expectation over all
// subsets of its chains, so that only the items are a sample, and are resampled; seed breaks ties. The last point is for k,
// the largest number of chains that an item has: the accuracy of the majority of all (SC@k). N counts the items with a
// vote. Without a chain there is no point. It fails, naming the item, where one has more than MostChains, where one is
// there twice, and where one has no right answer.
func VoteCurve(ballots []Ballot, o Options) (VotesOf, error) {
	ballots = slices.Clone(ballots)
	slices.SortFunc(ballots, func(a, b Ballot) int { return cmp.Compare(a.Item, b.Item) })
	if err := checkBallots(ballots); err != nil || len(ballots) == 0 {
		return VotesOf{}, err
	}
	sizes, out := countVotes(ballots)
	s := Sample{Key: itemsKey, Items: make([]string, len(ballots)), Sums: make(Sums, len(ballots))}
	inParallel(len(ballots), func() func(int) {
		return func(i int) { s.Items[i], s.Sums[i] = ballots[i].Item, ballots[i].row(sizes, o.Seed) }
	})
	o.Metrics = nil
	for i := range sizes {
		o.Metrics = append(o.Metrics, Metric{Num: []int{1 + 2*i}, Den: []int{0}, Absent: "no chain has a vote"},
			Metric{Num: []int{2 + 2*i}, Den: []int{0}, Difference: true, Absent: "no chain has a vote",
				Changed: func(row []float64) bool { return row[2+2*i] != 0 }})
	}
	d, err := Draw(s, votesPerItem, o)
	if err != nil {
		return VotesOf{}, fmt.Errorf("accuracy of votes: %w", err)
	}
	e := d.Estimates()
	for i, size := range sizes {
		p := VotePoint{K: size, Accuracy: e[2*i], Gain: e[2*i+1]}
		if size == 1 {
			p.Gain = percuss.Absent("it is what others are compared with")
		}
		if p.Gain.Value.OK() {
			p.Gain.Method = "paired difference; " + p.Gain.Method
		}
		out.Points = append(out.Points, p)
	}
	return out, nil
}

// countVotes gives the sizes of a curve and the counts beside it.
func countVotes(ballots []Ballot) (sizes []int, out VotesOf) {
	k := 0
	for _, b := range ballots {
		k = max(k, len(b.Answers))
	}
	for _, b := range ballots {
		_, share, tied := Vote(b.Answers)
		if !share.OK() {
			out.Missing++
			continue
		}
		if len(tied) > 0 {
			out.Tied++
		}
		if len(b.Answers) < k {
			out.Short++
		}
	}
	return VoteSizes(k), out
}

// row is 1 for an item with a vote and then, for each size, its accuracy and how much that is above the one of one chain.
func (b Ballot) row(sizes []int, seed uint64) []float64 {
	row, of := make([]float64, 1+2*len(sizes)), make([]int, len(sizes))
	for i, size := range sizes {
		of[i] = min(size, len(b.Answers))
	}
	accuracies := b.Accuracies(of, seed)
	if len(sizes) == 0 || !accuracies[0].OK() {
		return row
	}
	row[0] = 1
	for i, a := range accuracies {
		row[1+2*i] = a.Or(0)
		row[2+2*i] = a.Or(0) - accuracies[0].Or(0)
	}
	return row
}

// votesPerItem is the statistic of VoteCurve: the means of all columns but the first.
func votesPerItem(sums []float64) []percuss.Number {
	out := make([]percuss.Number, len(sums)-1)
	for i, v := range sums[1:] {
		out[i] = percuss.Num(v / sums[0])
	}
	return out
}

// checkBallots says what is wrong with ballots in the order of their items.
func checkBallots(ballots []Ballot) error {
	for i, b := range ballots {
		switch k := len(b.Answers); {
		case i > 0 && b.Item == ballots[i-1].Item:
			return fmt.Errorf("accuracy of votes: item %q stands there twice", b.Item)
		case b.Gold == "":
			return fmt.Errorf("accuracy of votes: item %q has no right answer: leave it out", b.Item)
		case k > MostChains:
			return fmt.Errorf("accuracy of votes: item %q has %d chains: give no more than %d", b.Item, k, MostChains)
		}
	}
	return nil
}
