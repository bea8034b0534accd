package explore

import "net/http"

// raw is not built yet.
func (s *Server) raw(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, errNoPage)
}
