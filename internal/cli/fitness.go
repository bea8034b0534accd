package cli

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// checkCapabilities refuses an audit that a back-end cannot serve, before anything is asked.
func checkCapabilities(m spec.Model, can percuss.Capabilities, s spec.Specification) error {
	id := m.ID
	switch {
	case m.Helps() && can.Given:
		return usage(fmt.Errorf("%s %s: a foreign log answers nothing but the questions that it holds: name a model that can be asked", m.Role, id))
	case m.IsJudge() && !can.Text:
		return usage(fmt.Errorf("judge %s generates no text, which a verdict needs: name another judge", id))
	case m.Helps() && !can.Text:
		return usage(fmt.Errorf("%s %s generates no text: name another model", m.Role, id))
	case m.Helps():
		return nil
	case s.Steps != nil && !can.Text:
		return usage(fmt.Errorf("model %s generates no text, which the step audit needs", id))
	case s.Steps != nil:
		return nil
	}
	if e := s.Evidence; e != nil {
		switch {
		case can.Letters:
			return nil
		case !can.Text:
			return usage(fmt.Errorf("model %s gives neither log-probabilities of letters nor text, which the evidence audit needs", id))
		case e.Samples == 0:
			return usage(fmt.Errorf("model %s gives no log-probabilities of letters: --samples 50 draws each letter 50 times instead, which takes 50 times as many requests and is marked in the report", id))
		}
		return nil
	}
	c := s.Chain
	if !can.Text {
		return usage(fmt.Errorf("model %s generates no text, which the chain audit needs", id))
	}
	if c.Answer != "text" && (!can.Letters || !can.Continue) {
		return usage(fmt.Errorf("model %s gives no log-probabilities after a given chain, which --answer %s needs: use --answer text", id, c.Answer))
	}
	return nil
}

// asks is the specification as a model's server is to be probed for it: a judge needs texts alone, and where margins are
// to be read, letters are asked for although the text decides.
func asks(m spec.Model, can percuss.Capabilities, s spec.Specification) spec.Specification {
	if s.Chain == nil {
		return s
	}
	c := *s.Chain
	switch {
	case m.IsJudge():
		c.Answer = string(chain.Text)
	case c.Margins && can.Letters && can.Continue:
		c.Answer = string(chain.TextLetters)
	}
	s.Chain = &c
	return s
}

// checkLabels refuses to read letters from questions whose answers are numbers, or whose labels are more than one letter,
// before anything is asked: a label of several tokens has no log-probability of its own.
func checkLabels(questions []percuss.Question, m run.Manifest) error {
	if m.Spec.Chain == nil || m.Spec.Chain.Answer != string(chain.Letters) {
		return nil
	}
	for _, q := range questions {
		if q.Kind == percuss.Numeric {
			return fmt.Errorf("item %s has a number for an answer, which --answer letters cannot read: use --answer text, or text+letters where other sets have options", q.ID)
		}
	}
	for _, model := range m.Spec.Subjects() {
		if m.Capabilities[model.ID].MultiLetter {
			continue
		}
		for _, q := range questions {
			if n := len(q.Options); n > 0 && len(q.Options[n-1].Label) > 1 {
				return fmt.Errorf("item %s has %d options: label %s is no single token, which --answer letters needs of model %s: use --answer text",
					q.ID, n, q.Options[n-1].Label, model.ID)
			}
		}
	}
	return nil
}
