package cases

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// profileTable is what each threshold gives, for the gold's margin and for that of every candidate audited.
func profileTable(f evidence.Findings) table {
	return over(f, table{ID: "suspicious", Title: "Salient combinations and how much of them is suspicious",
		About: "Salient: the combination moves the margin by at least the threshold. Suspicious, strength: the strength of the combinations " +
			"under the strict suspicious rules, divided by that of all salient ones. History: potential overuse of history and risk, the " +
			"strongest tenth of the positive combinations of background findings only; it stands outside the strict set.",
		Columns: columnsOf(column{"of", "Margin of", words}, column{"threshold", "Threshold, nats", nats}, column{"targets", "Case × diagnosis", whole},
			column{"salient", "Salient", whole}, column{"strength", "Strength, nats", nats}, column{"per_case", "Salient each", means},
			column{"suspicious", "Suspicious, strength", shares},
			column{"suspicious_count", "Suspicious, count", shares}, column{"suspicious_per_case", "Suspicious each", means}, column{"overuse", "History", shares})},
		func(c evidence.Cell) [][]entry {
			row := func(of string, p evidence.Profile) []entry {
				return entries(word(of), number(percuss.Num(p.Threshold)), count(p.Targets), count(p.Salient),
					number(percuss.Num(p.Strength)), measure(p.PerCase), measure(p.Suspicious),
					measure(p.SuspCount), measure(p.SuspCase), measure(p.Overuse))
			}
			out := [][]entry{row("the right diagnosis", c.Gold), row("every candidate audited", c.Everyone)}
			for _, p := range c.Thresholds {
				if p.Threshold != c.Gold.Threshold {
					out = append(out, row("the right diagnosis", p))
				}
			}
			return out
		})
}

// mechanismColumns are those of every table of mechanisms.
func mechanismColumns(name string) []column {
	return columnsOf(column{"name", name, words}, column{"suspicious", "Suspicious", words}, column{"count", "Count", whole},
		column{"strength", "Strength, nats", nats},
		column{"share", "Share of count", shares}, column{"null", "Random signs", rate}, column{"against", "Against random signs", words},
		column{"strength_share", "Share of strength", shares}, column{"mean", "Mean strength", means})
}

func mechanismRows(all []evidence.Mechanism) [][]entry {
	var out [][]entry
	for _, m := range all {
		out = append(out, entries(word(m.Name), sign(m.Suspicious, "suspicious", "no"), count(m.Count), number(percuss.Num(m.Strength)),
			measure(m.Share), number(m.Null),
			word(against(m.Share, m.Null)), measure(m.Weight), measure(m.Mean)))
	}
	return out
}

// against says on which side of an expected value an interval lies.
func against(e percuss.Estimate, expected percuss.Number) string {
	lo, okLo := e.Lo.Get()
	hi, okHi := e.Hi.Get()
	x, ok := expected.Get()
	switch {
	case !ok || !okLo || !okHi:
		return ""
	case lo > x:
		return "above"
	case hi < x:
		return "below"
	}
	return "no difference shown"
}

func mechanismTable(f evidence.Findings) table {
	return over(f, table{ID: "mechanisms", Title: "Mechanisms (Tables 4, 14 and 15)",
		About: "Of the salient combinations in the margin of the right diagnosis. Random signs: the share of count if the sign of every " +
			"combination were a coin's.",
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
		About: "Large orders have many combinations, so that noise alone gives them strength: compare the noise floor.", Columns: orderColumns()},
		func(c evidence.Cell) [][]entry { return orderRows(c.Strength) })
}

// aboveTable says what orders 1 to 3 leave out, where all were asked.
func aboveTable(f evidence.Findings) table {
	return over(f, table{ID: "above_order_3", Title: "What orders 1 to 3 leave out",
		About: "The share of a case's strength that lies above order 3, over cases; it needs --order all. Residual: the largest departure " +
			"from completeness (all combinations of a case sum up to the margin with all findings minus that with none).",
		Columns: columnsOf(column{"what", "What", words}, column{"above", "Mean share above order 3", shares}, column{"quantile", "Share above order 3", rate},
			column{"residual", "Residual, nats", words})},
		func(c evidence.Cell) [][]entry {
			residual := ""
			if v, ok := c.Residual.Get(); ok {
				residual = fmt.Sprintf("%.1e", v)
			}
			out := one(word("mean over cases"), measure(c.Above), number(percuss.Number{}), word(residual))
			for _, q := range c.AboveBy {
				out = append(out, entries(word(fmt.Sprintf("quantile %g", q.P)), measure(percuss.Estimate{}), number(q.Value), word("")))
			}
			return out
		})
}
