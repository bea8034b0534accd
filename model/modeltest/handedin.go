package modeltest

import (
	"maps"
	"sync"
)

// HandedIn counts what the fake of a service was given as batches. Zero has been given nothing.
type HandedIn struct {
	mu      sync.Mutex
	batches int
	times   map[string]int
	lose    bool
}

// Take counts a new batch by the keys of its requests, and reports whether the reply to it is to be lost.
func (h *HandedIn) Take(keys []string) (lost bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.batches++
	if h.times == nil {
		h.times = map[string]int{}
	}
	for _, k := range keys {
		h.times[k]++
	}
	lost, h.lose = h.lose, false
	return lost
}

// Submitted is how often each key was handed in.
func (h *HandedIn) Submitted() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.times)
}

// Batched is how many batches were handed in.
func (h *HandedIn) Batched() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.batches
}

// LoseReply breaks the connection in place of the reply to the next new batch, which is made all the same.
func (h *HandedIn) LoseReply() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lose = true
}
