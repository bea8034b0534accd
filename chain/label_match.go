package chain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// trialName names what a label is of. Model and variant are empty for an edit, which is the same for all models.
type trialName struct{ variant, model, item, operator string }

func (l Label) of() trialName { return trialName{l.Variant, l.Model, l.Item, l.Operator} }

// less orders names.
func (n trialName) compare(o trialName) int {
	return cmp.Or(cmp.Compare(n.model, o.model), cmp.Compare(n.variant, o.variant), cmp.Compare(n.item, o.item), cmp.Compare(n.operator, o.operator))
}

// String names it for a reader.
func (n trialName) String() string {
	return strings.Join(strings.Fields(n.operator+" of "+n.item+map[bool]string{true: " by " + n.model}[n.model != ""]+" "+n.variant), " ")
}

// sightings keep of the trials of a run what labels of some tasks ask about, and nothing of the others.
type sightings[T any] struct {
	labels []Label
	wanted map[trialName]bool         // without variant
	seen   map[trialName]map[string]T // without variant -> by variant
}

// sight makes room for the trials that labels of a task are of.
func sight[T any](labels []Label, task string) sightings[T] {
	s := sightings[T]{wanted: map[trialName]bool{}, seen: map[trialName]map[string]T{}}
	for _, l := range labels {
		if l.Task != task {
			continue
		}
		s.labels = append(s.labels, l)
		if n := l.of(); l.Check() == nil {
			n.variant = ""
			s.wanted[n] = true
		}
	}
	return s
}

// see takes a fired trial in, where a label asks for it or for its edit.
func (s sightings[T]) see(r Record, operator string, what func() T) {
	if len(s.wanted) == 0 {
		return
	}
	byModel := trialName{model: r.Subject.Model, item: r.Subject.Item, operator: operator}
	for n, variant := range map[trialName]string{byModel: r.Subject.Variant, {item: byModel.item, operator: operator}: ""} {
		if !s.wanted[n] {
			continue
		}
		if s.seen[n] == nil {
			s.seen[n] = map[string]T{}
		}
		s.seen[n][variant] = what()
	}
}

// labelled is a trial or edit with what was seen of it, and what each rater said of it.
type labelled[T any] struct {
	name trialName
	what T
	by   map[string]string // label by rater

	final string // the adjudicated label; empty: it was not adjudicated
}

// settled is the label that holds: the adjudicated one, else that of more than half of the raters; empty: there is none.
func (l labelled[T]) settled() string { return cmp.Or(l.final, majority(l.by)) }

// match joins the labels with what was seen, in the order of the names. strays name the labels that are of nothing in the
// run, and say why.
func (s sightings[T]) match() (out []labelled[T], strays []string) {
	found := map[trialName]labelled[T]{}
	for _, l := range s.labels {
		n, why := s.find(l.of())
		if err := l.Check(); err != nil {
			why = err.Error()
		}
		if why != "" {
			strays = append(strays, fmt.Sprintf("%s (%s, rater %s)", l.of(), why, l.Rater))
			continue
		}
		one, ok := found[n]
		if !ok {
			bare := n
			bare.variant = ""
			one = labelled[T]{name: n, what: s.seen[bare][n.variant], by: map[string]string{}}
			found[n] = one
		}
		if l.Rater == Adjudicated {
			one.final = l.Says
			found[n] = one
			continue
		}
		if old, twice := one.by[l.Rater]; twice && old != l.Says {
			strays = append(strays, fmt.Sprintf("%s (rater %s gives it two labels, with and without variant; the first counts)", l.of(), l.Rater))
			continue
		}
		one.by[l.Rater] = l.Says
	}
	for _, n := range slices.SortedFunc(maps.Keys(found), trialName.compare) {
		out = append(out, found[n])
	}
	return out, strays
}

// find is the full name of what a label is of, or why there is nothing of that name.
func (s sightings[T]) find(n trialName) (trialName, string) {
	bare := n
	bare.variant = ""
	variants := slices.Sorted(maps.Keys(s.seen[bare]))
	switch {
	case len(variants) == 0:
		return n, "not in this run, or not fired"
	case n.variant == "" && len(variants) == 1:
		n.variant = variants[0]
	case n.variant == "":
		return n, "asked under " + listed(variants) + ": give the variant"
	case !slices.Contains(variants, n.variant):
		return n, "asked under " + listed(variants) + ", not under " + n.variant
	}
	return n, ""
}

// strayNotes say which labels are in no figure.
func strayNotes(task string, strays []string) []string {
	if len(strays) == 0 {
		return nil
	}
	const most = 5
	text := fmt.Sprintf("Labels of %s that are in no figure: %d. ", task, len(strays))
	named := strays[:min(most, len(strays))]
	if len(strays) > most {
		return []string{text + "The first: " + strings.Join(named, "; ") + "."}
	}
	return []string{text + strings.Join(named, "; ") + "."}
}

// majority is the label that more than half of the raters give; empty: none has so many.
func majority(by map[string]string) string {
	counts := map[string]int{}
	for _, says := range by {
		counts[says]++
		if 2*counts[says] > len(by) {
			return says
		}
	}
	return ""
}

// adjudicated reports whether any of some trials has an adjudicated label.
func adjudicated[T any](all []labelled[T]) bool {
	return slices.ContainsFunc(all, func(one labelled[T]) bool { return one.final != "" })
}

// raters are those who labelled any of some trials, sorted.
func raters[T any](all []labelled[T]) []string {
	names := map[string]bool{}
	for _, one := range all {
		for r := range one.by {
			names[r] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// pairsOf are what two raters said, of what both labelled.
func pairsOf[T any](all []labelled[T], first, second string) [][2]string {
	var out [][2]string
	for _, one := range all {
		a, ok := one.by[first]
		b, both := one.by[second]
		if ok && both {
			out = append(out, [2]string{a, b})
		}
	}
	return out
}
