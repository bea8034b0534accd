package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss"
)

// opened starts a server that counts connections and notes the protocol of its requests.
func opened(t *testing.T, secure bool) (s *httptest.Server, connections *atomic.Int64, protocol *atomic.Value) {
	t.Helper()
	connections, protocol = new(atomic.Int64), new(atomic.Value)
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		protocol.Store(r.Proto)
		time.Sleep(time.Millisecond)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	if s.EnableHTTP2 = secure; secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s, connections, protocol
}

func TestTransportIsOnePool(t *testing.T) {
	for _, c := range []struct {
		secure   bool
		protocol string
		most     int64
	}{{false, "HTTP/1.1", 750}, {true, "HTTP/2.0", 4}} {
		s, connections, protocol := opened(t, c.secure)
		own := Transport(200)
		defer own.CloseIdleConnections()
		if c.secure {
			roots := x509.NewCertPool()
			roots.AddCert(s.Certificate())
			own.TLSClientConfig = &tls.Config{RootCAs: roots}
		}
		m := Remote(callFunc(func(ctx context.Context, _ percuss.Request) (percuss.Answer, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
			if err != nil {
				return percuss.Answer{}, err
			}
			res, err := (&http.Client{Transport: own}).Do(req)
			if err != nil {
				return percuss.Answer{}, err
			}
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			return percuss.Answer{Outcome: percuss.OK}, err
		}), percuss.Capabilities{}, RemoteOptions{Concurrency: 200})
		if _, err := askAll(t.Context(), t, m, numbered(1)); err != nil { // as the survey does
			t.Fatal(err)
		}
		if got, err := askAll(t.Context(), t, m, numbered(1500)); err != nil || len(got.answers) != 1500 {
			t.Fatalf("%d answers, error %v", len(got.answers), err)
		}
		if protocol.Load() != c.protocol || connections.Load() > c.most {
			t.Errorf("%v over %d connections, want %s over %d at most", protocol.Load(), connections.Load(), c.protocol, c.most)
		}
	}
}
