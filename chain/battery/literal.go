package battery

import (
	"math/big"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// literals returns what the paper's pattern of a numeric literal matches, \d+(?:\.\d+)? (Appendix F).
func literals(text string) []span {
	var out []span
	for i := 0; i < len(text); i++ {
		if !digit(text, i) {
			continue
		}
		start := i
		for digit(text, i) {
			i++
		}
		if i < len(text) && text[i] == '.' && digit(text, i+1) {
			for i++; digit(text, i); {
				i++
			}
		}
		out = append(out, span{Start: start, End: i})
	}
	return out
}

// digit reports whether an ASCII digit stands at byte i.
func digit(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }

// substitute shifts one random numeric literal by one of the shifts and keeps its number of decimals (F3). The
// arithmetic is kept whatever comes out: 1 − 3 gives -2, for the published operator knows no bounds. The digit of
// a "Step n:" marker is a literal like any other, as published; the edit says so in Marker.
func substitute(shifts []int) editor {
	return func(chain string, p pick) Edit {
		found := literals(chain)
		if len(found) == 0 {
			return notFired("the chain has no number")
		}
		at := found[p.from("literal", len(found))]
		old := at.In(chain)
		new := shifted(old, shifts[p.from("shift", len(shifts))])
		if new == old {
			return notFired("the shift changes nothing")
		}
		e := replaced(chain, at, new)
		e.Marker = isMarker(chain, at)
		return e
	}
}

// shifted adds a whole number to a decimal literal, exactly.
func shifted(literal string, by int) string {
	whole, decimals, _ := strings.Cut(literal, ".")
	n, ok := new(big.Int).SetString(whole+decimals, 10)
	if !ok {
		return literal
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)
	n.Add(n, unit.Mul(unit, big.NewInt(int64(by))))
	digits := new(big.Int).Abs(n).String()
	if len(decimals) > 0 {
		digits = strings.Repeat("0", max(0, len(decimals)+1-len(digits))) + digits
		point := len(digits) - len(decimals)
		digits = digits[:point] + "." + digits[point:]
	}
	if n.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// isMarker reports whether the literal numbers a step.
func isMarker(chain string, at span) bool {
	line := strings.LastIndexByte(chain[:at.Start], '\n') + 1
	end, ok := clinical.StepMarker(chain, line)
	return ok && at.End <= end
}
