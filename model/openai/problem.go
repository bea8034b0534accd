package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// problem is what a server says when it does not answer.
type problem struct {
	status  int    // of HTTP, or the code inside a reply with status 200; 0: none
	message string // the server's words
	code    string // its code and type, e.g. "context_length_exceeded invalid_request_error"
	param   string // the parameter that it names
	stated  bool   // the body was an error by its form
	after   time.Duration
}

func (p *problem) Error() string {
	if p.status > 0 {
		return fmt.Sprintf("the server says %d %s: %s", p.status, http.StatusText(p.status), p.message)
	}
	return "the server says: " + p.message
}

// stated is an error object in the forms that servers give it.
type stated struct {
	Message json.RawMessage `json:"message"`
	Type    string          `json:"type"`
	Code    json.RawMessage `json:"code"`
	Param   string          `json:"param"`
	Object  string          `json:"object"`
	Kind    string          `json:"error_type"`
	Error   json.RawMessage `json:"error"`
	Detail  json.RawMessage `json:"detail"`
}

// readProblem reads a body as an error, in whatever form it comes. status is 0 for a reply that claims to be well.
func readProblem(status int, body []byte) *problem {
	p := &problem{status: status}
	var outer stated
	if json.Unmarshal(body, &outer) != nil {
		p.message = strings.TrimSpace(string(body))
		return p
	}
	inner := outer
	switch {
	case present(outer.Error):
		p.stated = true
		inner = stated{}
		if json.Unmarshal(outer.Error, &inner) != nil {
			inner = stated{Message: outer.Error, Kind: outer.Kind}
		}
		if !present(inner.Message) {
			inner.Message = outer.Error
			if present(outer.Message) {
				inner.Message = outer.Message
			}
		}
	case outer.Object == "error" || present(outer.Detail):
		p.stated = true
		if !present(inner.Message) {
			inner.Message = outer.Detail
		}
	}
	p.message = words(inner.Message)
	if said := complaints(outer.Detail); said != "" {
		p.message = said
	}
	code := words(inner.Code)
	p.code = strings.TrimSpace(strings.Join([]string{code, inner.Type, inner.Kind}, " "))
	p.param = inner.Param
	if n, err := strconv.Atoi(code); err == nil && p.status == 0 && n >= 400 && n < 600 {
		p.status = n
	}
	if p.message == "" {
		p.message = strings.TrimSpace(string(body))
	}
	return p
}

// complaints are the words of FastAPI's list of what is wrong with a body, empty when it is no such list. The list also
// repeats the body, and with it the question, whose words say nothing about the server.
func complaints(detail json.RawMessage) string {
	var list []struct {
		Loc []any  `json:"loc"`
		Msg string `json:"msg"`
	}
	if json.Unmarshal(detail, &list) != nil {
		return ""
	}
	var out []string
	for _, e := range list {
		if e.Msg == "" {
			continue
		}
		var at []string
		for _, l := range e.Loc {
			at = append(at, fmt.Sprint(l))
		}
		out = append(out, strings.TrimPrefix(strings.Join(at, ".")+": "+e.Msg, ": "))
	}
	return strings.Join(out, "; ")
}

func present(raw json.RawMessage) bool {
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) && !bytes.Equal(raw, []byte(`""`))
}

// words is a JSON string, or any other JSON as it is written.
func words(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// cut shortens a text to n bytes at most, between characters.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + " …"
}

// says reports whether the server's words or code contain one of the phrases, in any case.
func (p *problem) says(phrases ...string) bool {
	all := strings.ToLower(p.message + " " + p.code)
	for _, s := range phrases {
		if strings.Contains(all, s) {
			return true
		}
	}
	return false
}

// names reports whether the server's words name a parameter: as it was sent, in camel case, or, of the penalties, by
// that word alone ("Penalty is not enabled").
func (p *problem) names(parameter string) bool {
	if len(parameter) == 1 { // n, which any words hold
		return p.param == parameter
	}
	words := strings.ToLower(p.message + " " + p.param)
	return strings.Contains(words, parameter) || strings.HasSuffix(parameter, "_penalty") &&
		(strings.Contains(words, strings.ReplaceAll(parameter, "_", "")) || strings.HasPrefix(words, "penalty "))
}
