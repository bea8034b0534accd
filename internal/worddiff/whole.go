package worddiff

import (
	"slices"
	"strings"
)

// Whole moves each stretch that was only removed, or only added, to the beginning of a line or a sentence where that comes
// to the same: of "Step 3: So. Step 4: Thus." without its first sentence then "Step 3: So. " is removed, and not
// "3: So. Step ". Diff puts what could stand at several places at the last one, so that moves go back alone.
func Whole(pieces []Piece) []Piece {
	out := slices.Clone(pieces)
	for i := 1; i < len(out); i++ {
		alone := out[i].Kind != Same && out[i-1].Kind == Same && (i+1 == len(out) || out[i+1].Kind == Same)
		if !alone {
			continue
		}
		by := moved(out[i-1].Text, out[i].Text, i == 1)
		if by == 0 {
			continue
		}
		left, mid := out[i-1].Text, out[i].Text
		tail := mid[len(mid)-by:]
		out[i-1].Text, out[i].Text = left[:len(left)-by], tail+mid[:len(mid)-by]
		if i+1 == len(out) {
			out = append(out, Piece{Kind: Same})
		}
		out[i+1].Text = tail + out[i+1].Text
	}
	return slices.DeleteFunc(out, func(p Piece) bool { return p.Text == "" })
}

// moved is by how many bytes a stretch is moved back into the text before it, which may be used up where it is the first.
func moved(left, mid string, first bool) int {
	best, by := begins(left), 0
	a, b := Words(left), Words(mid)
	for n, size := 1, 0; n <= min(len(a), len(b)) && a[len(a)-n] == b[len(b)-n]; n++ {
		size += len(a[len(a)-n])
		rest := left[:len(left)-size]
		if rest == "" && !first {
			break
		}
		if at := begins(rest); at > best {
			best, by = at, size
		}
	}
	return by
}

// begins says what begins behind a text: 2 for a line, 1 for a sentence, 0 for neither.
func begins(left string) int {
	switch trimmed := strings.TrimRight(left, " "); {
	case trimmed == "" || strings.HasSuffix(trimmed, "\n"):
		return 2
	case trimmed != left && strings.ContainsAny(trimmed[len(trimmed)-1:], ".?!"):
		return 1
	}
	return 0
}
