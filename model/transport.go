package model

import "net/http"

// idleConnections is how many connections are kept open at least, so that those of one round serve the next.
const idleConnections = 256

// Transport is Go's own with one pool of connections for a model: HTTP/2 where the server offers it, the proxies of
// the environment, and as many idle connections as requests may be in flight (0: the default number of a
// RemoteOptions), where Go's own closes all but two.
func Transport(concurrency int) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, max(idleConnections, concurrency)
	// A prompt with a chain has some kilobytes: it leaves in one write.
	t.WriteBufferSize = 16 << 10
	return t
}
