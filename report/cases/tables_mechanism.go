package cases

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// profileTable is what each threshold gives, for the gold's margin and for that of every candidate audited.
func profileTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "suspicious", Title: "Salient combinations and how much of them is suspicious",
		About: "Salient: the combination moves the margin by at least the threshold. Each: for every case × diagnosis audited, of which the " +
			"right diagnosis has one a case. Suspicious, strength: the strength of the combinations under the strict suspicious rules, " +
			"divided by that of all salient ones; cases with findings only, for of a narrative nothing is known of what a sentence is " +
			"evidence for. Random signs: the share that would be suspicious if a coin gave these combinations their signs. " +
			"History: potential overuse of history and risk, positive combinations of background findings only, of at least the strength " +
			"in the last column, which is one for all rows; it stands outside the strict set.",
		Columns: columns(col("of", "Margin of", percuss.Words), bare("threshold", "Threshold, nats", percuss.Nats), col("targets", "Case × diagnosis", percuss.Whole),
			col("salient", "Salient", percuss.Whole), bare("strength", "Strength, nats", percuss.Nats), col("per_case_and_diagnosis", "Salient each", percuss.Hundredths),
			col("suspicious", "Suspicious, strength", percuss.Percent), bare("strength_null_same_sets", "Random signs, strength", percuss.Percent),
			col("strength_against", "Against it", percuss.Words), col("suspicious_count", "Suspicious, count", percuss.Percent),
			bare("null_same_sets", "Random signs, count", percuss.Percent), col("against", "Against it", percuss.Words),
			col("suspicious_per_case_and_diagnosis", "Suspicious each", percuss.Hundredths), col("overuse", "History", percuss.Percent),
			bare("overuse_from", "History from, nats", percuss.Nats))},
		func(c evidence.Cell) [][]percuss.Cell {
			out := [][]percuss.Cell{profileRow("the right diagnosis", c.Gold), profileRow("every candidate audited", c.Everyone)}
			if p := c.AboveFloor; p != nil {
				out = append(out, profileRow("the right diagnosis, "+p.Name, *p))
			}
			for _, p := range c.Thresholds {
				if p.Threshold != c.Gold.Threshold {
					out = append(out, profileRow("the right diagnosis", p))
				}
			}
			return out
		})
}

func profileRow(of string, p evidence.Profile) []percuss.Cell {
	return cells(percuss.Said(of), percuss.Valued(percuss.Num(p.Threshold)), percuss.Counted(p.Targets), percuss.Counted(p.Salient), percuss.Valued(percuss.Num(p.Strength)), percuss.Measured(p.PerCase),
		percuss.Measured(p.Suspicious), percuss.Valued(p.SameSets.Strength), percuss.Said(againstCoin(p.SameSets.ByStrength)),
		percuss.Measured(p.SuspCount), percuss.Valued(p.SameSets.Count), percuss.Said(againstCoin(p.SameSets.ByCount)),
		percuss.Measured(p.SuspCase), percuss.Measured(p.Overuse), percuss.Valued(p.OveruseCut))
}

// mechanismColumns are those of every table of mechanisms.
func mechanismColumns(name string) []percuss.Column {
	return columns(col("name", name, percuss.Words), col("suspicious", "Suspicious", percuss.Words), col("count", "Count", percuss.Whole),
		bare("strength", "Strength, nats", percuss.Nats),
		col("share", "Share of count", percuss.Percent), bare("null_same_sets", "Random signs, same sets", percuss.Percent), col("against", "Against it", percuss.Words),
		bare("null", "Random signs, all sets", percuss.Percent),
		col("strength_share", "Share of strength", percuss.Percent), bare("strength_null_same_sets", "Random signs, same sets, strength", percuss.Percent),
		col("strength_against", "Against it, strength", percuss.Words), col("mean", "Mean strength", percuss.Nats))
}

func mechanismRows(all []evidence.Mechanism) [][]percuss.Cell {
	var out [][]percuss.Cell
	for _, m := range all {
		out = append(out, cells(percuss.Said(m.Name), sign(m.Suspicious, "suspicious", "no"), percuss.Counted(m.Count), percuss.Valued(percuss.Num(m.Strength)),
			percuss.Measured(m.Share), percuss.Valued(m.SameSets.Count), percuss.Said(againstCoin(m.SameSets.ByCount)), percuss.Valued(m.Null),
			percuss.Measured(m.Weight), percuss.Valued(m.SameSets.Strength), percuss.Said(againstCoin(m.SameSets.ByStrength)), percuss.Measured(m.Mean)))
	}
	return out
}

// tooFew stands where fewer than leastCases cases are behind a comparison: its interval would be rough.
const (
	tooFew     = "too few cases"
	leastCases = 5
)

// againstCoin says on which side of one half, which a coin for the signs would give, an interval lies.
func againstCoin(e percuss.Estimate) string {
	lo, okLo := e.Lo.Get()
	hi, okHi := e.Hi.Get()
	switch {
	case !okLo || !okHi:
		return ""
	case e.N < leastCases:
		return tooFew
	case lo > 0.5:
		return "above"
	case hi < 0.5:
		return "below"
	}
	return "no difference shown"
}

func mechanismTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "mechanisms", Title: "Mechanisms", Paper: "Tables 4, 14 and 15",
		About: "Of the salient combinations in the margin of the right diagnosis. Random signs, same sets: the share if a coin gave these " +
			"combinations their signs; against it: which side the model is on, where the sign decides the name. Random signs, all sets: the share " +
			"of count over all combinations of the audited findings, salient or not, which a model with few combinations may miss for that reason alone.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]percuss.Cell { return mechanismRows(c.Gold.Mechanisms) })
}

func ruleTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "rules", Title: "The same by rule", About: "Rules are numbered as under Definitions; the first that applies gives the name.",
		Columns: mechanismColumns("Rule"), Long: true}, func(c evidence.Cell) [][]percuss.Cell { return mechanismRows(c.Gold.Rules) })
}

func coarseTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "coarse", Title: "Coarse classes", Paper: "Tables 14 to 16", Columns: mechanismColumns("Class"), Long: true},
		func(c evidence.Cell) [][]percuss.Cell { return mechanismRows(c.Gold.Coarse) })
}

func floorMechanisms(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "above_floor", Absent: "nothing was repeated, or repetitions do not differ", Title: "Mechanisms above the noise floor", Long: true,
		About: "Salient, and above the floor of the noise between repetitions of the same prompts at its order. Empty where nothing was " +
			"repeated or repetitions do not differ.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]percuss.Cell {
		if c.AboveFloor == nil {
			return nil
		}
		return mechanismRows(c.AboveFloor.Mechanisms)
	})
}

func everyoneTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "every_candidate", Title: "Mechanisms of every candidate audited", Long: true,
		About:   "Each candidate is audited as if it were the right diagnosis: what supports it is then faithful.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]percuss.Cell { return mechanismRows(c.Everyone.Mechanisms) })
}

func thresholdTable(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "thresholds", Title: "Mechanisms at other thresholds", Long: true}
	t.Columns = append(columns(bare("threshold", "Threshold, nats", percuss.Nats)), mechanismColumns("Mechanism")...)
	return over(f, t, func(c evidence.Cell) (out [][]percuss.Cell) {
		for _, p := range c.Thresholds {
			for _, row := range mechanismRows(p.Mechanisms) {
				out = append(out, append(cells(percuss.Valued(percuss.Num(p.Threshold))), row...))
			}
		}
		return out
	})
}

func orderRows(all []evidence.OrderShare) [][]percuss.Cell {
	var out [][]percuss.Cell
	for _, o := range all {
		out = append(out, cells(percuss.Counted(o.Order), percuss.Counted(o.Count), percuss.Measured(o.Share), percuss.Measured(o.Weight), percuss.Measured(o.Mean)))
	}
	return out
}

func orderColumns() []percuss.Column {
	return columns(col("order", "Order", percuss.Whole), col("count", "Count", percuss.Whole), col("share", "Share of count", percuss.Percent),
		col("strength_share", "Share of strength", percuss.Percent), col("mean", "Mean strength", percuss.Nats))
}

func salientOrders(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "orders", Absent: "no case is scored", Title: "Salient combinations by order", Paper: "Table 17",
		About: "Order: how many findings a combination has.", Columns: orderColumns()},
		func(c evidence.Cell) [][]percuss.Cell { return orderRows(c.Orders) })
}

func strengthOrders(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "strength_by_order", Absent: "no case is scored", Title: "All combinations by order, whatever their strength",
		About: "Large orders have many combinations, so that noise alone gives them strength. Noise alone: the share of strength that " +
			"independent noise of the size between repeated prompts would have. Explained: the most of the share that such noise makes. " +
			"The share of count is fixed by how many findings are audited.",
		Columns: append(orderColumns(), bare("noise_alone", "Noise alone", percuss.Percent), bare("noise_most", "Explained by noise, at most", percuss.Percent))},
		func(c evidence.Cell) [][]percuss.Cell {
			rows := orderRows(c.Strength)
			for i, o := range c.Strength {
				rows[i] = append(rows[i], percuss.Valued(o.Noise.Alone), percuss.Valued(o.Noise.Most))
			}
			return rows
		})
}

// aboveTable says what orders 1 to 3 leave out, where all were asked.
func aboveTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "above_order_3", Title: "What orders 1 to 3 leave out",
		About: "The share of a case's strength that lies above order 3, over cases; it needs --order all. Noise alone: " +
			"what independent noise of the size between repeated prompts would give; explained: the most of the share that it makes. Residual: the largest departure " +
			"from completeness (all combinations of a case sum up to the margin with all findings minus that with none).",
		Columns: columns(col("what", "What", percuss.Words), col("above", "Mean share above order 3", percuss.Percent), bare("quantile", "Share above order 3", percuss.Percent),
			bare("noise_alone", "Noise alone", percuss.Percent), bare("noise_most", "Explained by noise, at most", percuss.Percent),
			col("residual", "Residual, nats", percuss.Words))},
		func(c evidence.Cell) [][]percuss.Cell {
			residual := ""
			if v, ok := c.Residual.Get(); ok {
				residual = fmt.Sprintf("%.1e", v)
			}
			out := one(percuss.Said("mean over cases"), percuss.Measured(c.Above), percuss.Valued(percuss.Number{}), percuss.Valued(c.ByNoise.Alone), percuss.Valued(c.ByNoise.Most), percuss.Said(residual))
			for _, q := range c.AboveBy {
				out = append(out, cells(percuss.Said(fmt.Sprintf("quantile %g", q.P)), percuss.Measured(percuss.Estimate{}), percuss.Valued(q.Value),
					percuss.Valued(percuss.Number{}), percuss.Valued(percuss.Number{}), percuss.Said("")))
			}
			return out
		})
}
