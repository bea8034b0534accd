package review

// giver is a case of a cell, with what it can still give.
type giver struct {
	item string
	left []*candidate
}

// spread takes n of a pool that is in a random order: in turns over the cells, each time of a case that has given the
// fewest so far.
func spread(pool []*candidate, n int) []*candidate {
	type cell struct{ variant, model, set string }
	type place struct {
		cell cell
		item string
	}
	var cells [][]*giver // cells and their cases in the order in which the pool names them first: a random one
	at, of := map[cell]int{}, map[place]*giver{}
	for _, f := range pool {
		c := cell{f.Variant, f.Model, f.Set}
		if _, ok := at[c]; !ok {
			at[c] = len(cells)
			cells = append(cells, nil)
		}
		p := place{c, f.Item}
		if of[p] == nil {
			of[p] = &giver{item: f.Item}
			cells[at[c]] = append(cells[at[c]], of[p])
		}
		of[p].left = append(of[p].left, f)
	}
	given := map[string]int{}
	var out []*candidate
	for n = min(n, len(pool)); len(out) < n; {
		for _, givers := range cells {
			g := fewest(givers, given)
			if g == nil || len(out) == n {
				continue
			}
			out = append(out, g.left[0])
			g.left = g.left[1:]
			given[g.item]++
		}
	}
	return out
}

// fewest is the first of the cases with something left that have given the fewest; nil: none has anything left.
func fewest(givers []*giver, given map[string]int) *giver {
	var best *giver
	for _, g := range givers {
		if len(g.left) > 0 && (best == nil || given[g.item] < given[best.item]) {
			best = g
		}
	}
	return best
}
