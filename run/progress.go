package run

import (
	"maps"
	"sync"

	"github.com/percuss/percuss"
)

// Progress says how far a run is.
type Progress struct {
	Subjects int     `json:"subjects"` // in all
	Done     int     `json:"done"`     // finished subjects
	Before   int     `json:"before"`   // of these, those that an earlier process had finished
	ToJudge  int     `json:"to_judge"` // subjects that judges are to be asked about, for each judge that was begun with
	Judged   int     `json:"judged"`   // of these, those that their judge is done with
	Asked    int     `json:"asked"`    // requests that this process has put, the rounds at work included
	Answered int     `json:"answered"` // answers that this process stored
	Failed   int     `json:"failed"`   // requests that failed in this process, after the allowed attempts
	Retried  int     `json:"retried"`  // attempts that failed and were made again
	Prompt   int64   `json:"prompt"`   // prompt tokens of the answers, as the back-end counts them
	Tokens   int64   `json:"tokens"`   // generated tokens
	Cost     float64 `json:"cost"`     // in the currency of the prices; 0 without any
	Model    string  `json:"model"`    // at work

	// Faults holds the last message of each kind of failed attempt in this process.
	Faults map[string]string `json:"faults,omitempty"`
	// Last is the kind of the latest attempt, when it failed.
	Last string `json:"-"`
}

// Result says how a loop ended.
type Result struct {
	Progress
	Trials int `json:"trials"` // requests of all finished subjects
}

// tally counts for the progress line.
type tally struct {
	mu     sync.Mutex
	p      Progress
	trials int
	report func(Progress)
	cost   func(string, percuss.Usage) float64
}

// asked counts the requests of a round.
func (t *tally) asked(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Asked += n
}

// fault notes a failed attempt.
func (t *tally) fault(kind string, again bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if again {
		t.p.Retried++
	}
	faults := maps.Clone(t.p.Faults) // a reader may hold the old one
	if faults == nil {
		faults = map[string]string{}
	}
	faults[kind] = err.Error()
	t.p.Faults, t.p.Last = faults, kind
	t.tell()
}

func (t *tally) answered(a percuss.Answer, modelID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Answered++
	t.p.Last = ""
	t.p.Prompt += int64(a.Usage.Prompt)
	t.p.Tokens += int64(a.Usage.Output)
	if t.cost != nil {
		t.p.Cost += t.cost(modelID, a.Usage)
	}
	t.p.Model = modelID
	t.tell()
}

// judge adds the subjects that a judge is to be asked about.
func (t *tally) judge(subjects int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.ToJudge += subjects
}

// before counts a subject that an earlier process finished; finished is called as well.
func (t *tally) before() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Before++
}

// finished counts a subject with which one model is done: how many requests it was asked, and how many of them have no
// answer.
func (t *tally) finished(judging bool, asked, failed int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if judging {
		t.p.Judged++
	} else {
		t.p.Done++
	}
	t.trials += asked
	t.p.Failed += failed
	t.tell()
}

func (t *tally) tell() {
	if t.report != nil {
		t.report(t.p)
	}
}

func (t *tally) result() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Result{Progress: t.p, Trials: t.trials}
}
