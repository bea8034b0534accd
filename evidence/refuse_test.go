package evidence

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// What cannot be asked says why, and asks nothing.
func TestCasesThatCannotBeAsked(t *testing.T) {
	with := func(change func(*percuss.Case)) percuss.Subject {
		c := ten()
		change(&c)
		return subject(c)
	}
	can := func(c percuss.Capabilities) *Audit {
		return audit(func(o *Options) { o.Can["m"] = c })
	}
	whole := subject(ten())
	for name, c := range map[string]struct {
		a    *Audit
		s    percuss.Subject
		want string
	}{
		"no letters":       {can(percuss.Capabilities{Text: true}), whole, "--samples"},
		"nothing":          {audit(func(o *Options) { o.Can = nil }), whole, "neither log-probabilities of letters nor text"},
		"samples, no text": {audit(func(o *Options) { o.Can, o.Samples = nil, 9 }), whole, "neither"},
		"no case":          {audit(nil), percuss.Subject{SubjectID: percuss.SubjectID{Model: "m"}}, "no case"},
		"too many": {audit(nil), with(func(c *percuss.Case) {
			c.Candidates = append(c.Candidates, strings.Split(strings.Repeat("z,", 20), ",")...)
			for i := range 21 {
				c.Candidates[8+i] = strings.Repeat("z", i+1)
			}
		}), "label AC is no single token"},
		"one candidate":     {audit(nil), with(func(c *percuss.Case) { c.Candidates = c.Candidates[:1] }), "two or more"},
		"a candidate twice": {audit(nil), with(func(c *percuss.Case) { c.Candidates = append(c.Candidates, " D3 ") }), "stands twice"},
		"an empty name":     {audit(nil), with(func(c *percuss.Case) { c.Candidates = append(c.Candidates, " ") }), "no name"},
		"no gold":           {audit(nil), with(func(c *percuss.Case) { c.Gold = "d9" }), `"d9" is none of the candidates`},
		"an empty finding":  {audit(nil), with(func(c *percuss.Case) { c.Units[3].Text = "\t" }), "finding d has no text"},
		"no id":             {audit(nil), with(func(c *percuss.Case) { c.Units[3].ID = "" }), "has no id"},
		"an id twice":       {audit(nil), with(func(c *percuss.Case) { c.Units[3].ID = "a" }), "two findings have the id a"},
		"a text twice":      {audit(nil), with(func(c *percuss.Case) { c.Units[3].Text = c.Units[2].Text }), "stands twice"},
		"no wording":        {audit(func(o *Options) { o.Wording = "poem" }), whole, "no wording"},
		"no selector":       {audit(func(o *Options) { o.Selector = "best" }), whole, "no selector"},
		"a negative order":  {audit(func(o *Options) { o.MaxOrder = -1 }), whole, "order -1"},
		"too many units": {audit(func(o *Options) { o.Units = 99 }), with(func(c *percuss.Case) {
			for i := range 20 {
				u := c.Units[0]
				u.ID += strings.Repeat("x", i+1)
				u.Text = u.ID
				c.Units = append(c.Units, u)
			}
		}), "30 units"},
		"no room": {can(percuss.Capabilities{Letters: true, ContextTokens: 64}), whole, "context of 64"},
	} {
		trials := c.a.Trials(c.s, percuss.AnswerMap{})
		if len(trials) != 1 || trials[0].Fired || trials[0].Request != nil || !strings.Contains(trials[0].Why, c.want) {
			t.Errorf("%s: %+v", name, trials[0])
			continue
		}
		rec := c.a.Reduce(c.s, trials, percuss.AnswerMap{}).(Record)
		if rec.Why != trials[0].Why || rec.Base.State != "" || rec.Variants != nil {
			t.Errorf("%s: the record says %+v", name, rec)
		}
		if n := c.a.Later(c.s, trials); n != 0 {
			t.Errorf("%s: %d requests later", name, n)
		}
	}
}

// More than 26 candidates are asked for where their labels can be scored.
func TestLabelsOfTwoLetters(t *testing.T) {
	c := ten()
	for i := range 20 {
		c.Candidates = append(c.Candidates, strings.Repeat("z", i+1))
	}
	a := audit(func(o *Options) { o.Can["m"] = percuss.Capabilities{Letters: true, MultiLetter: true} })
	trials := a.Trials(subject(c), nil)
	if len(trials) != 94 || trials[0].Request.Want.Letters[26] != "AA" {
		t.Fatalf("%+v", trials[0])
	}
}

// A check whose prompts are too long is not asked, and the others are.
func TestACheckThatDoesNotFit(t *testing.T) {
	c := ten()
	for i := range c.Units {
		c.Units[i].Asked = strings.Repeat("Is there, by any chance whatever, ", 10) + c.Units[i].ID + "?"
	}
	a := audit(func(o *Options) {
		everyCheck(o)
		o.Checks = Checks{Neutralize: 1, Floor: 1}
		o.Can["m"] = percuss.Capabilities{Letters: true, ContextTokens: 500}
	})
	trials := a.Trials(subject(c), nil)
	last := trials[len(trials)-1]
	if len(trials) != 3*94+1 || last.Fired || !strings.Contains(last.Why, "context of 500") || last.ID != "clinical-summary/o0/neutralize" {
		t.Fatalf("%d trials, the last %+v", len(trials), last)
	}
}

// Three bytes are reckoned for a token, over all messages.
func TestLengthOfPrompts(t *testing.T) {
	prompt := []percuss.Message{{Content: strings.Repeat("a", 20)}, {Content: strings.Repeat("b", 10)}}
	for context, fits := range map[int]bool{0: true, 9: false, 10: true, 11: true} {
		if why := refuseLength(prompt, percuss.Capabilities{ContextTokens: context}); (why == "") != fits {
			t.Errorf("a context of %d: %q", context, why)
		}
	}
	prompt[0].Content += "a"
	if why := refuseLength(prompt, percuss.Capabilities{ContextTokens: 10}); !strings.Contains(why, "about 11 tokens") {
		t.Errorf("31 bytes in a context of 10: %q", why)
	}
}
