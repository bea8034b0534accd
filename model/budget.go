package model

import (
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// cost is what a request takes of the budgets, in requests and in tokens.
type cost [2]float64

// The two budgets.
const (
	inRequests = iota
	inTokens
)

// bytesAToken is how many bytes of a prompt count as a token before the server has counted them: English prose has
// four to five.
const bytesAToken = 4

// costOf estimates what a request takes: its prompt, and all of the output that it allows, for that is what services
// set aside when it arrives.
func costOf(r percuss.Request) cost {
	n := len(r.Begin)
	for _, m := range r.Messages {
		n += len(m.Content)
	}
	output := r.Sampling.MaxTokens
	if len(r.Want.Letters) > 0 {
		output = 1
	}
	return cost{inRequests: 1, inTokens: float64(n/bytesAToken + output)}
}

// costWas is what a request took, where its answer says so; else the estimate.
func costWas(estimate cost, u percuss.Usage) cost {
	if u.Prompt > 0 {
		estimate[inTokens] = float64(u.Prompt + u.Output)
	}
	return estimate
}

// budget is what may be sent in a time: what the user allows, and what the server says is left. It is shared by all
// that is sent to one account, and steers nothing but the time at which a request goes out.
type budget struct {
	mu   sync.Mutex
	user [2]bucket
	told [2]bucket
	out  cost // taken by requests that have not ended
}

func newBudget(perMinute cost) *budget {
	b := &budget{}
	for i, n := range perMinute {
		if n > 0 {
			rate := n / 60
			// A tenth of a second may be caught up with, so that late timers cost nothing.
			b.user[i] = bucket{rate: rate, room: max(1, rate/10), level: max(1, rate/10)}
		}
	}
	return b
}

// take takes a cost, or says how long to wait until that is worth trying again.
func (b *budget) take(now time.Time, c cost) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := [...]*bucket{&b.user[inRequests], &b.told[inRequests], &b.user[inTokens], &b.told[inTokens]}
	for i, one := range all {
		wait = max(wait, one.wait(now, c[i/2]))
	}
	if wait > 0 {
		return wait
	}
	for i, one := range all {
		one.level -= c[i/2]
	}
	for i := range c {
		b.out[i] += c[i]
	}
	return 0
}

// settle corrects what was taken for a request that has ended. What the server says is left, it has corrected itself.
func (b *budget) settle(estimate, was cost) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.user {
		b.user[i].level += estimate[i] - was[i]
		b.out[i] -= estimate[i]
	}
}

// follow takes over what the server says is left. It may not have seen some of what is out, so that is set aside; the
// bucket then stands a little higher than it could, and all that flows into it is used.
func (b *budget) follow(now time.Time, a Allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, left := range [...]Remaining{inRequests: a.Requests, inTokens: a.Tokens} {
		if left.Full <= 0 || left.Limit <= 0 || left.Left >= left.Limit {
			continue
		}
		b.told[i] = bucket{rate: (left.Limit - left.Left) / left.Full.Seconds(), room: left.Limit, level: left.Left - b.out[i], at: now}
	}
}

// bucket fills with time. The zero value is no bound.
type bucket struct {
	rate  float64 // a second; 0: no bound
	room  float64 // it fills up to this
	level float64 // negative: in debt
	at    time.Time
}

// wait says how long it takes until a cost can be taken. What is larger than the bucket goes out when that is full, and
// leaves a debt.
func (b *bucket) wait(now time.Time, c float64) time.Duration {
	if b.rate <= 0 {
		return 0
	}
	if !b.at.IsZero() && b.level < b.room {
		b.level = min(b.room, b.level+b.rate*now.Sub(b.at).Seconds())
	}
	b.at = now
	if lack := min(c, b.room) - b.level; lack > 1e-9 {
		return max(time.Millisecond, time.Duration(lack/b.rate*float64(time.Second)))
	}
	return 0
}
