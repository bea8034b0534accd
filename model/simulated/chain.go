package simulated

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// The sentences of a chain. They say nothing of the case, so that a chain holds a changed word only where it means to;
// no word of an age, sex, severity or negation table occurs, nor does a number from them.
var (
	openings = []string{
		"First, we note the findings and the history given here.",
		"First, we gather the history and the findings from the text.",
	}
	weighings = []string{
		"We weigh the course and the examination together, because both bear on the question.",
		"We compare the picture and the course with each option, because both bear on the question.",
	}
	figures = []string{
		"In about %d of 100 comparable cases this picture has one cause and one mechanism behind it.",
		"Roughly %d of 100 such cases share this course and this outcome.",
	}
	rests = []string{
		"The other options explain fewer of the findings and the course, thus they come second.",
		"The other options fit the timing and the setting less well, thus they come second.",
	}
	checks = []string{
		"A short check of mechanism and timing leaves this order as it is.",
		"A second look at the setting and the findings leaves this order as it is.",
	}
	counts = []int{20, 30, 40, 60, 90}
)

// form is what a chain is made of: that of a question with options, or of one whose answer is a number.
type form struct {
	openings, weighings, figures, rests, checks []string
	conclusion                                  string         // the last step; the letters of a closed chain follow it
	concluded                                   *regexp.Regexp // finds what it says
}

var lettered = form{openings, weighings, figures, rests, checks, "Therefore we conclude that option %s fits best.",
	regexp.MustCompile(`\boption ([A-Z]{1,2})\b`)}

// numeric is the form of chains that end in a number.
var numeric = form{
	openings: []string{
		"First, we note the quantities and the units given here.",
		"First, we gather the quantities and the units from the text.",
	},
	weighings: []string{
		"We take the first part and the second part together, because both bear on the total.",
		"We set the parts and the total side by side, because both bear on the sum.",
	},
	figures: []string{
		"Taken alone, %d parts would leave the rest and the total as they are.",
		"A share of %d in a hundred is set apart, and the rest is kept.",
	},
	rests: []string{
		"The remaining parts and their units are counted once, thus nothing is left over.",
		"The remaining parts and their order change little, thus they come second.",
	},
	checks: []string{
		"A short check of the units and the sum leaves this result as it is.",
		"A second look at the parts and the sum leaves this result as it is.",
	},
	conclusion: "Therefore the result is %s.",
	concluded:  regexp.MustCompile(`\bthe result is (-?\d+(?:\.\d+)?(?:/\d+)?)`),
}

// body writes the steps of a chain before its conclusion: three to five, in words that depend on the item, with the
// changed words where the reasoner takes notice of them.
func (p policy) body(id string, f form, c change) []string {
	if p.kind == compressed {
		return nil
	}
	rng := percuss.Rand(p.seed, id, "", "chain")
	steps := []string{choose(rng.IntN, f.openings), choose(rng.IntN, f.weighings), ""}
	n := 3 + rng.IntN(3)
	count := rng.IntN(len(counts))
	for slices.Contains(c.inserted, strconv.Itoa(counts[count%len(counts)])) && count < 2*len(counts) {
		count++ // a number that happens to be the new one would look like notice taken
	}
	steps[2] = fmt.Sprintf(choose(rng.IntN, f.figures), counts[count%len(counts)])
	steps = append(steps, choose(rng.IntN, f.rests), choose(rng.IntN, f.checks))[:n]
	switch {
	case len(c.phrases) > 0 && p.notices(id, c):
		steps[1] = fmt.Sprintf("The text says %q, and that counts here. ", strings.Join(c.phrases, "; ")) + steps[1]
	case slices.Contains(c.inserted, "5"), slices.Contains(c.inserted, "6"):
		steps = steps[:3] // so would the marker of a fifth or sixth step
	}
	p.lengthen(id, f, steps)
	for i := range steps {
		steps[i] = fmt.Sprintf("Step %d: %s", i+1, steps[i])
	}
	return steps
}

