package chain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// noModels is why a table of models is empty.
const noModels = "there are no records"

// closedTier is the tier of models behind a vendor's API, which stand apart in the paper's Table 3.
const closedTier = "closed"

// headed is a column of a table.
func headed(id, head string, scale percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: scale}
}

// joined joins some remarks, or says that there are none.
func joined(remarks []string, none string) string {
	if len(remarks) == 0 {
		return none
	}
	return strings.Join(remarks, "; ")
}

// ranked are the models under each prompt that tables of models have a row for: those with medical cells, or all where
// none has any.
func (s *summary) ranked() []*model {
	if !slices.ContainsFunc(s.models, (*model).medical) {
		return s.models
	}
	return slices.DeleteFunc(slices.Clone(s.models), func(m *model) bool { return !m.medical() })
}

// cell returns the group of a cell, by model, prompt and data set.
func (s *summary) cell(variant, model, set string) (Group, bool) {
	for _, g := range s.cells {
		if g.Variant == variant && g.Model == model && g.Set == set {
			return g, true
		}
	}
	return Group{}, false
}

// setsOf lists the data sets of some models in the order in which they appear.
func setsOf(models []*model) []string {
	var out []string
	for _, m := range models {
		for _, c := range m.cells {
			if !slices.Contains(out, c.set) {
				out = append(out, c.set)
			}
		}
	}
	return out
}

// modelColumns heads one column for each model under each prompt; the prompt is named where a model has several.
func modelColumns(models []*model, scale percuss.Scale) []percuss.Column {
	prompts := map[string]int{}
	for _, m := range models {
		prompts[m.group.Model]++
	}
	out := make([]percuss.Column, len(models))
	for i, m := range models {
		name := m.group.Model
		if prompts[name] > 1 {
			name += ", " + m.group.Variant
		}
		out[i] = headed(name, name, scale)
	}
	return out
}

// distinct makes the ids of columns unique, whatever models and data sets are called.
func distinct(columns []percuss.Column) []percuss.Column {
	seen := map[string]bool{}
	for i, c := range columns {
		id := c.ID
		for n := 2; seen[id]; n++ {
			id = fmt.Sprintf("%s_%d", c.ID, n)
		}
		seen[id] = true
		columns[i].ID = id
	}
	return columns
}

// markExtreme marks the largest or smallest value of a column, and all that are printed alike, in the rows that do not
// stand apart, where there are two or more and half of them at most share it: a mark on most rows tells none apart. A value
// on few items is no extreme.
func markExtreme(rows []percuss.Row, column int, mark string) {
	best, of, tied := math.NaN(), 0, 0
	better := func(v float64) bool {
		return math.IsNaN(best) || mark == "max" && v > best || mark == "min" && v < best
	}
	each := func(do func(c *percuss.Cell, v float64)) {
		for i := range rows {
			c := &rows[i].Cells[column]
			if v, ok := c.Estimate.Value.Get(); ok && !rows[i].Head && c.Mark != "low" {
				do(c, math.Round(1000*v)/1000)
			}
		}
	}
	each(func(_ *percuss.Cell, v float64) {
		if better(v) {
			best = v
		}
	})
	each(func(_ *percuss.Cell, v float64) {
		of, tied = of+1, tied+int(bit(v == best))
	})
	if of < 2 || 2*tied > of {
		return
	}
	each(func(c *percuss.Cell, v float64) {
		if v == best {
			c.Mark = mark
		}
	})
}
