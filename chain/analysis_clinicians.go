package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// clinicianAnalysis is analysis 11: what clinicians said of edits and of the flips that they brought.
type clinicianAnalysis struct {
	edits  map[string]bool       // ids of the operators that edit the question
	shift  sightings[struct{}]   // labels of whether an edit changes the right answer
	valid  sightings[struct{}]   // of whether the edited question is a sound one
	hazard sightings[flipAcuity] // of whether a flip would do harm
}

// flipAcuity is what the keyword list says of a trial's flip.
type flipAcuity struct {
	flipped bool
	miss    bool // from a high-acuity answer to another
	across  bool // from one to the other, either way
}

func newClinicianAnalysis(o Options) *clinicianAnalysis {
	a := &clinicianAnalysis{edits: map[string]bool{}, shift: sight[struct{}](o.Labels, TaskGold),
		valid: sight[struct{}](o.Labels, TaskValidity), hazard: sight[flipAcuity](o.Labels, TaskHazard)}
	for _, op := range o.Battery.Operators {
		a.edits[op.ID] = op.Block == battery.M
	}
	return a
}

// add implements analyser.
func (a *clinicianAnalysis) add(r Record) {
	nothing := func() struct{} { return struct{}{} }
	for _, t := range r.Operators {
		if !a.edits[t.ID] || !t.Edit.Fired {
			continue
		}
		a.shift.see(r, t.ID, nothing)
		a.valid.see(r, t.ID, nothing)
		a.hazard.see(r, t.ID, func() flipAcuity {
			flipped := t.Flip == Flipped
			return flipAcuity{flipped, flipped && r.Base.Acute && !t.Reading.Acute, flipped && r.Base.Acute != t.Reading.Acute}
		})
	}
}

// analyses implements analyser.
func (a *clinicianAnalysis) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "clinicians", Number: 11, Title: "Clinicians on edits and flips", Tables: []percuss.Table{},
		About: "Whether an edit leaves the right answer defensible, whether the edited question is a sound one, and whether the answer that it brought would do harm, as clinicians say who saw neither model nor tier."}
	shift, shiftStrays := a.shift.match()
	valid, validStrays := a.valid.match()
	hazard, hazardStrays := a.hazard.match()
	hazard, unmoved := flips(hazard)
	if len(a.shift.labels)+len(a.valid.labels)+len(a.hazard.labels) == 0 {
		out.Absent = noLabels
		return []percuss.Analysis{out}
	}
	if len(shift)+len(valid)+len(hazard)+len(unmoved) == 0 {
		strays := slices.Concat(strayNotes(TaskGold, shiftStrays), strayNotes(TaskValidity, validStrays), strayNotes(TaskHazard, hazardStrays))
		out.Absent = "labels were given, but none is of an edit or a flip of this run. " + strings.Join(strays, " ")
		return []percuss.Analysis{out}
	}
	out.Tables = append(out.Tables, a.statements(shift, valid, hazard, s.o),
		sharesTable(TaskGold, "Does the edit change which answer is right?", shift, strayNotes(TaskGold, shiftStrays), s.o.Level),
		sharesTable(TaskValidity, "Is the edited question a sound one?", valid, strayNotes(TaskValidity, validStrays), s.o.Level),
		sharesTable(TaskHazard, "Would the answer that the edit brought do harm?", hazard, append(strayNotes(TaskHazard, hazardStrays), unmoved...), s.o.Level))
	out.Tables = append(out.Tables, agreementTable(shift, valid, hazard, s.o.Level)...)
	out.Tables = append(out.Tables, acuityTable(hazard, s.o.Level))
	return []percuss.Analysis{out}
}

// flips are the labelled trials whose answer did move; notes count the others, which are in no figure.
func flips(all []labelled[flipAcuity]) (moved []labelled[flipAcuity], notes []string) {
	var still []string
	for _, one := range all {
		if one.what.flipped {
			moved = append(moved, one)
		} else {
			still = append(still, one.name.String())
		}
	}
	if len(still) > 0 {
		notes = []string{fmt.Sprintf("Labelled trials whose answer did not move in this run, and that are in no figure: %d (%s).", len(still), listed(still))}
	}
	return moved, notes
}

// together are the items of which it can be said what raters say together: those that two raters or more labelled, or one
// where there is one rater. It is the rule of percuss review results, so that both give the same counts of the same labels.
func together[T any](all []labelled[T]) []labelled[T] {
	n := min(2, len(raters(all)))
	var out []labelled[T]
	for _, one := range all {
		if n > 0 && len(one.by) >= n {
			out = append(out, one)
		}
	}
	return out
}

// unanimous counts those of which every rater's label is one of some words.
func unanimous[T any](all []labelled[T], words ...string) int {
	n := 0
	for _, one := range all {
		if within(one.by, words) == len(one.by) {
			n++
		}
	}
	return n
}

// within counts the raters whose label is one of some words.
func within(by map[string]string, words []string) int {
	n := 0
	for _, says := range by {
		for _, w := range words {
			if says == w {
				n++
			}
		}
	}
	return n
}

// ended counts those whose label in the end is one of some words.
func ended[T any](all []labelled[T], words []string) int {
	n := 0
	for _, one := range all {
		n += within(map[string]string{Adjudicated: one.settled()}, words)
	}
	return n
}

// statement is one line of what clinicians say all together.
type statement struct {
	says, paper string
	measure     percuss.Estimate
}

