package anthropictest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Batches is the part of a server that takes batches. It is locked with its server.
type Batches struct {
	Polls int // a batch has ended when it was asked for this often
	// Spoil, when set, says what becomes of a request instead of a message: "expired", "canceled" or "errored"; empty: it
	// is answered.
	Spoil func(key string, params map[string]any) string
	// Cut are the numbers of lines after which the next readings of results end: the last of them between two lines, the
	// others in the middle of one.
	Cut []int

	list []*toyBatch
}

type toyBatch struct {
	id       string
	made     time.Time
	polls    int
	requests []toyRequest
	ended    bool
}

type toyRequest struct {
	ID     string         `json:"custom_id"`
	Params map[string]any `json:"params"`
}

func (s *Server) batchHandlers(mux *http.ServeMux) {
	for pattern, handle := range map[string]func(b *Batches, w http.ResponseWriter, r *http.Request){
		"POST /v1/messages/batches": s.create, "GET /v1/messages/batches": s.all,
		"GET /v1/messages/batches/{id}": s.poll, "GET /v1/messages/batches/{id}/results": s.results,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			switch {
			case s.Batches == nil:
				Error(w, 404, "not_found_error", "Not Found")
			case s.allowed(w, r):
				handle(s.Batches, w, r)
			}
		})
	}
}

func (s *Server) create(b *Batches, w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Requests []toyRequest `json:"requests"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Requests) == 0 {
		Error(w, 400, "invalid_request_error", "requests: Field required")
		return
	}
	seen := map[string]bool{}
	keys := make([]string, 0, len(asked.Requests))
	for _, one := range asked.Requests {
		if one.ID == "" || len(one.ID) > 64 || seen[one.ID] {
			Error(w, 400, "invalid_request_error", "requests: custom_id: not its own, or too long")
			return
		}
		seen[one.ID] = true
		keys = append(keys, one.ID)
	}
	one := &toyBatch{id: fmt.Sprintf("msgbatch_%d", len(b.list)), made: time.Now(), requests: asked.Requests}
	b.list = append(b.list, one)
	if s.Take(keys) {
		panic(http.ErrAbortHandler)
	}
	JSON(w, 200, one.object())
}

func (one *toyBatch) object() map[string]any {
	status, ended, succeeded := "in_progress", any(nil), 0
	if one.ended {
		status, ended, succeeded = "ended", time.Now().UTC().Format(time.RFC3339), len(one.requests)
	}
	return map[string]any{"id": one.id, "type": "message_batch", "processing_status": status, "created_at": one.made.UTC().Format(time.RFC3339),
		"expires_at": one.made.Add(24 * time.Hour).UTC().Format(time.RFC3339), "ended_at": ended, "archived_at": nil, "cancel_initiated_at": nil, "results_url": nil,
		"request_counts": map[string]any{"processing": len(one.requests) - succeeded, "succeeded": succeeded, "errored": 0, "canceled": 0, "expired": 0}}
}

func (s *Server) all(b *Batches, w http.ResponseWriter, _ *http.Request) {
	data := []any{}
	for i := len(b.list) - 1; i >= 0; i-- {
		data = append(data, b.list[i].object())
	}
	JSON(w, 200, map[string]any{"data": data, "has_more": false, "first_id": nil, "last_id": nil})
}

// find looks for the batch that a path names.
func (b *Batches) find(w http.ResponseWriter, r *http.Request) *toyBatch {
	for _, one := range b.list {
		if one.id == r.PathValue("id") {
			return one
		}
	}
	Error(w, 404, "not_found_error", "no batch "+r.PathValue("id"))
	return nil
}

func (s *Server) poll(b *Batches, w http.ResponseWriter, r *http.Request) {
	if one := b.find(w, r); one != nil {
		one.polls++
		one.ended = one.ended || one.polls >= b.Polls
		JSON(w, 200, one.object())
	}
}

// results writes the lines, the last one first: their order says nothing.
func (s *Server) results(b *Batches, w http.ResponseWriter, r *http.Request) {
	one := b.find(w, r)
	if one == nil {
		return
	}
	w.Header().Set("Content-Type", "application/x-jsonl")
	cut := -1
	if len(b.Cut) > 0 {
		cut, b.Cut = b.Cut[0], b.Cut[1:]
	}
	out := json.NewEncoder(w)
	for i := len(one.requests) - 1; i >= 0; i-- {
		if cut == len(one.requests)-1-i {
			if len(b.Cut) > 0 {
				_, _ = w.Write([]byte(`{"custom_id":`)) // the client may have gone
			}
			return
		}
		asked := one.requests[i]
		spoilt := ""
		if b.Spoil != nil {
			spoilt = b.Spoil(asked.ID, asked.Params)
		}
		result := map[string]any{"type": spoilt}
		status, reply := s.reply(asked.Params)
		switch {
		case spoilt == "errored":
			result["error"] = errorBody("api_error", "Internal server error")
		case spoilt != "":
		case status == 200:
			result["type"], result["message"] = "succeeded", reply
		default:
			result["type"], result["error"] = "errored", reply
		}
		_ = out.Encode(map[string]any{"custom_id": asked.ID, "result": result}) // the client may have gone
	}
}
