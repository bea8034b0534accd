package percuss

import (
	"encoding/json"
	"iter"
)

// SubjectID names a subject: one item, put to one model under one variant of the prompt.
type SubjectID struct {
	Variant string `json:"variant"` // the prompt condition, e.g. "neutral"
	Model   string `json:"model"`   // the model's id in the specification
	Set     string `json:"set"`     // the data set
	Item    string `json:"item"`    // Question.ID
}

// String joins the parts for messages; it is no key.
func (s SubjectID) String() string { return s.Variant + "/" + s.Model + "/" + s.Item }

// Subject is the unit of work: all requests that share a prefix.
type Subject struct {
	SubjectID
	Identity string // the model's identity, which enters every Request
	System   string // the model's own released system prompt, may be empty
	Question Question
	Case     *Case // for an audit of cases; Question is empty then
}

// Trial is one row of an audit: an edit that fired or not, and the request that it leads to.
type Trial struct {
	ID      string          `json:"id"` // unique in the subject, e.g. "base", "M5-a", "M5-a/letters"
	Fired   bool            `json:"fired"`
	Why     string          `json:"why,omitempty"`     // why it did not fire, or what it waits for
	Version string          `json:"version,omitempty"` // of the code and tables that made the edit
	Labels  json.RawMessage `json:"labels,omitempty"`  // what Reduce must know besides the answer; the audit's own
	Request *Request        `json:"-"`                 // nil: not fired, or an earlier answer is still missing
	Shared  bool            `json:"-"`                 // the request is another subject's own, which asks it as well

	asked *Request // what Ask was given
	key   Key      // its key
}

// Ask gives the trial the request that it leads to, and computes the key of it for all who want to know. The request is not
// to be changed afterwards.
func (t *Trial) Ask(r Request) {
	t.Request, t.asked, t.key = &r, &r, r.Key()
}

// Key returns the key of the trial's request; empty where it has none.
func (t Trial) Key() Key {
	switch t.Request {
	case nil:
		return ""
	case t.asked:
		return t.key
	}
	return t.Request.Key()
}

// Audit is a set of pure functions. It never calls a model, reads a clock or a file.
//
// Trials is called again after every round with the answers that came in, and returns every trial, fired or not;
// it is deterministic and only ever adds. Reduce gets the trials, either those of Trials or, for a run made by an
// older binary, those of the run's ledger. Summarise reads its records once, grouped by cell, in one pass.
type Audit interface {
	Name() string
	Trials(s Subject, a Answers) []Trial
	Reduce(s Subject, t []Trial, a Answers) Record
	Summarise(iter.Seq[Record]) Findings
}

// Record is what the tables need of one subject: small. Each audit has its own type.
type Record interface{ Of() SubjectID }

// Findings are the tables of an audit. Each audit has its own type; all of them are JSON.
type Findings interface{ Audit() string }

// Missing returns the requests among the trials that have no answer yet, each key once, in order.
func Missing(trials []Trial, a Answers) []Request {
	var out []Request
	seen := map[Key]bool{}
	for _, t := range trials {
		if t.Request == nil {
			continue
		}
		k := t.Key()
		if _, ok := a.Answer(k); ok || seen[k] {
			continue
		}
		seen[k] = true
		out = append(out, *t.Request)
	}
	return out
}
