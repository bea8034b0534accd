package review

// giver is a case of a cell, with what it can still give.
type giver struct {
	item string
	left []*candidate
}

// cell is what is asked of one model on one set, under one prompt condition.
type cell struct {
	model, set string
	givers     []*giver // its cases, in the order in which the pool names them first: a random one
	given      int
}

// spread takes n of a pool that is in a random order: in turns over the cells, in a turn first of the models, then of the sets, that have given
// the fewest, each time of a case that has given the fewest so far.
func spread(pool []*candidate, n int) []*candidate {
	cells := cellsOf(pool)
	models, sets, items := map[string]int{}, map[string]int{}, map[string]int{}
	var out []*candidate
	for n = min(n, len(pool)); len(out) < n; {
		var next *cell
		var from *giver
		for _, c := range cells {
			if next != nil && !fewer([3]int{c.given, models[c.model], sets[c.set]}, [3]int{next.given, models[next.model], sets[next.set]}) {
				continue
			}
			if g := fewest(c.givers, items); g != nil {
				next, from = c, g
			}
		}
		out = append(out, from.left[0])
		from.left = from.left[1:]
		next.given++
		models[next.model]++
		sets[next.set]++
		items[from.item]++
	}
	return out
}

// cellsOf are the cells of a pool, in the order in which it names them first.
func cellsOf(pool []*candidate) []*cell {
	type place struct{ variant, model, set, item string }
	var cells []*cell
	at, of := map[place]*cell{}, map[place]*giver{}
	for _, f := range pool {
		p := place{f.Variant, f.Model, f.Set, ""}
		c := at[p]
		if c == nil {
			c = &cell{model: f.Model, set: f.Set}
			at[p] = c
			cells = append(cells, c)
		}
		p.item = f.Item
		if of[p] == nil {
			of[p] = &giver{item: f.Item}
			c.givers = append(c.givers, of[p])
		}
		of[p].left = append(of[p].left, f)
	}
	return cells
}

// fewer says whether the first of the numbers that differ is smaller.
func fewer(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
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
