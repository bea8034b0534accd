package chain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// name is the control for a reader.
func (c Control) name() string {
	switch c {
	case Sham:
		return "asked again"
	case ShamChain:
		return "own chain given back"
	case FormatMarkers:
		return "other option marks"
	case FormatSpace:
		return "other spacing"
	case Shuffle:
		return "options shuffled"
	}
	return string(c)
}

// asked are the controls with an answer to compare somewhere, in the order of reports.
func (c *controls) asked() []Control {
	return slices.DeleteFunc(AllControls(), func(id Control) bool {
		for _, n := range c.fired {
			if n[id] > 0 {
				return false
			}
		}
		return true
	})
}

// noFloor says why there is no noise floor, in front of what could be done about it.
func (c *controls) noFloor() string {
	for _, id := range [...]Control{Sham, ShamChain} {
		if why := slices.Sorted(maps.Keys(c.why[id])); len(why) > 0 {
			return "no sham has an answer to compare: " + why[0]
		}
	}
	return "no sham was asked, or none has an answer to compare: begin a run with --controls sham,sham-chain"
}

func (c *controls) analyses(s *summary) []percuss.Analysis {
	a := percuss.Analysis{ID: "controls", Title: "Controls: is an effect more than noise?",
		About: "Each effect is held against the same items asked again unchanged, and against edits that leave the clinical content alone. A flip rate says nothing by itself where asking again flips as often."}
	for _, m := range s.ranked() {
		c.found = append(c.found, c.measure(s, m))
	}
	if len(c.found) == 0 {
		a.Absent = noModels
		return []percuss.Analysis{a}
	}
	a.Tables = []percuss.Table{c.noise(s), c.effects(s.o.Replicates), c.equivalence()}
	return []percuss.Analysis{a}
}

// noise is the table of noise floors: how often each control moves the answer.
func (c *controls) noise(s *summary) percuss.Table {
	t := percuss.Table{ID: "noise", Title: "Noise floors", About: "How often the answer moves although nothing that matters was changed: items moved, of those with two answers to compare, with Wilson's interval.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("set", "Data set", percuss.Words), headed("prompt", "Prompt", percuss.Words)},
		Rows:    []percuss.Row{}}
	asked := c.asked()
	if len(asked) == 0 {
		t.Absent = c.noFloor()
	}
	for _, id := range asked {
		t.Columns = append(t.Columns, headed(strings.ReplaceAll(string(id), "-", "_"), upper(id.name()), percuss.Rate))
		if why := c.reasons(id); why != "" {
			t.Notes = append(t.Notes, upper(id.name())+", not asked: "+why+".")
		}
	}
	row := func(m *model, set string, cells []*cell, head bool) {
		r := percuss.Row{Head: head, Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(set), percuss.Said(m.group.Variant)}}
		for _, id := range asked {
			r.Cells = append(r.Cells, percuss.Measured(c.rate(id, cells, s.o.Level)))
		}
		t.Rows = append(t.Rows, r)
	}
	if len(asked) == 0 {
		return t
	}
	for _, m := range s.models {
		for _, part := range slices.Concat(m.cells, m.others) {
			row(m, part.set, []*cell{part}, false)
		}
		if len(m.cells) > 1 {
			row(m, "all, pooled", m.cells, true)
		}
	}
	return t
}

// reasons lists why a control was not asked, and of how many items; and how often in all, where models and prompts make
// that more.
func (c *controls) reasons(id Control) string {
	var out []string
	for _, why := range slices.Sorted(maps.Keys(c.why[id])) {
		n := c.why[id][why]
		count := plural(len(n.items), "item")
		if n.times > len(n.items) {
			count += fmt.Sprintf(", %d times over models and prompts", n.times)
		}
		out = append(out, fmt.Sprintf("%s (%s)", why, count))
	}
	return listed(out)
}

// rate is how often a control moves the answer in some cells.
func (c *controls) rate(id Control, cells []*cell, level float64) percuss.Estimate {
	k, n := 0, 0
	for _, cell := range cells {
		for _, item := range c.items[cell.id()] {
			k += int(bit(item.control(id) == moved))
			n += int(bit(item.control(id) != unknown))
		}
	}
	e := stat.Wilson(k, n, level)
	if n == 0 {
		e = percuss.Absent("no item has two answers to compare")
	}
	return e
}

