package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// long sends prompts of growing length. A prompt that arrives whole costs tokens in proportion; one that is cut does not.
func (p *prober) long() error {
	const asks = "does a long prompt arrive whole"
	if !p.r.Can.Text {
		p.found(LongCut, asks, NotAsked, "it generates no text")
		return nil
	}
	var words, counts []int
	for n := max(1, p.o.Long/8); n <= p.o.Long; n *= 2 {
		got, err := p.ask(p.request(lengthy(p.o.Chat, n), "", percuss.Greedy(1)))
		if err != nil {
			return err
		}
		a := got[0]
		switch {
		case a.err != nil:
			p.found(LongCut, asks, Unclear, "%d words: %v", n, a.err)
			return nil
		case a.Outcome == percuss.ContextExceeded || a.Outcome == percuss.Refused:
			p.found(LongCut, asks, Yes, "a prompt of %d words is refused (%s), not cut; %s", n, a.Outcome, growth(words, counts))
			return nil
		case a.Outcome == percuss.PromptTruncated:
			p.found(LongCut, asks, No, "a prompt of %d words is cut, or the count of tokens is wrong: %s", n, a.Detail)
			return nil
		case a.Usage.Prompt == 0:
			p.found(LongCut, asks, Unclear, "the back-end does not say how many prompt tokens it read")
			return nil
		}
		words, counts = append(words, n), append(counts, a.Usage.Prompt)
	}
	for i := 2; i < len(counts); i++ {
		before := float64(counts[i-1]-counts[i-2]) / float64(words[i-1]-words[i-2])
		now := float64(counts[i]-counts[i-1]) / float64(words[i]-words[i-1])
		if now < before/2 {
			p.found(LongCut, asks, No, "beyond about %d tokens prompts are silently cut, or the count of tokens is wrong: %s", counts[i], growth(words, counts))
			return nil
		}
	}
	p.found(LongCut, asks, Yes, "%s", growth(words, counts))
	return nil
}

// growth prints what prompts cost.
func growth(words, counts []int) string {
	var parts []string
	for i := range words {
		parts = append(parts, fmt.Sprintf("%d words %d tokens", words[i], counts[i]))
	}
	return strings.Join(parts, ", ")
}

// lengthy puts words before the last message.
func lengthy(chat []percuss.Message, n int) []percuss.Message {
	out := append([]percuss.Message(nil), chat...)
	last := &out[len(out)-1]
	last.Content = strings.Repeat("The ward was calm and the night went by. ", n/9+1) + "\n\n" + last.Content
	return out
}

func (p *prober) seeds() error {
	const asks = "is sampling repeatable by seed"
	if !p.r.Can.Text {
		p.found(Seeds, asks, NotAsked, "it generates no text")
		return nil
	}
	draw := func(seed uint64) percuss.Request {
		return p.request(p.o.Chat, "", percuss.Sampling{Temperature: 1, TopP: 1, MaxTokens: min(p.o.MaxTokens, 32), Seed: seed})
	}
	// One by one: whether company moves an answer was asked before.
	var got []outcome
	for _, seed := range []uint64{1, 2, 1} {
		one, err := p.ask(draw(seed))
		if err != nil {
			return err
		}
		got = append(got, one...)
	}
	switch a, b, c := got[0], got[1], got[2]; {
	case a.err != nil || b.err != nil || c.err != nil:
		p.found(Seeds, asks, Unclear, "%v", firstOf(a.err, b.err, c.err))
	case a.Text == b.Text && a.Text == c.Text:
		p.found(Seeds, asks, Unclear, "two seeds gave one text at temperature 1: the temperature may be ignored")
	case a.Text == c.Text:
		p.found(Seeds, asks, Yes, "one seed gives one text, another seed another")
	default:
		p.r.Can.Seeded = false
		p.found(Seeds, asks, No, "the same seed gave two texts")
	}
	return nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// unknown sends a parameter that no server has.
func (p *prober) unknown() error {
	const asks = "is a parameter that does not exist refused"
	if _, server := p.m.(model.Inspector); !server {
		p.found(Unknown, asks, NotAsked, "no parameters are sent by name")
		return nil
	}
	r := p.request(p.o.Chat, "", percuss.Greedy(1))
	r.Extra = json.RawMessage(`{"percuss_probe":1}`)
	got, err := p.ask(r)
	var fault *model.Fault
	if errors.As(err, &fault) && fault.Kind == model.RefusesAll {
		p.found(Unknown, asks, Yes, "refused: %s", quote(fault.Err.Error()))
		return nil
	} else if err != nil {
		return err
	}
	switch a := got[0]; {
	case a.err != nil:
		p.found(Unknown, asks, Unclear, "%v", a.err)
	case a.Outcome == percuss.Refused:
		p.found(Unknown, asks, Yes, "refused: %s", quote(a.Detail))
	default:
		p.found(Unknown, asks, No, "dropped silently: a setting that the server does not know would go unnoticed")
	}
	return nil
}

// tooLong says that a prompt did not fit, which tells nothing of scores.
func tooLong(a percuss.Answer) string {
	return strings.TrimSpace(fmt.Sprintf("the question does not fit into the context (%s) %s", a.Outcome, a.Detail))
}
