package agreement

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// scale is a way of comparing the labels of a question.
type scale struct {
	name    string
	r       stat.Ratings
	ordinal bool // more than two labels in order
	first   int  // of a scale of two sides: the label, or the cut, that it is made of
	binary  bool
}

// allLabels names the scale on which every label is itself.
const allLabels = "all labels"

// scales are all labels as they are; and where there are more than two, of an ordinal question each cut between them, of any other each label
// against the rest.
func (s sheet) scales() []scale {
	out := []scale{{name: allLabels, r: s.r, ordinal: s.q.Ordinal && len(s.q.Labels) > 2}}
	if len(s.q.Labels) < 3 {
		return out
	}
	ids := s.r.Categories
	for k := range ids {
		low, high := ids[k:k+1], slices.Concat(ids[:k], ids[k+1:])
		name := ids[k] + " against the rest"
		if s.q.Ordinal {
			if k == len(ids)-1 {
				break
			}
			low, high = ids[:k+1], ids[k+1:]
			name = "cut after " + ids[k]
		}
		one := scale{name: name, first: k, binary: true, r: stat.Ratings{Categories: []string{words(low), words(high)}}}
		for _, row := range s.r.Items {
			sides := make([]int, len(row))
			for j, label := range row {
				switch {
				case label == stat.NoLabel:
					sides[j] = stat.NoLabel
				case !slices.Contains(low, ids[label]):
					sides[j] = 1
				}
			}
			one.r.Items = append(one.r.Items, sides)
		}
		out = append(out, one)
	}
	return out
}

// measure is a coefficient of agreement.
type measure struct {
	name  string
	kappa bool // it is one that prevalence misleads, and has a word of Landis and Koch
	word  bool
	of    func(r stat.Ratings, o stat.Options) percuss.Estimate
}

// measures are the coefficients of a scale: of a cut or a single label, those that a reader holds beside the ones of all labels.
func (s scale) measures() []measure {
	q := len(s.r.Categories)
	cohen := func(w stat.Weights) func(stat.Ratings, stat.Options) percuss.Estimate {
		return func(r stat.Ratings, o stat.Options) percuss.Estimate { return stat.CohenKappa(r, w, o) }
	}
	gwet := func(w stat.Weights) func(stat.Ratings, stat.Options) percuss.Estimate {
		return func(r stat.Ratings, o stat.Options) percuss.Estimate { return stat.GwetAC(r, w, o) }
	}
	alpha := func(by stat.AlphaScale) func(stat.Ratings, stat.Options) percuss.Estimate {
		return func(r stat.Ratings, o stat.Options) percuss.Estimate { return stat.KrippendorffAlpha(r, by, o) }
	}
	out := []measure{{"percent agreement", false, false, stat.PercentAgreement}}
	if !s.binary {
		out = append(out, measure{"exact agreement", false, false, stat.ExactAgreement})
	}
	out = append(out, measure{"Cohen", true, true, cohen(stat.Weights{})})
	if s.ordinal {
		out = append(out, measure{"Cohen, linear", true, true, cohen(stat.LinearWeights(q))},
			measure{"Cohen, quadratic", true, true, cohen(stat.QuadraticWeights(q))})
	}
	if !s.binary {
		out = append(out, measure{"Fleiss", true, true, func(r stat.Ratings, o stat.Options) percuss.Estimate { return stat.FleissKappa(r, stat.Weights{}, o) }},
			measure{"alpha, nominal", true, true, alpha(stat.Nominal)})
	}
	if s.ordinal {
		out = append(out, measure{"alpha, ordinal", true, true, alpha(stat.Ordinal)})
	}
	out = append(out, measure{"AC1", false, true, gwet(stat.Weights{})})
	if s.ordinal {
		out = append(out, measure{"AC2, linear", false, true, gwet(stat.LinearWeights(q))}, measure{"AC2, quadratic", false, true, gwet(stat.QuadraticWeights(q))})
	}
	return out
}

// with is a coefficient with the warning that prevalence makes it misleading, where it does.
func (m measure) with(r stat.Ratings, o stat.Options) percuss.Estimate {
	e := m.of(r, o)
	if m.kappa && e.Value.OK() {
		if w := stat.PrevalenceOf(r).Warning(); w != "" {
			e.Warnings = append(slices.Clone(e.Warnings), w)
		}
	}
	return e
}

// aboutAgreement says what the coefficients are.
const aboutAgreement = "Percent agreement is the mean share of pairs of raters who agree on an item, exact agreement the share of items on which all do. Cohen's kappa of more than two raters is the mean over their pairs. Fleiss' kappa, Krippendorff's alpha and Gwet's AC1 and AC2 (with weights) take all raters at once. A cut puts the labels up to one against those after it. Intervals are bootstrap intervals over items. The words are those of Landis and Koch (1977), made for kappa: poor below 0, slight to .20, fair to .40, moderate to .60, substantial to .80, almost perfect above."

// mostAtOnce is how many labels a question has whose coefficients stand in one table: of more it would be so long that a page folds
// what most readers look for.
const mostAtOnce = 4

// sides names the table of the coefficients on two sides, where it stands alone.
const sides = "sides_"

// agreement are the coefficients of a question, on all labels and beside them on two sides; of many labels these are a table
// of their own.
func (t tables) agreement(s sheet) []percuss.Table {
	scales := s.scales()
	if len(s.q.Labels) <= mostAtOnce || s.lacks() != "" {
		return []percuss.Table{t.agreementOn(s, scales)}
	}
	two := t.agreementOn(s, scales[1:])
	two.ID, two.Title, two.Paper = agreementID+sides+s.q.ID, s.title("Agreement on two sides of the labels"), ""
	return []percuss.Table{t.agreementOn(s, scales[:1]), two}
}

