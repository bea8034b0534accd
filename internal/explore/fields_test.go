package explore

import (
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// TestTemplatesReadFieldsThatAre holds the templates that are drawn with a named type against it, branches that no
// fixture reaches included.
func TestTemplatesReadFieldsThatAre(t *testing.T) {
	pagetest.Fields(t, pages, nil, "list", listPage{})
	pagetest.Fields(t, pages, nil, "raw", rawPage{})
	pagetest.Fields(t, pages, nil, "standing", standing{})
	pagetest.Fields(t, comparePages, nil, "compare", comparePage{})
}
