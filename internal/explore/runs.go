package explore

import (
	"net/http"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// noFilter shows everything.
var noFilter index.Filter

// runLine is a run in the list.
type runLine struct{ Name, Href string }

// runs is the list of runs.
func (s *Server) runs(w http.ResponseWriter, _ *http.Request) {
	var lines []runLine
	for _, name := range s.names() {
		lines = append(lines, runLine{name, runAddress("/run", name, noFilter)})
	}
	s.draw(w, http.StatusOK, "runs", struct {
		web.Frame
		Runs []runLine
	}{s.frame("Runs", "", "Pages"), lines})
}
