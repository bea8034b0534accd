package versus

import (
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// tables are those of the comparison.
func (p *pairs) tables(of map[*group][]result) []percuss.Table {
	out := []percuss.Table{p.compared(), p.right(of)}
	if p.audit == ofEvidence {
		return append(out, p.margins(of), p.combinations(), p.moving(of, "changes", "Changes of findings that move the answer", "Edit"))
	}
	return append(out, p.joint(of), p.moving(of, "moves", "Edits that move the answer", "Edit"))
}

// naming heads the columns that say which group a row is of.
func naming() []percuss.Column {
	return []percuss.Column{{ID: "set", Head: "Set", Scale: percuss.Words}, {ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "prompt", Head: "Prompt", Scale: percuss.Words}}
}

// named are a group's cells of those columns.
func (g *group) named() []percuss.Cell {
	return []percuss.Cell{percuss.Said(g.Set), percuss.Said(turned(g.BeforeModel, g.AfterModel)), percuss.Said(turned(g.BeforePrompt, g.AfterPrompt))}
}

// turned names what is one thing before and perhaps another after.
func turned(before, after string) string {
	if before == after {
		return before
	}
	return before + " → " + after
}

func number(id, head string, scale percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: scale}
}

func whole(id, head string) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: percuss.Whole, Bare: true}
}

func counted(n ...int) []percuss.Cell {
	out := make([]percuss.Cell, len(n))
	for i, v := range n {
		out[i] = percuss.Counted(v)
	}
	return out
}

func measured(r result) []percuss.Cell {
	return []percuss.Cell{percuss.Measured(r.before), percuss.Measured(r.after), percuss.Measured(r.difference)}
}

// compared says what the runs have in common.
func (p *pairs) compared() percuss.Table {
	t := percuss.Table{ID: "compared", Title: "What was compared",
		About:   "Items of both runs under one model and prompt; an arrow shows what each is in the first and in the second run. Other: the question, its options or its key differ between the runs, so the item is in no figure.",
		Columns: append(naming(), whole("both", "In both"), whole("only_before", "Only before"), whole("only_after", "Only after"), whole("other", "Other"))}
	for _, g := range p.groups {
		t.Rows = append(t.Rows, percuss.Row{Cells: append(g.named(), counted(g.Both, g.OnlyA, g.OnlyB, g.Differ)...)})
	}
	return t
}

// right is how often the answers are right.
func (p *pairs) right(of map[*group][]result) percuss.Table {
	t := percuss.Table{ID: "right", Title: "Right answers",
		About: "Over the items that have an answer in both runs. Difference: after minus before, in percentage points, with the interval of paired resampling. p: McNemar's mid-p of fixed against broke. Other answer: the two answers differ, right or not. Lost, gained: there is an answer in one run alone; unread: in neither.",
		Columns: append(naming(), number("before", "Before", percuss.Percent), number("after", "After", percuss.Percent), number("difference", "Difference, points", percuss.ShareDiff),
			percuss.Column{ID: "p", Head: "p", Scale: percuss.PValue, Bare: true}, whole("fixed", "Fixed"), whole("broke", "Broke"), whole("other_answer", "Other answer"), whole("lost", "Lost"), whole("gained", "Gained"), whole("unread", "Unread"))}
	for _, g := range p.groups {
		r := of[g][mRight]
		cells := append(append(g.named(), measured(r)...), percuss.Valued(r.p))
		t.Rows = append(t.Rows, percuss.Row{Cells: append(cells, counted(g.kinds[Fixed], g.kinds[Broke], g.others, g.kinds[Lost], g.kinds[Gained], g.kinds[Unread])...)})
	}
	return t
}

// joint is how often chains register edits, and how often neither chain nor answer shows one.
func (p *pairs) joint(of map[*group][]result) percuss.Table {
	t := percuss.Table{ID: "joint", Title: "Edits in the chain",
		About: "Over the trials for which the token rule is defined and that could be compared with the baseline in both runs, whichever operators they are of: the figures of the reports, over all of a run's own trials, may differ. No trace, answer stays: cell c of the joint table.",
		Columns: append(naming(), number("registers_before", "Registers, before", percuss.Percent), number("registers_after", "After", percuss.Percent), number("registers_difference", "Difference, points", percuss.ShareDiff),
			number("c_before", "No trace, answer stays, before", percuss.Percent), number("c_after", "After", percuss.Percent), number("c_difference", "Difference, points", percuss.ShareDiff))}
	for _, g := range p.groups {
		t.Rows = append(t.Rows, percuss.Row{Cells: append(append(g.named(), measured(of[g][mRegisters])...), measured(of[g][mDecoupled])...)})
	}
	return t
}

