package clinical

import (
	"strings"

	"github.com/percuss/percuss"
)

// Reading is the answer read from a reply.
type Reading struct {
	Label  string        // the option's label, or the canonical form of a number; empty when none was read
	Status ReadingStatus // parsed, unparseable or ambiguous
	How    string        // "answer-line", "phrase", "boxed", "bare", "option-text", "label-word": the form that was found
	// ChainEnd is where the chain ends, in bytes of the reply: before the final answer line, or the whole reply when
	// there is none.
	ChainEnd int
	// Refused: the reply declines to answer, and Status is Unparseable. A reply that declines and then answers is an
	// answer, and one that finds the case undecidable ("cannot be determined") is not a refusal.
	Refused bool
}

// ReadingStatus says whether an answer was found.
type ReadingStatus string

// The three states of a reading. Neither of the last two is ever turned into a guess.
const (
	Parsed      ReadingStatus = "parsed"
	Unparseable ReadingStatus = "unparseable"
	Ambiguous   ReadingStatus = "ambiguous"
)

// ReadAnswer reads the answer from the tail of a reply. truncated: the reply was cut at its token limit. Then an answer
// line before the cut is still read, and a sentence that says outright what the answer is and has ended; all else is
// none, for the reply was going to say more: a statement that is itself cut, an option that is praised or weighed,
// anything in a reasoning block that never closes.
//
// The rules, in their order (chain audit, section 3):
//
//   - Where a new turn begins after an answer ("Human:", "Question:", a chat token), the reply ends there.
//   - What follows a closed reasoning block outranks what stands in it. Nothing counts that stands in an open one.
//   - The last explicit statement wins: an answer line, a phrase ("the answer is B"), a box, or a label alone on the
//     last line. It outranks all letters in the text after it.
//   - A statement that there is no answer, or that names two, is the end of the matter.
//   - Without any, praise in the last paragraph ("Option B is the most likely") is read if it names one option only.
//   - Without that, a sentence that says which option "the mechanism" or "the most likely cause" is, if the reply names
//     no other option at all.
//
// A list of the options, in their own words or in others, is no answer.
//
// An option's own text counts like its label; How records it: "label-word" for texts of up to five letters
// (yes, no, maybe), "option-text" for longer ones. Letters within words never count.
//
// For an ambiguous reply ChainEnd is where the line begins that names two options.
func ReadAnswer(reply string, options []percuss.Option, truncated bool) Reading {
	return readTurns(reply, options, truncated, (*reader).read)
}

// readTurns reads a reply up to where a new turn begins after an answer. find returns what one region of it states.
func readTurns(reply string, options []percuss.Option, truncated bool, find finder) Reading {
	for i, n := firstTurn(reply), 0; n < maxTurns; n++ {
		m := nextTurn(reply, i)
		if m < 0 {
			break
		}
		if r := readTurn(reply[:m], options, false, find); r.Status != Unparseable {
			return r
		}
		i = m + 1
	}
	r := readTurn(reply, options, truncated, find)
	r.Refused = r.Status == Unparseable && refuses(reply, truncated)
	return r
}

// finder returns the answer that a region states, if any.
type finder func(*reader) (statement, bool)

// readTurn reads a reply that holds one turn.
func readTurn(reply string, options []percuss.Option, truncated bool, find finder) Reading {
	none := Reading{Status: Unparseable, ChainEnd: len(reply)}
	blockEnd, open := reasoning(reply)
	cut := truncated && open == len(reply)
	visible := reader{text: reply[:open], from: blockEnd, values: options, cut: cut, strict: cut && blockEnd == 0}
	if s, ok := find(&visible); ok {
		return visible.reading(s, none)
	}
	if blockEnd == 0 || open < len(reply) || !onlyBlank(visible.text[blockEnd:]) {
		return none
	}
	block := reader{text: reply[:strings.LastIndexByte(reply[:blockEnd], '<')], values: options}
	if s, ok := find(&block); ok && !s.weak {
		return block.reading(s, none)
	}
	return none
}

// reading turns a statement into a Reading.
func (r *reader) reading(s statement, none Reading) Reading {
	if s.declined {
		return none
	}
	read := Reading{Label: s.label, Status: Parsed, How: s.how, ChainEnd: r.chainEnd(s)}
	if s.ambiguous {
		read.Label, read.Status = "", Ambiguous
	}
	return read
}

// chainEnd returns where the sentence or line of a statement begins. What only announces it goes with it: "Final
// Answer", the opening of a formula, and the sentence that ends in a colon before an answer on a line of its own.
func (r *reader) chainEnd(s statement) int {
	line := max(lineStart(r.text, s.start), r.from)
	if start := sentenceStart(r.text, line, s.start); start > line {
		return start
	}
	if s.alone && r.announcedAt(line) {
		colon := r.lastByte(line)
		before := max(lineStart(r.text, colon), r.from)
		if line = sentenceStart(r.text, before, colon); line > before {
			return line
		}
	}
	for line > r.from {
		end := r.lastByte(line) + 1
		before := max(lineStart(r.text, end), r.from)
		if before >= end || !announces(r.text[before:end]) {
			break
		}
		line = before
	}
	return line
}

// announces reports whether a line holds nothing but the announcement of an answer, or the opening of a formula.
func announces(line string) bool {
	cues, words := 0, 0
	for i := 0; i < len(line); {
		end := wordEnd(line, i)
		if end == i {
			i++
			continue
		}
		c := classOf(line[i:end])
		if !c.any(cueWord | leadWord | linkWord) {
			return false
		}
		if c.any(cueWord) {
			cues++
		}
		words++
		i = end
	}
	return cues == 1 && words <= 5 || words == 0 && strings.ContainsAny(line, `\$`)
}
