package chain

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// noRules is why the tables of rules are empty.
const noRules = "the battery has no edit of the question with a token rule, of which alone the rules say anything"

// analyses implements analyser.
func (a *ruleAnalysis) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "rules", Number: 4, Title: "Token rule, judges and people",
		About: "Whether a chain registers an edit can be read from its words or asked of a judge, a second model. Both stand side by side, against people's labels and against each other."}
	r := a.estimates(s)
	a.found = r
	out.Tables = []percuss.Table{a.sideBySide(r), a.trialsOfRules(r), a.agreementOfRules(r)}
	if len(a.families) == 0 || len(r.models) == 0 {
		for i := range out.Tables {
			out.Tables[i].Rows, out.Tables[i].Absent = []percuss.Row{}, noRules
			if len(r.models) == 0 {
				out.Tables[i].Absent = noModels
			}
		}
	}
	out.Tables = append(out.Tables, a.againstPeople(s.o.Level)...)
	return []percuss.Analysis{out}
}

// named is the beginning of a row: a model under a prompt.
func (m *model) named() []percuss.Cell {
	return []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant)}
}

// sideBySide is Table 7: CDR under every rule.
func (a *ruleAnalysis) sideBySide(r ruled) percuss.Table {
	t := percuss.Table{ID: "rules", Title: "CDR under each rule", Paper: "Table 7",
		About:   "The share of comparable trials of the joint table (M2, M4 and M5 of the paper's battery) in which neither the chain nor the answer moved (CDR), where the chain is read by the published token rule, by its wider form, and by each judge. A trial of which a rule says nothing is in none of that rule's figures. Rows over models take each once, under its first prompt.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words)},
		Notes:   []string{"The paper's panel of eleven open models has 72.9 % under the token rule and 74.3 % under its judge."}}
	if len(a.rules) == 2 {
		t.Notes = append(t.Notes, "No judge was asked: --judge MODEL names one.")
	}
	for _, u := range a.rules {
		t.Columns = append(t.Columns, headed("cdr_"+u.id, u.name, percuss.Rate))
	}
	t.Columns = distinct(t.Columns)
	add := func(head bool, cells []percuss.Cell, e ruleEstimates) {
		for i := range a.rules {
			cells = append(cells, percuss.Measured(e.cdr(i)))
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: cells, Head: head})
	}
	for i, m := range r.models {
		add(false, m.named(), r.each[i])
	}
	if r.rivals > 1 {
		add(true, r.panelRow("mean of %d models"), r.mean)
		add(true, r.panelRow("all trials of %d models"), r.pooled)
	}
	return t
}

// panelRow is the beginning of a row of the panel.
func (r ruled) panelRow(format string) []percuss.Cell {
	return []percuss.Cell{percuss.Said(fmt.Sprintf(format, r.rivals)), percuss.Said("")}
}

// trialsOfRules are the counts behind, and each rule against the token rule on the same trials.
func (a *ruleAnalysis) trialsOfRules(r ruled) percuss.Table {
	t := percuss.Table{ID: "rules_trials", Title: "What each rule says, and of how many trials", Long: true,
		About: "Update rate: the share of comparable trials whose chain registers the edit. Missing: trials of which the rule says nothing, such as those whose judge gave no verdict in the form that was asked for, also when asked again; they count as neither. The difference of CDR from the token rule is over the trials of which both say something.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("rule", "Rule", percuss.Words),
			headed("trials", "Trials", percuss.Whole), headed("missing", "Missing", percuss.Whole), headed("again", "Asked twice", percuss.Whole),
			headed("update", "Update rate", percuss.Rate), headed("cdr", "CDR", percuss.Rate),
			headed("difference", "CDR less the token rule's", percuss.Decimal), headed("same", "On trials", percuss.Whole)}}
	add := func(head bool, of []percuss.Cell, e ruleEstimates) {
		for i, u := range a.rules {
			cells := append(append([]percuss.Cell{}, of...), percuss.Said(u.name), percuss.Counted(e.of(i, ruleSays)), percuss.Counted(e.of(i, ruleMissing)))
			again, difference, same := percuss.Measured(percuss.Absent("no judge")), percuss.Measured(percuss.Absent("the token rule itself")), percuss.Counted(e.of(0, ruleSays))
			if u.judge {
				again = percuss.Counted(e.of(i, ruleAgain))
			}
			if i > 0 { // the pairs of the token rule come first, in the order of the others
				_, _, d := e.pair(i - 1)
				difference, same = percuss.Measured(d), percuss.Counted(e.both(i-1))
			}
			t.Rows = append(t.Rows, percuss.Row{Head: head, Cells: append(cells, again, percuss.Measured(e.update(i)), percuss.Measured(e.cdr(i)), difference, same)})
		}
	}
	for i, m := range r.models {
		add(false, m.named(), r.each[i])
	}
	if r.rivals > 1 {
		add(true, r.panelRow("all trials of %d models"), r.pooled)
	}
	for i, u := range a.rules {
		t.Notes = append(t.Notes, missingNote(u, i, r.pooled)...)
	}
	return t
}

