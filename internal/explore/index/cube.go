package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// key is a combination of values, one of each field, by their numbers.
type key [fields]uint16

// names are the values of each field by their numbers, which are those of their first occurrence.
type names [fields][]string

// cube counts the rows of every combination of values that occurs. There are few of them beside the rows, so that all
// counts of a page come from here.
type cube struct {
	names names
	keys  []key
	n     []int // rows of each
}

// bytes is a key as it is stored.
func (k key) bytes() []byte {
	b := make([]byte, 0, 2*len(k))
	for _, v := range k {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// keyOf reads a stored key, of which every number must name a value.
func keyOf(b []byte, of names) (k key, err error) {
	if len(b) != 2*len(k) {
		return k, fmt.Errorf("a combination of %d bytes", len(b))
	}
	for i := range k {
		if k[i] = binary.LittleEndian.Uint16(b[2*i:]); int(k[i]) >= len(of[i]) {
			return k, fmt.Errorf("%s has no value %d", fieldNames[i], k[i])
		}
	}
	return k, nil
}

// chosen says of every value of every field whether the filter lets it through.
func (c *cube) chosen(f Filter) [fields][]bool {
	var out [fields][]bool
	for at := range fields {
		want := f.of(at)
		out[at] = make([]bool, len(c.names[at]))
		for i, value := range c.names[at] {
			out[at][i] = len(want) == 0 || fits(at, value, want)
		}
	}
	return out
}

// fits says whether a row's value is among those wanted.
func fits(at field, value string, want []string) bool {
	switch {
	case several[at]:
		return slices.ContainsFunc(strings.Split(value, between), func(v string) bool { return slices.Contains(want, v) })
	case at == Size:
		return value != "" && slices.Index(Sizes[:], value) >= slices.Index(Sizes[:], want[0])
	}
	return slices.Contains(want, value)
}

// matching says of every combination whether the filter lets it through.
func (c *cube) matching(f Filter) []bool {
	ok := c.chosen(f)
	out := make([]bool, len(c.keys))
	for i, k := range c.keys {
		out[i] = true
		for at, v := range k {
			out[i] = out[i] && ok[at][v]
		}
	}
	return out
}

// Choice is a value that a filter may have, and how many rows would be left with it beside what else the filter says.
type Choice struct {
	Value  string
	N      int
	Chosen bool
	Absent bool // no row of the run has it, whatever else the filter says
}

// choices counts, for every field by its name in the address, the rows behind each value. Of a combination that one field
// alone keeps out, the rows count for that field's values. n are the rows of every combination.
func (c *cube) choices(f Filter, n []int) map[string][]Choice {
	ok := c.chosen(f)
	counts := [fields][]int{}
	for at := range fields {
		counts[at] = make([]int, len(c.names[at]))
	}
	for i, k := range c.keys {
		out, outside := field(0), 0
		for at, v := range k {
			if !ok[at][v] {
				out, outside = field(at), outside+1
			}
		}
		switch outside {
		case 0:
			for at, v := range k {
				counts[at][v] += n[i]
			}
		case 1:
			counts[out][k[out]] += n[i]
		}
	}
	all := map[string][]Choice{}
	for at := range fields {
		if list := offered(at, c.names[at], counts[at], f.of(at)); len(list) > 0 {
			all[fieldNames[at]] = list
		}
	}
	return all
}

// offered lists the values of one field with their counts. An empty value is nothing to choose; a value that a row has
// beside others is counted for itself, and a class of size for all that it reaches.
func offered(at field, values []string, counts []int, want []string) []Choice {
	var out []Choice
	add := func(value string, n int) {
		i := slices.IndexFunc(out, func(c Choice) bool { return c.Value == value })
		if i < 0 {
			i = len(out)
			out = append(out, Choice{Value: value, Chosen: slices.Contains(want, value)})
		}
		out[i].N += n
	}
	for i, value := range values {
		switch {
		case value == "":
		case at == Size:
			for _, class := range Sizes[:slices.Index(Sizes[:], value)+1] {
				add(class, counts[i])
			}
		case several[at]:
			for _, v := range strings.Split(value, between) {
				add(v, counts[i])
			}
		default:
			add(value, counts[i])
		}
	}
	for _, value := range want { // what was asked for stays there to be let go of
		if !slices.ContainsFunc(out, func(c Choice) bool { return c.Value == value }) {
			out = append(out, Choice{Value: value, Chosen: true, Absent: true})
		}
	}
	if order := orders[at]; order != nil {
		slices.SortStableFunc(out, func(a, b Choice) int { return slices.Index(order, a.Value) - slices.Index(order, b.Value) })
	}
	return out
}

// orders are the values of fields that have an order of their own.
var orders = [fields][]string{Joint: {"a", "b", "c", "d", Dropped}, Size: Sizes[:], Right: {"yes", "no"}, Suspicious: {"yes", "no"},
	Flip: {"flip", "keep", "mixed_flip", "mixed_keep"}, Vote: {VoteRight, VoteWrong, VoteTied, VoteNone, VoteSplit}}

// of are the values of a field that the filter lets through; none: all.
func (f Filter) of(at field) []string {
	if list, ok := f.lists()[fieldNames[at]]; ok {
		return *list
	}
	if word, ok := f.words()[fieldNames[at]]; ok && *word.at != "" {
		return []string{*word.at}
	}
	return nil
}
