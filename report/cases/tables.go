package cases

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// section is a part of the page with its tables.
type section struct {
	ID, Title, About string
	Tables           []table
}

// sections are all tables in the order of the page.
func sections(r Report) []section {
	f := r.Findings
	all := []section{
		{"s-cases", "Cases and accuracy", "What was asked, how it ended, and how often the model is right when it sees all the evidence.",
			[]table{accuracyTable(f), lettersTable(f), statesTable(f)}},
		{"s-mechanisms", "Mechanisms", "Every combination of findings that moves a diagnosis by at least the threshold gets one name, by " +
			"rules that look at what its findings are evidence for and at its sign. " +
			"Read each share beside the one that random signs on the same combinations would give: where the two agree, the share says nothing about the model.",
			[]table{profileTable(f), mechanismTable(f), ruleTable(f), coarseTable(f), floorMechanisms(f), everyoneTable(f), thresholdTable(f)}},
		{"s-orders", "Orders", "Whether single findings, pairs or larger combinations carry the strength, and what asking for fewer would have missed.",
			[]table{salientOrders(f), strengthOrders(f), aboveTable(f), ablationTable(f)}},
		{"s-robust", "Robustness", "Whether the findings stay when the case is put in another way, and what noise alone does.",
			[]table{stabilityTable(f), selectorTable(f), cascadeTable(f), floorTable(f), discoveryTable(f)}},
		{"s-changes", "Counterfactuals", "Families of findings removed, marked as unspecified, flipped or replaced by administrative text, " +
			"in cases that the model gets right.",
			[]table{strataTable(f), exampleTable(f)}},
		{"s-review", "Clinical review", "What reviewers, who saw neither the model nor the label, thought of the combinations. Empty until judgements are read.",
			[]table{reviewTable(f)}},
		{"s-ranks", "Models against each other", "The order of the models by accuracy beside that by the shares of strength of the coarse classes " +
			"faithful/plausible and conflict; τ-b " +
			"of a handful of models only describes them.",
			[]table{rankTable(f), agreementTable(f)}},
	}
	if panel, ok := panelSection(f); ok {
		return slices.Insert(all, 0, panel)
	}
	return all
}

// allTables are the tables of all sections and that of the calls.
func allTables(r Report) []table {
	var out []table
	for _, s := range sections(r) {
		out = append(out, s.Tables...)
	}
	return append(out, callTable(r.Calls))
}

// cellColumns say which cell a row is of.
var cellColumns = [...]column{{"model", "Model", words}, {"set", "Set", words}, {"prompt", "Prompt", words}}

// over makes a table with a group of rows for every cell.
func over(f evidence.Findings, t table, rows func(evidence.Cell) [][]entry) table {
	t.Columns = append(slices.Clone(cellColumns[:]), t.Columns...)
	for _, c := range f.Cells {
		for _, row := range rows(c) {
			t.Rows = append(t.Rows, append(entries(word(c.Model), word(c.Set), word(c.Variant)), row...))
		}
	}
	return t
}

func one(all ...entry) [][]entry { return [][]entry{all} }

func accuracyTable(f evidence.Findings) table {
	return over(f, table{ID: "accuracy", Title: "Accuracy (Table 2)",
		About: "Right: the diagnosis with the highest score on the full evidence is the right one. Always A: what the letter A alone would " +
			"score. Mass: mean probability that lies on the candidates' letters; where it is small, the model would rather say something " +
			"else. Margin: log-probability of the right diagnosis minus that of its strongest rival, in nats, with all audited findings " +
			"shown and with none.",
		Columns: columnsOf(column{"cases", "Cases", whole}, column{"scored", "Scored", whole}, column{"accuracy", "Right", shares},
			column{"always_a", "Always A", shares},
			column{"mass", "Mass on letters", shares}, column{"margin_full", "Margin, full", means}, column{"margin_empty", "Margin, none", means},
			column{"censored", "Bounds only", whole}, column{"sampled", "Letters drawn", whole})},
		func(c evidence.Cell) [][]entry {
			return one(count(c.Cases), count(c.Scored), measure(c.Accuracy), measure(c.AlwaysA), measure(c.Mass), measure(c.Full),
				measure(c.Empty), count(c.Censored), count(c.Sampled))
		})
}

// lettersTable has a column for each letter that there is.
func lettersTable(f evidence.Findings) table {
	t := table{ID: "gold_letters", Title: "Under which letter the right diagnosis stood", Long: true,
		About: "The candidates are shuffled for each case, so that no letter is right more often than chance has it."}
	most := 0
	for _, c := range f.Cells {
		most = max(most, len(c.Letters))
	}
	for i := range most {
		t.Columns = append(t.Columns, column{percuss.Label(i), percuss.Label(i), whole})
	}
	return over(f, t, func(c evidence.Cell) [][]entry {
		row := make([]entry, most)
		for i, l := range c.Letters {
			row[i] = count(l.N)
		}
		return [][]entry{row}
	})
}

