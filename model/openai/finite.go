package openai

import "bytes"

// finite replaces the numbers that Python writes and JSON does not have: NaN and Infinity become null, and -Infinity,
// the log of probability 0, a number below any log-probability.
func finite(data []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(data); i++ {
		switch {
		case inString && data[i] == '\\' && i+1 < len(data):
			out = append(out, data[i])
			i++
		case data[i] == '"':
			inString = !inString
		case !inString && (data[i] == 'N' || data[i] == 'I' || data[i] == '-'):
			if word, number := notFinite(data[i:]); word > 0 {
				out = append(out, number...)
				i += word - 1
				continue
			}
		}
		out = append(out, data[i])
	}
	return out
}

// notFinite is the length of the word at the beginning of data that is no finite number, or 0, and what replaces it.
func notFinite(data []byte) (length int, number string) {
	for _, w := range [][2]string{{"-Infinity", "-1e308"}, {"Infinity", "null"}, {"NaN", "null"}} {
		if bytes.HasPrefix(data, []byte(w[0])) {
			return len(w[0]), w[1]
		}
	}
	return 0, ""
}
