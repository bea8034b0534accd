package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

func stabilityTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "stability", Absent: "no case was asked in another way", Title: "The same cases under other settings", Paper: "Tables 8 and 9",
		About: "Each setting beside its reference, on the same cases; wordings are means over the candidate orders. Agreement: the same " +
			"diagnosis is best on the full evidence. Correlation: of the margins of all candidates over all subsets, which is high as soon " +
			"as candidates keep their levels; by evidence: of margins minus their candidate's mean. Overlap: Jaccard of the ten strongest " +
			"combinations; by chance: of as many drawn at random.",
		Columns: columns(col("setting", "Setting", percuss.Words), col("kind", "Differs in", percuss.Words), col("cases", "Cases", percuss.Whole),
			col("accuracy", "Right", percuss.Percent),
			col("difference", "Difference, points", percuss.ShareDiff), col("agreement", "Agreement", percuss.Percent), col("correlation", "Correlation", percuss.Hundredths), col("centred", "Correlation by evidence", percuss.Hundredths), col("overlap", "Overlap", percuss.Hundredths),
			col("chance", "Overlap by chance", percuss.Hundredths),
			col("suspicious", "Suspicious, strength", percuss.Percent), col("suspicious_per_case", "Suspicious each", percuss.Hundredths))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, s := range c.Stability {
				kind := string(s.Kind)
				if kind == "" {
					kind = "reference"
				}
				out = append(out, cells(percuss.Said(s.Name), percuss.Said(kind), percuss.Counted(s.Cases), percuss.Measured(s.Accuracy), percuss.Measured(s.Difference),
					percuss.Measured(s.Agreement), percuss.Measured(s.Correlation), percuss.Measured(s.Centred),
					percuss.Measured(s.Overlap), percuss.Measured(s.Chance), percuss.Measured(s.Suspicious), percuss.Measured(s.PerCase)))
			}
			return out
		})
}

// selectorTable has a column for every coarse class that occurs.
func selectorTable(f evidence.Findings) percuss.Table {
	var classes []string
	for _, c := range f.Cells {
		for _, s := range c.Selectors {
			for _, m := range s.Coarse {
				if !slices.Contains(classes, m.Name) {
					classes = append(classes, m.Name)
				}
			}
		}
	}
	t := percuss.Table{ID: "selectors", Absent: "no case was asked on another selection of findings", Title: "Other selections of findings", Paper: "Table 16",
		About: "Which findings of a case are audited is a choice; here are the shares of count under others. Overlap: of the ten strongest " +
			"combinations with those of the base selection.",
		Columns: columns(col("selector", "Selector", percuss.Words), col("cases", "Cases", percuss.Whole), col("salient", "Salient", percuss.Whole),
			col("overlap", "Overlap", percuss.Hundredths),
			col("suspicious", "Suspicious, strength", percuss.Percent))}
	for _, name := range classes {
		t.Columns = append(t.Columns, col(strings.Map(identifier, name), name, percuss.Percent))
	}
	return over(f, t, func(c evidence.Cell) (out [][]percuss.Cell) {
		for _, s := range c.Selectors {
			row := cells(percuss.Said(string(s.Selector)), percuss.Counted(s.Cases), percuss.Counted(s.Salient), percuss.Measured(s.Overlap), percuss.Measured(s.Suspicious))
			for _, name := range classes {
				var share percuss.Estimate
				if i := slices.IndexFunc(s.Coarse, func(m evidence.Mechanism) bool { return m.Name == name }); i >= 0 {
					share = s.Coarse[i].Share
				}
				row = append(row, percuss.Measured(share))
			}
			out = append(out, row)
		}
		return out
	})
}

// identifier makes a name fit for the head of a CSV column.
func identifier(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

func cascadeTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "cascade", Absent: "no case was asked in another way", Title: "What survives the checks", Paper: "Table 7",
		About: "A combination is stable when the same findings move the same diagnosis with the same sign, salient and still suspicious, in " +
			"every variant of the step. The first row counts all of the cell, the second those that the first step could check: of cases " +
			"asked in other wordings, up to the order of the checks. A control is a salient combination of the same case and order that the suspicious rules did not pick, of " +
			"the same sign where possible and the nearest strength; it need not be suspicious. Precision: of the judged ones, those that reviewers call invalid.",
		Columns: columns(col("step", "Step", percuss.Words), col("control", "Control", percuss.Words), col("asked", "Checked", percuss.Whole),
			col("kept", "Kept", percuss.Whole), col("rate", "Kept, share", percuss.Percent),
			col("judged", "Judged", percuss.Whole), col("precision", "Precision", percuss.Percent), col("questionable", "Questionable", percuss.Percent),
			col("false_positive", "False positive", percuss.Percent))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, s := range c.Cascade {
				out = append(out, cells(percuss.Said(s.Step), sign(s.Control, "control", "no"), percuss.Counted(s.Asked), percuss.Counted(s.Kept), percuss.Measured(s.Rate),
					percuss.Counted(s.Judged), percuss.Measured(s.Precision),
					percuss.Measured(s.Questionable), percuss.Measured(s.False)))
			}
			return out
		})
}

func ablationTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "order_ablation", Absent: "no case is scored", Title: "Asking for lower orders only", Paper: "Table 3",
		About: "What would have been found with fewer prompts, of what orders 1 to 3 find.",
		Columns: columns(col("order", "Highest order", percuss.Whole), bare("budget", "Prompts a case", percuss.Hundredths), col("strength", "Strength kept", percuss.Percent),
			col("suspicious", "Suspicious found", percuss.Percent), col("invalid", "Judged invalid found", percuss.Percent))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, a := range c.Ablation {
				out = append(out, cells(percuss.Counted(a.Order), percuss.Valued(percuss.Num(a.Budget)), percuss.Measured(a.Strength), percuss.Measured(a.Suspicious), percuss.Measured(a.Invalid)))
			}
			return out
		})
}

func floorTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "noise_floor", Absent: "nothing was repeated", Title: "Noise floor",
		About: "Batch: the same prompts repeated in other company. Order: the same case with its candidates in other orders. Floor: what " +
			"noise alone exceeds once in twenty times, by Student's distribution. Degrees of freedom: cases × repetitions, for the " +
			"combinations of a case share its prompts. Order 0 is the margin itself.",
		Columns: columns(col("source", "Source", percuss.Words), col("order", "Order", percuss.Whole), bare("sd", "SD, nats", percuss.Nats), bare("floor", "Floor, nats", percuss.Nats),
			col("cases", "Cases", percuss.Whole), col("dof", "Degrees of freedom", percuss.Whole), col("under", "Salient below the floor", percuss.Whole),
			col("of", "Salient", percuss.Whole), col("why", "Remark", percuss.Words))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, r := range c.Floor {
				out = append(out, cells(percuss.Said(r.Source), percuss.Counted(r.Order), percuss.Valued(r.SD), percuss.Valued(r.Floor), percuss.Counted(r.Cases),
					percuss.Counted(r.DoF), percuss.Counted(r.Under), percuss.Counted(r.Of), percuss.Said(r.Why)))
			}
			return out
		})
}

func discoveryTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "discovery", Absent: "nothing was repeated", Title: "Lists that control false discoveries",
		About: "Combinations held against the noise instead of the threshold (Benjamini and Hochberg 1995).",
		Columns: columns(col("source", "Noise of", percuss.Words), bare("rate", "False discoveries allowed", percuss.Percent), col("tested", "Tested", percuss.Whole), col("listed", "Listed", percuss.Whole),
			col("both", "Listed and salient", percuss.Whole), col("only_salient", "Salient, not listed", percuss.Whole), col("p", "Largest p", percuss.Words), col("orders", "Listed by order", percuss.Words), col("why", "Remark", percuss.Words))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, d := range c.Discovery {
				p := ""
				if v, ok := d.P.Get(); ok {
					p = fmt.Sprintf("%.2g", v)
				}
				var orders []string
				for _, o := range d.Orders {
					orders = append(orders, fmt.Sprintf("%s: %d", o.Name, o.N))
				}
				out = append(out, cells(percuss.Said(d.Source), percuss.Valued(percuss.Num(d.Rate)), percuss.Counted(d.Tested), percuss.Counted(d.Listed), percuss.Counted(d.Both),
					percuss.Counted(d.Only), percuss.Said(p), percuss.Said(strings.Join(orders, ", ")), percuss.Said(d.Why)))
			}
			return out
		})
}

func strataTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "counterfactuals", Absent: "no evidence was changed", Title: "Counterfactuals by stratum", Paper: "Table 20",
		About: "High: the family is part of a strict suspicious combination. Salient: of a salient one, and of no suspicious one, the " +
			"control to high. Low: present, and in no salient one. Plausible: a reviewer or the user calls it appropriate. A score is a " +
			"log-probability, which cannot rise above 0: where the model is sure of the right diagnosis, what moves shows in the rival. Strong: the right diagnosis' score moves by 0.5 nats, its margin by 1, or its rank changes. The " +
			"last five columns exclude each other: the larger move of the two scores, stable when both are below 0.5.",
		Columns: columns(col("stratum", "Stratum", percuss.Words), col("edit", "Edit", percuss.Words), col("families", "Families", percuss.Whole),
			col("cases", "Cases", percuss.Whole), col("variants", "Changes", percuss.Whole),
			col("strong", "Strong", percuss.Percent), col("rank", "Rank changes", percuss.Percent), col("target", "Δ right", percuss.Nats), col("rival", "Δ rival", percuss.Nats), col("margin", "Δ margin", percuss.Nats),
			col("target_down", "Right falls", percuss.Percent), col("target_up", "Right rises", percuss.Percent), col("competitor_up", "Rival rises", percuss.Percent),
			col("competitor_down", "Rival falls", percuss.Percent), col("stable", "Stable", percuss.Percent))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, s := range c.Strata {
				edit := string(s.Edit)
				if edit == "" {
					edit = "all"
				}
				out = append(out, cells(percuss.Said(string(s.Stratum)), percuss.Said(edit), percuss.Counted(s.Families), percuss.Counted(s.Cases), percuss.Counted(s.Variants),
					percuss.Measured(s.Strong), percuss.Measured(s.Rank), percuss.Measured(s.Target),
					percuss.Measured(s.Rival), percuss.Measured(s.Margin), percuss.Measured(s.TDown), percuss.Measured(s.TUp), percuss.Measured(s.CUp), percuss.Measured(s.CDown), percuss.Measured(s.Stable)))
			}
			return out
		})
}

func exampleTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "examples", Absent: "no evidence was changed", Title: "Representative counterfactuals", Paper: "Table 6", About: "One telling change for each outcome and stratum.",
		Columns: columns(col("item", "Case", percuss.Words), col("gold", "Right diagnosis", percuss.Words), col("stratum", "Stratum", percuss.Words),
			col("outcome", "Outcome", percuss.Words), col("edit", "Edit", percuss.Words),
			col("before", "Before", percuss.Words), col("after", "After", percuss.Words), bare("target", "Δ right", percuss.Nats), col("competitor", "Rival", percuss.Words), bare("rival", "Δ rival", percuss.Nats),
			bare("margin", "Δ margin", percuss.Nats), col("rank", "Rank", percuss.Words), col("combination", "Strongest combination with it", percuss.Words))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, e := range c.Examples {
				combination := ""
				if i := e.Interaction; i != nil {
					combination = fmt.Sprintf("%s: %s nats, %s%s", strings.Join(e.Units, " + "), signed(percuss.Num(i.Value)), i.Label,
						map[bool]string{true: " (suspicious)"}[i.Suspicious])
				}
				ch := e.Change
				out = append(out, cells(percuss.Said(e.Item), percuss.Said(e.Gold), percuss.Said(string(e.Stratum)), percuss.Said(outcomeWords(e.Outcome)),
					percuss.Said(string(ch.Edit)), percuss.Said(strings.Join(ch.Before, "; ")), percuss.Said(after(ch)),
					percuss.Valued(ch.Target), percuss.Said(ch.Competitor), percuss.Valued(ch.Rival), percuss.Valued(ch.Margin), percuss.Said(rankWords(ch)), percuss.Said(combination)))
			}
			return out
		})
}

// after is what stands in the prompt after a change.
func after(c evidence.Change) string {
	if len(c.After) == 0 {
		return "(nothing)"
	}
	return strings.Join(c.After, "; ")
}

// rankWords are the places of the right diagnosis before and after a change.
func rankWords(c evidence.Change) string {
	if c.RankBefore == 0 || c.RankAfter == 0 {
		return ""
	}
	return fmt.Sprintf("%d → %d", c.RankBefore, c.RankAfter)
}

// outcomeWords names an outcome of a change for a reader.
func outcomeWords(outcome string) string {
	for name, words := range map[string]string{"target_down": "right falls", "target_up": "right rises", "competitor_up": "rival rises", "competitor_down": "rival falls"} {
		if outcome == name {
			return words
		}
	}
	return plainly(outcome)
}

// plainly writes an identifier in words.
func plainly(s string) string { return strings.ReplaceAll(s, "_", " ") }
