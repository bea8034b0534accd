// Package dataset is the port to sets of questions and sets of cases. A loader is a sub-package named after its set; it reads the files as
// their authors published them.
package dataset

import (
	"fmt"
	"iter"

	"github.com/percuss/percuss"
)

// BadRow is a row that could not be used. The other rows are.
type BadRow struct {
	File    string
	Line    int
	Why     string // what is wrong and, where there is one, the remedy
	Repeats string // the id, where it stands on an earlier row
}

func (b *BadRow) Error() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Why) }

// Loader reads one set.
type Loader interface {
	// Name is the set's name as it stands in Question.Set.
	Name() string
	// Questions yields the rows in file order. A row that cannot be used comes as a *BadRow and reading goes on;
	// any other error ends the sequence.
	Questions() iter.Seq2[percuss.Question, error]
}

// CaseLoader reads one set of cases, each a patient with findings and candidate diagnoses.
type CaseLoader interface {
	// Name is the set's name as it stands in Case.Set.
	Name() string
	// Cases yields the cases in file order. A case that cannot be used, or that the set's rules leave out, comes as a
	// *BadRow and reading goes on; any other error ends the sequence. Where a Why has a colon, what stands before it
	// is the kind of reason, the same for all rows of that kind, and what stands behind it is of this row. It may be
	// read more than once, and yields the same each time.
	Cases() iter.Seq2[percuss.Case, error]
}

// Options are what stands behind the question mark of a DATA argument, e.g. options=5.
type Options map[string]string
