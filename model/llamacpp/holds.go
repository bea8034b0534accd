package llamacpp

import (
	"errors"
	"slices"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// errDiffers is what a test of the exact layout finds where it does not hold.
var errDiffers = errors.New("prompts computed together differ from the same computed alone")

// try looks for the smallest unit with which the exact layout holds, unless an earlier opening found it under the same
// conditions. Kernels differ in how many rows they compute at once and treat the remaining rows in another way: a unit
// that they divide leaves none.
func (m *Model) try(before outcomes) error {
	if !m.reuse || llama.ModelNSWA(m.engine.model) > 0 {
		return errors.New("its cache is not one that can be copied") // the library would abort the process
	}
	if unit, known := before.unit(); known {
		if m.unit = unit; unit == 0 {
			return errDiffers
		}
		return nil
	}
	err := m.test()
	if err == nil || errors.Is(err, errDiffers) { // anything else, such as too little memory, may be gone tomorrow
		before.keep(m.unit)
	}
	return err
}

// test is what try does where nothing is known.
func (m *Model) test() error {
	defer m.apart.closeContext()
	prompts := testPrompts(m.engine.vocab, m.engine.chunk)
	why := errDiffers
	for unit := 1; unit <= maxUnit; unit *= 2 {
		same, err := m.holds(prompts, unit)
		if err != nil {
			why = err
			continue
		}
		if same {
			m.unit = unit
			return nil
		}
	}
	return why
}

// holds compares the logits of prompts computed together with those of three of them alone, bit for bit. The three leave
// different remainders of rows, as the parts of the tree do.
func (m *Model) holds(prompts [][]llama.Token, unit int) (bool, error) {
	e := m.apart
	e.closeContext()
	e.streams = 8
	if err := e.open(cellPadding); err != nil {
		return false, err
	}
	together, err := e.compute(prompts, unit)
	if err != nil {
		return false, err
	}
	for _, i := range []int{len(prompts) - 1, len(prompts) / 2, len(prompts)/2 - 1} {
		alone, err := e.compute(prompts[i:i+1], unit)
		if err != nil {
			return false, err
		}
		if !slices.Equal(alone[0], together[i]) {
			return false, nil
		}
	}
	return true, nil
}

// compute returns the logits after each prompt.
func (e *engine) compute(prompts [][]llama.Token, unit int) ([][]float32, error) {
	passes, err := plan(newTree(prompts, unit), unit, e.streams, e.chunk)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(prompts))
	for _, p := range passes {
		err := e.perform(p, unit, func(ended []int, logits []float32) error {
			for _, i := range ended {
				out[i] = slices.Clone(logits)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// testPrompts are the prompts of the test: every subset of a few stretches of tokens between a head and a closing, as
// the prompts of a case are: of lengths with which pieces are computed one at a time and several at once. A large model
// gets shorter ones; chunk says how large it is.
func testPrompts(vocab, chunk int) [][]llama.Token {
	next := 0
	stretch := func(n int) (out []llama.Token) {
		for range n {
			next++
			out = append(out, llama.Token((next*7919+101)%vocab))
		}
		return out
	}
	sizes, head := []int{3, 3, 4}, 5
	if chunk >= 128 {
		sizes, head = []int{7, 6, 3}, 21
	}
	prompts := [][]llama.Token{stretch(head)}
	for _, n := range sizes {
		unit := stretch(n)
		for _, p := range slices.Clone(prompts) {
			prompts = append(prompts, append(slices.Clone(p), unit...))
		}
	}
	closing := stretch(leastPiece)
	for i, p := range prompts {
		prompts[i] = append(p, closing...)
	}
	return prompts
}
