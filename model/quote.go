package model

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// quoting introduces a beginning that a server cannot continue. Package prompt words the same request for a chain in
// a user turn ("continue" in default.yaml); a back-end imports no prompts, so there are two wordings. A change of this
// one changes answers without a change of their keys, which hold the beginning alone.
const quoting = "Your reply has already begun; its beginning is quoted below. Go on from exactly where it stops, and do not repeat it.\n\n"

// Quote gives the beginning of an assistant's turn in the last user turn, for servers that cannot continue one: many
// templates refuse two user turns in a row. The messages that are given stay as they are.
func Quote(messages []percuss.Message, begin string) []percuss.Message {
	out := slices.Clone(messages)
	if n := len(out); n > 0 && out[n-1].Role == percuss.User {
		out[n-1].Content = strings.TrimRight(out[n-1].Content, "\n") + "\n\n" + quoting + begin
		return out
	}
	return append(out, percuss.Message{Role: percuss.User, Content: quoting + begin})
}
