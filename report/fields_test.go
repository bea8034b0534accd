package report

import (
	"html/template"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// TestTemplatesReadFieldsThatAre holds the templates of the pages against what they are drawn with, branches that no
// fixture reaches included.
func TestTemplatesReadFieldsThatAre(t *testing.T) {
	funcs := template.FuncMap{"tablePage": pageOf, "defined": termOf}
	pagetest.Fields(t, pages, funcs, "page", page{})
	pagetest.Fields(t, pages, funcs, "card", Card{})
	pagetest.Fields(t, pages, funcs, "fold", &itemView{})
	pagetest.Fields(t, itemPages, nil, "itempage", &itemView{})
	pagetest.Fields(t, itemPages, nil, "itempair", itemPair{})
}
