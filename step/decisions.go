package step

import "github.com/percuss/percuss"

// decisions are the choices that the abstract leaves open and that mattered here.
func (s *summary) decisions() []percuss.Decision { return []percuss.Decision{} }
