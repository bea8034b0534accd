package step

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// The leak test in numbers. They bound its time, and below the least of them nothing can be told.
const (
	mostLeakPairs  = 12  // pairs of models that are tested
	mostLeakSteps  = 400 // steps of each of the two
	leakFeatures   = 96  // that the classifier uses
	leakFolds      = 5
	leakRidge      = 10.0 // penalty, for features that are many against the steps
	leastLeakItems = 10   // that both have
	leastLeakSteps = 40   // of each of the two
	smallLeak      = 0.6  // an area below which little can be told by style
)

// leak asks whether the models can be told apart by the steps that judges see.
func (s *summary) leak() percuss.Analysis {
	out := percuss.Analysis{ID: "leak", Title: "Leak test", About: "Whether a classifier can tell which of two models wrote a step when it sees the step as judges do. Near 0.5 a judge cannot know the model by its style; " +
		"near 1 it could, and what it says of the two may come from that.", Tables: []percuss.Table{s.leakTable()}}
	switch {
	case len(s.a.o.Judges) == 0:
		out.Absent = noJudge
	case len(s.leakPairs()) == 0:
		out.Absent = noTwoModels
	}
	return out
}

// noTwoModels is why there is no leak test.
const noTwoModels = "no two models were judged on one data set under one prompt"

func (s *summary) leakTable() percuss.Table {
	t := percuss.Table{ID: "leak", Title: "Can the models be told apart by their steps?",
		About: fmt.Sprintf("A logistic regression on the %d most varied hashed features of a step (words, pairs of words, marks, length), fitted on other items than it is tried on (%d folds). AUC: the chance that a step of the second model "+
			"looks more like that model than a step of the first does. Hits: the share of steps of which it names the writer, mean of the two models. Chance is 50 %% for both.", leakFeatures, leakFolds),
		Columns: []percuss.Column{column("first", "Model", percuss.Words), column("second", "Other model", percuss.Words), column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words),
			column("items", "Items", percuss.Whole), column("steps", "Steps of each", percuss.Whole), column("auc", "AUC, as judges see them", percuss.Rate), column("hits", "Hits, as judges see them", percuss.Percent),
			column("auc_raw", "AUC, as written", percuss.Rate), column("hits_raw", "Hits, as written", percuss.Percent), column("says", "Told apart", percuss.Words)}}
	pairs := s.leakPairs()
	for _, p := range pairs[:min(len(pairs), mostLeakPairs)] {
		l := s.leakOf(p[0], p[1])
		of := p[0].subject
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(of.Model), percuss.Said(p[1].subject.Model), percuss.Said(of.Set), percuss.Said(of.Variant), percuss.Counted(l.items), percuss.Counted(l.steps),
			percuss.Measured(l.seen.auc), percuss.Measured(l.seen.hits), percuss.Measured(l.raw.auc), percuss.Measured(l.raw.hits), percuss.Said(leakSays(l.seen.auc))}})
	}
	t.Notes = []string{fmt.Sprintf("By the interval of the AUC as judges see steps. Yes: it lies above 0.5 and reaches %g. Hardly: it lies above 0.5 and ends below %g. No: it ends below %g and begins at 0.5 or below. Otherwise it cannot be told. ", smallLeak, smallLeak, smallLeak) +
		"Models can also be told apart by what they say, right or wrong, which no normaliser may take away: " +
		"where they are, look whether the change stays in the view paraphrase. A classifier that finds nothing does not show that a judge finds nothing.",
		"Hits and AUC as written say how much there was for the normaliser to take away. Intervals resample items, with the classifier as it was fitted."}
	if left := len(pairs) - mostLeakPairs; left > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Left out: %s of models; those that are compared come first.", plural(left, "pair")))
	}
	return explained(t, noTwoModels)
}

// leakSays is what an area means.
func leakSays(auc percuss.Estimate) string {
	lo, hasLo := auc.Lo.Get()
	hi, hasHi := auc.Hi.Get()
	switch {
	case !hasLo || !hasHi:
		return unsettled
	case hi < smallLeak && lo > 0.5:
		return "hardly"
	case hi < smallLeak:
		return "no"
	case lo > 0.5:
		return "yes"
	}
	return unsettled
}

// leakPairs are the pairs of cells that are tested: those of the comparisons first, then all others on one set under one prompt.
func (s *summary) leakPairs() (out [][2]*cell) {
	add := func(a, b *cell) {
		if b == nil || a == b || len(a.seen) == 0 || len(b.seen) == 0 || slices.Contains(out, [2]*cell{a, b}) || slices.Contains(out, [2]*cell{b, a}) {
			return
		}
		out = append(out, [2]*cell{a, b})
	}
	for _, p := range s.a.o.Pairs {
		for _, before := range s.cells {
			if before.subject.Model == p.Before {
				add(before, s.cellOf(before.subject.Variant, p.After, before.subject.Set))
			}
		}
	}
	for i, a := range s.cells {
		for _, b := range s.cells[i+1:] {
			if a.subject.Set == b.subject.Set && a.subject.Variant == b.subject.Variant {
				add(a, b)
			}
		}
	}
	return out
}

