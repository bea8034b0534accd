package evidence

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// bytesToken is how many bytes of a prompt are reckoned for a token: fewer than texts of this kind have, so that a
// prompt that may not fit is not asked. What is cut all the same is found by its outcome.
const bytesToken = 3

// refuseModel says why a back-end cannot be asked for letters, or nothing.
func (a *Audit) refuseModel(can percuss.Capabilities) string {
	switch {
	case can.Letters:
		return ""
	case !can.Text:
		return "the back-end gives neither log-probabilities of letters nor text"
	case a.o.Samples <= 0:
		return "the back-end gives no log-probabilities of letters: give --samples N to draw N letters for each prompt instead"
	}
	return ""
}

// refuseCase says what is wrong with a case, or nothing.
func refuseCase(c *percuss.Case) string {
	if c == nil {
		return "there is no case"
	}
	if len(c.Candidates) < 2 {
		return fmt.Sprintf("%d candidates: give two or more, the gold among them", len(c.Candidates))
	}
	seen := map[string]bool{}
	for _, name := range c.Candidates {
		folded := strings.ToLower(strings.Join(strings.Fields(name), " "))
		switch {
		case folded == "":
			return "a candidate has no name: give every candidate one"
		case seen[folded]:
			return fmt.Sprintf("candidate %q stands twice: give each diagnosis once", name)
		}
		seen[folded] = true
	}
	if !c.Candidate(c.Gold) {
		return fmt.Sprintf("the gold %q is none of the candidates: add it to them", c.Gold)
	}
	return refuseUnits(c.Units)
}

// refuseUnits says what is wrong with units, or nothing. Two units of one text would make different subsets one prompt.
func refuseUnits(units []percuss.Unit) string {
	ids, texts := map[string]bool{}, map[string]bool{}
	for _, u := range units {
		text := strings.TrimSpace(u.Text)
		switch {
		case u.ID == "":
			return fmt.Sprintf("finding %q has no id: give each one of its own", u.Text)
		case text == "":
			return fmt.Sprintf("finding %s has no text: leave it out", u.ID)
		case ids[u.ID]:
			return fmt.Sprintf("two findings have the id %s: give each one of its own", u.ID)
		case texts[text]:
			return fmt.Sprintf("finding %q stands twice: give it once", text)
		}
		ids[u.ID], texts[text] = true, true
	}
	return ""
}

// refuseLetters says why so many candidates cannot be told apart by one token, or nothing.
func refuseLetters(n int, can percuss.Capabilities) string {
	if last := percuss.Label(n - 1); can.Letters && len(last) > 1 && !can.MultiLetter {
		return fmt.Sprintf("%d candidates: label %s is no single token: give at most 26", n, last)
	}
	return ""
}

// refuseLength says why a prompt is too long for the model, or nothing.
func refuseLength(messages []percuss.Message, can percuss.Capabilities) string {
	size := 0
	for _, m := range messages {
		size += len(m.Content)
	}
	if tokens := (size + bytesToken - 1) / bytesToken; can.ContextTokens > 0 && tokens > can.ContextTokens {
		return fmt.Sprintf("a prompt of about %d tokens does not fit into a context of %d", tokens, can.ContextTokens)
	}
	return ""
}
