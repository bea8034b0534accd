package dataset

import (
	"errors"
	"fmt"
)

// ErrNoBase says that a file's answers by number fit either base.
var ErrNoBase = errors.New("nothing tells whether it counts from 0 or from 1; say ?base=0 or ?base=1")

// Base decides whether a file counts its options from 0 or from 1 by what it holds: an answer 0 says the one, an
// answer that is the number of options the other (medmcqa/medmcqa#9). A base that is wrong by one would look like a
// weak model. The zero value has seen nothing.
type Base struct {
	zero, last, any int // the line of the first answer of each kind; 0: none
	value           int // the answer at line last
}

// See takes note of one answer by number, of a question with so many options. A negative one says nothing.
func (b *Base) See(answer, options, line int) {
	if answer < 0 || answer > options {
		return
	}
	if b.any == 0 {
		b.any = line
	}
	if answer == 0 && b.zero == 0 {
		b.zero = line
	}
	if answer == options && b.last == 0 {
		b.last, b.value = line, answer
	}
}

// Decide returns 0 or 1. asked is the user's ?base=, empty for none; it cannot overrule what the file says. The error
// says why the file is refused: its answers contradict each other or asked, or nothing in it tells. field is the
// answer's name in the file. For a file without an answer by number the base does not matter.
func (b *Base) Decide(field, asked string) (int, error) {
	if asked != "" && asked != "0" && asked != "1" {
		return 0, fmt.Errorf("base=%s; the answers count from 0 or from 1", asked)
	}
	switch {
	case b.zero > 0 && b.last > 0:
		return 0, fmt.Errorf("%s is 0 in line %d and %d in line %d: no base fits both, so every key is in doubt; mend the file", field, b.zero, b.value, b.last)
	case b.zero > 0 && asked == "1":
		return 0, fmt.Errorf("base=1, but %s is 0 in line %d; leave base out", field, b.zero)
	case b.last > 0 && asked == "0":
		return 0, fmt.Errorf("base=0, but %s is %d in line %d, one past the last option; leave base out", field, b.value, b.last)
	case b.last > 0 || asked == "1":
		return 1, nil
	case b.zero > 0 || asked == "0" || b.any == 0:
		return 0, nil
	}
	return 0, fmt.Errorf("%q has numbers, first in line %d: %w", field, b.any, ErrNoBase)
}
