package agreement

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/stat"
)

// keyShut says why what the key tells is not there.
const keyShut = "the key is not open: percuss review unseal opens it"

// ofConfidence are the tables of interactions: how sure raters are by judgement and by bucket, and what buckets are worth.
func (t tables) ofConfidence() []percuss.Table {
	q, c := t.Package.Question(askJudgement), t.Package.Question(askConfidence)
	if t.Package.Task != blind.Interactions || q == nil || c == nil {
		return nil
	}
	settled := t.sures()
	return []percuss.Table{t.confidence(*q, *c), t.buckets(*q, settled), t.confidences(*c, settled)}
}

// confidence counts labels of all raters.
func (t tables) confidence(q, c blind.Question) percuss.Table {
	table := percuss.Table{ID: "confidence", Title: "How sure the raters are, by judgement",
		About:   "Of all raters' judgements, each for itself. Shares have bootstrap intervals over items.",
		Columns: []percuss.Column{column("judgement", "Judgement", percuss.Words), column("labels", "Judgements", percuss.Whole)}}
	for _, l := range c.Labels {
		table.Columns = append(table.Columns, column("confidence_"+l.ID, l.ID, percuss.Percent))
	}
	add := func(name string, of func(judgement int) bool, head bool) {
		total := 0
		x := make([]stat.Sums, len(c.Labels))
		for _, item := range t.items {
			counts, n := make([]float64, len(c.Labels)), 0.0
			for _, who := range t.raters {
				e := t.Said[who.id][item.ID]
				j, k := t.said(q, item, e), t.said(c, item, e)
				if j == stat.NoLabel || !of(j) {
					continue
				}
				total++
				if k != stat.NoLabel {
					counts[k]++
					n++
				}
			}
			for k := range x {
				if n > 0 {
					x[k] = append(x[k], []float64{counts[k], n})
				}
			}
		}
		r := row(percuss.Said(name), percuss.Counted(total))
		for k := range x {
			r.Cells = append(r.Cells, percuss.Measured(t.ratio(x[k], "no such judgement has a confidence")))
		}
		r.Head = head
		table.Rows = append(table.Rows, r)
	}
	for k, l := range q.Labels {
		add(l.ID, func(j int) bool { return j == k }, false)
	}
	add("all", func(int) bool { return true }, true)
	return table
}

// bucketed shows the items of each bucket that are settled, and last those of all.
func (t tables) bucketed(settled map[string]sure, show func(bucket string, some []sure)) {
	var all []sure
	for _, bucket := range t.values("bucket") {
		var some []sure
		for _, item := range t.items {
			if one, ok := settled[item.ID]; ok && t.Key[item.ID].Strata["bucket"] == bucket {
				some = append(some, one)
			}
		}
		show(bucket, some)
		all = append(all, some...)
	}
	show("total", all)
}

// buckets are the judgements by bucket, and what they say of the rules that filled it.
func (t tables) buckets(q blind.Question, settled map[string]sure) percuss.Table {
	table := percuss.Table{ID: "buckets", Title: "Judgements by bucket", Paper: "Table 5",
		About: "Items by their judgement in the end: the adjudication where there is one, else that of more than half of the raters. Precision is the share judged invalid, false positives are those judged valid, of the items that are settled. Intervals are Wilson's.",
		Columns: []percuss.Column{column("bucket", "Bucket", percuss.Words), column("judged", "Judged", percuss.Whole), column("valid", "Valid", percuss.Whole), column("questionable", "Questionable", percuss.Whole),
			column("invalid", "Invalid", percuss.Whole), column("precision", "Precision", percuss.Percent), column("questionable_rate", "Questionable rate", percuss.Percent),
			column("false_positive", "False positives", percuss.Percent)}}
	ids := idsOf(q)
	valid, unsure, invalid := slices.Index(ids, "valid"), slices.Index(ids, "questionable"), slices.Index(ids, "invalid")
	switch {
	case t.Key == nil:
		table.Absent = keyShut
	case valid < 0 || unsure < 0 || invalid < 0:
		table.Absent = "the judgements of this form are not valid, questionable and invalid"
	case len(t.values("bucket")) == 0:
		table.Absent = "the key names no buckets"
	}
	if table.Absent != "" {
		return table
	}
	t.bucketed(settled, func(bucket string, some []sure) {
		count := func(k int) int { return countOf(some, func(s sure) bool { return s.judgement == k }) }
		r := row(percuss.Said(bucket), percuss.Counted(len(some)), percuss.Counted(count(valid)), percuss.Counted(count(unsure)), percuss.Counted(count(invalid)))
		for _, k := range []int{invalid, unsure, valid} {
			r.Cells = append(r.Cells, percuss.Measured(t.settledShare(count(k), len(some))))
		}
		r.Head = bucket == "total"
		table.Rows = append(table.Rows, r)
	})
	return table
}

// confidences are how sure the raters are of what is settled, by bucket.
func (t tables) confidences(c blind.Question, settled map[string]sure) percuss.Table {
	table := percuss.Table{ID: "confidence_buckets", Title: "How sure the raters are, by bucket", Paper: "Table 19",
		About:   "Of each settled item: the confidence of the adjudication, or the middle one of those raters who give the judgement of more than half, the lower of two.",
		Columns: []percuss.Column{column("bucket", "Bucket", percuss.Words), column("judged", "Judged", percuss.Whole)}}
	for _, l := range c.Labels {
		table.Columns = append(table.Columns, column("confidence_"+l.ID, l.ID, percuss.Whole))
	}
	table.Columns = append(table.Columns, column("first", "Share of "+c.Labels[0].ID, percuss.Percent))
	switch {
	case t.Key == nil:
		table.Absent = keyShut
	case len(t.values("bucket")) == 0:
		table.Absent = "the key names no buckets"
	}
	if table.Absent != "" {
		return table
	}
	t.bucketed(settled, func(bucket string, some []sure) {
		r := row(percuss.Said(bucket), percuss.Counted(len(some)))
		told := 0
		for k := range c.Labels {
			n := countOf(some, func(s sure) bool { return s.confidence == k })
			told += n
			r.Cells = append(r.Cells, percuss.Counted(n))
		}
		first := countOf(some, func(s sure) bool { return s.confidence == 0 })
		r.Cells = append(r.Cells, percuss.Measured(t.settledShare(first, told)))
		r.Head = bucket == "total"
		table.Rows = append(table.Rows, r)
	})
	return table
}

// settledShare is a share of settled items.
func (t tables) settledShare(k, n int) percuss.Estimate {
	if n == 0 {
		return percuss.Absent("no item is settled")
	}
	return stat.Wilson(k, n, t.o.Level)
}

func countOf(some []sure, is func(sure) bool) int {
	n := 0
	for _, s := range some {
		if is(s) {
			n++
		}
	}
	return n
}