func statesTable(f evidence.Findings) table {
	return over(f, table{ID: "states", Title: "What became of the cases",
		About:   "Scored: every prompt of the base setting has scores. A case that is not scored is in no table of combinations; it may still count for accuracy.",
		Columns: columnsOf(column{"counted", "Counted", words}, column{"name", "Name", words}, column{"n", "n", whole})},
		func(c evidence.Cell) [][]entry {
			var out [][]entry
			for _, part := range []struct {
				name   string
				counts []evidence.Count
			}{{"state", c.States}, {"why not scored", c.Reasons}, {"planned, not asked", c.Unasked}} {
				for _, n := range part.counts {
					if n.N == 0 {
						continue
					}
					out = append(out, entries(word(part.name), word(plainly(n.Name)), count(n.N)))
				}
			}
			return out
		})
}

func callTable(calls []report.Calls) table {
	t := table{ID: "calls", Title: "Calls by outcome", Columns: columnsOf(column{"model", "Model", words}, column{"counted", "Counted", words},
		column{"name", "Name", words}, column{"n", "n", whole})}
	for _, c := range calls {
		add := func(what, name string, n int) {
			t.Rows = append(t.Rows, entries(word(c.Model), word(what), word(name), count(n)))
		}
		add("requests", "", c.Requests)
		for _, o := range c.Outcomes {
			add("outcome", o.Name, o.N)
		}
		add("letters", "answered", c.Letters)
		add("letters", "only a bound is known", c.Censored)
		for _, o := range c.Reported {
			add("reported", o.Name, o.N)
		}
	}
	return t
}

func reviewTable(f evidence.Findings) table {
	return over(f, table{ID: "review", Title: "Judgements by bucket (Tables 5 and 19)",
		About: "Bucket: the mechanism that the combination was sampled for. Invalid: the reviewers take it for a shortcut.",
		Columns: columnsOf(column{"bucket", "Bucket", words}, column{"judged", "Judged", whole}, column{"valid", "Valid", whole},
			column{"questionable", "Questionable", whole},
			column{"invalid", "Invalid", whole}, column{"invalid_rate", "Invalid, share", shares}, column{"high", "Confidence high", whole},
			column{"medium", "medium", whole}, column{"low", "low", whole})},
		func(c evidence.Cell) (out [][]entry) {
			for _, r := range c.Review {
				out = append(out, entries(word(r.Bucket), count(r.Judged), count(r.Valid), count(r.Questionable), count(r.Invalid),
					measure(r.InvalidRate), count(r.High), count(r.Medium), count(r.Low)))
			}
			return out
		})
}

// rankTable is descriptive: the places of the models on each set.
func rankTable(f evidence.Findings) table {
	t := table{ID: "ranks", Title: "Places of the models", About: "From 1, the largest first; models that tie share the mean place.",
		Columns: columnsOf(column{"set", "Set", words}, column{"model", "Model", words}, column{"accuracy", "Right", rate},
			column{"faithful", "Faithful/plausible, share of strength", rate},
			column{"conflict", "Conflict, share of strength", rate}, column{"rank_accuracy", "Place, right", nats}, column{"rank_faithful",
				"Place, faithful/plausible share", nats}, column{"rank_conflict", "Place, conflict share", nats})}
	for _, r := range ranks(f) {
		for _, m := range r.Models {
			t.Rows = append(t.Rows, entries(word(r.Set), word(m.Model), number(m.Accuracy), number(m.Faithful), number(m.Conflict),
				number(m.ByAcc), number(m.ByFaith), number(m.ByConf)))
		}
	}
	return t
}

func agreementTable(f evidence.Findings) table {
	t := table{ID: "rank_agreement", Title: "Agreement of the orders (Kendall's τ-b)", About: "1: the same order; –1: the reverse.",
		Columns: columnsOf(column{"set", "Set", words}, column{"faithful", "Right and faithful/plausible share", means}, column{"conflict",
			"Right and conflict share", means})}
	for _, r := range ranks(f) {
		t.Rows = append(t.Rows, entries(word(r.Set), measure(r.Faithful), measure(r.Conflict)))
	}
	return t
}

func ranks(f evidence.Findings) []evidence.RankRow {
	if f.Ranks == nil {
		return nil
	}
	return f.Ranks.Rows
}

// nat names a number of nats.
func nat(v float64) string { return fmt.Sprintf("%g nats", v) }
