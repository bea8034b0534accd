// Package explore is the explorer of runs: pages that a server makes of what stands in the folders, read alone. What a
// reader writes down himself, notes, is the one thing that it keeps.
package explore

import (
	"context"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
)

// Run is one run's folder, opened for reading. Its methods may be called from several goroutines.
type Run interface {
	Dir() string
	Manifest() run.Manifest
	// Subjects are those of the run, in its order; a subject is known by its place here.
	Subjects() []percuss.Subject
	// State is another one when the answers are others: what was made of them holds as long as it stays.
	State(ctx context.Context) (string, error)
	// View is one subject with its trials, record and answers.
	View(ctx context.Context, at int) (run.View, error)
	// Views are all of them.
	Views(ctx context.Context) iter.Seq2[run.View, error]
	// Records are the records of all subjects in their order, kept ones where there are.
	Records(ctx context.Context) iter.Seq2[percuss.Record, error]
	// Versions are the versions of a chain audit's edits and controls, by their ids, as they were when they were asked.
	Versions(ctx context.Context) (map[string]string, error)
	// Item is a view of a chain audit as the report shows it.
	Item(v run.View) (report.Item, battery.Battery)
	// Case is a view of an evidence audit as the report shows it, with the strength from which a combination counts and the
	// noise of its cell. The noise comes from all cases: without wait it may be not ready, and is so at a later call.
	Case(ctx context.Context, v run.View, wait bool) (c cases.Case, salient float64, noise cases.Noise, err error)
	// StepItem is a view of a step audit as the report shows it.
	StepItem(v run.View) steps.Item
	// Answer is what was asked under a key and what came; false when nothing came.
	Answer(ctx context.Context, k percuss.Key) (percuss.Request, percuss.Answer, bool, error)
	Close() error
}

// Opener opens the run in a folder.
type Opener func(ctx context.Context, dir string) (Run, error)

// Server shows the runs below a folder. Close it when nothing is served any more.
type Server struct {
	Root string
	Open Opener
	Now  func() time.Time
	Log  io.Writer // a line a fault, and one for each index that was built; no address with a token gets there
	// NoTexts leaves the full text out, for which all answers of a run are read once.
	NoTexts bool

	once   sync.Once
	assets *web.Assets
	shelf  shelf
	life   context.Context // of what is built
	end    context.CancelFunc
	work   sync.WaitGroup

	logging  sync.Mutex
	compared comparisons
}

// begin makes what the server keeps.
func (s *Server) begin() {
	s.once.Do(func() {
		s.assets = web.NewAssets(sheets())
		s.life, s.end = context.WithCancel(context.Background())
	})
}

// Handler serves all pages. It is to stand behind a web.Guard.
func (s *Server) Handler() http.Handler {
	s.begin()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.runs)
	mux.HandleFunc("GET /run", s.showRun)
	mux.HandleFunc("GET /trials", s.trials)
	mux.HandleFunc("GET /items", s.items)
	mux.HandleFunc("GET /progress", s.progress)
	mux.HandleFunc("GET /report/", s.report)
	mux.HandleFunc("GET /notes", s.noteList)
	mux.HandleFunc("POST /notes", s.writeNote)
	mux.HandleFunc("GET /notes.jsonl", s.exportNotes)
	mux.HandleFunc("GET /notes.csv", s.exportNotes)
	mux.HandleFunc("GET /item", s.item)
	mux.HandleFunc("GET /case", s.caseOf)
	mux.HandleFunc("GET /raw", s.raw)
	mux.HandleFunc("GET /compare", s.compare)
	mux.HandleFunc("GET /compare/item", s.pair)
	mux.Handle("GET "+web.AssetPath, s.assets)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }) // browsers ask for it
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		s.fail(w, http.StatusNotFound, errNoPage)
	})
	return mux
}
