package server

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func started(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(b)
}

func TestReplies(t *testing.T) {
	s := started(t, Options{})
	const text = "The findings fit the second diagnosis best.\n\nAnswer: B"
	var r struct {
		Choices []struct {
			Message struct{ Content string }
			Finish  string `json:"finish_reason"`
		}
	}
	status, body := post(t, s.URL(), `{"messages":[]}`)
	if err := json.Unmarshal([]byte(body), &r); err != nil || status != http.StatusOK || len(r.Choices) != 1 || r.Choices[0].Message.Content != text || r.Choices[0].Finish != "stop" {
		t.Errorf("status %d, %v: %s", status, err, body)
	}
	_, body = post(t, s.URL(), `{"stream": true}`)
	events := strings.Split(strings.TrimSpace(body), "\n\n")
	if len(events) != 3 || events[2] != "data: [DONE]" {
		t.Fatalf("%q", body)
	}
	for _, e := range events[:2] {
		if !json.Valid([]byte(strings.TrimPrefix(e, "data: "))) {
			t.Errorf("no JSON: %s", e)
		}
	}
	resp, err := http.Get(s.URL() + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var models struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&models); err != nil || len(models.Data) != 1 || models.Data[0].ID != Model {
		t.Errorf("%v: %+v", err, models)
	}
	if status, _ := post(t, s.URL(), strings.Repeat("x", largest+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d of a body that is too large", status)
	}
}

func TestOnlyMarkedRequestsCount(t *testing.T) {
	s := started(t, Options{Marker: "made-up case"})
	for _, body := range []string{`{"x":"a probe"}`, `{"x":"made-up case 1"}`, `{"x":"made-up case 2"}`} {
		post(t, s.URL(), body)
	}
	if n := s.Take().Requests(); n != 2 {
		t.Errorf("%d requests counted, want the two that are marked", n)
	}
	if n := s.Take().Requests(); n != 0 {
		t.Errorf("%d requests counted twice", n)
	}
}

// As many clients as the server holds for the whole time: the mean is their number.
func TestHeldRequestsAreCounted(t *testing.T) {
	const clients, each = 4, 6
	s := started(t, Options{Latency: 30 * time.Millisecond})
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				post(t, s.URL(), "{}")
			}
		})
	}
	wg.Wait()
	l := s.Take()
	if l.Requests() != clients*each {
		t.Errorf("%d requests, want %d", l.Requests(), clients*each)
	}
	if v, ok := l.InFlight().Get(); !ok || v <= 1 || v > clients {
		t.Errorf("%v requests in flight, want more than one and at most %d", v, clients)
	}
}

// made is a load of calls that come and go at milliseconds.
func made(calls ...[2]int) (l Load) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range calls {
		at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
		l.calls = append(l.calls, call{at(c[0]), at(c[1])})
	}
	return l
}

func TestLoad(t *testing.T) {
	even := make([][2]int, 101) // one every 10 ms, held for 40
	for i := range even {
		even[i] = [2]int{10 * i, 10*i + 40}
	}
	for name, c := range map[string]struct {
		load           Load
		rate, inFlight float64 // NaN: missing
	}{
		"nothing":      {made(), math.NaN(), math.NaN()},
		"one":          {made([2]int{0, 10}), math.NaN(), math.NaN()},
		"at one time":  {made([2]int{5, 9}, [2]int{5, 9}), math.NaN(), math.NaN()},
		"handed over":  {made([2]int{0, 10}, [2]int{10, 20}, [2]int{20, 30}), math.NaN(), 1},
		"with a pause": {made([2]int{0, 10}, [2]int{20, 30}, [2]int{40, 50}), math.NaN(), 0.5},
		"probe first":  {made([2]int{20, 30}, [2]int{0, 10}, [2]int{30, 40}).Without(1), math.NaN(), 1},
		"even":         {made(even...), 100, 3.94}, // 0.06 is what the last four have left
	} {
		near := func(what string, got, want float64, ok bool) {
			if ok == math.IsNaN(want) || ok && math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %s %v (%v), want %v", name, what, got, ok, want)
			}
		}
		rate, ok := c.load.Rate().Get()
		near("rate", rate, c.rate, ok)
		held, ok := c.load.InFlight().Get()
		near("in flight", held, c.inFlight, ok)
	}
}
