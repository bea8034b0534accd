package model

import (
	"context"

	"github.com/percuss/percuss"
)

// Inspector is implemented by models that can show what lies behind an answer; `percuss probe` looks at it.
type Inspector interface {
	// Inspect makes one attempt at the request and returns what came back, interpreted and raw. Nothing is retried.
	Inspect(ctx context.Context, r percuss.Request) (Inspection, error)
}

// Inspection is one call as the back-end gave it.
type Inspection struct {
	Answer     percuss.Answer
	Candidates []Candidate // of the first generated position, in the order given, copies included
	Raw        string      // the body, without secrets, cut to a few kilobytes
}

// Candidate is one next token.
type Candidate struct {
	Token   string
	LogProb percuss.Number // natural log; missing where the back-end gave none or a stand-in
	Sampled bool           // given as the sampled token, not inside the list of alternatives
}
