package llamacpp

import (
	"slices"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"
	"pgregory.net/rapid"
)

// check runs passes on paper: every stream takes only what continues it, every prompt ends once.
func check(t interface{ Fatalf(string, ...any) }, prompts [][]llama.Token, unit, streams, chunk int, passes []pass) (computed int) {
	held := make([][]llama.Token, streams)
	ended := make([]int, len(prompts))
	for _, p := range passes {
		for _, l := range p.loads {
			if len(held[l.source]) < l.n {
				t.Fatalf("stream %d holds %d tokens, not %d", l.source, len(held[l.source]), l.n)
			}
			held[l.stream] = slices.Clone(held[l.source][:l.n])
		}
		size := p.pieces[0].to - p.pieces[0].from
		if size < leastPiece || size%unit != 0 || size*len(p.pieces) > chunk {
			t.Fatalf("a pass of %d streams with %d tokens each", len(p.pieces), size)
		}
		for i, x := range p.pieces {
			if x.to-x.from != size || x.stream != p.pieces[0].stream+i {
				t.Fatalf("the streams of a pass are not alike: %+v", p.pieces)
			}
			if !slices.Equal(held[x.stream], x.node.tokens[:x.from]) {
				t.Fatalf("stream %d holds %v, want %v", x.stream, held[x.stream], x.node.tokens[:x.from])
			}
			held[x.stream] = append(held[x.stream], x.node.tokens[x.from:x.to]...)
			computed += size
			for _, k := range x.node.prompts {
				if x.from <= x.node.last && x.node.last < x.to {
					ended[k]++
					if !slices.Equal(held[x.stream][:x.node.last+1], prompts[k]) {
						t.Fatalf("prompt %d was computed as %v", k, held[x.stream])
					}
				}
			}
		}
	}
	for k, n := range ended {
		if n != 1 {
			t.Fatalf("prompt %d ended %d times", k, n)
		}
	}
	return computed
}

func TestPlansAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompts := make([][]llama.Token, rapid.IntRange(1, 40).Draw(t, "n"))
		for i := range prompts {
			prompts[i] = tokensOf(rapid.StringMatching(`[ab]{1,4}(cdefgh)?[ab]{0,3}(ijk)?`).Draw(t, "prompt"))
		}
		unit := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "unit")
		root := newTree(prompts, unit)
		streams := 1
		if rapid.Bool().Draw(t, "many") {
			streams = root.need + 1 + rapid.IntRange(0, 12).Draw(t, "streams")
		}
		chunk := rapid.IntRange(maxUnit, 64).Draw(t, "chunk")
		passes, err := plan(root, unit, streams, chunk)
		if err != nil {
			t.Fatalf("need %d, %d streams: %v", root.need, streams, err)
		}
		size, _ := root.size()
		if n := check(t, prompts, unit, streams, chunk, passes); n != size {
			t.Fatalf("%d tokens computed, the tree has %d", n, size)
		}
	})
}

// subsets are the prompts of a case: a fixed part, the shown ones of so many units, what closes the turn.
func subsets(units, fixed int) (prompts [][]llama.Token) {
	next := llama.Token(1)
	stretch := func(n int) (out []llama.Token) {
		for range n {
			out = append(out, next)
			next++
		}
		return out
	}
	head, closing := stretch(fixed), stretch(5)
	var texts [][]llama.Token
	for i := range units {
		texts = append(texts, stretch(12+i*5%7))
	}
	for s := range 1 << units {
		p := slices.Clone(head)
		for i := range units {
			if s>>i&1 == 1 {
				p = append(p, texts[i]...)
			}
		}
		prompts = append(prompts, append(p, closing...))
	}
	return prompts
}

// The passes of a case of eight units: with more streams fewer and fuller ones, and never more tokens than the tree has.
func TestSubsetsFillThePasses(t *testing.T) {
	prompts := subsets(8, 200)
	asked, bound := 0, 0
	sorted := slices.SortedFunc(slices.Values(prompts), slices.Compare[[]llama.Token])
	for i, p := range sorted {
		asked += len(p)
		bound += len(p)
		if i > 0 {
			bound -= common(p, sorted[i-1])
		}
	}
	for _, c := range []struct{ unit, streams, mostPasses, mostPercent int }{
		{1, 32, 110, 100}, {2, 1, 400, 106}, {2, 10, 350, 106}, {2, 16, 230, 106}, {2, 32, 110, 106}, {4, 32, 150, 116},
	} {
		root := newTree(prompts, c.unit)
		passes, err := plan(root, c.unit, c.streams, 256)
		if err != nil {
			t.Fatal(err)
		}
		n := check(t, prompts, c.unit, c.streams, 256, passes)
		t.Logf("unit %d, %d streams: %d passes, %d tokens of %d distinct and %d of separate prompts", c.unit, c.streams, len(passes), n, bound, asked)
		if n*100 > bound*c.mostPercent || len(passes) > c.mostPasses {
			t.Errorf("unit %d, %d streams: %d passes, %d tokens of %d distinct ones", c.unit, c.streams, len(passes), n, bound)
		}
	}
}

func TestTooFewStreams(t *testing.T) {
	root := newTree(subsets(6, 20), 2)
	if _, err := plan(root, 2, 2, 256); root.need < 2 || err == nil {
		t.Errorf("a tree that needs %d streams was planned on 2: %v", root.need, err)
	}
}
