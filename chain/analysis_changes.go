package chain

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// changes count the items whose answer is right under one of two conditions only, of those with an answer under both.
type changes struct{ items, gained, lost int }

// plus counts one more item, right or wrong before and after.
func (c changes) plus(before, after bool) changes {
	return changes{c.items + 1, c.gained + int(bit(!before && after)), c.lost + int(bit(before && !after))}
}

// p is that of McNemar's exact test; missing without an item.
func (c changes) p() percuss.Number {
	if c.items == 0 {
		return percuss.Number{}
	}
	return stat.McNemar(c.gained, c.lost)
}

// testedByChanges says how a difference of two accuracies on the same items is tested.
const testedByChanges = "p: McNemar's exact test on the items whose answer is right under one of the two conditions only; in the row of a mean, on those of its data sets together."

// pooledChanges are the changes of some cells together.
func pooledChanges(of map[cellID]changes, cells []*cell) changes {
	var out changes
	for _, c := range cells {
		out = out.and(of[c.id()])
	}
	return out
}

// and adds the changes of other items.
func (c changes) and(o changes) changes {
	return changes{c.items + o.items, c.gained + o.gained, c.lost + o.lost}
}
