package step

import "maps"

// qualities are how good the judges are, where it is known: what the report was told.
func (s *summary) qualities() map[string]Quality {
	out := maps.Clone(s.a.o.Quality)
	if out == nil {
		out = map[string]Quality{}
	}
	return out
}
