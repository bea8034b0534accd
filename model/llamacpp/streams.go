package llamacpp

import (
	"github.com/hybridgroup/yzma/pkg/llama"
)

// maxUnit is the largest unit of a tree.
const maxUnit = 4

// perform does the decode of a pass and calls take with the logits after each prompt that ends in it.
func (e *engine) perform(p pass, unit int, take func(prompts []int, logits []float32) error) error {
	for _, l := range p.loads {
		if err := e.load(l.stream, l.source, l.n); err != nil {
			return err
		}
	}
	ends, err := e.fill(p, unit)
	if err != nil {
		return err
	}
	if err := e.decode(); err != nil {
		return err
	}
	for _, x := range ends {
		logits, err := e.logits(x.row)
		if err == nil {
			err = take(x.node.prompts, logits)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ending is a leaf whose logits stand at a row of the batch.
type ending struct {
	row  int
	node *node
}

// fill puts the tokens of a pass. The number of outputs is what that of a piece's tokens is, a multiple of unit and not too
// few, because the last layer is computed for outputs alone: some are asked for that nobody needs.
func (e *engine) fill(p pass, unit int) ([]ending, error) {
	e.batch.Clear()
	var ends []ending
	for _, x := range p.pieces {
		for pos := x.from; pos < x.to; pos++ {
			last := x.node.leaf() && pos == x.node.last
			if last {
				ends = append(ends, ending{int(e.batch.NTokens), x.node})
			}
			if err := e.batch.Add(x.node.tokens[pos], llama.Pos(pos), e.seqs[x.stream], last); err != nil {
				return nil, err
			}
		}
	}
	more := max((unit-len(ends)%unit)%unit, leastPiece-len(ends))
	for row, at := 0, 0; more > 0 && len(ends) > 0; row++ {
		if at < len(ends) && ends[at].row == row {
			at++
			continue
		}
		if err := e.batch.SetLogit(int32(row), true); err != nil {
			return nil, err
		}
		more--
	}
	return ends, nil
}