// upper writes a text with a capital.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// effects is the table of differences to the sham and to the preserving edits. replicates are those of the bootstrap.
func (c *controls) effects(replicates int) percuss.Table {
	t := percuss.Table{ID: "effects", Title: "Effects against the noise floor", Long: true,
		About: "The flip rate of each edit minus that of its control on the same items, and minus that of the preserving edits of the same block on the same items. Each item is resampled with both sides.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("edit", "Edit", percuss.Words),
			headed("prompt", "Prompt", percuss.Words), headed("against", "Held against", percuss.Words),
			headed("flips", "Flip rate", percuss.Rate), headed("floor", "Of the control", percuss.Rate),
			headed("difference", "Difference", percuss.Decimal), headed("alone", "Moved by the edit alone", percuss.Whole),
			headed("other", "By the control alone", percuss.Whole), headed("p", "p (Holm)", percuss.PValue),
			headed("over_p", "Less the preserving edits", percuss.Decimal), headed("over_p_p", "p (Holm) of that", percuss.PValue),
			headed("reading", "Reading", percuss.Words)},
		Rows: []percuss.Row{}, Notes: []string{
			"p against the control: McNemar's exact test on the items that one of the two moved; against the preserving edits: bootstrap. Both adjusted by Holm over the operators of a model.",
			"Edits of the chain are held against the model's own chain given back unedited where that was asked, edits of the question against the question asked again.",
			"Rows of several edits are means of their operators' differences.",
		}}
	var smallest []percuss.Number // of the tests of one model
	for _, m := range c.found {
		var own []percuss.Number
		for _, e := range m.rows {
			if !e.group && e.against.Value.OK() {
				own = append(own, e.pAgainst)
			}
			floor := "each its own"
			if e.block != "" {
				floor = m.floors[e.block].name()
			}
			row := percuss.Row{Head: e.group, Cells: []percuss.Cell{percuss.Said(m.m.group.Model), percuss.Said(e.name),
				percuss.Said(m.m.group.Variant), percuss.Said(floor), percuss.Measured(e.own), percuss.Measured(e.floor), percuss.Measured(e.sham),
				percuss.Counted(e.alone), percuss.Counted(e.other), percuss.Valued(e.adjusted), percuss.Measured(e.against),
				percuss.Valued(e.adjustedP), percuss.Said(e.reading())}}
			t.Rows = append(t.Rows, row)
		}
		if smallest == nil && resolutionNote(replicates, own) != nil {
			smallest = own
		}
	}
	t.Notes = append(t.Notes, resolutionNote(replicates, smallest)...)
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// reading says how an effect lies to the noise floor.
func (e effect) reading() string {
	v, ok := e.sham.Value.Get()
	if !ok {
		return "no noise floor to hold it against"
	}
	told := false
	if e.group {
		lo, hi := e.sham.Lo.Or(0), e.sham.Hi.Or(0)
		told = lo > 0 || hi < 0
	} else if p, ok := e.adjusted.Get(); ok {
		told = p < alpha
	}
	switch {
	case !told:
		return "within the noise floor: it cannot be told from asking again"
	case v > 0:
		return "above the noise floor: it moves the answer more often than asking again does"
	}
	return "below the noise floor: asking again moves the answer more often"
}

// equivalence is the table of the tests of the preserving edits and of the format.
func (c *controls) equivalence() percuss.Table {
	t := percuss.Table{ID: "equivalence", Title: "Do preserving edits and the format leave the answers alone?",
		About: fmt.Sprintf("Two one-sided tests on the same items (Tango's score test, alpha %.2f): equivalent means that the flip rates differ by less than %g, which an insignificant difference does not show.", alpha, c.margin),
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("edit", "Edit", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("difference", fmt.Sprintf("Difference to the control, %.0f %% interval", 100*(1-2*alpha)), percuss.Decimal),
			headed("p", "Larger one-sided p", percuss.PValue), headed("verdict", "Verdict", percuss.Words)},
		Rows: []percuss.Row{}}
	for _, m := range c.found {
		add := func(name string, e stat.Equivalence) {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(m.m.group.Model), percuss.Said(name), percuss.Said(m.m.group.Variant),
				percuss.Measured(e.Difference), percuss.Valued(e.P), percuss.Said(string(e.Verdict))}})
		}
		for _, e := range m.rows {
			if !e.group && e.intent == battery.Preserving {
				add(e.name, c.equivalent(e.alone, e.other, int(e.own.Den.Or(0))))
			}
		}
		for _, id := range [...]Control{FormatMarkers, FormatSpace} {
			if b, other, n := c.compare(id, m.m); n > 0 {
				add(id.name(), c.equivalent(b, other, n))
			}
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = "the battery has no preserving edit, and no format was asked"
	}
	return t
}

// equivalent tests counts of moved items.
func (c *controls) equivalent(b, other, n int) stat.Equivalence {
	e := stat.EquivalentPaired(b, other, n, c.margin, alpha)
	if n == 0 {
		e.Difference = percuss.Absent(c.noFloor())
	}
	return e
}

// compare counts the items that a control alone moved, those that the sham alone moved, and those where both have an
// answer to compare.
func (c *controls) compare(id Control, m *model) (alone, sham, n int) {
	for _, cell := range m.cells {
		for _, item := range c.items[cell.id()] {
			a, b := item.control(id), item.control(Sham)
			if a == unknown || b == unknown {
				continue
			}
			n++
			alone += int(bit(a == moved && b == stayed))
			sham += int(bit(b == moved && a == stayed))
		}
	}
	return alone, sham, n
}
