package step

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// answers is the answer side: how often one chain is right, how often the vote of several, and what that costs.
func (s *summary) answers() percuss.Analysis {
	return percuss.Analysis{ID: "answers", Title: "Answers",
		About:  "How often one sampled chain is right, how often the vote of all of them, and what each doubling of the chains brings.",
		Tables: []percuss.Table{s.accuracyTable(), s.curveTable(), s.statesTable()}}
}

func (s *summary) accuracyTable() percuss.Table {
	t := percuss.Table{ID: "answers", Title: "Accuracy of one chain and of the vote",
		About: fmt.Sprintf("One chain: share of the chains with an answer that have the right one. Vote: the answer that most of an item's %d chains give (SC@%d). "+
			"Gain: vote less one chain, on the same items. Tied: items where several answers had the most votes.", s.a.o.K, s.a.o.K),
		Columns: ofCells(column("items", "Items", percuss.Whole), column("read", "Chains with an answer", percuss.Percent), column("accuracy", "One chain", percuss.Percent),
			column("majority", "Vote", percuss.Percent), column("gain", "Gain", percuss.ShareDiff), column("confidence", "Mean vote share", percuss.Percent),
			column("tied", "Tied", percuss.Whole), column("unvoted", "Without a vote", percuss.Whole), plainColumn("words", "Words a chain", percuss.Length), plainColumn("tokens", "Tokens a chain", percuss.Length))}
	for i, c := range s.found {
		rows := s.cells[i].rows
		gain := percuss.Absent(noAnswers)
		if n := len(c.Curve); n > 0 {
			gain = c.Curve[n-1].Gain
		}
		t.Rows = append(t.Rows, cellRow(c, percuss.Counted(c.Items), percuss.Measured(share(rows.Total(colRead), rows.Total(colChains), noCells)), percuss.Measured(c.Accuracy),
			percuss.Measured(c.Majority), percuss.Measured(gain), percuss.Measured(c.Confidence), percuss.Counted(c.Tied), percuss.Counted(c.Unvoted),
			percuss.Measured(share(rows.Total(colWords), rows.Total(colTexts), noTexts)), percuss.Measured(s.cells[i].tokens())))
	}
	t.Notes = append(t.Notes, "A chain without an answer that was read has no vote and enters no accuracy; an item without any vote is in no accuracy of votes.")
	return explained(t, noCells)
}

// curveTable is accuracy against the number of chains.
func (s *summary) curveTable() percuss.Table {
	t := percuss.Table{ID: "vote_curve", Title: "Accuracy of the vote against the number of chains", Long: len(s.found) > 4,
		About: "The chance that the vote of so many of an item's chains is right, over all ways of choosing them. Tokens are those generated for an item. A point gained: " +
			"tokens more than one chain takes, for each point of accuracy more than it has; where the gain's interval holds zero it says nothing.",
		Columns: ofCells(column("k", "Chains", percuss.Whole), column("accuracy", "Accuracy", percuss.Percent), column("gain", "Gain over one chain", percuss.ShareDiff),
			plainColumn("tokens", "Tokens an item", percuss.Length), column("per_point", "Tokens a point gained", percuss.Hundredths), column("cost", "Cost a point gained", percuss.Words))}
	for _, c := range s.found {
		for _, p := range c.Curve {
			per, cost := s.perPoint(c, p)
			t.Rows = append(t.Rows, cellRow(c, percuss.Counted(p.K), percuss.Measured(p.Accuracy), percuss.Measured(p.Gain), percuss.Measured(percuss.Estimate{Value: p.Tokens, Why: p.NoTokens}), percuss.Measured(per), percuss.Said(cost)))
		}
	}
	return explained(t, noCells)
}

// perPoint is how many tokens, and how much money, a percentage point of accuracy takes beyond one chain.
func (s *summary) perPoint(c Cell, p Point) (tokens percuss.Estimate, cost string) {
	gain, ok := p.Gain.Value.Get()
	all, has := p.Tokens.Get()
	switch {
	case p.K == 1:
		return percuss.Absent("it is what others are compared with"), ""
	case !ok:
		return percuss.Absent(orElse(p.Gain.Why != "", p.Gain.Why, noAnswers)), ""
	case !has:
		return percuss.Absent(p.NoTokens), ""
	case sign(p.Gain) <= 0:
		return percuss.Absent("no gain above zero"), ""
	}
	more := all * float64(p.K-1) / float64(p.K)
	per := more / (100 * gain)
	m := s.a.o.Models[c.Model]
	if price, known := m.Price.Get(); known {
		cost = strings.TrimSpace(percuss.Num(per*price/1e6).Format(6) + " " + m.Money)
	}
	return percuss.Estimate{Value: percuss.Num(per), N: p.Gain.N}, cost
}

// statesTable counts the chains by what became of them.
func (s *summary) statesTable() percuss.Table {
	t := percuss.Table{ID: "chain_states", Title: "What became of the chains", About: "Every chain that was asked for. Only one with an answer that was read has a vote; the steps of all chains with a text are looked at.", Long: true,
		Columns: ofCells(column("read", "Answer read", percuss.Whole), column("unparseable", "No answer", percuss.Whole), column("ambiguous", "Several answers", percuss.Whole),
			column("refused", "Refused in words", percuss.Whole), column("failed", "Call failed", percuss.Whole), column("cut", "Cut at the token limit", percuss.Whole), column("repeated", "Items twice", percuss.Whole))}
	for i, c := range s.found {
		of := s.cells[i]
		t.Rows = append(t.Rows, cellRow(c, percuss.Counted(of.states[Read]), percuss.Counted(of.states[Unparseable]), percuss.Counted(of.states[Ambiguous]),
			percuss.Counted(of.states[Refused]), percuss.Counted(of.states[NoCall]), percuss.Counted(of.outcomes[percuss.Truncated]), percuss.Counted(of.repeated)))
	}
	return explained(t, noCells)
}