// agreementID is what the names of the tables of coefficients begin with.
const agreementID = "agreement_"

// agreementOn are the coefficients on some scales.
func (t tables) agreementOn(s sheet, scales []scale) percuss.Table {
	table := percuss.Table{ID: s.id("agreement"), Title: s.title("Agreement"),
		About: aboutAgreement,
		Columns: []percuss.Column{column("compared", "Compared", percuss.Words), column("measure", "Measure", percuss.Words),
			column("word", "Landis and Koch", percuss.Words), column("value", "Value", percuss.Decimal)}}
	if why := s.lacks(); why != "" {
		table.Absent = why
		return table
	}
	for _, one := range scales {
		for _, m := range one.measures() {
			e := m.with(one.r, t.o)
			word := "–"
			if m.word {
				word = stat.LandisKoch(e.Value)
			}
			table.Rows = append(table.Rows, row(percuss.Said(one.name), percuss.Said(m.name), percuss.Said(word), percuss.Measured(e)))
		}
	}
	lift(&table)
	if paper := map[string]string{blind.AskShift: ".25 on all labels", blind.AskValidity: ".18 on all labels", blind.AskHazard: ".39 for harmful against the rest"}[s.q.ID]; t.Package.Task == blind.Perturbation && paper != "" {
		table.Paper = "Table 12"
		table.Notes = append(table.Notes, "The paper's kappa is "+paper+".")
	}
	return table
}

// lift puts what all values of the last column warn of below the table, once.
func lift(t *percuss.Table) {
	var cells []percuss.Cell
	for _, r := range t.Rows {
		cells = append(cells, r.Cells[len(r.Cells)-1])
	}
	for _, w := range common(cells) {
		t.Notes = append(t.Notes, strings.ToUpper(w[:1])+w[1:]+".")
	}
	for i, r := range t.Rows {
		r.Cells[len(r.Cells)-1] = cells[i]
	}
}

// common takes away the warnings that all cells have, and returns them.
func common(cells []percuss.Cell) []string {
	if len(cells) == 0 {
		return nil
	}
	shared := slices.DeleteFunc(slices.Clone(cells[0].Estimate.Warnings), func(w string) bool {
		return slices.ContainsFunc(cells, func(c percuss.Cell) bool { return !slices.Contains(c.Estimate.Warnings, w) })
	})
	for i, c := range cells {
		cells[i].Estimate.Warnings = slices.DeleteFunc(slices.Clone(c.Estimate.Warnings), func(w string) bool { return slices.Contains(shared, w) })
	}
	return shared
}

// lacks says why the question has no agreement; empty: it has.
func (s sheet) lacks() string {
	switch {
	case len(s.raters) == 0:
		return "nobody has answered this question"
	case len(s.raters) == 1:
		return "there is one rater only: agreement takes two"
	}
	for _, row := range s.r.Items {
		if labelled(row) >= 2 {
			return ""
		}
	}
	return "no item has labels of two raters"
}

// prevalence tells what makes a kappa of the question misleading.
func (t tables) prevalence(s sheet) percuss.Table {
	bare := func(id, head string) percuss.Column {
		return percuss.Column{ID: id, Head: head, Scale: percuss.Decimal, Bare: true}
	}
	table := percuss.Table{ID: s.id("prevalence"), Title: s.title("Prevalence, which lowers kappa"),
		About: "Kappa falls with the same agreement where one label is common. PABAK is the kappa of the same agreement with equal shares; the prevalence index is 0 with equal shares and 1 where there is one label; the bias index is half the sum of the differences between two raters' shares (Byrt, Bishop and Carlin 1993). Means over pairs of raters.",
		Columns: []percuss.Column{column("compared", "Compared", percuss.Words), bare("agreement", "Agreement"), bare("kappa", "Kappa"), bare("pabak", "PABAK"),
			bare("prevalence", "Prevalence index"), bare("bias", "Bias index"), column("commonest", "Commonest label", percuss.Words), bare("share", "Its share"),
			column("misleading", "Kappa misleads", percuss.Words)}}
	if table.Absent = s.lacks(); table.Absent != "" {
		return table
	}
	for _, one := range s.scales() {
		p := stat.PrevalenceOf(one.r)
		misleads := "no"
		switch {
		case !p.Kappa.OK():
			misleads = ""
		case p.Warning() != "":
			misleads = "yes"
		}
		table.Rows = append(table.Rows, row(percuss.Said(one.name), percuss.Valued(p.Agreement), percuss.Valued(p.Kappa), percuss.Valued(p.PABAK),
			percuss.Valued(p.Index), percuss.Valued(p.Bias), percuss.Said(p.Category), percuss.Valued(p.Share), percuss.Said(misleads)))
	}
	return table
}

// Agreement is one table of the coefficients of all questions, for a file of its own.
func (r Results) Agreement() percuss.Table {
	out := percuss.Table{ID: "agreement", Title: "Agreement"}
	for _, t := range r.Tables {
		question, ok := strings.CutPrefix(t.ID, agreementID)
		if !ok {
			continue
		}
		question = strings.TrimPrefix(question, sides)
		out.About, out.Columns = t.About, slices.Concat([]percuss.Column{column("question", "Question", percuss.Words)}, t.Columns)
		for _, r := range t.Rows {
			out.Rows = append(out.Rows, row(slices.Concat([]percuss.Cell{percuss.Said(question)}, r.Cells)...))
		}
	}
	return out
}