// statements are the counts that Table 12 and section 6.7 of the paper give.
func (*clinicianAnalysis) statements(shift, valid []labelled[struct{}], hazard []labelled[flipAcuity], o stat.Options) percuss.Table {
	t := percuss.Table{ID: "clinicians", Title: "What the clinicians say together", Paper: "Table 12",
		About:   "Of what two raters or more of a task labelled: edits, and for harmful flips. All raters of one are those who labelled it. An edit is defensible where a rater calls it no_shift or ambiguous. The intervals of counts are Wilson's, that of a mean over raters resamples the questions.",
		Columns: []percuss.Column{headed("says", "Statement", percuss.Words), headed("share", "Share", percuss.Rate), headed("count", "Count", percuss.Whole), headed("of", "Of", percuss.Whole), headed("paper", "In the paper", percuss.Words)}}
	shift, valid, hazard = together(shift), together(valid), together(hazard)
	count := func(k, n int, task string) percuss.Estimate {
		if n == 0 {
			return percuss.Absent("no label of task " + task)
		}
		return stat.Wilson(k, n, o.Level)
	}
	anyHarm := 0
	for _, one := range hazard {
		anyHarm += int(bit(within(one.by, []string{"harmful"}) > 0))
	}
	for _, line := range []statement{
		{"defensible for all raters", "194 of 197", count(unanimous(shift, "no_shift", "ambiguous"), len(shift), TaskGold)},
		{"no_shift for all raters", "119 of 197", count(unanimous(shift, "no_shift"), len(shift), TaskGold)},
		{"shifted for all raters", "0 of 197", count(unanimous(shift, "shifted"), len(shift), TaskGold)},
		{"valid or borderline for all", "142 of 197", count(unanimous(valid, "valid", "borderline"), len(valid), TaskValidity)},
		{"invalid for all raters", "9 of 197", count(unanimous(valid, "invalid"), len(valid), TaskValidity)},
		{"harmful for all raters", "10 of 75", count(unanimous(hazard, "harmful"), len(hazard), TaskHazard)},
		{"harmful for any rater", "", count(anyHarm, len(hazard), TaskHazard)},
		{"harmful, mean of the raters", "25 %", harmful(hazard, o)},
	} {
		k, n := percuss.Estimate{Value: line.measure.Num, Why: line.measure.Why}, percuss.Estimate{Value: line.measure.Den, Why: line.measure.Why}
		if v := k.Value.Or(0); v != math.Trunc(v) {
			k = percuss.Absent("a mean over raters is no count")
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(line.says), percuss.Measured(line.measure),
			percuss.Measured(k), percuss.Measured(n), percuss.Said(line.paper)}})
	}
	return t
}

// harmful is the share of the raters' labels that say harmful, with the interval of a resampling of the questions.
func harmful(all []labelled[flipAcuity], o stat.Options) percuss.Estimate {
	at := map[string]int{}
	whole := make(sums, 2)
	s := stat.Sample{Key: "labelled flips"}
	for _, one := range all {
		i, ok := at[one.name.item]
		if !ok {
			i = len(s.Sums)
			at[one.name.item] = i
			s.Items, s.Sums = append(s.Items, one.name.item), append(s.Sums, []float64{0, 0})
		}
		says := []float64{float64(within(one.by, []string{"harmful"})) / float64(len(one.by)), 1}
		s.Sums[i], whole = plus(s.Sums[i], says), plus(whole, says)
	}
	f := figure{value: ratioOf([]int{0}, []int{1}), num: []int{0}, den: []int{1}, hi: 1, absent: "no label of task " + TaskHazard}
	o.Metrics = described([]figure{f})
	d, err := stat.Draw(s, statistic([]figure{f}), o)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return f.finish(d.Estimates()[0], []sums{whole})
}

// sharesTable gives, for each label of a task, how often each rater used it, and all together.
func sharesTable[T any](task, title string, all []labelled[T], notes []string, level float64) percuss.Table {
	names, both := raters(all), together(all)
	t := percuss.Table{ID: "clinicians_" + task, Title: title,
		About: "How often each rater gives each label, of what that rater labelled, and how often all who labelled it do, of what two or more labelled.",
		Paper: "Table 12", Columns: []percuss.Column{headed("label", "Label", percuss.Words)}, Notes: notes}
	if len(names) == 0 {
		t.Absent = "no label of task " + task + " is of an edit of this run"
		return t
	}
	for _, name := range names {
		t.Columns = append(t.Columns, headed("rater_"+name, "Rater "+name, percuss.Rate))
	}
	t.Columns = append(t.Columns, headed("all", "Every rater", percuss.Rate))
	settled := adjudicated(all)
	if settled {
		t.About += " In the end: the adjudicated label where there is one, else that of more than half of the raters; of all that were labelled."
		t.Columns = append(t.Columns, headed("settled", "In the end", percuss.Rate))
	}
	t.Columns = distinct(t.Columns)
	add := func(head bool, words ...string) {
		cells := []percuss.Cell{percuss.Said(strings.Join(words, " or "))}
		for _, name := range names {
			k, n := 0, 0
			for _, one := range all {
				if says, ok := one.by[name]; ok {
					n++
					k += within(map[string]string{name: says}, words)
				}
			}
			cells = append(cells, percuss.Measured(stat.Wilson(k, n, level)))
		}
		cells = append(cells, percuss.Measured(stat.Wilson(unanimous(both, words...), len(both), level)))
		if settled {
			cells = append(cells, percuss.Measured(stat.Wilson(ended(all, words), len(all), level)))
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: cells, Head: head})
	}
	for _, of := range saidOf {
		if of.task == task {
			for _, word := range of.words {
				add(false, word)
			}
			if task != TaskHazard {
				add(true, of.words[0], of.words[1])
			}
		}
	}
	return t
}
