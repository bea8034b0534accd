package openai

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// address is a server's base URL in its normal form. It holds no secret.
type address struct {
	base string // e.g. "http://host:8000/v1": no trailing slash, no default port, host in lower case
	root string // base without /v1, where servers have requests of their own
	host string // without port
}

// parseAddress reads the URL that a user gave. secretFrom names the place where a secret belongs.
func parseAddress(s, secretFrom string) (address, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return address{}, errors.New("no URL: give the server's base URL after @, e.g. openai:NAME@http://localhost:8000/v1")
	}
	u, err := url.Parse(s)
	if err != nil {
		// The error of url.Parse repeats the URL, secrets included.
		return address{}, errors.New("the server's URL cannot be read: give one like http://localhost:8000/v1")
	}
	switch {
	case u.User != nil:
		return address{}, fmt.Errorf("the server's URL (host %s) holds a user name or password, which would end up in files: take it out, and give the secret in %s", u.Host, secretFrom)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return address{}, fmt.Errorf("the server's URL (host %s) has a query or fragment, which may hold a secret: take it out, and give the secret in %s", u.Host, secretFrom)
	case u.Scheme != "http" && u.Scheme != "https":
		return address{}, fmt.Errorf("the server's URL begins with %q: give one that begins with http:// or https://", u.Scheme+":")
	case u.Hostname() == "":
		return address{}, errors.New("the server's URL has no host: give one like http://localhost:8000/v1")
	}
	host := strings.ToLower(u.Hostname())
	shown := host
	if strings.Contains(host, ":") {
		shown = "[" + host + "]"
	}
	if p := u.Port(); p != "" && !(u.Scheme == "http" && p == "80") && !(u.Scheme == "https" && p == "443") {
		shown += ":" + p
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if cut, ok := strings.CutSuffix(path, "/chat/completions"); ok {
		return address{}, fmt.Errorf("the server's URL ends in /chat/completions: give the base URL %s://%s%s", u.Scheme, shown, cut)
	}
	base := u.Scheme + "://" + shown + path
	return address{base: base, root: strings.TrimSuffix(base, "/v1"), host: host}, nil
}
