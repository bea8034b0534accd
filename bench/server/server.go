// Package server is a made-up model behind the chat completions protocol, for measuring clients: it gives one reply to
// every request, after a set time, and keeps when each came and went.
//
// It reads and writes as little as the protocol allows, so that on a small machine the client has the processors. It is
// no model of a real server: nothing slows down with load.
package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Model is the name of the model that the server lists. A request may name any.
const Model = "made-up"

// Reply is the text of every answer, in the form that all the compared tools read: option B.
const Reply = `The findings fit the second diagnosis best.\n\nAnswer: B` // as it stands in JSON

const (
	tokens = `"usage":{"prompt_tokens":200,"completion_tokens":16,"total_tokens":216}`
	head   = `{"id":"r","created":1700000000,"model":"` + Model + `","choices":[{"index":0,`
	whole  = head + `"message":{"role":"assistant","content":"` + Reply + `"},"finish_reason":"stop"}],` + tokens + `,"object":"chat.completion"}`
	stream = "data: " + head + `"delta":{"role":"assistant","content":"` + Reply + `"},"finish_reason":null}],"object":"chat.completion.chunk"}` + "\n\n" +
		"data: " + head + `"delta":{},"finish_reason":"stop"}],` + tokens + `,"object":"chat.completion.chunk"}` + "\n\ndata: [DONE]\n\n"
	list = `{"object":"list","data":[{"id":"` + Model + `","object":"model","owned_by":"bench"}]}`
)

const largest = 4 << 20 // bytes of a request's body

// Options say how the server behaves.
type Options struct {
	Latency time.Duration    // from the whole request to the reply; 0: at once
	Marker  string           // only requests that contain it are counted, so that a client's probes are not; "": all
	Now     func() time.Time // the clock of what is counted
}

// Server answers until it is closed.
type Server struct {
	options Options
	http    *http.Server
	address string

	mu    sync.Mutex
	calls []call
}

// call is one counted request. A call that is not answered yet has gone at the zero time.
type call struct{ came, gone time.Time }

// Start listens on a free port of this machine.
func Start(o Options) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the server to measure against: %w", err)
	}
	s := &Server{options: o, address: l.Addr().String()}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go s.http.Serve(l) // it returns when Close closes the listener
	return s, nil
}

// URL is the address of the protocol, with its version: http://127.0.0.1:40519/v1.
func (s *Server) URL() string { return "http://" + s.address + "/v1" }

// Close ends the server and the calls in flight.
func (s *Server) Close() error { return s.http.Close() }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models":
		send(w, "application/json", list)
	case r.Method == http.MethodPost && r.URL.Path == "/v1/chat/completions":
		s.chat(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return
	}
	if bytes.Contains(body, []byte(s.options.Marker)) {
		defer s.left(s.arrived())
	}
	if s.options.Latency > 0 {
		select {
		case <-time.After(s.options.Latency):
		case <-r.Context().Done():
			return
		}
	}
	// No client writes the field with other spaces; to parse the body would cost more than all the rest.
	if bytes.Contains(body, []byte(`"stream":true`)) || bytes.Contains(body, []byte(`"stream": true`)) {
		send(w, "text/event-stream", stream)
		return
	}
	send(w, "application/json", whole)
}

func send(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	io.WriteString(w, body) // a client that has gone is no fault of the server's
}

func (s *Server) arrived() (number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call{came: s.options.Now()})
	return len(s.calls) - 1
}

func (s *Server) left(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < len(s.calls) { // else Take was called meanwhile
		s.calls[number].gone = s.options.Now()
	}
}

// Take returns what was counted since the last time, and begins anew. Calls in flight are lost: let the client end first.
func (s *Server) Take() Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := Load{calls: s.calls}
	s.calls = nil
	return l
}
