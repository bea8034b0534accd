package cases

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

func stabilityTable(f evidence.Findings) table {
	return over(f, table{ID: "stability", Title: "The same cases under other settings (Tables 8 and 9)",
		About: "Each setting beside its reference, on the same cases; wordings are means over the candidate orders. Agreement: the same " +
			"diagnosis is best on the full evidence. Correlation: of the margins of all candidates over all subsets, which is high as soon " +
			"as candidates keep their levels; by evidence: of margins minus their candidate's mean. Overlap: Jaccard of the ten strongest " +
			"combinations; by chance: of as many drawn at random.",
		Columns: columnsOf(column{"setting", "Setting", words}, column{"kind", "Differs in", words}, column{"cases", "Cases", whole},
			column{"accuracy", "Right", shares},
			column{"difference", "Difference, points", points}, column{"agreement", "Agreement", shares}, column{"correlation",
				"Correlation", means}, column{"centred", "Correlation by evidence", means}, column{"overlap", "Overlap", means},
			column{"chance", "Overlap by chance", means},
			column{"suspicious", "Suspicious, strength", shares}, column{"suspicious_per_case", "Suspicious each", means})},
		func(c evidence.Cell) (out [][]entry) {
			for _, s := range c.Stability {
				kind := string(s.Kind)
				if kind == "" {
					kind = "reference"
				}
				out = append(out, entries(word(s.Name), word(kind), count(s.Cases), measure(s.Accuracy), measure(s.Difference),
					measure(s.Agreement), measure(s.Correlation), measure(s.Centred),
					measure(s.Overlap), measure(s.Chance), measure(s.Suspicious), measure(s.PerCase)))
			}
			return out
		})
}

