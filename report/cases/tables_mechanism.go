package cases

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// profileTable is what each threshold gives, for the gold's margin and for that of every candidate audited.
func profileTable(f evidence.Findings) table {
	return over(f, table{ID: "suspicious", Title: "Salient combinations and how much of them is suspicious",
		About: "Salient: the combination moves the margin by at least the threshold. Each: for every case × diagnosis audited, of which the " +
			"right diagnosis has one a case. Suspicious, strength: the strength of the combinations under the strict suspicious rules, " +
			"divided by that of all salient ones; cases with findings only, for of a narrative nothing is known of what a sentence is " +
			"evidence for. Random signs: the share that would be suspicious if a coin gave these combinations their signs. " +
			"History: potential overuse of history and risk, positive combinations of background findings only, of at least the strength " +
			"in the last column, which is one for all rows; it stands outside the strict set.",
		Columns: columnsOf(column{"of", "Margin of", words}, column{"threshold", "Threshold, nats", nats}, column{"targets", "Case × diagnosis", whole},
			column{"salient", "Salient", whole}, column{"strength", "Strength, nats", nats}, column{"per_case_and_diagnosis", "Salient each", means},
			column{"suspicious", "Suspicious, strength", shares}, column{"strength_null_same_sets", "Random signs, strength", rate},
			column{"strength_against", "Against it", words}, column{"suspicious_count", "Suspicious, count", shares},
			column{"null_same_sets", "Random signs, count", rate}, column{"against", "Against it", words},
			column{"suspicious_per_case_and_diagnosis", "Suspicious each", means}, column{"overuse", "History", shares},
			column{"overuse_from", "History from, nats", nats})},
		func(c evidence.Cell) [][]entry {
			out := [][]entry{profileRow("the right diagnosis", c.Gold), profileRow("every candidate audited", c.Everyone)}
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

func profileRow(of string, p evidence.Profile) []entry {
	return entries(word(of), number(percuss.Num(p.Threshold)), count(p.Targets), count(p.Salient), number(percuss.Num(p.Strength)), measure(p.PerCase),
		measure(p.Suspicious), number(p.SameSets.Strength), word(againstCoin(p.SameSets.ByStrength)),
		measure(p.SuspCount), number(p.SameSets.Count), word(againstCoin(p.SameSets.ByCount)),
		measure(p.SuspCase), measure(p.Overuse), number(p.OveruseCut))
}

// mechanismColumns are those of every table of mechanisms.
func mechanismColumns(name string) []column {
	return columnsOf(column{"name", name, words}, column{"suspicious", "Suspicious", words}, column{"count", "Count", whole},
		column{"strength", "Strength, nats", nats},
		column{"share", "Share of count", shares}, column{"null_same_sets", "Random signs, same sets", rate}, column{"against", "Against it", words},
		column{"null", "Random signs, all sets", rate},
		column{"strength_share", "Share of strength", shares}, column{"strength_null_same_sets", "Random signs, same sets, strength", rate},
		column{"strength_against", "Against it, strength", words}, column{"mean", "Mean strength", means})
}

func mechanismRows(all []evidence.Mechanism) [][]entry {
	var out [][]entry
	for _, m := range all {
		out = append(out, entries(word(m.Name), sign(m.Suspicious, "suspicious", "no"), count(m.Count), number(percuss.Num(m.Strength)),
			measure(m.Share), number(m.SameSets.Count), word(againstCoin(m.SameSets.ByCount)), number(m.Null),
			measure(m.Weight), number(m.SameSets.Strength), word(againstCoin(m.SameSets.ByStrength)), measure(m.Mean)))
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

func mechanismTable(f evidence.Findings) table {
	return over(f, table{ID: "mechanisms", Title: "Mechanisms (Tables 4, 14 and 15)",
		About: "Of the salient combinations in the margin of the right diagnosis. Random signs, same sets: the share if a coin gave these " +
			"combinations their signs; against it: which side the model is on, where the sign decides the name. Random signs, all sets: the share " +
			"of count over all combinations of the audited findings, salient or not, which a model with few combinations may miss for that reason alone.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]entry { return mechanismRows(c.Gold.Mechanisms) })
}

func ruleTable(f evidence.Findings) table {
	return over(f, table{ID: "rules", Title: "The same by rule", About: "Rules are numbered as under Definitions; the first that applies gives the name.",
		Columns: mechanismColumns("Rule"), Long: true}, func(c evidence.Cell) [][]entry { return mechanismRows(c.Gold.Rules) })
}

func coarseTable(f evidence.Findings) table {
	return over(f, table{ID: "coarse", Title: "Coarse classes (Tables 14 to 16)", Columns: mechanismColumns("Class"), Long: true},
		func(c evidence.Cell) [][]entry { return mechanismRows(c.Gold.Coarse) })
}

func floorMechanisms(f evidence.Findings) table {
	return over(f, table{ID: "above_floor", Title: "Mechanisms above the noise floor", Long: true,
		About: "Salient, and above the floor of the noise between repetitions of the same prompts at its order. Empty where nothing was " +
			"repeated or repetitions do not differ.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]entry {
		if c.AboveFloor == nil {
			return nil
		}
		return mechanismRows(c.AboveFloor.Mechanisms)
	})
}

func everyoneTable(f evidence.Findings) table {
	return over(f, table{ID: "every_candidate", Title: "Mechanisms of every candidate audited", Long: true,
		About:   "Each candidate is audited as if it were the right diagnosis: what supports it is then faithful.",
		Columns: mechanismColumns("Mechanism")}, func(c evidence.Cell) [][]entry { return mechanismRows(c.Everyone.Mechanisms) })
}

func thresholdTable(f evidence.Findings) table {
	t := table{ID: "thresholds", Title: "Mechanisms at other thresholds", Long: true}
	t.Columns = append(columnsOf(column{"threshold", "Threshold, nats", nats}), mechanismColumns("Mechanism")...)
	return over(f, t, func(c evidence.Cell) (out [][]entry) {
		for _, p := range c.Thresholds {
			for _, row := range mechanismRows(p.Mechanisms) {
				out = append(out, append(entries(number(percuss.Num(p.Threshold))), row...))
			}
		}
		return out
	})
}

func orderRows(all []evidence.OrderShare) [][]entry {
	var out [][]entry
	for _, o := range all {
		out = append(out, entries(count(o.Order), count(o.Count), measure(o.Share), measure(o.Weight), measure(o.Mean)))
	}
	return out
}

func orderColumns() []column {
	return columnsOf(column{"order", "Order", whole}, column{"count", "Count", whole}, column{"share", "Share of count", shares},
		column{"strength_share", "Share of strength", shares}, column{"mean", "Mean strength", means})
}

func salientOrders(f evidence.Findings) table {
	return over(f, table{ID: "orders", Title: "Salient combinations by order (Table 17)",
		About: "Order: how many findings a combination has.", Columns: orderColumns()},
		func(c evidence.Cell) [][]entry { return orderRows(c.Orders) })
}

func strengthOrders(f evidence.Findings) table {
	return over(f, table{ID: "strength_by_order", Title: "All combinations by order, whatever their strength",
		About: "Large orders have many combinations, so that noise alone gives them strength. Noise alone: the share of strength that " +
			"independent noise of the size between repeated prompts would have. Explained: the most of the share that such noise makes. " +
			"The share of count is fixed by how many findings are audited.",
		Columns: append(orderColumns(), column{"noise_alone", "Noise alone", rate}, column{"noise_most", "Explained by noise, at most", rate})},
		func(c evidence.Cell) [][]entry {
			rows := orderRows(c.Strength)
			for i, o := range c.Strength {
				rows[i] = append(rows[i], number(o.Noise.Alone), number(o.Noise.Most))
			}
			return rows
		})
}

// aboveTable says what orders 1 to 3 leave out, where all were asked.
func aboveTable(f evidence.Findings) table {
	return over(f, table{ID: "above_order_3", Title: "What orders 1 to 3 leave out",
		About: "The share of a case's strength that lies above order 3, over cases; it needs --order all. Noise alone: " +
			"what independent noise of the size between repeated prompts would give; explained: the most of the share that it makes. Residual: the largest departure " +
			"from completeness (all combinations of a case sum up to the margin with all findings minus that with none).",
		Columns: columnsOf(column{"what", "What", words}, column{"above", "Mean share above order 3", shares}, column{"quantile", "Share above order 3", rate},
			column{"noise_alone", "Noise alone", rate}, column{"noise_most", "Explained by noise, at most", rate},
			column{"residual", "Residual, nats", words})},
		func(c evidence.Cell) [][]entry {
			residual := ""
			if v, ok := c.Residual.Get(); ok {
				residual = fmt.Sprintf("%.1e", v)
			}
			out := one(word("mean over cases"), measure(c.Above), number(percuss.Number{}), number(c.ByNoise.Alone), number(c.ByNoise.Most), word(residual))
			for _, q := range c.AboveBy {
				out = append(out, entries(word(fmt.Sprintf("quantile %g", q.P)), measure(percuss.Estimate{}), number(q.Value),
					number(percuss.Number{}), number(percuss.Number{}), word("")))
			}
			return out
		})
}
