package cases

import (
	"html/template"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// TestTemplatesReadFieldsThatAre holds the templates of the pages against what they are drawn with, branches that no
// fixture reaches included.
func TestTemplatesReadFieldsThatAre(t *testing.T) {
	funcs := template.FuncMap{"defined": columnTerms.Of}
	pagetest.Fields(t, pages, funcs, "page", page{})
	pagetest.Fields(t, pages, funcs, "fold", casePage{})
	pagetest.Fields(t, casePages, funcs, "casepage", casePage{})
}
