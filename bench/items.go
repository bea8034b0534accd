package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/bench/server"
)

// slow is the latency of the server that is to be kept busy, and wide how many connections may do that.
const (
	slow = 200 * time.Millisecond
	wide = 256
)

// items compares whole commands: Percuss against the quickest of the others in the same round.
func items(ctx context.Context, b *bench) ([]result, error) {
	here, err := installedPeers(b)
	if err != nil {
		return nil, err
	}
	s, err := server.Start(server.Options{Marker: marker, Now: time.Now})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	sides := []side{percussSide(b, s, b.items, connections, server.Load.Rate)}
	for _, p := range here {
		sides = append(sides, peerSide(b, s, p, b.items))
	}
	samples, err := b.interleave(ctx, "items", sides)
	if err != nil {
		return nil, err
	}
	best := make([]sample, b.runs)
	for i := range best {
		best[i] = samples[1][i]
		for _, other := range samples[2:] {
			if other[i].wall < best[i].wall {
				best[i] = other[i]
			}
		}
	}
	return []result{{row: "items", what: fmt.Sprintf("%s items against a server without latency, whole command: best of the others ÷ Percuss", thousands(strconv.Itoa(b.items))),
		goal: "≥ 20", ratios: quotients(best, samples[0], wall), unit: "requests/s while sending", sides: sidesOf(sides, samples)}}, nil
}

func installedPeers(b *bench) ([]peer, error) {
	var here []peer
	var missing error
	for _, p := range peers() {
		if err := p.here(b); err != nil {
			missing = err
			b.tell("items: left out: %v", err)
			continue
		}
		here = append(here, p)
	}
	if len(here) == 0 {
		return nil, missing
	}
	return here, nil
}

// rate compares how many requests a second reach the server.
func rate(ctx context.Context, b *bench) ([]result, error) {
	p := lmEval()
	if err := p.here(b); err != nil {
		return nil, err
	}
	s, err := server.Start(server.Options{Marker: marker, Now: time.Now})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	sides := []side{percussSide(b, s, b.sending, connections, server.Load.Rate), peerSide(b, s, p, b.sending)}
	samples, err := b.interleave(ctx, "rate", sides)
	if err != nil {
		return nil, err
	}
	return []result{{row: "rate", what: fmt.Sprintf("requests/s while sending %s items, each answer kept on the disk: Percuss ÷ lm-eval", thousands(strconv.Itoa(b.sending))),
		goal: "≥ 3", ratios: quotients(samples[0], samples[1], figure), unit: "requests/s while sending", sides: sidesOf(sides, samples)}}, nil
}

// inflight measures how much of a slow server Percuss keeps busy.
func inflight(ctx context.Context, b *bench) ([]result, error) {
	s, err := server.Start(server.Options{Latency: slow, Marker: marker, Now: time.Now})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	sides := []side{percussSide(b, s, b.flight, wide, server.Load.InFlight)}
	samples, err := b.interleave(ctx, "inflight", sides)
	if err != nil {
		return nil, err
	}
	var shares []float64
	for _, v := range figures(samples[0], figure) {
		shares = append(shares, v/wide)
	}
	return []result{{row: "inflight", what: fmt.Sprintf("requests in flight against a server of %v at %d connections, %s items, from the first to the last one sent: Percuss ÷ ideal",
		slow, wide, thousands(strconv.Itoa(b.flight))), goal: "≥ 0.95", ratios: shares, unit: "requests in flight", sides: sidesOf(sides, samples)}}, nil
}

// probes is how many questions Percuss asks once more beforehand, to see whether the server answers such requests.
const probes = 1

// percussSide asks each of n questions once: the battery is one edit that fires on none of them.
func percussSide(b *bench, s *server.Server, n, concurrency int, of func(server.Load) percuss.Number) side {
	return side{"Percuss", func(ctx context.Context, folder string) (sample, error) {
		data := filepath.Join(folder, "questions.jsonl")
		if err := writeQuestions(data, n, made.forPercuss); err != nil {
			return sample{}, err
		}
		c := command{program: b.percuss, args: []string{"chain", "-m", "openai:" + server.Model + "@" + s.URL(), "-d", "custom:" + data, "--all",
			"--battery", "M2-sex", "--answer", "text", "--no-direct", "--no-margins", "--controls", "none",
			"--concurrency", strconv.Itoa(concurrency), "-o", filepath.Join(folder, "run")}, env: []string{"OPENAI_API_KEY=none"}}
		_, u, err := c.run(ctx, logOf(folder))
		return taken(s.Take().Without(probes), n, u, of, err)
	}}
}

func peerSide(b *bench, s *server.Server, p peer, n int) side {
	return side{p.name, func(ctx context.Context, folder string) (sample, error) {
		u, err := p.once(ctx, b, n, s.URL(), folder)
		return taken(s.Take(), n, u, server.Load.Rate, err)
	}}
}

// taken is what a client took and did to the server. A client that did not ask each question once compares with nothing.
func taken(load server.Load, n int, u usage, of func(server.Load) percuss.Number, err error) (sample, error) {
	if err == nil && load.Requests() != n {
		err = fmt.Errorf("%d requests came for %d questions: what it was told to do is no longer one call a question", load.Requests(), n)
	}
	return sample{usage: u, figure: of(load)}, err
}
