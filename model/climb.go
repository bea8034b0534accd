package model

import (
	"math"
	"time"
)

// firstLevel is how many requests are in flight before the server has shown what it takes: a quarter of what is
// allowed, at least this many.
const firstLevel = 8

// How the level is searched. Another level is worth having when it brings at least a share of the throughput that it
// would bring on a server without any limit: the latency of a batch rises with its width long before its throughput
// stops rising, so that latency alone would stop far too early.
const (
	leap       = 4.0  // each of the first answers lets so many out, so that all are out one latency after the beginning
	step       = 1.25 // a step up or down later
	leastGain  = 0.3  // share of the ideal gain
	slower     = 1.5  // seconds a token against the fewest seen, from which fewer requests are tried
	forget     = 1.01 // the fewest seconds a token rise by this from window to window, for servers change
	restRounds = 16   // rounds between two trials
	leastRound = 4    // completions of a round
)

// climb finds how many requests a server is best sent at once, from the latency of those that end. While the server is
// new, every answer raises the level, up to what is allowed. From then on a round at one level is compared with a round
// at another, first of all that at the top with the answers to what was sent at the bottom; levels that bring nothing
// are left again and tried later.
type climb struct {
	most  float64
	level float64
	stamp int // of the present level; requests sent at another one are not counted

	opening bool    // the level at the top has not been judged yet
	first   float64 // the level that the opening began at
	base    int     // its stamp
	from    float64 // the level before the one that is on trial; 0: none is
	rest    int     // completions until the next trial
	upwards bool    // the trial, or the next one, is of a higher level

	seen, before pace // of the present round, and of the round at from
	least        pace // the fewest seconds a token
}

func newClimb(most int) climb {
	m := float64(most)
	first := min(m, max(firstLevel, math.Floor(m/leap)))
	return climb{most: m, level: first, first: first, opening: true, upwards: true}
}

// congested halves the level.
func (c *climb) congested() {
	c.settle(c.level / 2)
}

// settle takes a level and tries no other for a while.
func (c *climb) settle(level float64) {
	c.move(level)
	c.opening, c.from = false, 0
	c.rest = restRounds * int(c.level)
}

// move changes the level.
func (c *climb) move(level float64) {
	c.level = max(1, min(c.most, level))
	c.stamp++
	c.seen = pace{}
}

// ended counts a request that was answered while the level was what limits. stamp is that of the level at which it was
// sent.
func (c *climb) ended(stamp int, took time.Duration, w work) {
	if c.opening && c.from == 0 && c.level < c.most {
		c.open(stamp, took, w)
		return
	}
	if stamp != c.stamp {
		return
	}
	c.seen.add(took, w)
	c.rest--
	if c.seen.n < max(leastRound, int(c.level)) {
		return
	}
	round := c.seen
	c.seen = pace{}
	slow, _ := round.against(c.least)
	c.least.atMost(round, forget)
	switch {
	case c.from != 0:
		c.judge(round, slow)
	case c.rest <= 0:
		c.try(round, slow)
	}
}

// open raises the level by an answer to one of the first requests. At the top the trial of that level begins.
func (c *climb) open(stamp int, took time.Duration, w work) {
	switch {
	case stamp < c.base:
		return
	case stamp == c.base:
		c.before.add(took, w)
	}
	c.stamp = c.base + 1 // what goes out from now on has more beside it
	c.level = min(c.most, c.level+leap-1)
	if c.level == c.most {
		c.least.atMost(c.before, forget)
		c.from = c.first
		c.move(c.most)
	}
}

// try begins the trial of another level. A lower one is tried where a higher one was of no use, or where a token takes
// clearly longer than it could; slow is how many times as long.
func (c *climb) try(round pace, slow float64) {
	up := c.upwards && c.level < c.most
	next := c.level
	switch {
	case up:
		next = max(c.level+1, c.level*step)
	case !c.upwards || slow >= slower:
		next = min(c.level-1, c.level/step)
	}
	if next = max(1, min(c.most, next)); next == c.level {
		c.settle(c.level)
		c.upwards = true
		return
	}
	c.upwards, c.before, c.from = up, round, c.level
	c.move(next)
}

// judge ends a trial: a higher level stays when it is worth having, a lower one when the higher was not.
func (c *climb) judge(round pace, slow float64) {
	ratio, known := round.against(c.before)
	lower, higher, gain := c.from, c.level, c.level/c.from/ratio // gain of throughput
	if !c.upwards {
		lower, higher, gain = c.level, c.from, 1/gain
	}
	worth := gain >= 1+leastGain*(higher/lower-1)
	switch {
	case !known: // another kind of request came: the trial is made again soon
		c.move(c.from)
		c.from, c.rest = 0, int(c.level)
		c.base, c.before = c.stamp, pace{}
	case worth == c.upwards:
		c.from = 0
		c.try(round, slow)
	case c.opening:
		// By Little's law the throughput is reached with as many as before, times the gain.
		c.settle(max(lower, min(higher, lower*gain)))
		c.upwards = false
	default:
		c.settle(c.from)
		c.upwards = !c.upwards
	}
}

// work is what a request was: the tokens that it brought, and whether it asked for scores.
type work struct {
	output int
	scored bool
}

// startTokens are the generated tokens that take as long as the beginning of a reply, roughly: without them short
// replies would seem slow.
const startTokens = 16

// pace is how long requests took, against what they brought. Scores and texts stand apart: of a reply with scores
// nearly all of the time is the prompt's.
type pace struct {
	n       int
	seconds [2]float64
	tokens  [2]float64
}

func (p *pace) add(took time.Duration, w work) {
	i := 0
	if w.scored {
		i = 1
	}
	p.n++
	p.seconds[i] += took.Seconds()
	p.tokens[i] += float64(startTokens + w.output)
}

// against returns how many times as long a token takes as in q, over the kinds of requests that both have; false and 1
// where they have none in common.
func (p pace) against(q pace) (ratio float64, ok bool) {
	sum, weight := 0.0, 0.0
	for i := range p.tokens {
		if p.tokens[i] == 0 || q.tokens[i] == 0 || q.seconds[i] <= 0 {
			continue
		}
		sum += p.seconds[i] / (q.seconds[i] / q.tokens[i])
		weight += p.tokens[i]
	}
	if weight == 0 || sum <= 0 {
		return 1, false
	}
	return sum / weight, true
}

// atMost keeps the fewer seconds a token of both, its own times rise.
func (p *pace) atMost(q pace, rise float64) {
	for i := range p.tokens {
		if q.tokens[i] == 0 {
			continue
		}
		was := p.seconds[i] * rise
		if p.tokens[i] == 0 || q.seconds[i]/q.tokens[i] < was {
			was = q.seconds[i] / q.tokens[i]
		}
		p.seconds[i], p.tokens[i] = was, 1
	}
}
