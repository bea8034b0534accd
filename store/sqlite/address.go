package sqlite

import (
	"net/url"
	"path/filepath"
	"strings"
)

// The pragmas of every connection. They stand in the address, because a pool opens connections when it likes and
// each of them starts with SQLite's defaults.
const (
	waitForLock = "busy_timeout(10000)" // milliseconds that one process waits for another's commit
	durable     = "synchronous(FULL)"   // a commit is on the disk before it returns; NORMAL may lose the last ones at a power cut
	onlyQueries = "query_only(1)"
)

// address is the driver's name for the file: a URI with the mode of opening, and the connection's pragmas.
func (f file) address(mode string, pragmas ...string) string {
	path := filepath.ToSlash(f.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	q := url.Values{}
	if mode == "immutable" {
		mode = "ro"
		q.Set("immutable", "1")
	}
	q.Set("mode", mode)
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}