// selectorTable has a column for every coarse class that occurs.
func selectorTable(f evidence.Findings) table {
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
	t := table{ID: "selectors", Title: "Other selections of findings (Table 16)",
		About: "Which findings of a case are audited is a choice; here are the shares of count under others. Overlap: of the ten strongest " +
			"combinations with those of the base selection.",
		Columns: columnsOf(column{"selector", "Selector", words}, column{"cases", "Cases", whole}, column{"salient", "Salient", whole},
			column{"overlap", "Overlap", means},
			column{"suspicious", "Suspicious, strength", shares})}
	for _, name := range classes {
		t.Columns = append(t.Columns, column{strings.Map(identifier, name), name, shares})
	}
	return over(f, t, func(c evidence.Cell) (out [][]entry) {
		for _, s := range c.Selectors {
			row := entries(word(string(s.Selector)), count(s.Cases), count(s.Salient), measure(s.Overlap), measure(s.Suspicious))
			for _, name := range classes {
				var share percuss.Estimate
				if i := slices.IndexFunc(s.Coarse, func(m evidence.Mechanism) bool { return m.Name == name }); i >= 0 {
					share = s.Coarse[i].Share
				}
				row = append(row, measure(share))
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

func cascadeTable(f evidence.Findings) table {
	return over(f, table{ID: "cascade", Title: "What survives the checks (Table 7)",
		About: "A combination is stable when the same findings move the same diagnosis with the same sign, salient and still suspicious, in " +
			"every variant of the step. The first row counts all of the cell, the second those that the first step could check: of cases " +
			"asked in other wordings, up to the order of the checks. A control is a salient combination of the same case and order that the suspicious rules did not pick, of " +
			"the same sign where possible and the nearest strength; it need not be suspicious. Precision: of the judged ones, those that reviewers call invalid.",
		Columns: columnsOf(column{"step", "Step", words}, column{"control", "Control", words}, column{"asked", "Checked", whole},
			column{"kept", "Kept", whole}, column{"rate", "Kept, share", shares},
			column{"judged", "Judged", whole}, column{"precision", "Precision", shares}, column{"questionable", "Questionable", shares},
			column{"false_positive", "False positive", shares})},
		func(c evidence.Cell) (out [][]entry) {
			for _, s := range c.Cascade {
				out = append(out, entries(word(s.Step), sign(s.Control, "control", "no"), count(s.Asked), count(s.Kept), measure(s.Rate),
					count(s.Judged), measure(s.Precision),
					measure(s.Questionable), measure(s.False)))
			}
			return out
		})
}

func ablationTable(f evidence.Findings) table {
	return over(f, table{ID: "order_ablation", Title: "Asking for lower orders only (Table 3)",
		About: "What would have been found with fewer prompts, of what orders 1 to 3 find.",
		Columns: columnsOf(column{"order", "Highest order", whole}, column{"budget", "Prompts a case", nats}, column{"strength", "Strength kept", shares},
			column{"suspicious", "Suspicious found", shares}, column{"invalid", "Judged invalid found", shares})},
		func(c evidence.Cell) (out [][]entry) {
			for _, a := range c.Ablation {
				out = append(out, entries(count(a.Order), number(percuss.Num(a.Budget)), measure(a.Strength), measure(a.Suspicious), measure(a.Invalid)))
			}
			return out
		})
}

func floorTable(f evidence.Findings) table {
	return over(f, table{ID: "noise_floor", Title: "Noise floor",
		About: "Batch: the same prompts repeated in other company. Order: the same case with its candidates in other orders. Floor: what " +
			"noise alone exceeds once in twenty times, by Student's distribution. Degrees of freedom: cases × repetitions, for the " +
			"combinations of a case share its prompts. Order 0 is the margin itself.",
		Columns: columnsOf(column{"source", "Source", words}, column{"order", "Order", whole}, column{"sd", "SD, nats", nats}, column{"floor", "Floor, nats", nats},
			column{"cases", "Cases", whole}, column{"dof", "Degrees of freedom", whole}, column{"under", "Salient below the floor", whole},
			column{"of", "Salient", whole}, column{"why", "Remark", words})},
		func(c evidence.Cell) (out [][]entry) {
			for _, r := range c.Floor {
				out = append(out, entries(word(r.Source), count(r.Order), number(r.SD), number(r.Floor), count(r.Cases),
					count(r.DoF), count(r.Under), count(r.Of), word(r.Why)))
			}
			return out
		})
}

func discoveryTable(f evidence.Findings) table {
	return over(f, table{ID: "discovery", Title: "Lists that control false discoveries",
		About: "Combinations held against the noise instead of the threshold (Benjamini and Hochberg 1995).",
		Columns: columnsOf(column{"source", "Noise of", words}, column{"rate", "False discoveries allowed", rate}, column{"tested",
			"Tested", whole}, column{"listed", "Listed", whole},
			column{"both", "Listed and salient", whole}, column{"only_salient", "Salient, not listed", whole}, column{"p", "Largest p",
				words}, column{"orders", "Listed by order", words}, column{"why", "Remark", words})},
		func(c evidence.Cell) (out [][]entry) {
			for _, d := range c.Discovery {
				p := ""
				if v, ok := d.P.Get(); ok {
					p = fmt.Sprintf("%.2g", v)
				}
				var orders []string
				for _, o := range d.Orders {
					orders = append(orders, fmt.Sprintf("%s: %d", o.Name, o.N))
				}
				out = append(out, entries(word(d.Source), number(percuss.Num(d.Rate)), count(d.Tested), count(d.Listed), count(d.Both),
					count(d.Only), word(p), word(strings.Join(orders, ", ")), word(d.Why)))
			}
			return out
		})
}

func strataTable(f evidence.Findings) table {
	return over(f, table{ID: "counterfactuals", Title: "Counterfactuals by stratum (Table 20)",
		About: "High: the family is part of a strict suspicious combination. Salient: of a salient one, and of no suspicious one, the " +
			"control to high. Low: present, and in no salient one. Plausible: a reviewer or the user calls it appropriate. A score is a " +
			"log-probability, which cannot rise above 0: where the model is sure of the right diagnosis, what moves shows in the rival. Strong: the right diagnosis' score moves by 0.5 nats, its margin by 1, or its rank changes. The " +
			"last five columns exclude each other: the larger move of the two scores, stable when both are below 0.5.",
		Columns: columnsOf(column{"stratum", "Stratum", words}, column{"edit", "Edit", words}, column{"families", "Families", whole},
			column{"cases", "Cases", whole}, column{"variants", "Changes", whole},
			column{"strong", "Strong", shares}, column{"rank", "Rank changes", shares}, column{"target", "Δ right", means}, column{"rival",
				"Δ rival", means}, column{"margin", "Δ margin", means},
			column{"target_down", "Right falls", shares}, column{"target_up", "Right rises", shares}, column{"competitor_up", "Rival rises", shares},
			column{"competitor_down", "Rival falls", shares}, column{"stable", "Stable", shares})},
		func(c evidence.Cell) (out [][]entry) {
			for _, s := range c.Strata {
				edit := string(s.Edit)
				if edit == "" {
					edit = "all"
				}
				out = append(out, entries(word(string(s.Stratum)), word(edit), count(s.Families), count(s.Cases), count(s.Variants),
					measure(s.Strong), measure(s.Rank), measure(s.Target),
					measure(s.Rival), measure(s.Margin), measure(s.TDown), measure(s.TUp), measure(s.CUp), measure(s.CDown), measure(s.Stable)))
			}
			return out
		})
}

func exampleTable(f evidence.Findings) table {
	return over(f, table{ID: "examples", Title: "Representative counterfactuals (Table 6)", About: "One telling change for each outcome and stratum.",
		Columns: columnsOf(column{"item", "Case", words}, column{"gold", "Right diagnosis", words}, column{"stratum", "Stratum", words},
			column{"outcome", "Outcome", words}, column{"edit", "Edit", words},
			column{"before", "Before", words}, column{"after", "After", words}, column{"target", "Δ right", nats}, column{"competitor",
				"Rival", words}, column{"rival", "Δ rival", nats},
			column{"margin", "Δ margin", nats}, column{"rank", "Rank", words}, column{"combination", "Strongest combination with it", words})},
		func(c evidence.Cell) (out [][]entry) {
			for _, e := range c.Examples {
				combination := ""
				if i := e.Interaction; i != nil {
					combination = fmt.Sprintf("%s: %s nats, %s%s", strings.Join(e.Units, " + "), signed(percuss.Num(i.Value)), i.Label,
						map[bool]string{true: " (suspicious)"}[i.Suspicious])
				}
				ch := e.Change
				out = append(out, entries(word(e.Item), word(e.Gold), word(string(e.Stratum)), word(outcomeWords(e.Outcome)),
					word(string(ch.Edit)), word(strings.Join(ch.Before, "; ")), word(after(ch)),
					number(ch.Target), word(ch.Competitor), number(ch.Rival), number(ch.Margin), word(rankWords(ch)), word(combination)))
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
