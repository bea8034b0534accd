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
	Tables           []percuss.Table
}

// sections are all tables in the order of the page.
func sections(r Report) []section {
	f := r.Findings
	all := []section{
		{"s-cases", "Cases and accuracy", "What was asked, how it ended, and how often the model is right when it sees all the evidence.",
			[]percuss.Table{accuracyTable(f), lettersTable(f), statesTable(f)}},
		{"s-mechanisms", "Mechanisms", "Every combination of findings that moves a diagnosis by at least the threshold gets one name, by " +
			"rules that look at what its findings are evidence for and at its sign. " +
			"Read each share beside the one that random signs on the same combinations would give: where the two agree, the share says nothing about the model.",
			[]percuss.Table{profileTable(f), mechanismTable(f), ruleTable(f), coarseTable(f), floorMechanisms(f), everyoneTable(f), thresholdTable(f)}},
		{"s-orders", "Orders", "Whether single findings, pairs or larger combinations carry the strength, and what asking for fewer would have missed.",
			[]percuss.Table{salientOrders(f), strengthOrders(f), aboveTable(f), ablationTable(f)}},
		{"s-robust", "Robustness", "Whether the findings stay when the case is put in another way, and what noise alone does.",
			[]percuss.Table{stabilityTable(f), selectorTable(f), cascadeTable(f), floorTable(f), discoveryTable(f)}},
		{"s-changes", "Counterfactuals", "Families of findings removed, marked as unspecified, flipped or replaced by administrative text, " +
			"in cases that the model gets right.",
			[]percuss.Table{strataTable(f), exampleTable(f)}},
		{"s-review", "Clinical review", "What reviewers, who saw neither the model nor the label, thought of the combinations. Empty until judgements are read.",
			[]percuss.Table{reviewTable(f)}},
		{"s-ranks", "Models against each other", "The order of the models by accuracy beside that by the shares of strength of the coarse classes " +
			"faithful/plausible and conflict; τ-b " +
			"of a handful of models only describes them.",
			[]percuss.Table{rankTable(f), agreementTable(f)}},
	}
	if panel, ok := panelSection(f); ok {
		return slices.Insert(all, 0, panel)
	}
	return all
}

// allTables are the tables of all sections and that of the calls.
func allTables(r Report) []percuss.Table {
	var out []percuss.Table
	for _, s := range sections(r) {
		out = append(out, s.Tables...)
	}
	if len(r.Claims) > 0 {
		out = append(out, report.ClaimsTable(r.Claims))
	}
	return append(out, report.CallsTable(r.Calls))
}

// Tables are the tables of the report as page, terminal and LaTeX show them: without the columns that say nothing, which
// CSV and JSON have.
func Tables(r Report) []percuss.Table {
	out := allTables(r)
	for i, t := range out {
		out[i] = trimmed(t, r.Findings)
	}
	return out
}

// cellColumns say which cell a row is of.
var cellColumns = [...]percuss.Column{col("model", "Model", percuss.Words), col("set", "Set", percuss.Words), col("prompt", "Prompt", percuss.Words)}

// over makes a table with a group of rows for every cell. Why it has none is told only where it has none.
func over(f evidence.Findings, t percuss.Table, rows func(evidence.Cell) [][]percuss.Cell) percuss.Table {
	t.Columns = append(slices.Clone(cellColumns[:]), t.Columns...)
	for _, c := range f.Cells {
		for _, row := range rows(c) {
			t.Rows = append(t.Rows, line(append(cells(percuss.Said(c.Model), percuss.Said(c.Set), percuss.Said(c.Variant)), row...)...))
		}
	}
	return explained(t, t.Absent)
}

func one(all ...percuss.Cell) [][]percuss.Cell { return [][]percuss.Cell{all} }

func accuracyTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "accuracy", Title: "Accuracy", Paper: "Table 2",
		About: "Right: the diagnosis with the highest score on the full evidence is the right one. Always A: what the letter A alone would " +
			"score. Mass: mean probability that lies on the candidates' letters; where it is small, the model would rather say something " +
			"else. Margin: log-probability of the right diagnosis minus that of its strongest rival, in nats, with all audited findings " +
			"shown and with none.",
		Columns: columns(col("cases", "Cases", percuss.Whole), col("scored", "Scored", percuss.Whole), col("accuracy", "Right", percuss.Percent),
			col("always_a", "Always A", percuss.Percent),
			col("mass", "Mass on letters", percuss.Percent), col("margin_full", "Margin, full", percuss.Nats), col("margin_empty", "Margin, none", percuss.Nats),
			col("censored", "Bounds only", percuss.Whole), col("sampled", "Letters drawn", percuss.Whole))},
		func(c evidence.Cell) [][]percuss.Cell {
			return one(percuss.Counted(c.Cases), percuss.Counted(c.Scored), percuss.Measured(c.Accuracy), percuss.Measured(c.AlwaysA), percuss.Measured(c.Mass), percuss.Measured(c.Full),
				percuss.Measured(c.Empty), percuss.Counted(c.Censored), percuss.Counted(c.Sampled))
		})
}

