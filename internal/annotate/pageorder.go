package annotate

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/percuss/percuss/review/blind"
)

// Order is the order in which a rater of the given name sees the items of a package: a shuffle that package and name alone
// decide, so that it is the same on every device, and in a file that is taken along. Items that show the same stand at least a third of the list
// from each other where that can be, so that a rater judges the second one anew.
func Order(p blind.Package, rater string) []string {
	n := len(p.Items)
	ids, looks := make([]string, n), map[string]string{}
	for i, item := range p.Items {
		ids[i], looks[item.ID] = item.ID, look(item)
	}
	rank := func(id string) string {
		sum := sha256.Sum256([]byte(p.ID + "\x00" + rater + "\x00" + id))
		return string(sum[:])
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return apart(ids, looks, (n+2)/3)
}

// look is what an item shows and asks; items with equal ones are repeats.
func look(item blind.Item) string {
	raw, err := json.Marshal(struct {
		Parts []blind.Part
		Asks  []string
	}{item.Parts, item.Asks})
	if err != nil {
		panic("annotate: an item does not become JSON: " + err.Error()) // it holds texts and truth values only
	}
	sum := sha256.Sum256(raw)
	return string(sum[:])
}

// apart changes places in a list until equal looks stand at least least places from each other. It changes as little as it
// finds; where that comes to no end, all that are repeated are put in front once and behind again in the same order.
func apart(ids []string, looks map[string]string, least int) []string {
	at := map[string][]int{} // places of a look
	for i, id := range ids {
		at[looks[id]] = append(at[looks[id]], i)
	}
	fits := func(look string, place, but int) bool {
		return !slices.ContainsFunc(at[look], func(other int) bool { return other != but && max(place-other, other-place) < least })
	}
	move := func(from, to int) {
		places := at[looks[ids[from]]]
		places[slices.Index(places, from)] = to
	}
	for i := range ids {
		if fits(looks[ids[i]], i, i) {
			continue
		}
		found := false
		for step := range ids {
			j := (i + least + step) % len(ids)
			if looks[ids[i]] != looks[ids[j]] && fits(looks[ids[i]], j, i) && fits(looks[ids[j]], i, j) {
				move(i, j)
				move(j, i)
				ids[i], ids[j] = ids[j], ids[i]
				found = true
				break
			}
		}
		if !found {
			return folded(ids, looks)
		}
	}
	return ids
}

// folded puts the first of each repeated look in front, then what is there once, then the others.
func folded(ids []string, looks map[string]string) []string {
	count, seen := map[string]int{}, map[string]int{}
	for _, id := range ids {
		count[looks[id]]++
	}
	var front, middle []string
	rounds := [][]string{}
	for _, id := range ids {
		switch n := seen[looks[id]]; {
		case count[looks[id]] == 1:
			middle = append(middle, id)
		case n == 0:
			front = append(front, id)
		default:
			for len(rounds) < n {
				rounds = append(rounds, nil)
			}
			rounds[n-1] = append(rounds[n-1], id)
		}
		seen[looks[id]]++
	}
	first := map[string]int{}
	for i, id := range front {
		first[looks[id]] = i
	}
	out := append(front, middle...)
	for _, again := range rounds {
		slices.SortFunc(again, func(a, b string) int { return cmp.Compare(first[looks[a]], first[looks[b]]) })
		out = append(out, again...)
	}
	return out
}
