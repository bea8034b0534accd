package probe

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/percuss/percuss"
)

func (p *prober) text() error {
	const asks = "does it generate text"
	if !p.can.Text {
		p.found(Text, asks, No, "the back-end says that it generates none")
		return nil
	}
	got, err := p.ask(p.greedy(""))
	if err != nil {
		return err
	}
	p.first = got[0].Answer
	switch {
	case got[0].err != nil:
		p.found(Text, asks, Unclear, "%v", got[0].err)
	case p.first.Outcome.HasText() && p.first.Text+p.first.Reasoning != "":
		p.found(Text, asks, Yes, "%s, %d tokens for a prompt of %d: %s", p.first.Outcome, p.first.Usage.Output, p.first.Usage.Prompt, quote(p.first.Text))
	default:
		p.found(Text, asks, No, "outcome %s %s", p.first.Outcome, p.first.Detail)
	}
	return nil
}

func (p *prober) reasoning() error {
	const asks = "does reasoning come apart from the reply"
	switch {
	case p.first.Text+p.first.Reasoning == "":
		p.found(Reasoning, asks, NotAsked, "there is no reply to look at")
	case p.first.Reasoning != "":
		p.found(Reasoning, asks, Yes, "in a field of its own, %d characters, beside %d of reply", len(p.first.Reasoning), len(p.first.Text))
	case strings.Contains(p.first.Text, "<think>"):
		p.found(Reasoning, asks, Yes, "between <think> marks in the text")
	default:
		p.found(Reasoning, asks, No, "the reply has neither")
	}
	return nil
}

func (p *prober) repeats() error {
	const asks = "is greedy decoding repeatable, alone"
	if p.first.Text == "" {
		p.found(Repeats, asks, NotAsked, "there is no reply to repeat")
		return nil
	}
	got, err := p.ask(p.greedy(""))
	if err != nil {
		return err
	}
	v, evidence := compare(p.first.Text, got[0])
	p.found(Repeats, asks, v, "%s", evidence)
	return nil
}

// company asks the same among requests of other lengths, all at once.
func (p *prober) company() error {
	const asks = "and in the company of other requests"
	if p.first.Text == "" {
		p.found(Company, asks, NotAsked, "there is no reply to repeat")
		return nil
	}
	requests := []percuss.Request{p.greedy("")}
	for i := range 7 {
		r := p.request(p.o.Other, "", percuss.Greedy(16+8*i))
		if i%2 == 1 {
			r.Messages = p.o.Chat
		}
		requests = append(requests, r)
	}
	got, err := p.ask(requests...)
	if err != nil {
		return err
	}
	v, evidence := compare(p.first.Text, got[0])
	if v == No {
		evidence += "; so some flips of an answer are noise of this kind"
	}
	p.found(Company, asks, v, "%s", evidence)
	return nil
}

// compare says whether a text came again.
func compare(first string, again outcome) (Verdict, string) {
	switch {
	case again.err != nil:
		return Unclear, again.err.Error()
	case again.Text == first:
		return Yes, "the same text, byte for byte"
	}
	at := common(first, again.Text)
	return No, fmt.Sprintf("the text differs from character %d on: %s, then %s", at+1, quote(first[at:]), quote(again.Text[at:]))
}

// continues gives the first half of the reply as the beginning of the turn: a turn that is continued goes on with the
// second half, one that is begun anew starts over.
func (p *prober) continues() error {
	const asks = "does a given beginning of its turn continue"
	if !p.can.Continue {
		p.found(Continues, asks, No, "the back-end says that it does not; chains are quoted in a user turn instead")
		return nil
	}
	whole := p.first.Text
	if whole == "" && p.first.Reasoning == "" {
		p.found(Continues, asks, Unclear, "there is no reply to cut in two")
		return nil
	}
	at := middle(whole)
	if p.first.Reasoning != "" || strings.Contains(whole, "<think>") || at < 0 {
		at, whole = -1, ""
	}
	if at < 0 {
		p.found(Continues, asks, Unclear, "the reply cannot be cut in two: it is short, or holds reasoning; the back-end's word is taken")
		return nil
	}
	got, err := p.ask(p.greedy(whole[:at]))
	if err != nil {
		return err
	}
	a := got[0]
	rest, text := strings.TrimSpace(whole[at:]), strings.TrimSpace(a.Text)
	switch {
	case a.err != nil:
		p.found(Continues, asks, Unclear, "%v", a.err)
		return nil
	case a.Continued != percuss.Continues:
		p.found(Continues, asks, No, "the beginning was given as %q", a.Continued)
	case agree(rest, text):
		p.found(Continues, asks, Yes, "given %s it goes on with %s, as before", quote(tail(whole[:at])), quote(text))
		return nil
	case agree(strings.TrimSpace(whole), text):
		p.found(Continues, asks, No, "given the first half of its reply it starts over: %s", quote(text))
	default:
		p.found(Continues, asks, Unclear, "given %s it goes on with %s, where before came %s", quote(tail(whole[:at])), quote(text), quote(rest))
		return nil
	}
	p.r.Can.Continue = false
	return nil
}

// middle is the place of the white space nearest to the middle, or -1 when the text is too short to be cut.
func middle(s string) int {
	if len(s) < 60 {
		return -1
	}
	best := -1
	for i, r := range s {
		if r == ' ' && i > 20 && len(s)-i > 20 && (best < 0 || abs(i-len(s)/2) < abs(best-len(s)/2)) {
			best = i
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// agree reports whether got begins as want does, over at least three words or all of it.
func agree(want, got string) bool {
	a, b := strings.Fields(want), strings.Fields(got)
	n := min(3, len(a), len(b))
	if n == 0 {
		return false
	}
	for i := range n {
		if a[i] != b[i] && !(i == n-1 && len(b) == n && strings.HasPrefix(a[i], b[i])) {
			return false
		}
	}
	return true
}

// common is the number of bytes that two texts begin with in common, at a character's border.
func common(a, b string) int {
	at := 0
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			break
		}
		at = i + len(string(r))
	}
	return at
}

// quote shows the beginning of a text on one line.
func quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, s)
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > 48 {
		return "“" + string(r[:47]) + "…”"
	}
	return "“" + string(r) + "”"
}

// tail is the end of a text.
func tail(s string) string {
	r := []rune(s)
	if len(r) > 40 {
		return "…" + string(r[len(r)-39:])
	}
	return s
}