// leaked is what the leak test found of two models.
type leaked struct {
	items, steps int // in common; steps of each
	seen, raw    toldApart
}

// toldApart is how well two models were told apart.
type toldApart struct{ auc, hits percuss.Estimate }

// leakOf tests two cells; what was found is kept, for a table and a claim tell it.
func (s *summary) leakOf(a, b *cell) leaked {
	of := [2]*cell{a, b}
	if l, ok := s.leaks[of]; ok {
		return l
	}
	l := s.leakTest(a, b)
	s.leaks[of] = l
	return l
}

// leakTest tests two cells on the items that both have, with as many steps of the one as of the other.
func (s *summary) leakTest(a, b *cell) leaked {
	first, second := featured(a, b), featured(b, a)
	n := min(len(first), len(second), mostLeakSteps)
	first, second = spread(first, n), spread(second, n)
	steps := append(first, second...)
	items := map[string]bool{}
	for _, x := range steps {
		items[x.item] = true
	}
	out := leaked{items: len(items), steps: n}
	if len(items) < leastLeakItems || n < leastLeakSteps {
		why := fmt.Sprintf("%s and %s of each model in common: fewer than %d or %d", plural(len(items), "item"), plural(n, "judged step"), leastLeakItems, leastLeakSteps)
		out.seen = toldApart{percuss.Absent(why), percuss.Absent(why)}
		out.raw = out.seen
		return out
	}
	out.seen = s.classified(steps, func(x seenStep) []uint16 { return x.features })
	out.raw = s.classified(steps, func(x seenStep) []uint16 { return x.raw })
	return out
}

// featured are the steps of a cell that have features, on the items of which the other cell has some, too.
func featured(c, other *cell) (out []seenStep) {
	has := map[string]bool{}
	for _, x := range other.seen {
		has[x.item] = has[x.item] || len(x.features) > 0
	}
	for _, x := range c.seen {
		if has[x.item] && len(x.features) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// spread are n steps, from all parts of the run.
func spread(steps []seenStep, n int) []seenStep {
	out := make([]seenStep, n)
	for i := range out {
		out[i] = steps[i*len(steps)/n]
	}
	return out
}

// classified tells the second half of some steps from the first by their features.
func (s *summary) classified(steps []seenStep, features func(seenStep) []uint16) toldApart {
	second, items := make([]bool, len(steps)), make([]string, len(steps))
	for i, x := range steps {
		second[i], items[i] = i >= len(steps)/2, x.item
	}
	x := design(steps, features)
	if len(x[0]) == 0 {
		why := "all steps have the same features"
		return toldApart{percuss.Absent(why), percuss.Absent(why)}
	}
	scores, err := stat.CrossValidated(x, second, items, leakFolds, leakRidge, s.o.Seed)
	if err != nil {
		return toldApart{percuss.Absent(err.Error()), percuss.Absent(err.Error())}
	}
	rows := stat.NewRows()
	for i, score := range scores {
		arm := orElse(second[i], "b/", "a/")
		hit := bit((score > 0) == second[i])
		if score == 0 {
			hit = 0.5
		}
		rows.Add(items[i], arm+"hits", hit)
		rows.Add(items[i], arm+"n", 1)
	}
	hits := s.clustered(rows, []string{"a/hits", "a/n", "b/hits", "b/n"}, stat.Metric{Difference: true, Absent: notJudged}, func(n []float64) percuss.Number {
		if !(n[1] > 0) || !(n[3] > 0) {
			return percuss.Number{}
		}
		return percuss.Num((n[0]/n[1] + n[2]/n[3]) / 2)
	})
	return toldApart{stat.AUC(scores, second, items, s.o), hits}
}

// design has a row a step: which of the features that vary most over all steps it has. They are chosen without a look at who
// wrote the step, so that the choice tells the classifier nothing.
func design(steps []seenStep, features func(seenStep) []uint16) [][]float64 {
	var has [featureCount]int
	for _, x := range steps {
		for _, f := range features(x) {
			has[f%featureCount]++
		}
	}
	var chosen []int
	for f, n := range has {
		if n > 0 && n < len(steps) {
			chosen = append(chosen, f)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int { return has[b]*(len(steps)-has[b]) - has[a]*(len(steps)-has[a]) })
	chosen = chosen[:min(len(chosen), leakFeatures)]
	at := map[int]int{}
	for i, f := range chosen {
		at[f] = i
	}
	out := make([][]float64, len(steps))
	for i, x := range steps {
		out[i] = make([]float64, len(chosen))
		for _, f := range features(x) {
			if j, ok := at[int(f%featureCount)]; ok {
				out[i][j] = 1
			}
		}
	}
	return out
}
