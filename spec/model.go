package spec

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// ModelArg is a parsed MODEL argument.
type ModelArg struct {
	Backend string            // "llama", "sim", ...
	Name    string            // catalogue name, path, model name
	Params  map[string]string // after the question mark
	URL     string            // after @http or @https
	Others  []string          // further addresses of the same model, after a comma each
}

// ParseModel reads BACKEND:NAME[?k=v&...][@URL[,URL...]]; the last "@http" begins the URLs. The first one names the
// model; the others are further places where the same one answers.
func ParseModel(arg string) (ModelArg, error) {
	var m ModelArg
	rest := arg
	if i := strings.LastIndex(rest, "@http"); i >= 0 {
		rest, m.URL = rest[:i], rest[i+1:]
	}
	backend, name, ok := strings.Cut(rest, ":")
	if !ok || backend == "" || name == "" {
		return m, fmt.Errorf("model %q: it is BACKEND:NAME, e.g. llama:smollm2-135m, llama:/path/model.gguf, openai:NAME@http://host:8000/v1 or sim:faithful", rest)
	}
	if m.URL != "" {
		all := strings.Split(m.URL, ",")
		for i, u := range all {
			if err := checkURL(u); err != nil {
				return m, fmt.Errorf("model %s:%s: %w", backend, name, err)
			} else if slices.Contains(all[:i], u) {
				return m, fmt.Errorf("model %s:%s: address number %d is one of those before it: name each once", backend, name, i+1)
			}
		}
		m.URL, m.Others = all[0], all[1:]
		if len(m.Others) == 0 {
			m.Others = nil
		}
	}
	m.Backend, m.Name = backend, name
	if path, query, ok := strings.Cut(name, "?"); ok {
		values, err := url.ParseQuery(query)
		if err != nil {
			return m, fmt.Errorf("model %s:%s: what follows the question mark cannot be read: write ?name=value&name=value", backend, path)
		}
		m.Name, m.Params = path, map[string]string{}
		for k, v := range values {
			m.Params[k] = v[len(v)-1]
		}
	}
	return m, nil
}

// checkURL refuses a URL that cannot be one of a server, and one that holds a secret: it would be written down with
// the run. The error never repeats the URL.
func checkURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "":
		return errors.New("the URL after @ cannot be read: it is http://HOST[:PORT]/v1, or the same with https; further addresses of the same model follow after a comma each")
	case u.User != nil:
		return errors.New("the URL holds a user or password, which would be written down with the run: put the key into an environment variable instead (OPENAI_API_KEY, or ?key_env=NAME)")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("the URL has a query or fragment, which could hold a key: put the key into an environment variable instead (OPENAI_API_KEY, or ?key_env=NAME)")
	}
	return nil
}

// ShortName is what tables call the model where no id was given: the name without folder and extension, and the
// parameters, which tell two of a kind apart.
func (m ModelArg) ShortName() string {
	name := m.Name[strings.LastIndexByte(m.Name, '/')+1:]
	name = strings.TrimSuffix(name, ".gguf")
	if m.Backend == "recorded" {
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".jsonl")
	}
	mark := "?"
	for _, k := range slices.Sorted(maps.Keys(m.Params)) {
		if k == "key_env" {
			continue // where a key lies tells no two models apart
		}
		name, mark = name+mark+k+"="+m.Params[k], "&"
	}
	return name
}

// firstAddress is a MODEL argument without the further addresses of its model, which tell nothing of what it answers.
func firstAddress(arg string) string {
	if i := strings.LastIndex(arg, "@http"); i >= 0 {
		url, _, _ := strings.Cut(arg[i:], ",")
		return arg[:i] + url
	}
	return arg
}

// canonical names what is asked, however it is written: two arguments with the same canonical form give the same
// answers.
func (m ModelArg) canonical() string {
	name := m.Backend + ":" + m.Name
	for _, k := range slices.Sorted(maps.Keys(m.Params)) {
		if k != "key_env" {
			name += fmt.Sprintf(" %q=%q", k, m.Params[k])
		}
	}
	return name + " @" + strings.TrimRight(m.URL, "/")
}
