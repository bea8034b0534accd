package llamacpp

import (
	"cmp"
	"slices"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// path is one prompt on its way into the tree of prompts.
type path struct {
	tokens []llama.Token
	from   int // so many tokens are in the cache already; less than len(tokens)
	// class keeps equal prompts apart: those of one class share all their nodes, those of different classes share
	// only what other prompts share with them. It keeps replicates from being one computation reported twice.
	class int
}

// step is one token to compute. It is added to the cache once, for all the paths that go through it.
type step struct {
	token   llama.Token
	pos     int
	through []int // indices of paths, ascending
	ends    []int // paths whose last token this is: here logits are needed
}

// grow joins the paths to a tree of token prefixes and returns its nodes, every node after its parent, each once.
// Paths that start from different depths do not share nodes: they cannot differ before the deeper start, and what
// the cache holds for both was found by the same search.
//
// Siblings come in the order of their tokens' bits, those of mix turned over: 0 is the order of the tokens, another
// mix another order of the same nodes.
func grow(paths []path, mix llama.Token) []step {
	order := make([]int, len(paths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if paths[a].from != paths[b].from {
			return paths[a].from - paths[b].from
		}
		return slices.CompareFunc(paths[a].tokens, paths[b].tokens, func(s, t llama.Token) int { return cmp.Compare(s^mix, t^mix) })
	})
	g := grower{paths: paths}
	for len(order) > 0 {
		first, n := paths[order[0]], 1
		for n < len(order) && paths[order[n]].from == first.from &&
			slices.Equal(paths[order[n]].tokens[:first.from], first.tokens[:first.from]) {
			n++
		}
		g.branch(order[:n], first.from)
		order = order[n:]
	}
	return g.steps
}

type grower struct {
	paths []path
	steps []step
}

// branch adds what comes from depth on. The members are sorted by their tokens and agree up to depth; none has
// ended there.
func (g *grower) branch(members []int, depth int) {
	for _, class := range g.classes(members) {
		g.walk(class, depth)
	}
}

// classes divides members that are all equal by class; others stay together.
func (g *grower) classes(members []int) [][]int {
	first, last := g.paths[members[0]], g.paths[members[len(members)-1]]
	if !slices.Equal(first.tokens, last.tokens) {
		return [][]int{members}
	}
	var out [][]int
	at := map[int]int{}
	for _, m := range members {
		c := g.paths[m].class
		i, ok := at[c]
		if !ok {
			i = len(out)
			at[c] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], m)
	}
	return out
}

// walk follows the members as long as they agree and branches where they part.
func (g *grower) walk(members []int, depth int) {
	through := slices.Sorted(slices.Values(members))
	for {
		token := g.paths[members[0]].tokens[depth]
		if g.paths[members[len(members)-1]].tokens[depth] != token {
			break
		}
		s := step{token: token, pos: depth, through: through}
		depth++
		ended := 0 // the shortest come first
		for ended < len(members) && len(g.paths[members[ended]].tokens) == depth {
			ended++
		}
		if ended > 0 {
			s.ends = slices.Sorted(slices.Values(members[:ended]))
			members = members[ended:]
			through = slices.Sorted(slices.Values(members))
		}
		g.steps = append(g.steps, s)
		if len(members) == 0 {
			return
		}
		if ended > 0 && len(g.classes(members)) > 1 {
			g.branch(members, depth)
			return
		}
	}
	for len(members) > 0 {
		n := 1
		for n < len(members) && g.paths[members[n]].tokens[depth] == g.paths[members[0]].tokens[depth] {
			n++
		}
		g.branch(members[:n], depth)
		members = members[n:]
	}
}

// common returns the length of the longest common prefix.
func common(a, b []llama.Token) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
