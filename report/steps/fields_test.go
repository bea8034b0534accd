package steps

import (
	"html/template"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// TestTemplatesReadFieldsThatAre holds the templates of the pages against what they are drawn with, branches that no
// fixture reaches included.
func TestTemplatesReadFieldsThatAre(t *testing.T) {
	funcs := template.FuncMap{"defined": columnTerms.Of, "chainOf": chainOf}
	pagetest.Fields(t, pages, funcs, "page", page{})
	pagetest.Fields(t, pages, funcs, "fold", itemPage{})
	pagetest.Fields(t, pages, funcs, "itempage", itemPage{})
}