// manyMissing is the share of missing verdicts above which a note says so.
const manyMissing = 0.05

// missingNote says that a judge has no verdict on many trials, and what would give it some: that hangs on why it has none.
func missingNote(u updateRule, rule int, e ruleEstimates) []string {
	missing := e.of(rule, ruleMissing)
	all := missing + e.of(rule, ruleSays)
	if !u.judge || float64(missing) <= manyMissing*float64(all) {
		return nil
	}
	var why []string
	add := func(n int, format string) {
		if n > 0 {
			why = append(why, fmt.Sprintf(format, n))
		}
	}
	cut, form := e.of(rule, ruleCut), e.of(rule, ruleForm)
	add(cut, "%d replies were cut at the token limit (a larger max_tokens in a rubric of your own, --rubric, gives a judge that reasons before it replies room)")
	add(form, "%d were complete and in another form (another judge, or a rubric of your own that it keeps to)")
	add(missing-cut-form, "%d got no reply that could be read, or were not asked")
	return []string{fmt.Sprintf("%s has no verdict on %d of %d trials, and its figures are those of the others. Why: %s.", u.name, missing, all, strings.Join(why, "; "))}
}

// both is the number of trials of which both rules of a pair say something.
func (r ruleEstimates) both(n int) int { return int(total(r.total, r.a.meetings(n))) }

// agreementOfRules tells how often two rules say the same.
func (a *ruleAnalysis) agreementOfRules(r ruled) percuss.Table {
	t := percuss.Table{ID: "rules_agreement", Title: "Agreement of the rules with each other",
		About: "Of the comparable trials of all models, each once, under its first prompt, those of which both rules say something: how often they say the same, and Cohen's kappa, which takes off what chance would give. Trials of which one or both say nothing are counted beside.",
		Columns: []percuss.Column{headed("first", "First", percuss.Words), headed("second", "Second", percuss.Words),
			headed("trials", "Trials", percuss.Whole), headed("only_first", "Updated by the first alone", percuss.Whole),
			headed("only_second", "By the second alone", percuss.Whole), headed("agreement", "Agreement", percuss.Rate),
			headed("kappa", "Kappa", percuss.Decimal), headed("word", "Landis and Koch", percuss.Words),
			headed("less_first", "First says nothing", percuss.Whole), headed("less_second", "Second says nothing", percuss.Whole),
			headed("less_both", "Neither does", percuss.Whole)}}
	for n, p := range a.pairs() {
		kappa, agreement, _ := r.pooled.pair(n)
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(a.rules[p[0]].name), percuss.Said(a.rules[p[1]].name),
			percuss.Counted(r.pooled.both(n)), percuss.Counted(r.pooled.ofPair(n, pairFirst)), percuss.Counted(r.pooled.ofPair(n, pairSecond)),
			percuss.Measured(agreement), percuss.Measured(kappa), percuss.Said(landisKoch(kappa)),
			percuss.Counted(r.pooled.ofPair(n, pairLess1)), percuss.Counted(r.pooled.ofPair(n, pairLess2)), percuss.Counted(r.pooled.ofPair(n, pairLess))}})
	}
	return t
}