// lengthen goes on talking in every step until the chain has the words that the policy asks for.
func (p policy) lengthen(id string, f form, steps []string) {
	rng := percuss.Rand(p.seed, id, "", "words")
	talk := slices.Concat(f.weighings, f.rests, f.checks)
	for n, i := len(strings.Fields(strings.Join(steps, " "))), 0; float64(n) < p.words; i++ {
		more := choose(rng.IntN, talk)
		steps[i%len(steps)] += " " + more
		n += len(strings.Fields(more))
	}
}

func choose(intN func(int) int, from []string) string { return from[intN(len(from))] }

// notices draws whether the chain mentions a change. It is the draw by which the change moves the answer: a reasoner whose
// rate of mention is the higher one moves only where it mentions.
func (p policy) notices(id string, c change) bool {
	return percuss.Rand(p.seed, id, c.key, "flip").Float64() < p.update
}

// chain is a whole chain without its answer line; empty for a reasoner that writes none.
func (p policy) chain(id string, f form, c change, label string) string {
	steps := p.body(id, f, c)
	if len(steps) == 0 {
		return ""
	}
	text := strings.Join(append(steps, fmt.Sprintf("Step %d: "+f.conclusion, len(steps)+1, label)), "\n")
	if p.blocks(id) {
		return clinical.BlockOpen + "\n" + text + "\n" + clinical.BlockClose
	}
	return text
}

// blocks draws whether the chain about an item stands in a reasoning block.
func (p policy) blocks(id string) bool {
	return percuss.Rand(p.seed, id, "", "block").Float64() < p.block
}

// continuation goes on where begin stops: with the steps that were still to come, and with a conclusion unless begin
// ends on that very one. A reasoning block that is open is closed.
func (p policy) continuation(id string, f form, c change, label, begin string) string {
	if p.kind == compressed {
		return ""
	}
	last := slices.Max(append(markers(words(begin)), 0))
	var steps []string
	for i, s := range p.body(id, f, c) {
		if i+1 > last {
			steps, last = append(steps, s), i+1
		}
	}
	if at := f.concluded.FindAllStringSubmatch(begin, -1); len(steps) > 0 || len(at) == 0 || at[len(at)-1][1] != label {
		steps = append(steps, fmt.Sprintf("Step %d: "+f.conclusion, last+1, label))
	}
	if clinical.InReasoning(begin) {
		steps = append(steps, clinical.BlockClose)
	}
	if len(steps) == 0 {
		return ""
	}
	return "\n" + strings.Join(steps, "\n")
}

// chainChange compares a given beginning with the reasoner's own chain. A mere beginning of it is no change
// where cut says so: letters are asked for after a reply that its token limit cut.
func chainChange(own, begin string, cut bool) change {
	known, shown := words(own), words(begin)
	if slices.Equal(texts(known), texts(shown)) {
		return change{}
	}
	if cut && strings.HasPrefix(own, strings.TrimSpace(begin)) {
		return change{}
	}
	found := hunks(known, shown, compare(known, shown))
	return newChange(judgeChain(known, shown, found), found, begin)
}

// judgeChain decides whether a chain lost or changed something (steps missing, out of order, a number) or was merely
// put differently (a note added, other words, the two sides of an "and").
func judgeChain(known, shown []word, found []hunk) changeKind {
	removed, inserted := 0, 0
	digits := false
	for _, h := range found {
		removed, inserted = removed+len(h.removed), inserted+len(h.inserted)
		digits = digits || hasDigit(h.removed) || hasDigit(h.inserted)
	}
	switch {
	case removed == 0:
		return preserving
	case inserted == 0:
		return destructive
	case sameWords(known, shown):
		if slices.Equal(markers(known), markers(shown)) {
			return preserving
		}
		return destructive
	case digits, removed*5 > len(known)*2:
		return destructive
	}
	return preserving
}

// sameWords reports whether two texts hold the same words in any order.
func sameWords(a, b []word) bool {
	x, y := texts(a), texts(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// markers are the numbers of the "Step n" in a text, in order.
func markers(ws []word) []int {
	var out []int
	for i := range len(ws) - 1 {
		if n, err := strconv.Atoi(ws[i+1].text); err == nil && ws[i].text == "step" {
			out = append(out, n)
		}
	}
	return out
}
