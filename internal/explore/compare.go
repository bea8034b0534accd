package explore

import "net/http"

// compare is not built yet.
func (s *Server) compare(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, errNoPage)
}
