package clinical

import "strings"

// maxTurns bounds how many beginnings of turns are looked at in one reply.
const maxTurns = 64

// speakers open a turn when they stand at the beginning of a line, before a colon.
var speakers = [...]string{"human", "user", "question", "assistant", "q"}

// chatTokens open or close a turn wherever they stand.
var chatTokens = [...]string{"<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<|endoftext|>", "<|user|>",
	"<|assistant|>", "<|end|>", "<end_of_turn>", "<start_of_turn>", "</s>", "[INST]", "[/INST]"}

// BlockOpen and BlockClose are the marks of a reasoning block as most models write them.
const (
	BlockOpen  = "<think>"
	BlockClose = "</think>"
)

// InReasoning reports whether a text ends inside a reasoning block, under any of the tags that models use.
func InReasoning(text string) bool {
	_, open := reasoning(text)
	return open < len(text)
}

// HasReasoning reports whether a text holds a reasoning block, closed or not, under any of the tags that models use.
func HasReasoning(text string) bool {
	end, open := reasoning(text)
	return end > 0 || open < len(text)
}

// blockTags name the tags of reasoning blocks.
var blockTags = [...]string{"think>", "thinking>", "thought>", "reasoning>"}

// firstTurn returns where to begin to look for turns: a block that closes without having been opened is reasoning,
// whatever it quotes.
func firstTurn(reply string) int {
	for i := 0; i < len(reply); i++ {
		next := strings.IndexByte(reply[i:], '<')
		if next < 0 {
			return 0
		}
		i += next
		switch n, closes := blockTag(reply, i); {
		case closes:
			return i + n
		case n > 0:
			return 0
		}
	}
	return 0
}

// nextTurn returns where the first turn from byte i on begins, or -1.
func nextTurn(reply string, i int) int {
	lineBegins := i == 0 || reply[i-1] == '\n'
	for ; i < len(reply); i++ {
		switch c := reply[i]; {
		case lineBegins && c != '\n':
			if opensTurn(reply, i) {
				return i
			}
			lineBegins = false
			i-- // the byte is still to be looked at as part of a token
		case c == '\n':
			lineBegins = true
		case c == '<' || c == '[':
			for _, t := range chatTokens {
				if strings.HasPrefix(reply[i:], t) {
					return i
				}
			}
		}
	}
	return -1
}

// opensTurn reports whether the line at i begins with a speaker: "Human:", "### Question 2:", "Q:".
func opensTurn(reply string, i int) bool {
	for i < len(reply) && strings.IndexByte(" #*\t", reply[i]) >= 0 {
		i++
	}
	for _, s := range speakers {
		if len(reply)-i <= len(s) || reply[i] < 'A' || reply[i] > 'Z' || !strings.EqualFold(reply[i:i+len(s)], s) {
			continue
		}
		j := i + len(s)
		for j < len(reply) && (reply[j] == ' ' || reply[j] == '*' || digitAt(reply, j)) {
			j++
		}
		if j < len(reply) && reply[j] == ':' {
			return true
		}
	}
	return false
}

// blockTag returns the length of the tag of a reasoning block at byte i, and whether it closes one; 0 for none.
func blockTag(reply string, i int) (n int, closes bool) {
	j := i + 1
	if j < len(reply) && reply[j] == '/' {
		closes = true
		j++
	}
	for _, t := range blockTags {
		if len(reply)-j >= len(t) && strings.EqualFold(reply[j:j+len(t)], t) {
			return j + len(t) - i, closes
		}
	}
	return 0, false
}

// reasoning returns where the last closed reasoning block ends (0: there is none) and where one opens after it that
// never closes (the reply's length: there is none).
func reasoning(reply string) (end, open int) {
	open = len(reply)
	for i := 0; i < len(reply); i++ {
		next := strings.IndexByte(reply[i:], '<')
		if next < 0 {
			break
		}
		i += next
		switch n, closes := blockTag(reply, i); {
		case n > 0 && closes:
			end, open = i+n, len(reply)
			i += n - 1
		case n > 0 && open == len(reply):
			open = i
		}
	}
	return end, open
}
