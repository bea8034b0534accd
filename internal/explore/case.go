package explore

import "net/http"

// caseOf is not built yet.
func (s *Server) caseOf(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, errNoPage)
}
