package sqlite

import (
	"bytes"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// plainAnswer reads an answer in the very form in which encode writes it, in a fifth of the time that any JSON takes: a report
// reads every answer of a run. ok is false where the body has another form, or a character that is written by its number,
// which says nothing about it.
func plainAnswer(body []byte) (a percuss.Answer, ok bool) {
	p := plain{rest: body, ok: true}
	p.must(`{"outcome":"`)
	a.Outcome = percuss.Outcome(p.text())
	a.Text = p.textAfter(`,"text":"`)
	a.Reasoning = p.textAfter(`,"reasoning":"`)
	a.Letters = p.scores()
	p.must(`,"usage":{"prompt":`)
	a.Usage.Prompt = p.number()
	p.must(`,"output":`)
	a.Usage.Output = p.number()
	p.must(`}`)
	a.Continued = percuss.Continuation(p.textAfter(`,"continued":"`))
	a.Reported = p.textAfter(`,"reported":"`)
	a.Detail = p.textAfter(`,"detail":"`)
	p.must(`}`)
	return a, p.ok && len(p.rest) == 0
}

// plainRequest is plainAnswer for a request without stops and extras.
func plainRequest(body []byte) (r percuss.Request, ok bool) {
	p := plain{rest: body, ok: true}
	p.must(`{"model":"`)
	r.Model = p.text()
	p.must(`,"messages":[`)
	for more := true; more; more = p.is(`,`) {
		var m percuss.Message
		p.must(`{"role":"`)
		m.Role = percuss.Role(p.text())
		p.must(`,"content":"`)
		m.Content = p.text()
		p.must(`}`)
		r.Messages = append(r.Messages, m)
	}
	p.must(`]`)
	r.Begin = p.textAfter(`,"begin":"`)
	p.must(`,"sampling":{"temperature":`)
	r.Sampling.Temperature, _ = p.float().Get()
	p.must(`,"top_p":`)
	r.Sampling.TopP, _ = p.float().Get()
	p.must(`,"max_tokens":`)
	r.Sampling.MaxTokens = p.number()
	p.must(`,"seed":`)
	r.Sampling.Seed = uint64(p.number())
	p.must(`},"want":{`)
	if p.is(`"letters":["`) {
		r.Want.Letters = append(r.Want.Letters, p.text())
		for p.is(`,"`) {
			r.Want.Letters = append(r.Want.Letters, p.text())
		}
		p.must(`]`)
	}
	p.must(`}`)
	if p.is(`,"replicate":`) {
		r.Replicate = p.number()
	}
	p.must(`}`)
	return r, p.ok && len(p.rest) == 0
}

// plain reads JSON of one form. Once something is in another form, ok is false and what is read has no meaning.
type plain struct {
	rest []byte
	ok   bool
}

// is skips a literal where it comes next.
func (p *plain) is(literal string) bool {
	found := p.ok && len(p.rest) >= len(literal) && string(p.rest[:len(literal)]) == literal
	if found {
		p.rest = p.rest[len(literal):]
	}
	return found
}

func (p *plain) must(literal string) { p.ok = p.is(literal) }

// textAfter is the text behind a literal that ends in its quotation mark; empty where the literal does not come next.
func (p *plain) textAfter(literal string) string {
	if !p.is(literal) {
		return ""
	}
	return p.text()
}

// text reads up to the closing quotation mark.
func (p *plain) text() string {
	var short [1024]byte
	out := short[:0]
	for p.ok {
		n := 0
		for n < len(p.rest) && p.rest[n] != '"' && p.rest[n] != '\\' && p.rest[n] >= ' ' {
			n++
		}
		out = append(out, p.rest[:n]...)
		p.rest = p.rest[n:]
		if p.is(`"`) {
			p.ok = utf8.Valid(out)
			return string(out)
		}
		out = append(out, p.escaped())
	}
	return ""
}

// escaped reads an escaped character of one letter. Those by number are rare.
func (p *plain) escaped() byte {
	const letters, meant = `nt"\/rbf`, "\n\t\"\\/\r\b\f"
	if p.ok = p.ok && len(p.rest) > 1 && p.rest[0] == '\\'; !p.ok {
		return 0
	}
	at := bytes.IndexByte([]byte(letters), p.rest[1])
	if p.ok = at >= 0; !p.ok {
		return 0
	}
	p.rest = p.rest[2:]
	return meant[at]
}

// scores reads the scores of letters where they come next.
func (p *plain) scores() (out []percuss.LetterScore) {
	if !p.is(`,"letters":[`) {
		return nil
	}
	for more := true; more; more = p.is(`,`) {
		var l percuss.LetterScore
		p.must(`{"letter":"`)
		l.Letter = p.text()
		p.must(`,"logprob":`)
		l.LogProb = p.float()
		l.Censored = p.is(`,"censored":true`)
		p.must(`}`)
		out = append(out, l)
	}
	p.must(`]`)
	return out
}

// float reads a number up to what follows it, or null.
func (p *plain) float() (n percuss.Number) {
	end := max(0, bytes.IndexAny(p.rest, ",}"))
	p.ok = p.ok && n.UnmarshalJSON(p.rest[:end]) == nil
	p.rest = p.rest[end:]
	return n
}

// number reads a count.
func (p *plain) number() (n int) {
	digits := 0
	for digits < len(p.rest) && '0' <= p.rest[digits] && p.rest[digits] <= '9' {
		n = 10*n + int(p.rest[digits]-'0')
		digits++
	}
	p.ok = p.ok && digits > 0 && digits < 19 && (digits == 1 || p.rest[0] != '0')
	p.rest = p.rest[digits:]
	return n
}
