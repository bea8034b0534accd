package openaitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Batches is the part of a server that takes batch files. It is locked with its server.
type Batches struct {
	Polls int // a batch has ended when it was asked for this often
	// Spoil, when set, says what becomes of a line instead of a reply: "expired", "failed" or "refused"; empty: it is answered.
	Spoil func(key string, body map[string]any) string
	Fault string // when not empty, batches are not taken, with this code and message
	Cut   int    // so many times a file is sent to the middle of a line, as if that were its end

	files map[string][]byte
	list  []*toyBatch
}

type toyBatch struct {
	id, input, output, faulty string
	metadata                  any
	polls                     int
	total                     int
}

// TakeBatches changes what the server does with batch files while it runs; nil: it takes none.
func (s *Server) TakeBatches(b *Batches) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Batches = b
}

func (s *Server) batchHandlers(mux *http.ServeMux) {
	for pattern, handle := range map[string]func(b *Batches, w http.ResponseWriter, r *http.Request){
		"POST /v1/files": s.upload, "GET /v1/files/{id}/content": s.content,
		"POST /v1/batches": s.create, "GET /v1/batches": s.all, "GET /v1/batches/{id}": s.poll,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			switch {
			case s.Batches == nil:
				Error(w, 404, "Not Found")
			case s.allowed(w, r):
				if s.Batches.files == nil {
					s.Batches.files = map[string][]byte{}
				}
				handle(s.Batches, w, r)
			}
		})
	}
}

func (s *Server) upload(b *Batches, w http.ResponseWriter, r *http.Request) {
	f, _, err := r.FormFile("file")
	if err != nil || r.FormValue("purpose") != "batch" {
		Error(w, 400, "no file for a batch")
		return
	}
	raw, err := io.ReadAll(f)
	if err != nil {
		Error(w, 400, err.Error())
		return
	}
	JSON(w, 200, map[string]any{"id": b.keep(raw), "object": "file", "purpose": "batch"})
}

func (b *Batches) keep(raw []byte) string {
	id := fmt.Sprintf("file-%d", len(b.files))
	b.files[id] = raw
	return id
}

func (s *Server) content(b *Batches, w http.ResponseWriter, r *http.Request) {
	raw, ok := b.files[r.PathValue("id")]
	if !ok {
		Error(w, 404, "No such File object: "+r.PathValue("id"))
		return
	}
	if b.Cut > 0 && len(raw) > 0 {
		b.Cut--
		raw = raw[:2*len(raw)/3]
	}
	_, _ = w.Write(raw) // the client may have gone
}

// toyLine is a line of a batch file.
type toyLine struct {
	ID     string         `json:"custom_id"`
	Method string         `json:"method"`
	URL    string         `json:"url"`
	Body   map[string]any `json:"body"`
}

// read checks a batch file as the service does.
func (b *Batches) read(id string) (lines []toyLine, wrong string) {
	seen := map[string]bool{}
	for i, raw := range bytes.Split(bytes.TrimSpace(b.files[id]), []byte("\n")) {
		var l toyLine
		switch err := json.Unmarshal(raw, &l); {
		case err != nil:
			return nil, fmt.Sprintf("line %d is no JSON", i+1)
		case l.ID == "" || len(l.ID) > 64 || seen[l.ID]:
			return nil, fmt.Sprintf("line %d has no custom_id of its own", i+1)
		case l.Method != "POST" || l.URL != "/v1/chat/completions":
			return nil, fmt.Sprintf("line %d goes elsewhere", i+1)
		case l.Body["stream"] == true || l.Body["stream_options"] != nil:
			return nil, fmt.Sprintf("line %d streams", i+1)
		}
		seen[l.ID] = true
		lines = append(lines, l)
	}
	return lines, ""
}

