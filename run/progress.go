package run

import (
	"maps"
	"slices"
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

	// Parts are the models and data sets in the order of the run, judges last. While the loop runs the slice is its own:
	// whoever is told of progress copies it to keep it.
	Parts []Part `json:"parts,omitempty"`
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
	at     map[partOf]int // in p.Parts
	trials int
	report func(Progress)
	cost   func(string, percuss.Usage) float64
}

func newTally(l *Loop) *tally {
	t := &tally{report: l.Progress, cost: l.Cost, p: Progress{Subjects: len(l.Subjects)}}
	t.p.Parts, t.at = l.partsOf()
	return t
}

// begin tells how much there is before anything is asked.
func (t *tally) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell()
}

// part is the part of a run that a subject counts for; the caller holds the lock.
func (t *tally) part(of partOf) *Part { return &t.p.Parts[t.at[of]] }

// begun counts a subject that is at work.
func (t *tally) begun(of partOf) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part(of).Open.Subjects++
}

// asked counts the requests of a round.
func (t *tally) asked(of partOf, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Asked += n
	p := t.part(of)
	p.Asked += n
	p.Open.Asked += n
}

// fault notes a failed attempt.
func (t *tally) fault(of partOf, kind string, again bool, err error) {
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
	t.part(of).Waiting = faults[kind]
	t.tell()
}

// answered counts an answer, and returns what it cost.
func (t *tally) answered(of partOf, a percuss.Answer) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Answered++
	t.p.Last = ""
	t.p.Prompt += int64(a.Usage.Prompt)
	t.p.Tokens += int64(a.Usage.Output)
	cost := 0.0
	if t.cost != nil {
		cost = t.cost(of.model, a.Usage)
	}
	t.p.Cost += cost
	t.p.Model = of.model
	p := t.part(of)
	p.Answered++
	p.Cost += cost
	p.Open.Answered++
	p.Open.Cost += cost
	p.Waiting = ""
	t.tell()
	return cost
}

// judge adds the subjects that a judge is to be asked about.
func (t *tally) judge(subjects int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.ToJudge += subjects
}

// before counts a subject that an earlier process finished; finished is called as well.
func (t *tally) before(of partOf) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !of.judging {
		t.p.Before++
	}
	t.part(of).Before++
}

// finished counts a subject with which one model is done: how many requests it was asked, how many of them have no
// answer, and what was counted of it while it was at work.
func (t *tally) finished(of partOf, asked, failed int, w Work) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of.judging {
		t.p.Judged++
	} else {
		t.p.Done++
	}
	t.trials += asked
	t.p.Failed += failed
	p := t.part(of)
	p.Done++
	p.Failed += failed
	p.Open = p.Open.less(w)
	t.tell()
}

// less are the counts without those of a subject that is finished.
func (w Work) less(other Work) Work {
	return Work{w.Subjects - other.Subjects, w.Asked - other.Asked, w.Answered - other.Answered, max(0, w.Cost-other.Cost)}
}

func (t *tally) tell() {
	if t.report != nil {
		t.report(t.p)
	}
}

func (t *tally) result() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := Result{Progress: t.p, Trials: t.trials}
	out.Parts = slices.Clone(t.p.Parts)
	return out
}
