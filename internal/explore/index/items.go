package index

import "context"

// ItemHit is a subject with how many of its rows a filter lets through.
type ItemHit struct {
	Subject int
	Rows    int
}

// Items returns up to n subjects from the given place on that a filter lets any row of through, and the place of the next
// page; -1 where there is none.
func (x *Index) Items(ctx context.Context, a Ask, from, n int) (hits []ItemHit, next int, err error) {
	keep, err := x.kept(ctx, a)
	if err != nil {
		return nil, -1, err
	}
	next = -1
	want := x.cube.matching(a.Filter)
	err = x.blocks(ctx, 0, false, func(b *block) bool {
		if b.subject(b.rows()-1) < from {
			return true
		}
		for i := range b.rows() {
			s := b.subject(i)
			if s < from || !want[b.cell(i)] || keep != nil && !keep(b.first+i, s) {
				continue
			}
			if last := len(hits) - 1; last >= 0 && hits[last].Subject == s {
				hits[last].Rows++
				continue
			}
			if len(hits) == n {
				next = s
				return false
			}
			hits = append(hits, ItemHit{Subject: s, Rows: 1})
		}
		return true
	})
	return hits, next, err
}