func (s *Server) create(b *Batches, w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Input    string `json:"input_file_id"`
		Endpoint string `json:"endpoint"`
		Window   string `json:"completion_window"`
		Metadata any    `json:"metadata"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || b.files[asked.Input] == nil || asked.Endpoint != "/v1/chat/completions" || asked.Window != "24h" {
		Error(w, 400, "no such batch can be made")
		return
	}
	lines, wrong := b.read(asked.Input)
	if wrong != "" {
		Error(w, 400, wrong)
		return
	}
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i] = l.ID
	}
	one := &toyBatch{id: fmt.Sprintf("batch_%d", len(b.list)), input: asked.Input, metadata: asked.Metadata, total: len(lines)}
	b.list = append(b.list, one)
	if s.Take(keys) {
		panic(http.ErrAbortHandler)
	}
	JSON(w, 200, b.object(one))
}

func (b *Batches) object(one *toyBatch) map[string]any {
	out := map[string]any{"id": one.id, "object": "batch", "status": "in_progress", "created_at": time.Now().Unix(), "metadata": one.metadata,
		"output_file_id": nil, "error_file_id": nil, "errors": nil, "request_counts": map[string]any{"total": one.total, "completed": 0, "failed": 0}}
	if b.Fault != "" {
		out["status"] = "failed"
		code, message, _ := strings.Cut(b.Fault, " ")
		out["errors"] = map[string]any{"object": "list", "data": []any{map[string]any{"code": code, "message": message, "line": nil}}}
	} else if one.output != "" {
		out["status"], out["output_file_id"], out["error_file_id"] = "completed", one.output, one.faulty
		failed := bytes.Count(b.files[one.faulty], []byte("\n"))
		out["request_counts"] = map[string]any{"total": one.total, "completed": one.total - failed, "failed": failed}
	}
	return out
}

func (s *Server) all(b *Batches, w http.ResponseWriter, _ *http.Request) {
	data := []any{}
	for i := len(b.list) - 1; i >= 0; i-- {
		data = append(data, b.object(b.list[i]))
	}
	JSON(w, 200, map[string]any{"object": "list", "data": data, "has_more": false})
}

func (s *Server) poll(b *Batches, w http.ResponseWriter, r *http.Request) {
	for _, one := range b.list {
		if one.id != r.PathValue("id") {
			continue
		}
		if one.polls++; one.polls >= b.Polls && one.output == "" && b.Fault == "" {
			s.finish(b, one)
		}
		JSON(w, 200, b.object(one))
		return
	}
	Error(w, 404, "No batch found with id '"+r.PathValue("id")+"'.")
}

// finish answers the lines, the last one first: their order says nothing.
func (s *Server) finish(b *Batches, one *toyBatch) {
	lines, _ := b.read(one.input)
	var good, bad bytes.Buffer
	for i := len(lines) - 1; i >= 0; i-- {
		l := lines[i]
		spoilt := ""
		if b.Spoil != nil {
			spoilt = b.Spoil(l.ID, l.Body)
		}
		result := map[string]any{"id": fmt.Sprint("batch_req_", i), "custom_id": l.ID, "response": nil, "error": nil}
		status, reply := s.reply(l.Body)
		switch {
		case spoilt == "expired":
			result["error"] = map[string]any{"code": "batch_expired", "message": "This request could not be executed before the completion window expired."}
		case spoilt == "refused":
			result["response"] = map[string]any{"status_code": 400, "request_id": "r", "body": errorBody("this prompt is not allowed here")}
		case spoilt != "":
			result["response"] = map[string]any{"status_code": 500, "request_id": "r", "body": errorBody("The server had an error")}
		default:
			result["response"] = map[string]any{"status_code": status, "request_id": "r", "body": reply}
		}
		raw, err := json.Marshal(result)
		if err != nil {
			panic(err) // a test's own data
		}
		to := &good
		if spoilt != "" || status != 200 {
			to = &bad
		}
		to.Write(append(raw, '\n'))
	}
	one.output = b.keep(good.Bytes())
	one.faulty = b.keep(bad.Bytes())
}
