package llamacpp

import (
	"errors"
	"slices"
)

// pass is one decode of the exact layout: every stream of a contiguous range takes equally many tokens. The library
// would divide anything else into parts of other shapes.
type pass struct {
	loads  []load
	pieces []piece // one a stream, ascending
}

// load makes a stream hold the first n tokens of another, or of itself.
type load struct{ stream, source, n int }

// piece is the part [from, to) of a node's tokens.
type piece struct {
	stream   int
	node     *node
	from, to int
}

// tokens is how many the pass computes.
func (p pass) tokens() int { return len(p.pieces) * (p.pieces[0].to - p.pieces[0].from) }

// planner lays the nodes of a tree on streams. A computed inner node keeps its stream until its last child is
// computed; a leaf gives its back at once.
type planner struct {
	unit  int
	chunk int    // most tokens of a pass
	taken []bool // by stream
	live  []held // computed nodes with children to come, in the order in which they were computed
	out   []pass
}

type held struct {
	node   *node
	stream int // noStream: of the root, which holds nothing
	next   int // the first child that is still to come
}

const noStream = -1

var errStreams = errors.New("too few streams for the tree of prompts")

// plan returns the passes that compute a tree with so many streams, and at most chunk tokens a pass, or maxUnit where
// that is more. With one stream it goes from leaf to leaf; else it takes more than root.need.
func plan(root *node, unit, streams, chunk int) ([]pass, error) {
	p := &planner{unit: unit, chunk: max(chunk, maxUnit), taken: make([]bool, streams)}
	if streams == 1 {
		p.serial(root)
		return p.out, nil
	}
	p.live = []held{{node: root, stream: noStream}}
	for len(p.live) > 0 {
		group := p.choose()
		if len(group) == 0 {
			return nil, errStreams
		}
		p.compute(group)
	}
	return p.out, nil
}

// serial computes the nodes below n one after the other. The one stream still holds what a node needs: it is cut back
// to it.
func (p *planner) serial(n *node) {
	for _, c := range n.children {
		p.extend([]piece{{node: c, from: c.from}}, []load{{0, 0, c.from}})
		p.serial(c)
	}
}

// candidate is a node that can be computed now: a child of a live one.
type candidate struct {
	node  *node
	owner int // index in live
}

// choose returns the nodes to compute next: the largest set of equal length for which there are streams, of equally
// large ones that which was begun last. Leaves hold no stream afterwards; of inner nodes only so many are begun that
// what has begun can end.
func (p *planner) choose() []candidate {
	_, run := p.longestRun()
	if run == 0 {
		return nil
	}
	type kind struct {
		leaf   bool
		length int
	}
	classes := map[kind][]candidate{}
	var order []kind
	for i, h := range slices.Backward(p.live) {
		for _, c := range h.node.children[h.next:] {
			k := kind{c.leaf(), c.length()}
			if classes[k] == nil {
				order = append(order, k)
			}
			classes[k] = append(classes[k], candidate{c, i})
		}
	}
	var best []candidate
	spare := p.spare()
	for _, k := range order {
		most := min(run, max(1, p.chunk/k.length))
		if !k.leaf {
			most = min(most, spare)
		}
		if n := min(most, len(classes[k])); n > len(best) {
			best = classes[k][:n]
		}
	}
	if len(best) > 0 {
		return best
	}
	// Only what was begun last is sure to end with the streams that are left.
	i := len(p.live) - 1
	return []candidate{{p.live[i].node.children[p.live[i].next], i}}
}

// spare is how many inner nodes may be begun: a third of the streams are for computing (with half, or a quarter, a case
// of eight units takes more passes), and what has begun must end.
func (p *planner) spare() int {
	free, reserve := 0, len(p.taken)/3
	for _, t := range p.taken {
		if !t {
			free++
		}
	}
	for _, h := range p.live {
		reserve = max(reserve, h.node.need)
	}
	return free - reserve
}

// longestRun returns the longest range of free streams, the last of equals.
func (p *planner) longestRun() (start, length int) {
	n := 0
	for i, t := range p.taken {
		if n++; t {
			n = 0
		}
		if n > 0 && n >= length {
			start, length = i-n+1, n
		}
	}
	return start, length
}

// compute lays the group on the end of the longest free range, the longest node first, and plans its passes.
func (p *planner) compute(group []candidate) {
	slices.SortStableFunc(group, func(a, b candidate) int { return b.node.length() - a.node.length() })
	start, length := p.longestRun()
	if !group[0].node.leaf() {
		start += length - len(group) // what stays is at one end
	}
	var loads []load
	var pieces []piece
	var begun []held
	for i, c := range group {
		s := start + i
		source := p.live[c.owner].stream
		if source == noStream {
			source = s
		}
		loads = append(loads, load{s, source, c.node.from})
		pieces = append(pieces, piece{stream: s, node: c.node, from: c.node.from})
		if !c.node.leaf() {
			begun = append(begun, held{node: c.node, stream: s})
			p.taken[s] = true
		}
		p.took(c)
	}
	p.extend(pieces, loads)
	p.live = slices.DeleteFunc(p.live, func(h held) bool {
		done := h.next == len(h.node.children)
		if done && h.stream != noStream {
			p.taken[h.stream] = false
		}
		return done
	})
	p.live = append(p.live, begun...)
}

// took moves a child that is being computed before those that are still to come.
func (p *planner) took(c candidate) {
	h := &p.live[c.owner]
	i := slices.Index(h.node.children, c.node)
	copy(h.node.children[h.next+1:i+1], h.node.children[h.next:i])
	h.node.children[h.next] = c.node
	h.next++
}

// extend plans the passes that take every piece to the end of its node. The longest come first, so that those that
// go on are always a contiguous range.
func (p *planner) extend(pieces []piece, loads []load) {
	for len(pieces) > 0 {
		last := pieces[len(pieces)-1]
		step := len(last.node.tokens) - last.from
		if room := p.chunk / len(pieces) / p.unit * p.unit; step > room {
			if step-room < leastPiece { // what is left must not be too short
				room -= p.unit
			}
			step = max(room, p.unit)
		}
		ps := pass{loads: loads}
		loads = nil
		for i := range pieces {
			pieces[i].to = pieces[i].from + step
			ps.pieces = append(ps.pieces, pieces[i])
			pieces[i].from = pieces[i].to
		}
		p.out = append(p.out, ps)
		for len(pieces) > 0 && pieces[len(pieces)-1].from == len(pieces[len(pieces)-1].node.tokens) {
			pieces = pieces[:len(pieces)-1]
		}
	}
}
