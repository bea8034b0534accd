package percuss

// Outcome says how a call ended. The final ones are stored with the answer and never asked again.
type Outcome string

// Final outcomes.
const (
	OK              Outcome = "ok"
	Truncated       Outcome = "truncated"        // the token limit was reached
	PromptTruncated Outcome = "prompt_truncated" // the server silently cut the prompt
	Empty           Outcome = "empty"
	ReasoningOnly   Outcome = "reasoning_only" // the reply ended by itself inside its reasoning
	Filtered        Outcome = "filtered"
	ContextExceeded Outcome = "context_exceeded"
	Refused         Outcome = "refused_by_server" // a 4xx that concerns this request alone
)

// Failed is no stored outcome: after the allowed attempts no answer came. It is asked again on resume.
const Failed Outcome = "failed"

// Outcomes lists the final outcomes in the order in which reports print them, then Failed.
func Outcomes() []Outcome {
	return []Outcome{OK, Truncated, PromptTruncated, Empty, ReasoningOnly, Filtered, ContextExceeded, Refused, Failed}
}

// Usage counts tokens as the back-end's own tokenizer sees them. Both are functions of request and answer alone;
// how many were really computed depends on what was shared and stands in the run's information.
type Usage struct {
	Prompt int `json:"prompt"`
	Output int `json:"output"`
}

// LetterScore is the log-probability of one label as the next token.
type LetterScore struct {
	Letter string `json:"letter"`
	// LogProb is the natural log of the summed probability of the label's one-token forms (with and without a
	// leading space); missing when the back-end gave none.
	LogProb Number `json:"logprob"`
	// Censored: the back-end returned only its most probable tokens and this label was not among them; LogProb is
	// then an upper bound.
	Censored bool `json:"censored,omitempty"`
}

// Answer is what one call brought back. It holds nothing that differs between an interrupted and an uninterrupted run.
type Answer struct {
	Outcome   Outcome       `json:"outcome"`
	Text      string        `json:"text,omitempty"`      // new text only: never repeats Request.Begin
	Reasoning string        `json:"reasoning,omitempty"` // a reasoning field of its own, where the back-end has one
	Letters   []LetterScore `json:"letters,omitempty"`   // in the order of Request.Want.Letters
	Usage     Usage         `json:"usage"`
	Continued Continuation  `json:"continued,omitempty"` // how Begin was given, where there was one
	Reported  string        `json:"reported,omitempty"`  // the model name, fingerprint or engine version that the back-end reported
	Detail    string        `json:"detail,omitempty"`    // a remark for a reader, e.g. the server's refusal
}

// Continuation says how the beginning of the assistant's turn was given.
type Continuation string

// The two ways of giving a beginning.
const (
	Continues Continuation = "assistant-turn" // the model continued its own turn
	Quotes    Continuation = "user-quotation" // quoted in a user turn, with an instruction to continue
)

// Best returns the label with the highest log-probability, its margin over the runner-up in nats, and whether
// there is one: false when no letter has a score, or when the two highest are exactly equal.
func (a Answer) Best() (label string, margin Number, ok bool) {
	first, second, n := 0.0, 0.0, 0
	for _, l := range a.Letters {
		v, has := l.LogProb.Get()
		switch {
		case !has:
		case n == 0:
			label, first, n = l.Letter, v, 1
		case v > first:
			label, first, second, n = l.Letter, v, first, 2
		case n == 1 || v > second:
			second, n = v, 2
		}
	}
	if n == 0 || n == 2 && first == second {
		return "", Number{}, false
	}
	if n == 1 {
		return label, Number{}, true
	}
	return label, Num(first - second), true
}

// Answers looks up what has been answered so far.
type Answers interface {
	Answer(Key) (Answer, bool)
}

// AnswerMap is Answers in memory.
type AnswerMap map[Key]Answer

// Answer implements Answers.
func (m AnswerMap) Answer(k Key) (Answer, bool) { a, ok := m[k]; return a, ok }

// HasText reports whether an answer with this outcome has text that may be looked at.
func (o Outcome) HasText() bool { return o == OK || o == Truncated || o == ReasoningOnly }
