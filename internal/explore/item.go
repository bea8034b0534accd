package explore

import "net/http"

// item is not built yet.
func (s *Server) item(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, errNoPage)
}
