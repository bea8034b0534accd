package explore

import (
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// TestTemplatesReadFieldsThatAre holds the templates against the types that they are drawn with, branches that no fixture
// reaches included.
func TestTemplatesReadFieldsThatAre(t *testing.T) {
	for name, of := range map[string]any{"list": listPage{}, "raw": rawPage{}, "standing": standing{}, "failed": failedPage{}, "building": buildingPage{},
		"run": runPage{}, "runs": runsPage{}, "itemnotes": aboutItem{}, "notes": notesPage{}, "pair": pairPage{}} {
		pagetest.Fields(t, pages, nil, name, of)
	}
	pagetest.Fields(t, comparePages, nil, "compare", comparePage{})
}