// margins are the margins and the numbers of combinations of an evidence audit.
func (p *pairs) margins(of map[*group][]result) percuss.Table {
	t := percuss.Table{ID: "margins", Title: "Margins and combinations",
		About: "Means over the cases scored in both runs. Margin: of the right diagnosis on all findings, nats. Strong: combinations of findings of 0.5 nats or more, by case; suspicious: those of them that no clinical reason explains.",
		Columns: append(naming(), number("margin_before", "Margin, before", percuss.Nats), number("margin_after", "After", percuss.Nats), number("margin_difference", "Difference, nats", percuss.Nats),
			number("salient_before", "Strong, before", percuss.Hundredths), number("salient_after", "After", percuss.Hundredths), number("salient_difference", "Difference", percuss.Hundredths),
			number("suspicious_before", "Suspicious, before", percuss.Hundredths), number("suspicious_after", "After", percuss.Hundredths), number("suspicious_difference", "Difference", percuss.Hundredths))}
	for _, g := range p.groups {
		cells := g.named()
		for _, m := range []int{mMargin, mSalient, mSuspicious} {
			cells = append(cells, measured(of[g][m])...)
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: cells})
	}
	return t
}

// combinations counts interactions that both runs have, or one.
func (p *pairs) combinations() percuss.Table {
	t := percuss.Table{ID: "combinations", Title: "Combinations that both runs have",
		About:   "Combinations of findings of 0.5 nats or more, of the cases in which both runs audited the same findings, to the order that both asked.",
		Columns: append(naming(), percuss.Column{ID: "kind", Head: "Kind", Scale: percuss.Words}, whole("both", "In both"), whole("only_before", "Only before"), whole("only_after", "Only after"), whole("suspicious_before", "Suspicious before"), whole("suspicious_after", "Suspicious after"))}
	for _, g := range p.groups {
		for i, m := range p.measures {
			if c := g.counts[i]; i >= mFirst && strings.HasPrefix(m.id, "order ") && c.both+c.before+c.after > 0 {
				t.Rows = append(t.Rows, percuss.Row{Cells: append(append(g.named(), percuss.Said(m.title)), counted(c.both, c.before, c.after, c.strongBefore, c.strong)...)})
			}
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = "no case has a strong combination of the same findings in both runs"
	}
	return t
}

// moving is how often each edit moves the answer.
func (p *pairs) moving(of map[*group][]result, id, title, head string) percuss.Table {
	t := percuss.Table{ID: id, Title: title, Long: len(p.groups) > 1,
		About: "Over the trials that could be compared with the baseline in both runs. p: McNemar's mid-p of the answers that move only after against those that move only before, with Holm's correction for the number of edits in a group. Dropped: the edit was made, and there is no answer that could be compared.",
		Columns: append(naming(), percuss.Column{ID: "operator", Head: head, Scale: percuss.Words}, number("before", "Before", percuss.Percent), number("after", "After", percuss.Percent), number("difference", "Difference, points", percuss.ShareDiff),
			percuss.Column{ID: "p_holm", Head: "p, Holm", Scale: percuss.PValue, Bare: true},
			whole("only_before", "Moves only before"), whole("only_after", "Moves only after"), whole("both", "Moves in both"), whole("dropped_before", "Dropped before"), whole("dropped_after", "Dropped after"))}
	controls := false
	for _, g := range p.groups {
		if p.audit == ofChain {
			t.Rows = append(t.Rows, percuss.Row{Head: true, Cells: append(append(append(g.named(), percuss.Said("all edits")), measured(of[g][mMoves])...), p.allEdits(g)...)})
		}
		corrected := p.corrected(of[g])
		for i, m := range p.measures {
			if i < mFirst || strings.HasPrefix(m.id, "order ") {
				continue
			}
			c, r := g.counts[i], of[g][i]
			cells := append(append(g.named(), percuss.Said(m.title)), measured(r)...)
			if m.single {
				cells = append(cells, percuss.Valued(corrected[i]))
			} else {
				cells = append(cells, several())
			}
			t.Rows = append(t.Rows, percuss.Row{Cells: append(cells, counted(c.before, c.after, c.both, c.lostBefore, c.lostNow)...)})
			controls = controls || m.control
		}
	}
	if controls {
		t.Notes = append(t.Notes, "Controls make no edit: how often an answer moves under one is the noise of the run, and no difference between edits that is smaller than it says much.")
	}
	if len(t.Rows) == 0 {
		t.Absent = "no edit was asked in both runs"
	}
	return t
}

// allEdits are the counts of all operators together. An item has several trials, so that McNemar's test does not hold.
func (p *pairs) allEdits(g *group) []percuss.Cell {
	var sum count
	for i, m := range p.measures {
		if i >= mFirst && !m.control {
			c := g.counts[i]
			sum.before, sum.after, sum.both, sum.lostBefore, sum.lostNow = sum.before+c.before, sum.after+c.after, sum.both+c.both, sum.lostBefore+c.lostBefore, sum.lostNow+c.lostNow
		}
	}
	return append([]percuss.Cell{several()}, counted(sum.before, sum.after, sum.both, sum.lostBefore, sum.lostNow)...)
}

// several is the p-value where McNemar's test does not hold.
func several() percuss.Cell { return percuss.Measured(percuss.Absent("an item has several trials")) }

// corrected are the p-values of a group's operators after Holm, by measure. Controls are no tests.
func (p *pairs) corrected(of []result) []percuss.Number {
	all := make([]percuss.Number, len(of))
	for i, m := range p.measures {
		if i >= mFirst && !m.control {
			all[i] = of[i].p
		}
	}
	return stat.Holm(all)
}