// lettersTable has a column for each letter that there is.
func lettersTable(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "gold_letters", Absent: "there is no case", Title: "Under which letter the right diagnosis stood", Long: true,
		About: "The candidates are shuffled for each case, so that no letter is right more often than chance has it."}
	most := 0
	for _, c := range f.Cells {
		most = max(most, len(c.Letters))
	}
	for i := range most {
		t.Columns = append(t.Columns, col(percuss.Label(i), percuss.Label(i), percuss.Whole))
	}
	return over(f, t, func(c evidence.Cell) [][]percuss.Cell {
		row := make([]percuss.Cell, most)
		for i, l := range c.Letters {
			row[i] = percuss.Counted(l.N)
		}
		return [][]percuss.Cell{row}
	})
}

func statesTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "states", Title: "What became of the cases",
		About:   "Scored: every prompt of the base setting has scores. A case that is not scored is in no table of combinations; it may still count for accuracy.",
		Columns: columns(col("counted", "Counted", percuss.Words), col("name", "Name", percuss.Words), col("n", "n", percuss.Whole))},
		func(c evidence.Cell) [][]percuss.Cell {
			var out [][]percuss.Cell
			for _, part := range []struct {
				name   string
				counts []evidence.Count
			}{{"state", c.States}, {"why not scored", c.Reasons}, {"planned, not asked", c.Unasked}} {
				for _, n := range part.counts {
					if n.N == 0 {
						continue
					}
					out = append(out, cells(percuss.Said(part.name), percuss.Said(plainly(n.Name)), percuss.Counted(n.N)))
				}
			}
			return out
		})
}

func reviewTable(f evidence.Findings) percuss.Table {
	return over(f, percuss.Table{ID: "review", Absent: "no judgements were read: percuss report RUN --judgements FILE", Title: "Judgements by bucket", Paper: "Tables 5 and 19",
		About: "Bucket: the mechanism that the combination was sampled for. Invalid: the reviewers take it for a shortcut.",
		Columns: columns(col("bucket", "Bucket", percuss.Words), col("judged", "Judged", percuss.Whole), col("valid", "Valid", percuss.Whole),
			col("questionable", "Questionable", percuss.Whole),
			col("invalid", "Invalid", percuss.Whole), col("invalid_rate", "Invalid, share", percuss.Percent), col("high", "Confidence high", percuss.Whole),
			col("medium", "medium", percuss.Whole), col("low", "low", percuss.Whole))},
		func(c evidence.Cell) (out [][]percuss.Cell) {
			for _, r := range c.Review {
				out = append(out, cells(percuss.Said(r.Bucket), percuss.Counted(r.Judged), percuss.Counted(r.Valid), percuss.Counted(r.Questionable), percuss.Counted(r.Invalid),
					percuss.Measured(r.InvalidRate), percuss.Counted(r.High), percuss.Counted(r.Medium), percuss.Counted(r.Low)))
			}
			return out
		})
}

// oneModel is why there is no order of models.
const oneModel = "there is one model"

// rankTable is descriptive: the places of the models on each set.
func rankTable(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "ranks", Title: "Places of the models", About: "From 1, the largest first; models that tie share the mean place.",
		Columns: columns(col("set", "Set", percuss.Words), col("model", "Model", percuss.Words), bare("accuracy", "Right", percuss.Percent),
			bare("faithful", "Faithful/plausible, share of strength", percuss.Percent),
			bare("conflict", "Conflict, share of strength", percuss.Percent), bare("rank_accuracy", "Place, right", percuss.Hundredths), bare("rank_faithful", "Place, faithful/plausible share", percuss.Hundredths), bare("rank_conflict", "Place, conflict share", percuss.Hundredths))}
	for _, r := range ranks(f) {
		for _, m := range r.Models {
			t.Rows = append(t.Rows, line(percuss.Said(r.Set), percuss.Said(m.Model), percuss.Valued(m.Accuracy), percuss.Valued(m.Faithful), percuss.Valued(m.Conflict),
				percuss.Valued(m.ByAcc), percuss.Valued(m.ByFaith), percuss.Valued(m.ByConf)))
		}
	}
	return explained(t, oneModel)
}

func agreementTable(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "rank_agreement", Title: "Agreement of the orders (Kendall's τ-b)", About: "1: the same order; –1: the reverse.",
		Columns: columns(col("set", "Set", percuss.Words), col("faithful", "Right and faithful/plausible share", percuss.Hundredths), col("conflict", "Right and conflict share", percuss.Hundredths))}
	for _, r := range ranks(f) {
		t.Rows = append(t.Rows, line(percuss.Said(r.Set), percuss.Measured(r.Faithful), percuss.Measured(r.Conflict)))
	}
	return explained(t, oneModel)
}

func ranks(f evidence.Findings) []evidence.RankRow {
	if f.Ranks == nil {
		return nil
	}
	return f.Ranks.Rows
}

// nat names a number of nats.
func nat(v float64) string {
	if v == 1 {
		return "1 nat"
	}
	return fmt.Sprintf("%g nats", v)
}
