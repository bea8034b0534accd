package llamacpp

import (
	"slices"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// leastPiece is how few tokens are computed in one go: a single row is no matrix, and other kernels compute it.
const leastPiece = 2

// node is a stretch of tokens that is computed in one go, once for all the prompts that pass through it. Its ends lie
// at multiples of the tree's unit, so that prompts are always computed in pieces of such lengths, alone or together. It
// has leastPiece tokens or more.
type node struct {
	tokens   []llama.Token // from the beginning of the prompt to the node's end; a leaf is filled up to the unit
	from     int           // what stands before is computed elsewhere
	parent   *node
	children []*node
	prompts  []int // of a leaf: the prompts that end here
	last     int   // of a leaf: the position of their last token
	need     int   // streams that suffice to compute what comes below, one node after the other
}

func (n *node) length() int { return len(n.tokens) - n.from }
func (n *node) leaf() bool  { return len(n.children) == 0 }

// newTree joins prompts, none of them empty, to a tree whose inner nodes end at multiples of unit. Equal prompts
// become one leaf. The root is empty.
func newTree(prompts [][]llama.Token, unit int) *node {
	order := make([]int, len(prompts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(prompts[a], prompts[b]) })
	b := treeBuilder{prompts: prompts, unit: unit}
	root := &node{}
	b.below(root, order, 0)
	root.needs()
	return root
}

type treeBuilder struct {
	prompts [][]llama.Token
	unit    int
}

// below adds members, sorted and equal in their first depth tokens, to the parent.
func (b treeBuilder) below(parent *node, members []int, depth int) {
	for len(members) > 0 {
		first := b.prompts[members[0]]
		n := 1
		for n < len(members) && b.together(first, b.prompts[members[n]], depth) {
			n++
		}
		b.branch(parent, members[:n])
		members = members[n:]
	}
}

// together reports whether two prompts that agree up to depth agree in the token there too, or both end.
func (b treeBuilder) together(x, y []llama.Token, depth int) bool {
	if len(x) == depth || len(y) == depth {
		return len(x) == len(y)
	}
	return x[depth] == y[depth]
}

// branch adds members that go on together.
func (b treeBuilder) branch(parent *node, members []int) {
	first, last := b.prompts[members[0]], b.prompts[members[len(members)-1]]
	n := common(first, last)
	if n == len(first) && n == len(last) {
		parent.children = append(parent.children, b.leaf(parent, members))
		return
	}
	if cut := n / b.unit * b.unit; cut-len(parent.tokens) >= leastPiece {
		inner := &node{tokens: first[:cut], from: len(parent.tokens), parent: parent}
		parent.children = append(parent.children, inner)
		parent = inner
	}
	b.below(parent, members, n)
}

// leaf ends equal prompts. It is filled up with copies of the last token, which nothing looks back at, and begins earlier
// where it ends with its parent or just behind it.
func (b treeBuilder) leaf(parent *node, members []int) *node {
	prompt := b.prompts[members[0]]
	filled := (max(len(prompt), leastPiece) + b.unit - 1) / b.unit * b.unit
	n := &node{tokens: prompt, parent: parent, last: len(prompt) - 1, prompts: members}
	n.from = min(len(parent.tokens), filled-max(b.unit, leastPiece))
	for len(n.tokens) < filled {
		n.tokens = append(slices.Clip(n.tokens), prompt[n.last])
	}
	return n
}

// needs fills in need and orders the children so that those who need most come last: when one of them is computed,
// its parent's stream is free again.
func (n *node) needs() {
	for _, c := range n.children {
		c.needs()
	}
	slices.SortStableFunc(n.children, func(a, b *node) int { return a.need - b.need })
	for i, c := range n.children {
		if i < len(n.children)-1 {
			n.need = max(n.need, 1+c.need)
		} else {
			n.need = max(n.need, 1, c.need)
		}
	}
}

// size returns how many tokens are computed below the node, and the longest prompt.
func (n *node) size() (tokens, longest int) {
	for _, c := range n.children {
		t, l := c.size()
		tokens, longest = tokens+c.length()+t, max(longest, l, len(c.tokens))
	}
	return tokens, longest
}
