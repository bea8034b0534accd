package model

import (
	"testing"
	"time"
)

// answered tells a climb of n answers to requests that were sent at a level's stamp.
func answered(c *climb, n, stamp int, took time.Duration) {
	for range n {
		c.ended(stamp, took, work{output: 50})
	}
}

func TestClimbOpens(t *testing.T) {
	const most, first = 256, 64
	for name, s := range map[string]struct {
		full time.Duration // latency at the top; 200 ms at the bottom
		want float64
	}{
		"a server without any limit":       {200 * time.Millisecond, most},
		"one that is slower at the top":    {290 * time.Millisecond, most},
		"one that is full at the bottom":   {800 * time.Millisecond, first},
		"one that is full a little higher": {533 * time.Millisecond, 96},
	} {
		c := newClimb(most)
		if c.level != first {
			t.Fatalf("it begins with %g", c.level)
		}
		answered(&c, first, 0, 200*time.Millisecond)
		if c.level != most {
			t.Errorf("%s: after the first answers the limit is %g", name, c.level)
		}
		answered(&c, 10*most, 1, s.full) // what went out before the limit was at the top tells nothing of it
		if c.level != most {
			t.Errorf("%s: answers to earlier requests move the limit to %g", name, c.level)
		}
		answered(&c, most, c.stamp, s.full)
		if c.level < s.want-4 || c.level > s.want+4 {
			t.Errorf("%s: the limit is %g, want %g", name, c.level, s.want)
		}
	}
}

// A refusal ends the opening: what is answered after it raises nothing for a while.
func TestClimbOpensUntilRefused(t *testing.T) {
	c := newClimb(256)
	answered(&c, 20, 0, 200*time.Millisecond)
	reached := c.level
	if reached <= 64 || reached >= 256 {
		t.Fatalf("after a third of the first answers the limit is %g", reached)
	}
	c.congested()
	answered(&c, 500, 0, 200*time.Millisecond)
	answered(&c, 100, c.stamp, 200*time.Millisecond)
	if c.level != reached/2 {
		t.Errorf("the limit was %g, and is %g after a refusal", reached, c.level)
	}
}

// When what is asked changes in kind before the top was judged, it is tried again from the bottom.
func TestClimbOpensAgainForAnotherKind(t *testing.T) {
	c := newClimb(256)
	answered(&c, 64, 0, 200*time.Millisecond)
	for range 256 {
		c.ended(c.stamp, 20*time.Millisecond, work{scored: true, output: 1})
	}
	if c.level != 64 {
		t.Fatalf("the limit is %g", c.level)
	}
	for range 64 {
		c.ended(c.stamp, 20*time.Millisecond, work{scored: true, output: 1})
	}
	if c.level <= 64 {
		t.Errorf("the limit stays at %g", c.level)
	}
}
