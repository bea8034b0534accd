package stat

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/percuss/percuss"
)

// AUC is the chance that a positive case has a higher score than a negative one, ties counting half (Mann and Whitney
// 1947; Hanley and McNeil 1982): 0.5 for scores that say nothing, 1 for a perfect separation. cluster names what each
// case belongs to, e.g. the item that an original and its edit share; the interval resamples clusters (percentile
// bootstrap). Where every resample separates alike, Wilson's interval on the smaller class stands in. The estimate is
// absent with a reason where a class is empty, the lengths differ or a score is no number. N counts the clusters.
func AUC(scores []float64, positive []bool, cluster []string, o Options) percuss.Estimate {
	o.Metrics = nil
	o, err := o.checked()
	if err != nil {
		return percuss.Absent(err.Error())
	}
	r, why := rankedCases(scores, positive, cluster)
	if why != "" {
		return percuss.Absent(why)
	}
	e := percuss.Estimate{Value: percuss.Num(r.auc(nil)), Level: o.Level, N: r.clusters}
	e.Method = fmt.Sprintf("area under the ROC curve (Mann-Whitney, ties half); percentile bootstrap over %d clusters, %d replicates", r.clusters, o.Replicates)
	reps := r.replicates(o)
	present := slices.DeleteFunc(slices.Clone(reps), math.IsNaN)
	if len(present) == 0 {
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: no replicate has both classes")
		return e
	}
	lo, hi := quantile(present, (1-o.Level)/2), quantile(present, (1+o.Level)/2)
	if v, _ := e.Value.Get(); hi-lo <= rounding(v) {
		n := float64(r.fewer())
		lo, hi = wilson(v*n, n, o.Level)
		e.Method = "area under the ROC curve (Mann-Whitney, ties half); " + wilsonMethod + " on the smaller class (the bootstrap was degenerate)"
	}
	e.Lo, e.Hi = percuss.Num(lo), percuss.Num(hi)
	if lost := len(reps) - len(present); float64(lost) > missingShare*float64(len(reps)) {
		e.Warnings = append(e.Warnings, fmt.Sprintf("no value in %d of %d replicates: the interval is that of the others", lost, len(reps)))
	}
	return e
}

// ranked are cases in the order of their scores.
type ranked struct {
	positive []bool
	cluster  []int
	tie      []bool // the case has the score of the one before it
	clusters int
}

// rankedCases orders the cases, or says what is wrong with them.
func rankedCases(scores []float64, positive []bool, cluster []string) (r ranked, why string) {
	if len(scores) != len(positive) || len(scores) != len(cluster) {
		return r, fmt.Sprintf("%d scores, %d classes and %d clusters do not go together", len(scores), len(positive), len(cluster))
	}
	order, ids := make([]int, len(scores)), map[string]int{}
	number := make([]int, len(scores))
	for i, s := range scores {
		if math.IsNaN(s) {
			return r, fmt.Sprintf("score %d is no number", i+1)
		}
		id, seen := ids[cluster[i]]
		if !seen {
			id = len(ids)
			ids[cluster[i]] = id
		}
		order[i], number[i] = i, id
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case scores[i] < scores[j]:
			return -1
		case scores[i] > scores[j]:
			return 1
		}
		return 0
	})
	r.clusters = len(ids)
	for k, i := range order {
		r.positive, r.cluster = append(r.positive, positive[i]), append(r.cluster, number[i])
		r.tie = append(r.tie, k > 0 && scores[order[k-1]] == scores[i])
	}
	if r.fewer() == 0 {
		return r, "one of the two classes is empty"
	}
	return r, ""
}

// fewer is the number of cases of the smaller class.
func (r ranked) fewer() int {
	n := 0
	for _, p := range r.positive {
		if p {
			n++
		}
	}
	return min(n, len(r.positive)-n)
}

// auc is the area with each cluster counted as often as weights says, once where they are nil; NaN where a class is empty.
func (r ranked) auc(weights []uint32) float64 {
	var wins, below, all, tiedPositive, tiedNegative float64
	settle := func() { // the cases of one score
		wins += tiedPositive * (below + tiedNegative/2)
		below, all = below+tiedNegative, all+tiedPositive
		tiedPositive, tiedNegative = 0, 0
	}
	for k, positive := range r.positive {
		if !r.tie[k] {
			settle()
		}
		w := 1.0
		if weights != nil {
			w = float64(weights[r.cluster[k]])
		}
		if positive {
			tiedPositive += w
		} else {
			tiedNegative += w
		}
	}
	settle()
	return wins / (all * below)
}

// replicates are the areas of all resamples, NaN where a class is empty.
func (r ranked) replicates(o Options) []float64 {
	out := make([]float64, o.Replicates)
	rs := Resampler{Seed: o.Seed, Key: itemsKey, Items: r.clusters}
	workers := min(runtime.GOMAXPROCS(0), max(1, o.Replicates/block))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var weights []uint32
			for i := w; i < len(out); i += workers {
				weights = rs.Weights(i, weights)
				out[i] = r.auc(weights)
			}
		})
	}
	wg.Wait()
	return out
}
