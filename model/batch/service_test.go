package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// service takes batches, and answers them after a while.
type service struct {
	takes  time.Duration
	fit    int
	errors map[int]int // by replicate: how often its request comes back with an error

	mu      sync.Mutex
	batches map[string][]percuss.Request
	tokens  map[string]string // by id
	began   map[string]time.Time
	asked   map[percuss.Key]int // how often a request was handed in
	// The next calls of Submit fail: before the service has the batch, or after.
	before, after int
	refuse        error
	full          int           // batches that are not taken
	blind         bool          // tokens are not kept: batches are found by the number of their requests
	broken        *model.Fault  // of every batch
	late          time.Duration // until a batch whose reply was lost can be found
	cut           int           // how often half of the results are read
}

func newService() *service {
	return &service{takes: time.Hour, fit: 1000, errors: map[int]int{}, batches: map[string][]percuss.Request{},
		tokens: map[string]string{}, began: map[string]time.Time{}, asked: map[percuss.Key]int{}}
}

func (*service) Capabilities() percuss.Capabilities {
	return percuss.Capabilities{Identity: "service", Text: true}
}
func (*service) Workers() int { return 1 }
func (*service) Close() error { return nil }
func (*service) Open(context.Context, string) (model.Session, error) {
	return nil, errors.New("asked singly")
}
func (s *service) Fit(rs []percuss.Request) int { return min(s.fit, len(rs)) }

func (s *service) Submit(_ context.Context, token string, rs []percuss.Request) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.refuse != nil:
		return "", s.refuse
	case s.before > 0:
		s.before--
		return "", dropped()
	}
	id := fmt.Sprint("b", len(s.batches))
	s.batches[id], s.tokens[id], s.began[id] = slices.Clone(rs), token, time.Now()
	for _, r := range rs {
		s.asked[r.Key()]++
	}
	if s.after > 0 {
		s.after--
		return "", dropped()
	}
	return id, nil
}

func (s *service) Find(_ context.Context, token string, n int, _ time.Time) (ids []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, t := range s.tokens {
		if time.Since(s.began[id]) < s.late {
			continue
		}
		if t == token && !s.blind || s.blind && len(s.batches[id]) == n {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (s *service) Poll(_ context.Context, id string) (model.BatchState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		for _, r := range s.batches[id] {
			s.asked[r.Key()]--
		}
		return model.BatchState{Failed: s.broken}, nil
	}
	if s.full > 0 {
		s.full--
		for _, r := range s.batches[id] {
			s.asked[r.Key()]--
		}
		return model.BatchState{Failed: &model.Fault{Kind: model.RateLimit, Err: errors.New("no room")}}, nil
	}
	return model.BatchState{Status: "working", Total: len(s.batches[id]), Ended: time.Since(s.began[id]) >= s.takes}, nil
}

func (s *service) Collect(_ context.Context, id string, wanted map[percuss.Key]percuss.Request, done func(percuss.Key, percuss.Answer, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, r := range slices.Backward(s.batches[id]) {
		if s.cut > 0 && i < len(s.batches[id])/2 {
			s.cut--
			return &model.Fault{Kind: model.Malformed, Err: errors.New("cut")}
		}
		if s.errors[r.Replicate] > 0 {
			s.errors[r.Replicate]--
			done(r.Key(), percuss.Answer{}, &model.Fault{Kind: "expired", Err: errors.New("a day has passed")})
			continue
		}
		done(r.Key(), percuss.Answer{Outcome: percuss.OK, Text: r.Begin}, nil)
	}
	return nil
}

func dropped() error { return &model.Fault{Kind: model.Dropped, Err: errors.New("dropped")} }

func isAway(err error) bool {
	var f *model.Fault
	return errors.As(err, &f) && f.Kind == model.Away
}

func numbered(n int) []percuss.Request {
	requests := make([]percuss.Request, n)
	for i := range requests {
		requests[i] = percuss.Request{Begin: strconv.Itoa(i), Replicate: i}
	}
	return requests
}

// journal keeps entries, as a file does.
type journal struct {
	mu      sync.Mutex
	entries []Entry
}

func (j *journal) note(e Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
	return nil
}
