package battery

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// literals is the paper's pattern of a numeric literal (Appendix F).
var literals = regexp.MustCompile(`\d+(?:\.\d+)?`)

// substitute shifts one random numeric literal by one of the shifts and keeps its number of decimals (F3). The
// arithmetic is kept whatever comes out: 1 − 3 gives -2, for the published operator knows no bounds. The digit of
// a "Step n:" marker is a literal like any other, as published; the edit says so in Marker.
func substitute(shifts []int) editor {
	return func(chain string, p pick) Edit {
		found := literals.FindAllStringIndex(chain, -1)
		if len(found) == 0 {
			return notFired("the chain has no number")
		}
		at := found[p.from("literal", len(found))]
		where := span{Start: at[0], End: at[1]}
		old := where.In(chain)
		new := shifted(old, shifts[p.from("shift", len(shifts))])
		if new == old {
			return notFired("the shift changes nothing")
		}
		e := replaced(chain, where, new)
		e.Marker = isMarker(chain, where)
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
