package annotate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// desk serves one rater's page and keeps what comes, as the contract of the page has it, without sessions.
type desk struct {
	*httptest.Server
	p     blind.Package
	order []string

	mu      sync.Mutex
	latest  map[string]ratings.Entry
	came    []ratings.Entry // each as often as it came
	down    bool            // connections are cut
	lose    bool            // what comes is kept, but the connection is cut before the answer
	status  int             // in the place of an answer
	shut    bool
	refuses string // an item of which nothing is taken
}

func newDesk(t *testing.T) *desk {
	d := &desk{p: fixture(), latest: map[string]ratings.Entry{}}
	d.order = Order(d.p, "A")
	assets := web.NewAssets(PageAssets())
	mux := http.NewServeMux()
	mux.Handle("GET "+web.AssetPath, assets)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if err := WritePage(w, assets, PageInput{Package: d.p, Order: d.order, Saved: d.latest, Rater: "Dr A", Shut: d.shut, Practice: true, PIN: true}); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		_ = json.NewEncoder(w).Encode(map[string]any{"package": d.p.ID, "shut": d.shut, "entries": d.latest})
	})
	mux.HandleFunc("POST /entries", d.receive)
	mux.HandleFunc("POST /device", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"link": "/in/SECRET", "expires": time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)})
	})
	d.Server = httptest.NewServer(web.Guard{}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.is(func() bool { return d.down }) {
			panic(http.ErrAbortHandler)
		}
		mux.ServeHTTP(w, r)
	})))
	d.Config.ErrorLog = nil
	t.Cleanup(d.Close)
	return d
}

func (d *desk) is(what func() bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return what()
}

func (d *desk) set(how func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	how()
}

func (d *desk) receive(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b struct {
		Package string
		Now     time.Time
		Entries []ratings.Entry
	}
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil || b.Package != d.p.ID || b.Now.IsZero() {
		http.Error(w, "malformed", http.StatusBadRequest)
		return
	}
	if d.status != 0 {
		w.WriteHeader(d.status)
		_, _ = w.Write([]byte(`{"kept":[],"error":"words"}`))
		return
	}
	kept, refused := []string{}, []map[string]string{}
	for _, e := range b.Entries {
		err := e.Check(time.Now())
		if item := d.p.Item(e.Item); err == nil && item != nil {
			err = d.p.CheckLabels(*item, e.Labels)
		}
		if e.Item == d.refuses {
			err = fmt.Errorf("item %s is not asked", e.Item)
		}
		if err != nil {
			refused = append(refused, map[string]string{"id": e.ID, "why": err.Error()})
			continue
		}
		kept, d.came, d.latest[e.Item] = append(kept, e.ID), append(d.came, e), e
	}
	if d.lose {
		panic(http.ErrAbortHandler)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kept": kept, "refused": refused, "shut": d.shut, "at": time.Now()})
}

// said is what counts of the item at a place of the order, from 1.
func (d *desk) said(place int) ratings.Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.latest[d.order[place-1]]
}
