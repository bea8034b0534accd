package run

import (
	"context"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

// costs counts what a run asks of its audit and its store.
type costs struct {
	percuss.Audit
	*memory.Store

	mu                             sync.Mutex
	trials, rounds, looked, ledger int
}

func (c *costs) count(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

func (c *costs) Trials(s percuss.Subject, a percuss.Answers) []percuss.Trial {
	c.count(&c.trials)
	return c.Audit.Trials(s, a)
}

func (c *costs) Ledger(ctx context.Context, s percuss.SubjectID) ([]store.Row, error) {
	c.count(&c.looked)
	return c.Store.Ledger(ctx, s)
}

func (c *costs) SetLedger(ctx context.Context, s percuss.SubjectID, rows []store.Row) error {
	c.count(&c.ledger)
	return c.Store.SetLedger(ctx, s, rows)
}

// countedModel counts rounds.
type countedModel struct {
	model.Model
	c *costs
}

func (m countedModel) Open(ctx context.Context, subject string) (model.Session, error) {
	s, err := m.Model.Open(ctx, subject)
	return countedSession{s, m.c}, err
}

type countedSession struct {
	model.Session
	c *costs
}

func (s countedSession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	s.c.count(&s.c.rounds)
	return s.Session.Answer(ctx, requests, done)
}

// TestARoundCostsOneLook: trials are worked out once before the first round of a subject and once after each, and the ledger
// is not read, only written, and not again where nothing has changed.
func TestARoundCostsOneLook(t *testing.T) {
	b := newBench(t, "faithful")
	c := &costs{Audit: b.audit, Store: memory.New()}
	l := b.loop(c, countedModel{b.model, c})
	l.Audit = c
	if r, err := l.Run(context.Background()); err != nil || r.Done != len(b.subjects) {
		t.Fatalf("%+v, %v", r, err)
	}
	// The first subject is looked at before the model is opened, too.
	if want := len(b.subjects) + c.rounds + 1; c.trials != want || c.rounds < 2*len(b.subjects) {
		t.Errorf("trials were worked out %d times in %d rounds of %d subjects, want %d", c.trials, c.rounds, len(b.subjects), want)
	}
	if c.looked > 0 || c.ledger > c.rounds {
		t.Errorf("the ledger was read %d times and written %d times in %d rounds", c.looked, c.ledger, c.rounds)
	}
	wrote := c.ledger
	if _, err := l.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c.looked != len(b.subjects) || c.ledger != wrote {
		t.Errorf("a finished run: the ledger was read %d times and written %d times", c.looked, c.ledger-wrote)
	}
}
