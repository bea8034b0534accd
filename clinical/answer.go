package clinical

import "github.com/percuss/percuss"

// Reading is the answer read from a reply.
type Reading struct {
	Label  string        // the option's label; empty when none was read
	Status ReadingStatus // parsed, unparseable or ambiguous
	How    string        // "answer-line", "phrase", "boxed", "bare", "option-text", "label-word": the form that was found
	// ChainEnd is where the chain ends, in bytes of the reply: before the final answer line, or the whole reply when
	// there is none.
	ChainEnd int
}

// ReadingStatus says whether an answer was found.
type ReadingStatus string

// The three states of a reading. Neither of the last two is ever turned into a guess.
const (
	Parsed      ReadingStatus = "parsed"
	Unparseable ReadingStatus = "unparseable"
	Ambiguous   ReadingStatus = "ambiguous"
)

// ReadAnswer reads the answer from the tail of a reply. truncated: the reply was cut at its token limit; an explicit
// answer line before the cut is still read, a reasoning block that never closes is not.
func ReadAnswer(reply string, options []percuss.Option, truncated bool) Reading {
	panic("to be written")
}
