package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss/model"
)

// survey is what free requests tell about a server. Each path is asked once.
type survey struct {
	wire    *wire
	addr    address
	name    string // of the model
	header  http.Header
	list    any // the model list, as JSON
	replies map[string]any
}

// get asks for a path; nil when nothing of use came. Some servers answer unknown paths with status 200 and an error.
func (s *survey) get(ctx context.Context, path string) any {
	if path == "" {
		return s.list
	}
	if v, ok := s.replies[path]; ok {
		return v
	}
	var v any
	if res, err := s.wire.do(ctx, http.MethodGet, s.addr.root+path, nil); err == nil {
		body, err := io.ReadAll(io.LimitReader(res.Body, 8<<20))
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(body, &v) != nil {
			v = nil
		}
	}
	s.replies[path] = v
	return v
}

// models asks for the model list. The first request tells whether there is a server at all.
func (s *survey) models(ctx context.Context, keyRemedy string) error {
	url := s.addr.base + "/models"
	res, err := s.wire.do(ctx, http.MethodGet, url, nil)
	if err != nil {
		var f *model.Fault
		if errors.As(err, &f) && f.Kind == model.Dropped {
			return fmt.Errorf("nothing answers at %s: start the server, or check host and port: %w", s.addr.base, err)
		}
		return fmt.Errorf("%s: %w", s.addr.base, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 32<<20))
	if err != nil {
		return fmt.Errorf("reading %s: %w", url, err)
	}
	s.header = res.Header
	said := s.wire.secret.words(readProblem(res.StatusCode, body).message, mostSaid)
	switch status := res.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("the server at %s refuses the key (%d: %s): %s", s.addr.base, status, said, keyRemedy)
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return &noList{url: url, elsewhere: s.elsewhere(ctx)}
	case status/100 == 3:
		return fmt.Errorf("the server at %s sends on to %s: give the URL that the server itself answers at", s.addr.base,
			s.wire.secret.words(res.Header.Get("Location"), mostSaid))
	case status != http.StatusOK:
		return &notReady{fmt.Sprintf("the server at %s is not ready (%d: %s): try again later", s.addr.base, status, said)}
	}
	if json.Unmarshal(body, &s.list) != nil || len(s.ids()) == 0 {
		return &noList{url: url, elsewhere: s.elsewhere(ctx)}
	}
	return nil
}

// notReady says that a server answers, but not to the purpose yet.
type notReady struct{ said string }

func (n *notReady) Error() string { return n.said }

// noList says that a server gives no model list.
type noList struct{ url, elsewhere string }

func (n *noList) Error() string {
	if n.elsewhere != "" {
		return fmt.Sprintf("there is no model list at %s: the base URL is %s", n.url, n.elsewhere)
	}
	return fmt.Sprintf("there is no model list at %s: check the URL, which mostly ends in /v1; for a server that has no list, name its kind, e.g. server=generic", n.url)
}

// elsewhere is the base URL that the user will have meant: the one given, with /v1.
func (s *survey) elsewhere(ctx context.Context) string {
	if strings.HasSuffix(s.addr.base, "/v1") {
		return ""
	}
	if _, ok := field(s.get(ctx, "/v1/models"), "data", ""); ok {
		return s.addr.base + "/v1"
	}
	return ""
}

// ids are the names of the models in the list.
func (s *survey) ids() []string {
	data, _ := field(s.list, "data", "")
	list, _ := data.([]any)
	var out []string
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			if id, ok := m["id"].(string); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

// has reports whether the model is in the list; Ollama's names may lack the tag that it gives by itself.
func (s *survey) has(name string) bool {
	ids := s.ids()
	return slices.Contains(ids, name) || slices.Contains(ids, name+":latest")
}

// shows reports whether a mark is there.
func (s *survey) shows(ctx context.Context, m mark) bool {
	switch {
	case m.host != "":
		return s.addr.host == m.host
	case m.header != "":
		v := s.header.Get(m.header)
		return v != "" && strings.HasPrefix(v, m.value)
	case m.owner != "":
		data, _ := field(s.list, "data.0.owned_by", "")
		return data == m.owner
	}
	reply := s.get(ctx, m.path)
	v, ok := field(reply, m.at, s.name)
	if !ok {
		return false
	}
	if m.andWithout != "" {
		if _, bad := field(reply, m.andWithout, ""); bad {
			return false
		}
	}
	return strings.HasPrefix(fmt.Sprint(v), m.value)
}

// recognise returns the row of the server. The marks that cost no further request are looked at first.
func (s *survey) recognise(ctx context.Context) row {
	all := rows()
	for _, free := range []bool{true, false} {
		for _, r := range all {
			for _, m := range r.marks {
				if (m.path == "") == free && s.shows(ctx, m) {
					return r
				}
			}
		}
	}
	return all[len(all)-1]
}

// state returns what the server states, "" or 0 when it does not.
func (s *survey) state(ctx context.Context, f fact) any {
	if f.at == "" {
		return nil
	}
	v, _ := field(s.get(ctx, f.path), f.at, s.name)
	return v
}

// field follows a path of names, numbers of elements, and "*" for the element that is called name.
func field(v any, path, name string) (any, bool) {
	for _, step := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			v = element(at, step, name)
		default:
			return nil, false
		}
		if v == nil {
			return nil, false
		}
	}
	return v, true
}

func element(list []any, step, name string) any {
	if step != "*" {
		if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(list) {
			return list[n]
		}
		return nil
	}
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			continue
		}
		for _, key := range []string{"id", "name", "model"} {
			if m[key] == name || m[key] == name+":latest" {
				return m
			}
		}
	}
	return nil
}
