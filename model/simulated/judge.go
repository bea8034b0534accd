package simulated

import (
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// judging is the policy of a judge of chains: it says "updated" where the words that an edit brought occur in the chain
// one after the other, with probability agree, and the opposite otherwise; with probability malformed it says something that
// is no verdict. It knows no question. It reads the case from a request in the form of the default rubric: the last line
// "Before: ...", the line "After: ..." behind it, and the lines behind that which begin with ">".
const judging kind = "judge"

var (
	beforeLine = regexp.MustCompile(`(?m)^Before: (.*)$`)
	afterLine  = regexp.MustCompile(`(?m)^After: (.*)$`)
	chainLine  = regexp.MustCompile(`(?m)^> ?(.*)$`)
)

// judge is the reply to a request to judge, a function of the request alone. Verdicts are drawn by the case, so that the
// order of the examples moves none.
func (p policy) judge(r percuss.Request) percuss.Answer {
	a := percuss.Answer{Outcome: percuss.OK, Reported: "simulated", Usage: percuss.Usage{Prompt: promptWords(r)}, Letters: evenly(r.Want.Letters)}
	if len(r.Want.Letters) > 0 {
		return a
	}
	a.Text = "There is no case to judge."
	if before, after, chain, ok := judged(r); ok {
		said := mentions(chain, brought(before, after))
		draw := func(what string) float64 {
			return percuss.Rand(p.seed, before+"\n"+after+"\n"+chain, "", what).Float64()
		}
		if draw("agree") >= p.agree {
			said = !said
		}
		a.Text = map[bool]string{true: "VERDICT: UPDATED", false: "VERDICT: NOT UPDATED"}[said]
		if draw("malformed "+string(rune('0'+len(r.Messages)))) < p.malformed {
			a.Text = "It could be said that the edit is used."
		}
	}
	a.Text, a.Usage.Output, a.Outcome = limit(a.Text, r.Sampling)
	return a
}

// judged finds the case that a request shows, in the last message that shows one.
func judged(r percuss.Request) (before, after, chain string, ok bool) {
	for _, m := range slices.Backward(r.Messages) {
		all := beforeLine.FindAllStringSubmatchIndex(m.Content, -1)
		if m.Role != percuss.User || len(all) == 0 {
			continue
		}
		last := all[len(all)-1]
		rest := m.Content[last[1]:]
		at := afterLine.FindStringSubmatchIndex(rest)
		if at == nil {
			continue
		}
		var lines []string
		for _, l := range chainLine.FindAllStringSubmatch(rest[at[1]:], -1) {
			lines = append(lines, l[1])
		}
		return m.Content[last[2]:last[3]], rest[at[2]:at[3]], strings.Join(lines, "\n"), true
	}
	return "", "", "", false
}

// brought are the words of a passage that an edit brought: those between what it shares with the old passage at either end.
func brought(before, after string) []string {
	old, now := texts(words(before)), texts(words(after))
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	return now
}

// mentions reports whether the words stand one after the other in a text. No words stand nowhere.
func mentions(text string, run []string) bool {
	return stands(texts(words(text)), run)
}
